#include "loop/transform/parallelise.hpp"

#include "loop/analysis/loop_work.hpp"
#include "loop/walk.hpp"

#include <set>

namespace vr::lower {

namespace {

// The most parallel loops in a function: each is compiled twice.
constexpr int most_in_function = 16;

class Parallelise {
 public:
  Parallelise(Module& m, Exprs& x, size_t function, int64_t threshold)
      : m_(m), x_(x), function_(function), threshold_(threshold) {}

  void run() {
    for (const ArrayVars& a : fn().arrays) {
      fields_.insert(a.data);
      fields_.insert(a.owner);
      fields_.insert(a.flags);
      fields_.insert(a.extent.begin(), a.extent.end());
      fields_.insert(a.stride.begin(), a.stride.end());
    }
    for (const auto* list : {&fn().params, &fn().results})
      for (const Param& p : *list) fields_.insert({p.var, p.im});
    // Moved out and back: adding tasks to the module's list invalidates references into the function.
    Block body = std::move(fn().body);
    block(body);
    fn().body = std::move(body);
  }

 private:
  Function& fn() { return *m_.functions[function_]; }

  void block(Block& b) {
    for (Stmt& s : b) {
      if (auto* n = std::get_if<If>(&s.node)) {
        block(n->then_body);
        block(n->else_body);
      } else if (auto* n = std::get_if<Loop>(&s.node)) {
        block(n->body);
      } else if (auto* n = std::get_if<CountedLoop>(&s.node)) {
        if (n->fallback) continue;
        if (!n->element)
          block(n->body);
        else if (n->independent && made_ < most_in_function)
          split(s, *n);
      }
    }
  }

  /// The iterations of the whole nest, if the inner loops' bounds do not change within it; otherwise those of its
  /// outermost loop.
  ExprP elements(const CountedLoop& loop, const std::set<VarId>& own) {
    ExprP n = x_.sub(loop.hi, loop.lo);
    if (loop.body.size() == 1)
      if (auto* inner = std::get_if<CountedLoop>(&loop.body[0].node)) {
        for (VarId v : own)
          if (mentions(inner->lo, v) || mentions(inner->hi, v)) return n;
        n = x_.mul(n, elements(*inner, own));
      }
    return n;
  }

  void split(Stmt& s, CountedLoop& loop) {
    const LoopWork c(loop.body);
    std::set<VarId> own = c.written;
    own.insert(loop.var);
    if (!c.plain) return;
    for (VarId v : own)
      if (fields_.count(v) || (v != loop.var && c.read_first.count(v))) return;
    ExprP total = elements(loop, own);
    if (loop.chunks) {
      ++made_;
      s.node = task(loop, c.read, own, s.place);
      return;
    }
    const int64_t least = threshold_ / std::max<int64_t>(c.operations, 1);
    const ExprP enough = x_.both(x_.ge(total, x_.int_const(least)), x_.ge(x_.sub(loop.hi, loop.lo), x_.int_const(2)));
    if (is_false(enough)) return;
    ++made_;
    Block there, here;
    there.push_back({task(loop, c.read, own, s.place), s.place});
    here.push_back({std::move(loop), s.place});
    s.node = If{enough, std::move(there), std::move(here)};
  }

  ParallelFor task(const CountedLoop& loop, const std::set<VarId>& read, const std::set<VarId>& own, int32_t place) {
    const int32_t task = add_function(m_, Function::Kind::Task, fn().name + "_elements", fn().source_name);
    Function& target = *m_.functions[static_cast<size_t>(task)];
    target.fast_math = fn().fast_math;
    target.place = fn().place;
    BodyCopy copy(x_, fn(), target);
    ParallelFor parallel{task, loop.lo, loop.hi, {}, loop.site};
    for (VarId v : read)
      if (!own.count(v)) {
        target.params.push_back({copy.var(v), none, none, false});
        parallel.captures.push_back(v);
      }
    auto bound = [&](const char* name) {
      target.vars.push_back({name, Scalar::Int64});
      return static_cast<VarId>(target.vars.size()) - 1;
    };
    target.lo_var = bound("lo");
    target.hi_var = bound("hi");
    CountedLoop part{copy.var(loop.var), x_.var(target.lo_var, Scalar::Int64), x_.var(target.hi_var, Scalar::Int64),
                     copy.block(loop.body)};
    part.independent = part.element = true;
    part.site = loop.site;
    target.body.push_back({std::move(part), place});
    return parallel;
  }

  Module& m_;
  Exprs& x_;
  const size_t function_;
  const int64_t threshold_;
  std::set<VarId> fields_;  ///< variables of descriptors, parameters and results: never private to a loop
  int made_ = 0;
};

}  // namespace

void parallelise(Module& m, const PassOptions& options) {
  if (!options.parallel || !options.version_loops) return;
  Exprs x(m);
  const size_t count = m.functions.size();
  for (size_t k = 0; k < count; ++k)
    if (m.functions[k]->kind == Function::Kind::Entry) Parallelise(m, x, k, options.parallel_threshold).run();
}

}  // namespace vr::lower
