// independent_loops: parallel loops that the program does not call parallel.
//
//   kernel [i] { for j { store b[i, j] = a[i, j] + a[i, j + 1] } }
//   kernel [i] { for parallel j { store b[i, j] = a[i, j] + a[i, j + 1] } }
#include "loop/transform/independent_loops.hpp"

#include "loop/analysis/independent_loop.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/analysis/unit_stride.hpp"
#include "loop/renamed.hpp"
#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

constexpr int64_t most_short = 16;  // trip count of a loop that remains a loop

class Independent {
 public:
  Independent(Exprs& x, Function& kernel) : x_(x), fn_(kernel) {
    const auto strides = stride_counts(x, kernel);
    columns_ = kernel.dims.size() == 1 && strides[0].unit > 0 && strides[0].apart == 0;
  }

  /// depth: the dimensions that the loops of the block would add to. values: in front of it.
  void block(Block& b, size_t depth, Polynomials values) {
    if (depth == most_dims) return;
    struct Found {
      size_t at;
      Polynomials values;  ///< in the loop
    };
    std::vector<Found> loops;
    bool all = true;  // that are no columns which accumulate
    for (size_t k = 0; k < b.size(); values.execute(b[k]), ++k) {
      auto* loop = std::get_if<CountedLoop>(&b[k].node);
      const bool inside = any_statement(b[k], [](const Stmt& s) {
        return std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<Loop>(s.node);
      });
      if (!inside) continue;
      const bool parallel =
          loop && (loop->parallel || (is_plain(*loop) && !is_short(*loop) && is_independent(x_, fn_, b, k, values)));
      all = all && (parallel || (loop && columns_ && is_scalar_code(loop->body)));
      if (parallel) loops.push_back({k, values.inside(b[k])});
    }
    if (!all) return;
    for (Found& f : loops) {
      block(std::get<CountedLoop>(b[f.at].node).body, depth + 1, std::move(f.values));
      mark(b[f.at]);
    }
  }

 private:
  static constexpr size_t most_dims = 3;

  static bool is_short(const CountedLoop& n) { return n.hi->kind == Expr::Kind::IntConst && n.hi->ival <= most_short; }
  /// The variables of the loop become its own: the loops of a block may use the same ones.
  void mark(Stmt& s) {
    if (std::get<CountedLoop>(s.node).parallel) return;
    const auto names = variables_like(x_, fn_, s);
    s = renamed(x_, std::move(s), names);
    std::get<CountedLoop>(s.node).parallel = true;
  }

  Exprs& x_;
  Function& fn_;
  bool columns_;  ///< consecutive iterations of the kernel access neighbouring elements
};

}  // namespace

void independent_loops(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel && f->disjoint && f->points == 1 && f->folds.empty() && !has<Fail>(f->body) &&
        !has<Scratch>(f->body))
      Independent(x, *f).block(f->body, f->dims.size(), Polynomials(*f));
}

}  // namespace vr::lower
