#include "tool/accesses.hpp"

#include "loop/analysis/footprint.hpp"
#include "runtime/gpu/regions/footprint.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>
#include <set>

namespace vr::tool {
namespace {

struct Given {
  int64_t number = 0;
  std::vector<int64_t> extents, strides;
  bool array = false;
};

std::optional<int64_t> number(std::string_view s) {
  int64_t v = 0;
  const auto r = std::from_chars(s.data(), s.data() + s.size(), v);
  return r.ec == std::errc() && r.ptr == s.data() + s.size() ? std::optional(v) : std::nullopt;
}
/// "[1,2]"
std::optional<std::vector<int64_t>> numbers(std::string_view s) {
  if (s.size() < 3 || s.front() != '[' || s.back() != ']') return {};
  s = s.substr(1, s.size() - 2);
  std::vector<int64_t> all;
  for (size_t comma = 0; comma != std::string_view::npos;) {
    comma = s.find(',');
    const auto n = number(s.substr(0, comma));
    if (!n) return {};
    all.push_back(*n);
    if (comma != std::string_view::npos) s = s.substr(comma + 1);
  }
  return all;
}
std::optional<Given> parse(std::string_view s) {
  Given g;
  if (const auto n = number(s)) {
    g.number = *n;
    return g;
  }
  g.array = true;
  const size_t by = s.find("by");
  const auto extents = numbers(s.substr(0, by));
  if (!extents || extents->size() > VR_MAX_RANK) return {};
  g.extents = *extents;
  if (by == std::string_view::npos) return g;
  const auto strides = numbers(s.substr(by + 2));
  if (!strides || strides->size() != extents->size()) return {};
  g.strides = *strides;
  return g;
}

/// The text for one kernel.
class Text {
 public:
  Text(const lower::Function& kernel, AccessTable table, const std::map<std::string, Given>& given)
      : f_(kernel), t_(std::move(table)), given_(given) {}

  std::string run() {
    std::string dims;
    for (lower::VarId d : f_.dims) dims += (dims.empty() ? "" : ", ") + name(d);
    std::string s = fmt::format("kernel {} [{}]\n", f_.name, dims);
    for (size_t l = f_.dims.size(); l < t_.loops.size(); ++l)
      s += fmt::format("  {} in [{}, {})\n", loop(int64_t(l)), form(t_.loops[l].lo), form(t_.loops[l].hi));
    for (const ArrayAccess& a : t_.accesses) {
      s += fmt::format("  {} {} bytes of {} + {}{}{}{}\n", a.written ? "writes" : "reads", a.bytes, param(a.param),
                       form(a.offset), inside(a.loops), where(a.where), a.always ? "" : " perhaps");
      for (int64_t l : a.limits) s += "    if " + limit(t_.limits[size_t(l)]) + "\n";
    }
    for (const AccessLimit& l : t_.checks) s += "  no fault if " + limit(l) + "\n";
    for (const WholeAccess& w : t_.whole)
      s += fmt::format("  {} any of {}: {}\n", w.written ? "writes" : "reads", param(w.param), w.reason);
    return s + regions();
  }

 private:
  std::string name(lower::VarId v) const { return f_.vars[size_t(v)].name; }
  std::string param(int64_t p) const {
    const lower::Param& param = f_.params[size_t(p)];
    return param.array == lower::none ? name(param.var) : f_.arrays[size_t(param.array)].name;
  }
  std::string loop(int64_t l) const {
    return size_t(l) < f_.dims.size() ? name(f_.dims[size_t(l)])
                                      : fmt::format("loop{}", l - int64_t(f_.dims.size()) + 1);
  }
  std::string value(int64_t v) const {
    const AccessValue& k = t_.values[size_t(v)];
    switch (k.kind) {
      case AccessValue::Kind::Scalar:
        return param(k.a);
      case AccessValue::Kind::Extent:
        return fmt::format("{}.extent{}", param(k.a), k.b);
      case AccessValue::Kind::Stride:
        return fmt::format("{}.stride{}", param(k.a), k.b);
      case AccessValue::Kind::Count:
        return loop(k.a) + ".count";
      case AccessValue::Kind::Sum:
        return "(" + form(k.form) + ")";
      case AccessValue::Kind::Quotient:
        return fmt::format("({} / {})", value(k.a), value(k.b));
      case AccessValue::Kind::Remainder:
        return fmt::format("({} % {})", value(k.a), value(k.b));
      case AccessValue::Kind::Least:
        return fmt::format("min({}, {})", value(k.a), value(k.b));
      case AccessValue::Kind::Greatest:
        return fmt::format("max({}, {})", value(k.a), value(k.b));
    }
    return "?";
  }
  std::string form(const AccessForm& f) const {
    std::string s;
    for (const AccessTerm& term : f) {
      std::string product;
      auto times = [&](const std::string& factor) { product += (product.empty() ? "" : "*") + factor; };
      if (term.factor != 1 || (term.loop < 0 && term.values.empty())) times(std::to_string(term.factor));
      for (int64_t v : term.values) times(value(v));
      if (term.loop >= 0) times(loop(term.loop));
      s += (s.empty() ? "" : " + ") + product;
    }
    return s.empty() ? "0" : s;
  }
  std::string inside(const std::vector<int64_t>& loops) const {
    std::string s;
    for (int64_t l : loops)
      if (size_t(l) >= f_.dims.size()) s += (s.empty() ? " in " : ", ") + loop(l);
    return s;
  }
  std::string where(const std::vector<AccessForm>& forms) const {
    std::string s;
    for (const AccessForm& f : forms) s += (s.empty() ? " where " : " and ") + form(f) + " >= 0";
    return s;
  }
  std::string limit(const AccessLimit& l) const {
    if (l.hi == INT64_MAX) return fmt::format("{} >= {}{}{}", form(l.form), l.lo, inside(l.loops), where(l.where));
    return fmt::format("{} in [{}, {}]{}{}", form(l.form), l.lo, l.hi, inside(l.loops), where(l.where));
  }

  // ---------------------------------------------------------------- with numbers
  const Given* given(const std::string& what, bool array) const {
    const auto it = given_.find(what);
    return it == given_.end() || it->second.array != array ? nullptr : &it->second;
  }
  std::string regions() const {
    std::vector<vr_kernel_param> params;
    std::vector<vr_array> arrays(f_.params.size());
    std::vector<vr_value> args(f_.params.size());
    std::vector<int64_t> counts;
    for (size_t p = 0; p < f_.params.size(); ++p) {
      const lower::Param& param = f_.params[p];
      vr_kernel_param made = {VR_PARAM_SCALAR, VR_INT64, 0, param.written ? param.fresh ? VR_WRITTEN_FRESH : 1 : 0, ""};
      if (param.array == lower::none) {
        // Scalars that no coefficient uses need no value.
        const Given* g = given(name(param.var), false);
        if (!g && uses(int64_t(p))) return "";
        args[p].i64 = g ? g->number : 0;
      } else {
        const lower::ArrayVars& vars = f_.arrays[size_t(param.array)];
        const Given* g = given(vars.name, true);
        if (!g || g->extents.size() != vars.extent.size()) return "";
        made.kind = VR_PARAM_ARRAY;
        made.elem = int32_t(vars.elem) | (vars.complex ? VR_COMPLEX : 0);
        made.rank = int32_t(g->extents.size());
        vr_array& a = arrays[p];
        a.data = reinterpret_cast<void*>(base);
        a.elem = made.elem;
        a.rank = made.rank;
        int64_t stride = vars.element_bytes();
        for (size_t d = g->extents.size(); d-- > 0;) {
          a.extent[d] = g->extents[d];
          a.stride[d] = g->strides.empty() ? stride : g->strides[d];
          stride *= g->extents[d];
        }
        args[p].array = &a;
      }
      params.push_back(made);
    }
    for (lower::VarId d : f_.dims) {
      const Given* g = given(name(d), false);
      if (!g) return "";
      counts.push_back(g->number);
    }
    vr_kernel kernel = {};
    kernel.dims = int32_t(counts.size());
    kernel.param_count = int32_t(params.size());
    kernel.params = params.data();
    std::string s;
    const auto found = gpu::footprints(t_, kernel, counts.data(), args.data());
    for (size_t p = 0; p < found.size(); ++p) {
      if (params[p].kind != VR_PARAM_ARRAY) continue;
      s += region(int64_t(p), "needs", found[p].read, found[p].read_exact && found[p].write_exact, found[p].reason);
      s += region(int64_t(p), "stores", found[p].write, found[p].write_exact, found[p].reason);
    }
    return s;
  }
  bool uses(int64_t p) const {
    for (const AccessValue& v : t_.values)
      if (v.kind == AccessValue::Kind::Scalar && v.a == p) return true;
    return false;
  }
  std::string region(int64_t p, const char* what, const gpu::Region& region, bool exact,
                     const std::string& reason) const {
    if (region.empty()) return "";
    std::string s = fmt::format("  {} of {} {} bytes{}{}\n", what, param(p), gpu::bytes(region),
                                exact ? "" : " at most", reason.empty() ? "" : ", all of it: " + reason);
    constexpr size_t most = 6;
    for (size_t k = 0; k < region.size() && k < most; ++k) {
      const gpu::Lmad& box = region[k];
      s += fmt::format("    {} bytes at {}", box.run, static_cast<int64_t>(box.base - base));
      for (int32_t d = 0; d < box.rank; ++d)
        s += fmt::format(", {} times {} apart", box.dim[size_t(d)].extent, box.dim[size_t(d)].stride);
      s += "\n";
    }
    if (region.size() > most) s += fmt::format("    and {} more\n", region.size() - most);
    return s;
  }

  static constexpr uintptr_t base = uintptr_t{1} << 60;  // of arrays that have no address
  const lower::Function& f_;
  const AccessTable t_;
  const std::map<std::string, Given>& given_;
};

}  // namespace

Result<std::string> show_accesses(const lower::Module& module, const std::vector<std::string>& texts) {
  std::map<std::string, Given> given;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    const auto g = equals == std::string::npos ? std::nullopt : parse(std::string_view(text).substr(equals + 1));
    if (!g)
      return make_error(Code::Usage,
                        fmt::format("'{}' is not NAME=NUMBER, NAME=[EXTENTS] or NAME=[EXTENTS]by[STRIDES]", text));
    given[text.substr(0, equals)] = *g;
  }
  std::set<std::string> names;
  std::string s;
  for (size_t k = 0; k < module.functions.size(); ++k) {
    const auto& f = module.functions[k];
    if (f->kind != lower::Function::Kind::Kernel) continue;
    for (const lower::Var& v : f->vars) names.insert(v.name);
    for (const lower::ArrayVars& a : f->arrays) names.insert(a.name);
    s += Text(*f, lower::footprint(module, int32_t(k)), given).run();
  }
  for (const auto& [name, g] : given)
    if (!names.count(name)) return make_error(Code::Usage, fmt::format("no kernel has a '{}'", name));
  return s;
}

}  // namespace vr::tool
