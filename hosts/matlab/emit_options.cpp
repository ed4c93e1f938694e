// Option lists: optimset, optimget, odeset and odeget, whose names are known when compiling. The host computes which
// fields the list has and where each comes from; the values stay compiled code's.
#include "emit.hpp"

#include <set>

namespace vr::matlab {

namespace {

/// Whether the value is empty: known when compiling, or nothing.
std::optional<bool> emptiness(const Val& v) {
  if (v.t.is_empty() || (v.t.text && v.t.text->empty())) return true;
  if (v.t.is_scalar() || v.t.closure || v.t.text || v.t.count() > 0) return false;
  return std::nullopt;
}

OptionValue given(Emitter& em, const Val& v, Vals& marked, bool in_list, Pos pos) {
  if (!v.t.lost.empty()) em.refuse(pos, v.t.lost);
  OptionValue o;
  if (v.t.cls == Cls::Struct) {
    o.kind = OptionValue::Fields;
    for (size_t k = 0; k < v.parts.size(); ++k)
      o.fields.emplace_back(v.t.fields[k], given(em, v.parts[k], marked, true, pos));
    return o;
  }
  if (v.t.text) {
    o.kind = OptionValue::Text;
    o.text = *v.t.text;
    return o;
  }
  const std::optional<bool> empty = emptiness(v);
  if (empty.value_or(false) && v.t.cls == Cls::Double && v.t.ext == std::vector<int64_t>{0, 0}) return o;  // []
  if (in_list && !empty) em.refuse(pos, "an option whose value may be empty");
  o.kind = OptionValue::Marker;
  o.marker = static_cast<int>(marked.size());
  marked.push_back(v);
  return o;
}

Val made(Emitter& em, const OptionValue& o, const Vals& marked) {
  switch (o.kind) {
    case OptionValue::Marker:
      return marked[static_cast<size_t>(o.marker)];
    case OptionValue::Text:
      return {Type::string(o.text)};
    case OptionValue::Number:
      return em.number(o.number);
    case OptionValue::Fields: {
      Val v{Type::scalar(Cls::Struct)};
      for (const auto& [name, field] : o.fields) {
        v.t.fields.push_back(name);
        v.parts.push_back(made(em, field, marked));
        v.t.parts.push_back(v.parts.back().t);
      }
      return v;
    }
    case OptionValue::Empty:
      break;
  }
  return em.value(Type::array(Cls::Double, {0, 0}),
                  em.f->zeros(ir::f64_array(2, ir::Layout::ColMajor), {ir::E(0), ir::E(0)}));
}

}  // namespace

bool options(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  static const std::set<std::string> functions = {"optimset", "optimget", "odeset", "odeget"};
  if (!functions.count(name) || !em.program.unit->options || nargout > 1) return false;
  Vals marked;
  std::vector<OptionValue> values;
  for (const Val& v : args) values.push_back(given(em, v, marked, false, pos));
  const std::optional<OptionValue> found = em.program.unit->options(name, values);
  if (!found) em.refuse(pos, "'" + name + "' with these options");
  out.push_back(made(em, *found, marked));
  return true;
}

}  // namespace vr::matlab
