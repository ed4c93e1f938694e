#include "codegen/opencl/kernel_writer.hpp"

#include "codegen/opencl/expr_writer.hpp"

#include <velociraptor/ir/nodes.hpp>

#include <fmt/format.h>

#include <map>

namespace vr::codegen::opencl {
namespace {
using namespace lower;

/// `T name`, with the star of a pointer type where it belongs.
std::string declare(const char* type, const std::string& name) { return fmt::format("{} {}", type, name); }

class KernelWriter {
 public:
  KernelWriter(const Module& m, const Function& f, const Usage& usage, Names& globals, Helpers& helpers)
      : m_(m), f_(f), usage_(usage), globals_(globals), helpers_(helpers), exprs_(names_, helpers) {}

  KernelText run() {
    if (f_.dims.empty() || f_.dims.size() > 3)
      return {"", fmt::format("a domain of {} dimensions (OpenCL has 1 to 3)", f_.dims.size())};
    if (!f_.cleanup.empty()) return {"", "a cleanup block"};
    body_name_ = globals_.unique(f_.name + "_body");
    name_variables();
    const std::string body = write_body();
    const std::string kernel = write_entry();
    if (problem_.empty()) problem_ = exprs_.problem();
    return {body + "\n" + kernel, problem_};
  }

 private:
  void name_variables() {
    Names names;
    names.unique(body_name_);  // a variable of that name would hide the function
    error_ = names.unique("error");
    for (const Var& v : f_.vars) names_.push_back(names.unique(v.name));
    for (const Param& p : f_.params) {
      if (p.array == none) continue;
      const std::string data = names_[f_.arrays[p.array].data];
      buffers_[p.array] = {names.unique(data + "_buffer"), names.unique(data + "_offset")};
    }
    for (VarId d : f_.dims) counts_.push_back(names.unique(names_[d] + "_count"));
    locals_ = names;
  }

  bool is_fixed(VarId v) const { return !usage_.assigned.count(v); }

  // ---------------------------------------------------------------- the body: one iteration
  /// Every variable that comes from outside and that the body uses, with its type: dims, then parameters.
  template <class F>
  void for_each_input(F&& f) const {
    auto maybe = [&](VarId v, const char* type) {
      if (v != none && usage_.uses(v)) f(v, type);
    };
    for (VarId d : f_.dims) maybe(d, "long");
    for (const Param& p : f_.params) {
      if (p.array == none) {
        maybe(p.var, value_type(f_.vars[p.var].type));
        if (p.im != none) maybe(p.im, value_type(f_.vars[p.im].type));
        continue;
      }
      const ArrayVars& a = f_.arrays[p.array];
      maybe(a.data, !p.written && is_fixed(a.data) ? "__global const char*" : "__global char*");
      for (VarId v : a.extent) maybe(v, "long");
      for (VarId v : a.stride) maybe(v, "long");
    }
  }

  std::string write_body() {
    std::string params, args;
    std::unordered_set<VarId> inputs;
    for_each_input([&](VarId v, const char* type) {
      inputs.insert(v);
      params += (params.empty() ? "" : ", ") + declare(type, names_[v]);
      args += (args.empty() ? "" : ", ") + names_[v];
    });
    if (usage_.fails) {
      params += std::string(params.empty() ? "" : ", ") + "__global vr_fault* " + error_;
      args += (args.empty() ? "" : ", ") + error_;
    }
    if (params.empty()) params = "void";
    call_ = fmt::format("{}({})", body_name_, args);

    line(fmt::format("static {} {}({}) {{", usage_.fails ? "int" : "void", body_name_, params));
    ++depth_;
    if (f_.fast_math & ir::fastmath::Contract) out_ += "#pragma OPENCL FP_CONTRACT ON\n";
    declare_locals(inputs);
    block(f_.body);
    if (usage_.fails && !leaves(f_.body)) line("return 0;");
    --depth_;
    line("}");
    return std::move(out_);
  }

  /// A line of declarations for each type, in the order of the variables.
  void declare_locals(const std::unordered_set<VarId>& inputs) {
    for (Scalar type : {Scalar::Bool, Scalar::Int32, Scalar::Int64, Scalar::Float32, Scalar::Float64, Scalar::Ptr}) {
      std::string list;
      for (VarId v = 0; v < VarId(f_.vars.size()); ++v) {
        if (f_.vars[v].type != type || inputs.count(v) || !usage_.uses(v)) continue;
        if (type == Scalar::Ptr)
          line(fmt::format("__global char* {};", names_[v]));
        else
          list += (list.empty() ? "" : ", ") + names_[v];
      }
      if (!list.empty()) line(fmt::format("{} {};", value_type(type), list));
    }
  }

  static bool leaves(const Block& b) {
    return !b.empty() && (std::holds_alternative<Fail>(b.back().node) || std::holds_alternative<Exit>(b.back().node));
  }

  void block(const Block& b) {
    for (const Stmt& s : b) {
      std::visit([this](const auto& node) { statement(node); }, s.node);
    }
  }
  void indented(const Block& b) {
    ++depth_;
    block(b);
    --depth_;
  }
  void shared(std::vector<ExprP> roots) {
    for (const std::string& s : exprs_.declare_shared(roots)) line(s);
  }

  void statement(const SetVar& s) {
    shared({s.value});
    if (f_.vars[s.var].type != Scalar::Ptr) return line(fmt::format("{} = {};", names_[s.var], exprs_.write(s.value)));
    line(fmt::format("{} = (__global char*){};", names_[s.var], exprs_.write(s.value, true)));
  }
  void statement(const Store& s) {
    shared({s.base, s.offset, s.value});
    if (s.value->type == Scalar::Ptr) return refuse("a store of a pointer");
    // A truth value is stored as 0 or 1: bool converts so.
    line(fmt::format("*(__global {}*)({}) = {};", memory_type(s.value->type), exprs_.address(s.base, s.offset),
                     exprs_.write(s.value)));
  }
  void statement(const Atomic& s) {
    std::vector<ExprP> roots = {s.base, s.offset, s.value};
    if (s.expected) roots.push_back(s.expected);
    shared(roots);
    const Scalar type = s.value->type;
    line(fmt::format("{} = {}((volatile __global {}*)({}), {}{});", names_[s.result], helpers_.use_atomic(s.op, type),
                     memory_type(type), exprs_.address(s.base, s.offset),
                     s.expected ? exprs_.write(s.expected) + ", " : "", exprs_.write(s.value)));
  }
  void statement(const AliasGroup&) {}
  void statement(const If& s) {
    shared({s.cond});
    line(fmt::format("if ({}) {{", exprs_.write(s.cond)));
    indented(s.then_body);
    if (!s.else_body.empty()) {
      line("} else {");
      indented(s.else_body);
    }
    line("}");
  }
  void statement(const CountedLoop& s) {
    shared({s.lo, s.hi});
    const std::string& var = names_[s.var];
    const std::string lo = exprs_.write(s.lo);
    std::string hi = exprs_.write(s.hi, true);
    const bool stays = s.hi->kind == Expr::Kind::IntConst || (s.hi->kind == Expr::Kind::Var && is_fixed(s.hi->var));
    if (!stays) {
      const std::string end = locals_.unique(var + "_end");
      line(fmt::format("const long {} = {};", end, exprs_.write(s.hi)));
      hi = end;
    }
    line(fmt::format("for ({0} = {1}; {0} < {2}; ++{0}) {{", var, lo, hi));
    in_loop(s.body);
  }
  void statement(const Loop& s) {
    line("for (;;) {");
    in_loop(s.body);
  }
  void in_loop(const Block& b) {
    ++loops_;
    indented(b);
    --loops_;
    line("}");
  }
  void statement(const Break&) { loops_ ? line("break;") : refuse("break outside a loop"); }
  void statement(const Continue&) { loops_ ? line("continue;") : refuse("continue outside a loop"); }
  void statement(const Exit&) { line(usage_.fails ? "return 0;" : "return;"); }
  void statement(const Fail& s) {
    std::vector<ExprP> roots;
    if (s.index) roots.push_back(s.index);
    if (s.extent) roots.push_back(s.extent);
    shared(roots);
    const std::string index = s.index ? exprs_.write(s.index) : "0L", extent = s.extent ? exprs_.write(s.extent) : "0L";
    line(fmt::format("{}({}, {}, {}, {}, {});{}", helpers_.use("vr_fail"), error_, s.code, s.site, index, extent,
                     site_comment(s.site)));
    line("return 1;");
  }
  void statement(const Call&) { refuse("a call of the runtime"); }
  void statement(const CallFunction&) { refuse("a call of a function"); }
  void statement(const TakeAddress&) { refuse("the address of a function"); }
  void statement(const Scratch&) { refuse("scratch memory"); }
  void statement(const ParallelFor&) { refuse("a parallel loop"); }
  void statement(const Launch&) { refuse("the launch of a kernel"); }

  std::string site_comment(SiteId id) const {
    if (id < 0 || id >= SiteId(m_.sites.size())) return "";
    const Site& s = m_.sites[id];
    std::string text = s.loc;
    if (!s.array.empty()) text += (text.empty() ? "" : ", ") + s.array;
    if (s.axis >= 0) text += fmt::format(" axis {}", s.axis);
    for (char& c : text)
      if (static_cast<unsigned char>(c) < 32 || c == '\\') c = ' ';  // a line stays one line
    return text.empty() ? "" : "  // " + text;
  }

  // ---------------------------------------------------------------- the kernel: parameters and loops over the domain
  std::string write_entry() {
    std::vector<std::string> params;
    std::vector<std::string> prologue;
    for (const Param& p : f_.params) {
      if (p.array == none) {
        scalar_param(p.var, params);
        if (p.im != none) scalar_param(p.im, params);
        continue;
      }
      const ArrayVars& a = f_.arrays[p.array];
      const auto& [buffer, offset] = buffers_.at(p.array);
      const char* pointer = p.written ? "__global char*" : "__global const char*";
      std::string group = fmt::format("{} {}, long {}", pointer, buffer, offset);
      for (VarId v : a.extent) group += ", long " + names_[v];
      for (VarId v : a.stride) group += ", long " + names_[v];
      params.push_back(group);
      if (!usage_.uses(a.data)) continue;
      const bool loses_const = !p.written && !is_fixed(a.data);
      prologue.push_back(fmt::format("{} {} = {}{} + {};", loses_const ? "__global char*" : pointer, names_[a.data],
                                     loses_const ? "(__global char*)" : "", buffer, offset));
    }
    std::string counts;
    for (const std::string& c : counts_) counts += (counts.empty() ? "long " : ", long ") + c;
    params.push_back(counts);
    params.push_back("__global vr_fault* " + error_);

    line(fmt::format("__kernel void {}(", f_.name));
    for (size_t k = 0; k < params.size(); ++k) line("    " + params[k] + (k + 1 < params.size() ? "," : ") {"));
    ++depth_;
    for (const std::string& s : prologue) line(s);
    // The last dimension is the outermost loop, so that neighbouring work-items take neighbouring dims[0].
    for (int d = int(f_.dims.size()) - 1; d >= 0; --d) {
      const std::string& i = names_[f_.dims[d]];
      line(
          fmt::format("for (long {0} = get_global_id({1}); {0} < {2}; {0} += get_global_size({1}))", i, d, counts_[d]));
      ++depth_;
    }
    line(usage_.fails ? fmt::format("if ({}) return;", call_) : call_ + ";");
    depth_ = 0;
    line("}");
    return std::move(out_);
  }

  void scalar_param(VarId v, std::vector<std::string>& params) {
    const Scalar type = f_.vars[v].type;
    if (type == Scalar::Ptr) return refuse("a pointer as a scalar parameter");
    params.push_back(declare(memory_type(type), names_[v]));
  }

  void line(const std::string& s) {
    out_.append(size_t(depth_) * 2, ' ');
    out_ += s;
    out_ += '\n';
  }
  void refuse(const std::string& what) {
    if (problem_.empty()) problem_ = what;
  }

  const Module& m_;
  const Function& f_;
  const Usage& usage_;
  Names& globals_;
  Helpers& helpers_;
  std::vector<std::string> names_;  // of variables
  ExprWriter exprs_;
  Names locals_;
  std::map<ArrayId, std::pair<std::string, std::string>> buffers_;  // buffer and offset parameters
  std::vector<std::string> counts_;
  std::string error_, body_name_, call_;
  std::string out_, problem_;
  int depth_ = 0, loops_ = 0;
};

}  // namespace

KernelText write_kernel(const Module& m, const Function& kernel, const Usage& usage, Names& globals, Helpers& helpers) {
  return KernelWriter(m, kernel, usage, globals, helpers).run();
}

}  // namespace vr::codegen::opencl
