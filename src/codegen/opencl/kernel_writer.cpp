#include "codegen/opencl/kernel_writer.hpp"

#include "codegen/opencl/emit.hpp"
#include "codegen/opencl/expr_writer.hpp"
#include "lower/lanes.hpp"
#include "runtime/abi.h"

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
      : m_(m),
        f_(f),
        usage_(usage),
        globals_(globals),
        helpers_(helpers),
        exprs_(reads_, usage, helpers, [this](const Expr& load) {
          const Lane* lane = lane_of(f_, load.a, load.b, load.type);
          return lane && lane->loaded ? lanes_.at(lane).first : std::string();
        }) {}

  KernelText run() {
    if (f_.dims.empty() || f_.dims.size() > 3)
      return {"", fmt::format("a domain of {} dimensions (OpenCL has 1 to 3)", f_.dims.size())};
    if (!f_.cleanup.empty()) return {"", "a cleanup block"};
    body_name_ = globals_.unique(f_.name + "_body");
    if (!f_.folds.empty()) join_name_ = globals_.unique(f_.name + "_join");
    name_variables();
    const std::string body = write_body() + (f_.folds.empty() ? "" : "\n" + write_join());
    const std::string kernel = write_entry();
    if (problem_.empty()) problem_ = exprs_.problem();
    return {body + "\n" + kernel, problem_};
  }

 private:
  void name_variables() {
    Names names;
    names.unique(body_name_);  // a variable of that name would hide the function
    if (!join_name_.empty()) names.unique(join_name_);
    error_ = names.unique("error");
    for (const Var& v : f_.vars) {
      names_.push_back(names.unique(v.name));
      // Whole numbers are 64 bits wide in expressions; devices multiply two narrow ones that were widened at once.
      reads_.push_back(is_narrow(VarId(names_.size()) - 1) ? "(long)" + names_.back() : names_.back());
    }
    for (const Param& p : f_.params) {
      if (p.array == none) continue;
      const std::string data = names_[f_.arrays[p.array].data];
      buffers_[p.array] = {names.unique(data + "_buffer"), names.unique(data + "_offset")};
    }
    for (const Lane& lane : f_.lanes) {
      const std::string data = names_[f_.arrays[lane.array].data];
      lanes_[&lane] = {names.unique(data + "_lane"), names.unique(data + "_new")};
    }
    for (const Fold& fold : f_.folds) joined_[fold.var] = names.unique(names_[fold.var] + "_so_far");
    for (VarId d : f_.dims) counts_.push_back(names.unique(names_[d] + "_count"));
    locals_ = names;
  }

  bool is_fixed(VarId v) const { return !usage_.assigned.count(v); }
  bool is_narrow(VarId v) const { return f_.narrow.count(v) != 0; }
  const char* whole_type(VarId v) const { return is_narrow(v) ? "int" : "long"; }

  // ---------------------------------------------------------------- the body: one iteration
  /// Every variable that comes from outside and that the body uses, with its type: dims, then parameters.
  template <class F>
  void for_each_input(F&& f) const {
    auto maybe = [&](VarId v, const char* type) {
      if (v != none && usage_.uses(v)) f(v, type);
    };
    for (VarId d : f_.dims) maybe(d, whole_type(d));
    for (const Param& p : f_.params) {
      if (p.array == none) {
        maybe(p.var, value_type(f_.vars[p.var].type));
        if (p.im != none) maybe(p.im, value_type(f_.vars[p.im].type));
        continue;
      }
      const ArrayVars& a = f_.arrays[p.array];
      maybe(a.data, !p.written && is_fixed(a.data) ? "__global const char*" : "__global char*");
      for (VarId v : a.extent) maybe(v, whole_type(v));
      for (VarId v : a.stride) maybe(v, whole_type(v));
    }
  }

  std::string write_body() {
    std::vector<std::string> params;
    std::unordered_set<VarId> inputs;
    for_each_input([&](VarId v, const char* type) {
      inputs.insert(v);
      params.push_back(declare(type, names_[v]));
      call_args_.push_back(names_[v]);
    });
    for (const Fold& fold : f_.folds) {
      const std::string& name = joined_.at(fold.var);
      params.push_back(fmt::format("{}* {}", value_type(f_.vars[fold.var].type), name));
      call_args_.push_back("&" + name);
    }
    if (usage_.fails) {
      params.push_back("__global vr_fault* " + error_);
      call_args_.push_back(error_);
    }
    // What each point has of its own comes last.
    for (const Lane& lane : f_.lanes) {
      const auto& [old_element, new_element] = lanes_.at(&lane);
      if (lane.loaded) params.push_back(fmt::format("const {} {}", value_type(lane.type), old_element));
      if (lane.stored) params.push_back(fmt::format("{}* {}", memory_type(lane.type), new_element));
    }
    if (params.empty()) params.push_back("void");

    line(fmt::format("static {} {}({}) {{", usage_.fails ? "int" : "void", body_name_, fmt::join(params, ", ")));
    ++depth_;
    if (f_.fast_math & ir::fastmath::Contract) out_ += "#pragma OPENCL FP_CONTRACT ON\n";
    declare_locals(usage_, inputs);
    for (const Fold& fold : f_.folds) line(fmt::format("{} = *{};", names_[fold.var], joined_.at(fold.var)));
    block(f_.body);
    for (const Fold& fold : f_.folds) line(fmt::format("*{} = {};", joined_.at(fold.var), names_[fold.var]));
    if (usage_.fails && !leaves(f_.body)) line("return 0;");
    --depth_;
    line("}");
    return std::move(out_);
  }

  /// What others have joins what a work-item has so far.
  std::string write_join() {
    std::vector<std::string> params, others;
    std::unordered_set<VarId> inputs;
    for (const Fold& fold : f_.folds) {
      const char* type = value_type(f_.vars[fold.var].type);
      inputs.insert(fold.other);
      params.push_back(fmt::format("{}* {}", type, joined_.at(fold.var)));
      others.push_back(declare(type, names_[fold.other]));
    }
    line(fmt::format("static void {}({}, {}) {{", join_name_, fmt::join(params, ", "), fmt::join(others, ", ")));
    ++depth_;
    Usage usage = find_usage(f_, f_.join);
    for (const Fold& fold : f_.folds) usage.read.insert(fold.var);
    declare_locals(usage, inputs);
    for (const Fold& fold : f_.folds) line(fmt::format("{} = *{};", names_[fold.var], joined_.at(fold.var)));
    block(f_.join);
    for (const Fold& fold : f_.folds) line(fmt::format("*{} = {};", joined_.at(fold.var), names_[fold.var]));
    --depth_;
    line("}");
    return std::move(out_);
  }

  /// A line of declarations for each type, in the order of the variables.
  void declare_locals(const Usage& usage, const std::unordered_set<VarId>& inputs) {
    for (Scalar type : {Scalar::Bool, Scalar::Int32, Scalar::Int64, Scalar::Float32, Scalar::Float64, Scalar::Ptr}) {
      std::string list;
      for (VarId v = 0; v < VarId(f_.vars.size()); ++v) {
        if (f_.vars[v].type != type || inputs.count(v) || !usage.uses(v)) continue;
        if (is_narrow(v)) {
          line(fmt::format("int {};", names_[v]));
          continue;
        }
        if (type == Scalar::Ptr)
          line(fmt::format("{} char* {};", usage_.to_private.count(v) ? "__private" : "__global", names_[v]));
        else
          list += (list.empty() ? "" : ", ") + names_[v];
      }
      if (!list.empty()) line(fmt::format("{} {};", value_type(type), list));
    }
    // Of a type that is aligned as any element.
    for (const Scratch& s : usage_.scratch) {
      const std::string memory = locals_.unique(names_[s.var] + "_memory");
      line(fmt::format("long {}[{}];", memory, (s.bytes + 7) / 8));
      line(fmt::format("{} = (__private char*){};", names_[s.var], memory));
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
    if (usage_.to_private.count(s.var) != usage_.is_private(s.value))
      return refuse("a pointer into one of two address spaces");
    line(fmt::format("{} = ({} char*){};", names_[s.var], usage_.space(s.value), exprs_.write(s.value, true)));
  }
  void statement(const Store& s) {
    shared({s.base, s.offset, s.value});
    if (s.value->type == Scalar::Ptr) return refuse("a store of a pointer");
    if (const Lane* lane = lane_of(f_, s.base, s.offset, s.value->type); lane && lane->stored)
      return line(fmt::format("*{} = {};", lanes_.at(lane).second, exprs_.write(s.value)));
    // A truth value is stored as 0 or 1: bool converts so.
    line(fmt::format("*({} {}*)({}) = {};", usage_.space(s.base), memory_type(s.value->type),
                     exprs_.address(s.base, s.offset), exprs_.write(s.value)));
  }
  void statement(const Atomic& s) {
    if (usage_.is_private(s.base)) return refuse("an atomic operation on an array of an iteration's own");
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
    if (!stays || is_narrow(s.var)) {
      const std::string end = locals_.unique(var + "_end");
      line(fmt::format("const {} {} = {};", whole_type(s.var), end, exprs_.write(s.hi)));
      hi = end;
    }
    line(fmt::format("for ({0} = {1}; {0} < {2}; ++{0}) {{", var, lo, hi));
    in_loop(s.body);
  }
  void statement(const Loop& s) {
    // A loop that begins by asking whether to go on is a `while`: compilers make better code of one way out.
    if (auto* test = s.body.empty() ? nullptr : std::get_if<If>(&s.body[0].node);
        test && test->else_body.empty() && test->then_body.size() == 1 &&
        std::holds_alternative<Break>(test->then_body[0].node) && exprs_.declare_shared({test->cond}).empty()) {
      const bool negated = test->cond->kind == Expr::Kind::Unary && test->cond->op == Op::Not;
      line(fmt::format("while ({}) {{", negated ? exprs_.write(test->cond->a) : "!" + exprs_.write(test->cond, true)));
      return in_loop(Block(s.body.begin() + 1, s.body.end()));
    }
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
  void statement(const Scratch&) {}  // declared at the top
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
    const char* whole = f_.narrow.empty() ? "long" : "int";
    const char* apart = f_.disjoint ? " restrict" : "";
    for (const Param& p : f_.params) {
      if (p.array == none) {
        scalar_param(p.var, params);
        if (p.im != none) scalar_param(p.im, params);
        continue;
      }
      const ArrayVars& a = f_.arrays[p.array];
      const auto& [buffer, offset] = buffers_.at(p.array);
      const char* pointer = p.written ? "__global char*" : "__global const char*";
      std::string group = fmt::format("{}{} {}, long {}", pointer, apart, buffer, offset);
      for (const auto* fields : {&a.extent, &a.stride})
        for (VarId v : *fields) group += fmt::format(", {} {}", whole, names_[v]);
      params.push_back(group);
      if (!usage_.uses(a.data)) continue;
      const bool loses_const = !p.written && !is_fixed(a.data);
      prologue.push_back(fmt::format("{} {} = {}{} + {};", loses_const ? "__global char*" : pointer, names_[a.data],
                                     loses_const ? "(__global char*)" : "", buffer, offset));
    }
    std::string counts;
    for (const std::string& c : counts_) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", whole, c);
    params.push_back(counts);
    params.push_back("__global vr_fault* " + error_);

    line(fmt::format("__kernel void {}(", f_.name));
    for (size_t k = 0; k < params.size(); ++k) line("    " + params[k] + (k + 1 < params.size() ? "," : ") {"));
    ++depth_;
    for (const std::string& s : prologue) line(s);
    if (!f_.folds.empty()) return write_fold(whole);
    if (f_.points > 1) return write_points(whole);
    const std::string call = step({});
    if (f_.points == 1) {
      std::string inside;
      for (size_t d = 0; d < f_.dims.size(); ++d) {
        const std::string& i = names_[f_.dims[d]];
        line(fmt::format("const {} {} = get_global_id({});", whole, i, d));
        inside += fmt::format("{}{} < {}", d ? " && " : "", i, counts_[d]);
      }
      line(fmt::format("if ({}) {}", inside, call));
    } else {
      // The last dimension is the outermost loop, so that neighbouring work-items take neighbouring dims[0].
      for (int d = int(f_.dims.size()) - 1; d >= 0; --d) {
        const std::string& i = names_[f_.dims[d]];
        line(fmt::format("for ({3} {0} = get_global_id({1}); {0} < {2}; {0} += get_global_size({1}))", i, d, counts_[d],
                         whole));
        ++depth_;
      }
      line(usage_.fails ? fmt::format("if ({}) return;", call.substr(0, call.size() - 1)) : call);
    }
    depth_ = 0;
    line("}");
    return std::move(out_);
  }

  /// The body's call for one point; with lanes, `lane_args` are their arguments.
  std::string step(std::vector<std::string> lane_args) const {
    std::vector<std::string> args = call_args_;
    args.insert(args.end(), lane_args.begin(), lane_args.end());
    return fmt::format("{}({});", body_name_, fmt::join(args, ", "));
  }

  // ---------------------------------------------------------------- lanes
  std::string lane_address(const Lane& lane) const {
    return fmt::format("{} + (long){} * {}L", names_[f_.arrays[lane.array].data], names_[f_.dims[0]],
                       scalar_bytes(lane.type));
  }
  /// Whether vectors may be loaded and stored at the arrays' elements 0, most_lanes, ...
  std::string lanes_aligned() const {
    std::string all;
    for (const Lane& lane : f_.lanes)
      all += fmt::format("{}((size_t){} & {}) == 0", all.empty() ? "" : " && ", names_[f_.arrays[lane.array].data],
                         most_lanes * scalar_bytes(lane.type) - 1);
    return all;
  }
  std::string lane_value(const Lane& lane, const std::string& element) const {
    return lane.type == Scalar::Bool ? element + " != 0" : element;
  }
  /// One point by itself, dims[0] being declared.
  void lone_point() {
    std::vector<std::string> args;
    for (const Lane& lane : f_.lanes) {
      const auto& [old_element, new_element] = lanes_.at(&lane);
      if (lane.loaded)
        args.push_back(
            lane_value(lane, fmt::format("*(__global const {}*)({})", memory_type(lane.type), lane_address(lane))));
      if (!lane.stored) continue;
      line(fmt::format("{} {};", memory_type(lane.type), new_element));
      args.push_back("&" + new_element);
    }
    line(step(args));
    for (const Lane& lane : f_.lanes)
      if (lane.stored)
        line(fmt::format("*(__global {}*)({}) = {};", memory_type(lane.type), lane_address(lane),
                         lanes_.at(&lane).second));
  }
  /// Loads for most_lanes points from dims[0] on, in variables named with `suffix`.
  void load_lanes(const std::string& suffix) {
    for (const Lane& lane : f_.lanes)
      if (lane.loaded)
        line(fmt::format("const {0}{1} {2} = *(__global const {0}{1}*)({3});", memory_type(lane.type), most_lanes,
                         lanes_.at(&lane).first + suffix, lane_address(lane)));
  }
  /// The variables of most_lanes points' new elements.
  std::string new_elements(const Lane& lane) const {
    std::string list;
    for (int k = 0; k < most_lanes; ++k) list += fmt::format("{}{}{}", k ? ", " : "", lanes_.at(&lane).second, k);
    return list;
  }
  /// The calls for most_lanes points; dims[0] counts on.
  void lane_steps(const std::string& suffix) {
    for (int k = 0; k < most_lanes; ++k) {
      std::vector<std::string> args;
      for (const Lane& lane : f_.lanes) {
        const auto& [old_element, new_element] = lanes_.at(&lane);
        if (lane.loaded) args.push_back(lane_value(lane, fmt::format("{}{}.s{}", old_element, suffix, k)));
        if (lane.stored) args.push_back(fmt::format("&{}{}", new_element, k));
      }
      line(step(args) + (k + 1 < most_lanes ? fmt::format(" ++{};", names_[f_.dims[0]]) : ""));
    }
  }

  /// A work-item takes most_lanes points, at once where they are all there.
  std::string write_points(const char* whole) {
    const std::string &i = names_[f_.dims[0]], &n = counts_[0];
    line(fmt::format("{} {} = {} * ({})get_global_id(0);", whole, i, most_lanes, whole));
    open(fmt::format("if ({} <= {} - {} && {}) {{", i, n, most_lanes, lanes_aligned()));
    const std::string first = "vr_first";
    line(fmt::format("const {} {} = {};", whole, first, i));
    load_lanes("");
    for (const Lane& lane : f_.lanes)
      if (lane.stored) line(fmt::format("{} {};", memory_type(lane.type), new_elements(lane)));
    lane_steps("");
    line(fmt::format("{} = {};", i, first));
    for (const Lane& lane : f_.lanes)
      if (lane.stored)
        line(fmt::format("*(__global {0}{1}*)({2}) = ({0}{1})({3});", memory_type(lane.type), most_lanes,
                         lane_address(lane), new_elements(lane)));
    otherwise();
    open(fmt::format("for (const {0} vr_end = min({1}, {2} + {3}); {2} < vr_end; ++{2}) {{", whole, n, i, most_lanes));
    lone_point();
    for (int blocks = 3; blocks-- > 0;) close();
    return std::move(out_);
  }

  // ---------------------------------------------------------------- reductions: in two stages, the first one here
  std::string write_fold(const char* whole) {
    const std::string call = body_name_ + fmt::format("({})", fmt::join(call_args_, ", "));
    for (const Fold& fold : f_.folds)
      line(fmt::format("{} {} = {};", value_type(f_.vars[fold.var].type), joined_.at(fold.var),
                       exprs_.write(fold.neutral)));
    // A work-item that faults goes on to the barriers.
    if (usage_.fails) line("int vr_failed = 0;");
    const std::string going = usage_.fails ? "!vr_failed && " : "";
    const std::string step = (usage_.fails ? "vr_failed = " : "") + call + ";";
    const size_t dims = f_.dims.size();
    if (!f_.lanes.empty()) {
      fold_lanes(whole);
    } else if (dims == 1) {
      // A work-group takes blocks of several elements a work-item, which it has in flight at once; neighbours take
      // neighbours.
      constexpr int at_once = 4;
      const std::string &i = names_[f_.dims[0]], &n = counts_[0];
      line(fmt::format("const {} vr_width = get_local_size(0), vr_block = {} * vr_width;", whole, at_once));
      line(fmt::format("const {0} vr_step = vr_block * ({0})get_num_groups(0);", whole));
      line(fmt::format("{} vr_first = vr_block * ({})get_group_id(0);", whole, whole));
      line(fmt::format("for (; {}vr_first <= {} - vr_block; vr_first += vr_step) {{", going, n));
      line(fmt::format("  {} {} = vr_first + ({})get_local_id(0);", whole, i, whole));
      for (int k = 0; k < at_once; ++k) {
        const char* unless = usage_.fails && k > 0 ? "if (!vr_failed) " : "";
        line(fmt::format("  {}{}{}", unless, step, k + 1 < at_once ? fmt::format(" {} += vr_width;", i) : ""));
      }
      line("}");
      line(fmt::format("for ({0} {1} = vr_first + ({0})get_local_id(0); {4}{1} < {2}; {1} += vr_width) {3}", whole, i,
                       n, step, going));
    } else {
      for (size_t d = dims; d-- > 0;) {
        const bool outer = d + 1 == dims, inner = d == 0;
        line(fmt::format("for ({3} {0} = {1}; {4}{0} < {2}; {0} += {5})", names_[f_.dims[d]],
                         outer   ? "get_group_id(0)"
                         : inner ? "get_local_id(0)"
                                 : "0",
                         counts_[d], whole, going,
                         outer   ? "get_num_groups(0)"
                         : inner ? "get_local_size(0)"
                                 : "1"));
        ++depth_;
      }
      line(step);
      depth_ = 1;
    }
    line("const int vr_item = get_local_id(0);");
    for (const Fold& fold : f_.folds) {
      const Scalar type = f_.vars[fold.var].type;
      const std::string& value = joined_.at(fold.var);
      const std::string all = value + "_all";
      line(fmt::format("__local {} {}[{}];", memory_type(type), all, VR_FOLD_GROUP));
      line(fmt::format("{}[vr_item] = {};", all, value));
    }
    std::vector<std::string> mine, others;
    for (const Fold& fold : f_.folds) {
      mine.push_back("&" + joined_.at(fold.var));
      others.push_back(joined_.at(fold.var) + "_all[vr_item + vr_half]");
    }
    line("for (int vr_half = get_local_size(0) / 2; vr_half > 0; vr_half /= 2) {");
    line("  barrier(CLK_LOCAL_MEM_FENCE);");
    line("  if (vr_item < vr_half) {");
    line(fmt::format("    {}({}, {});", join_name_, fmt::join(mine, ", "), fmt::join(others, ", ")));
    for (const Fold& fold : f_.folds) line(fmt::format("    {0}_all[vr_item] = {0};", joined_.at(fold.var)));
    line("  }");
    line("}");
    line("if (vr_item == 0) {");
    for (size_t k = 0; k < f_.folds.size(); ++k) {
      const Fold& fold = f_.folds[k];
      const auto& [buffer, offset] = buffers_.at(fold.partial);
      line(fmt::format("  *(__global {}*)({} + {} + (get_group_id(0) * {} + {}) * 8) = {};",
                       memory_type(f_.vars[fold.var].type), buffer, offset, f_.folds.size(), k, joined_.at(fold.var)));
    }
    line("}");
    depth_ = 0;
    line("}");
    return std::move(out_);
  }

  /// Blocks of two vectors a work-item, which are loaded before the first is used. Where they cannot be loaded whole
  /// each work-item takes the same elements, so that sums are those of aligned arrays.
  void fold_lanes(const char* whole) {
    constexpr int at_once = 2;
    const std::string &i = names_[f_.dims[0]], &n = counts_[0];
    line(fmt::format("const {} vr_width = {} * ({})get_local_size(0), vr_block = {} * vr_width;", whole, most_lanes,
                     whole, at_once));
    line(fmt::format("const {0} vr_step = vr_block * ({0})get_num_groups(0);", whole));
    line(fmt::format("const bool vr_aligned = {};", lanes_aligned()));
    open(fmt::format("for ({0} vr_first = vr_block * ({0})get_group_id(0); vr_first < {1}; vr_first += vr_step) {{",
                     whole, n));
    line(fmt::format("{0} {1} = vr_first + {2} * ({0})get_local_id(0);", whole, i, most_lanes));
    open(fmt::format("if (vr_aligned && vr_first <= {} - vr_block) {{", n));
    line(fmt::format("const {} vr_mine = {};", whole, i));
    for (int k = 0; k < at_once; ++k) {
      if (k) line(fmt::format("{} += vr_width;", i));
      load_lanes(std::to_string(k));
    }
    for (int k = 0; k < at_once; ++k) {
      line(fmt::format("{} = vr_mine{};", i, k ? fmt::format(" + {} * vr_width", k) : ""));
      lane_steps(std::to_string(k));
    }
    otherwise();
    open(fmt::format("for (int vr_k = 0; vr_k < {}; ++vr_k) {{", at_once * most_lanes));
    open(fmt::format("if ({} < {}) {{", i, n));
    lone_point();
    close();
    line(fmt::format("{0} += (vr_k + 1) % {1} ? 1 : vr_width - {1} + 1;", i, most_lanes));
    for (int blocks = 3; blocks-- > 0;) close();
  }

  void scalar_param(VarId v, std::vector<std::string>& params) {
    const Scalar type = f_.vars[v].type;
    if (type == Scalar::Ptr) return refuse("a pointer as a scalar parameter");
    params.push_back(declare(memory_type(type), names_[v]));
  }

  /// A line that begins a block; close() ends it, or otherwise() goes on with the other way.
  void open(const std::string& s) {
    line(s);
    ++depth_;
  }
  void close() {
    --depth_;
    line("}");
  }
  void otherwise() {
    --depth_;
    open("} else {");
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
  std::vector<std::string> reads_;  // their values in expressions
  ExprWriter exprs_;
  Names locals_;
  std::map<ArrayId, std::pair<std::string, std::string>> buffers_;  // buffer and offset parameters
  std::vector<std::string> counts_;
  std::map<VarId, std::string> joined_;                               // of folds: what a work-item has so far
  std::map<const Lane*, std::pair<std::string, std::string>> lanes_;  // a point's old element and its new one
  std::string error_, body_name_, join_name_;
  std::vector<std::string> call_args_;
  std::string out_, problem_;
  int depth_ = 0, loops_ = 0;
};

}  // namespace

KernelText write_kernel(const Module& m, const Function& kernel, const Usage& usage, Names& globals, Helpers& helpers) {
  return KernelWriter(m, kernel, usage, globals, helpers).run();
}

}  // namespace vr::codegen::opencl
