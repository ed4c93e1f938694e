// share_loops: see share_loops.hpp.
//
//   for k in [0, 16) {                       for k in [0, 16) {
//     p = a[i, k, k]                           barrier global
//     for r in [0, 15 - k) {                   p = a[i, k, k]
//       store a[i, k + 1 + r, k] =             barrier global
//           a[i, k + 1 + r, k] / p             for u in [0, (15 - k + 63 - member) / 64) {
//     }                                          r = member + 64 * u
//   }                                            store a[i, k + 1 + r, k] = a[i, k + 1 + r, k] / p
//                                              }
//                                            }
#include "loop/transform/share_loops.hpp"

#include "loop/analysis/private_arrays.hpp"
#include "loop/analysis/shared_loops.hpp"
#include "loop/analysis/shared_sizes.hpp"
#include "loop/analysis/unit_stride.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/replace.hpp"
#include "loop/transform/atomic_sums.hpp"
#include "loop/transform/share_writer.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace vr::lower {

namespace {

// Measured on an H200 (docs/performance.md): what all members compute costs the less the fewer they are, and so do
// barriers. A device that has iterations enough needs no large groups, but for those whose local memory keeps others
// out.
constexpr int32_t few_members = 32, most_members = 256, lone_members = 512;
constexpr int64_t many_items = 1 << 18;         // that occupy the device
constexpr int64_t bytes_of_members = 8192;      // of local memory for each few_members
constexpr int64_t fewest_shared = 16;           // iterations of the largest shared loop from which on it is shared
constexpr int64_t most_alone = 4;               // of the largest shared loop's iterations, in loops that are not shared
constexpr int64_t long_loop = 4096;             // iterations of loops of which nothing is known
constexpr int64_t most_with_columns = 1 << 13;  // iterations of the launch, if neighbours access neighbouring elements

class ShareLaunches {
 public:
  ShareLaunches(Module& m, Exprs& x, Function& f, const PassOptions& o) : m_(m), x_(x), out_(x, f), options_(o) {}

  void run() {
    replace_launches(out_, [&](Launch& n) { return launch(n); });
  }

 private:
  bool launch(const Launch& plain) {
    const Function& kernel = *m_.functions[static_cast<size_t>(plain.kernel)];
    if (const auto plans = plan_shares(x_, kernel)) return launch_as(plain, kernel, *plans);
    const auto sums = with_atomic_sums(x_, kernel);
    const auto plans = sums ? plan_shares(x_, *sums) : std::nullopt;
    return plans && launch_as(plain, *sums, *plans);
  }
  /// Whether `plain` has become a launch of forms of the kernel, which does the same.
  bool launch_as(const Launch& plain, const Function& kernel, const std::vector<SharePlan>& plans) {
    const size_t vars = out_.fn.vars.size();
    bool made = false;
    Block code = out_.collect([&] { made = launch(plain, Function(kernel), plans); });
    if (made)
      out_.append(std::move(code));
    else
      out_.fn.vars.resize(vars);
    return made;
  }
  bool launch(const Launch& plain, const Function& kernel, const std::vector<SharePlan>& plans) {
    LaunchIntervals at(out_);
    at.inputs(kernel, plain.args);
    at.single_values(kernel);
    SharedSizes sizes = shared_sizes(at, x_, kernel, plans);
    const bool serial = in_serial_loops(plans);
    // Loops that count or add up are long, as far as the host knows.
    if (!sizes.known && !serial) sizes.most = constant(long_loop);
    if ((!sizes.known && serial) || !sizes.most || (!serial && !sizes.alone)) return false;
    Launch here = plain;
    ExprP iterations = constant(1);
    for (ExprP& count : here.counts) {
      count = out_.keep(count, "count");
      iterations = x_.mul(iterations, count);
    }
    iterations = out_.keep(iterations, "iterations");
    const bool always = options_.tiles == 1;
    const auto strides = stride_counts(x_, kernel);
    ExprP gains = x_.ge(sizes.most, constant(always ? 1 : fewest_shared));
    if (!serial) gains = x_.both(gains, x_.le(sizes.alone, x_.binary(Op::Div, sizes.most, constant(most_alone))));
    if (!always && strides[0].unit > strides[0].apart)
      gains = x_.both(gains, x_.le(iterations, constant(most_with_columns)));
    Block otherwise;
    otherwise.push_back({here, out_.place});
    const auto boxes = boxes_of(sizes);
    bool made = false;
    if (!serial && !counts_in(boxes, kernel)) return false;
    const ExprP fits = out_.keep(boxes_fit(boxes), "fits");
    const auto forms = [&](int32_t members, ExprP suits) {
      if (members > options_.group || is_false(suits)) return;
      const ShareShape shape{members, sizes.rows ? std::min(row_of(sizes), members) : 1};
      const ExprP c = within_limits(x_, x_.both(gains, suits), here.counts, members);
      // Without boxes where they may be too large, or if they are.
      if ((serial && !is_true(fits)) || boxes.empty()) add(here, kernel, plans, shape, sizes, {}, c, otherwise, made);
      if (!boxes.empty()) add(here, kernel, plans, shape, sizes, boxes, x_.both(c, fits), otherwise, made);
    };
    // What only counts has few barriers, and waits for loads.
    const int32_t few = serial ? members_for(local_bytes(kernel, boxes)) : few_members;
    const ExprP large = x_.gt(sizes.most, constant(most_members / 2));
    // A lone group has the device to itself.
    const auto most = static_cast<int32_t>(is_int(plain.counts[0], 1) ? std::min<int64_t>(lone_members, options_.group)
                                                                      : most_members);
    if (few < most) forms(most, large);
    forms(few, always || !serial ? x_.not_(large)
               : few == most     ? x_.bool_const(true)
                                 : x_.either(x_.not_(large), x_.ge(iterations, constant(many_items / few))));
    if (!made) return false;
    out_.append(std::move(otherwise));
    return true;
  }
  /// Whether what loops add up by subscripts is in memory of the group.
  static bool counts_in(const std::vector<OwnBox>& boxes, const Function& kernel) {
    const PrivateArrays arrays(kernel.body, true);
    return !any_statement(kernel.body, [&](const Stmt& s) {
      auto* n = std::get_if<Atomic>(&s.node);
      return n && !arrays.of(n->base) && std::none_of(boxes.begin(), boxes.end(), [&](const OwnBox& b) {
               return n->base->kind == Expr::Kind::Var && n->base->var == b.data;
             });
    });
  }
  /// The boxes for which local memory has room, unless the device shows that they are larger.
  std::vector<OwnBox> boxes_of(const SharedSizes& sizes) const {
    std::vector<OwnBox> all;
    int64_t bytes = 0;
    for (const OwnBox& b : sizes.boxes) {
      const int64_t size = scalar_bytes(b.type), own = constant_elements(b).value_or(most_box_bytes / size) * size;
      if (own > most_box_bytes || own <= 0 || bytes + own > options_.local_bytes / 2) continue;
      bytes += own;
      all.push_back(b);
    }
    return all;
  }
  /// The host's condition that no box is larger than the memory for it, and that it is a part of its array: the
  /// subscripts of some accesses are known only to be in a larger interval.
  ExprP boxes_fit(const std::vector<OwnBox>& boxes) {
    ExprP fits = x_.bool_const(true);
    for (const OwnBox& b : boxes) {
      for (const OwnBox::Axis& a : b.axes)
        fits = x_.both(fits, x_.both(x_.ge(a.lo, constant(0)), x_.lt(a.hi, a.extent)));
      if (constant_elements(b)) continue;
      ExprP all = constant(1);
      for (const OwnBox::Axis& a : b.axes) {
        const ExprP count = x_.add(x_.sub(a.hi, a.lo), constant(1));
        all = out_.keep(x_.mul(all, count), "all");
        // Each factor is small, so that the product does not wrap.
        fits = x_.both(fits, x_.both(x_.ge(count, constant(0)), x_.le(count, constant(most_box_bytes))));
      }
      fits = x_.both(fits, x_.le(all, constant(most_box_bytes / scalar_bytes(b.type))));
    }
    return fits;
  }
  /// Bytes of local memory of a group.
  static int64_t local_bytes(const Function& kernel, const std::vector<OwnBox>& boxes) {
    int64_t bytes = 0;
    const PrivateArrays arrays(kernel.body, true);
    for (const PrivateArray& a : arrays.all()) bytes += a.bytes;
    for (const OwnBox& b : boxes) {
      const int64_t size = scalar_bytes(b.type);
      bytes += constant_elements(b).value_or(most_box_bytes / size) * size;
    }
    return bytes;
  }
  /// So many that groups with this local memory occupy the device.
  static int32_t members_for(int64_t bytes) {
    int32_t members = few_members;
    while (members < most_members && bytes > bytes_of_members * (members / few_members)) members *= 2;
    return members;
  }
  /// The members of a row.
  static int32_t row_of(const SharedSizes& sizes) {
    int32_t row = 8;
    while (row < sizes.row.value_or(SharedSizes::most_row)) row *= 2;
    return row;
  }
  /// Adds the form, launched if `c` holds.
  void add(const Launch& here, const Function& kernel, const std::vector<SharePlan>& plans, const ShareShape& shape,
           const SharedSizes& sizes, const std::vector<OwnBox>& boxes, ExprP c, Block& otherwise, bool& made) {
    Function form = share_version(x_, kernel, plans, shape, sizes, boxes);
    int64_t bytes = 0;
    for (const Shared& s : form.shared) bytes += int64_t{s.count} * scalar_bytes(s.type);
    if (bytes > options_.local_bytes) return;
    form.tile_of.kernel = here.kernel;
    Launch shared = here;
    shared.kernel = add_kernel(m_, std::move(form),
                               kernel.name + (boxes.empty() ? "_shared" : "_boxed") + std::to_string(shape.members));
    const auto pass = [&](ExprP value) {
      const VarId v = out_.new_var("count", Scalar::Int64);
      out_.set(v, value);
      shared.args.push_back({v});
    };
    pass(here.counts[0]);
    for (const OwnBox& b : boxes)
      for (const OwnBox::Axis& a : b.axes) {
        if (!is_const(a.lo)) pass(a.lo);
        if (!is_const(a.lo) || !is_const(a.hi)) pass(x_.add(x_.sub(a.hi, a.lo), constant(1)));
      }
    shared.counts[0] = out_.keep(x_.mul(here.counts[0], constant(shape.members)), "items");
    otherwise = launch_if(c, std::move(shared), std::move(otherwise), out_.place);
    made = true;
  }
  ExprP constant(int64_t v) { return x_.int_const(v); }

  Module& m_;
  Exprs& x_;
  Writer out_;
  const PassOptions& options_;
};

}  // namespace

void share_loops(Module& m, const PassOptions& options) {
  if (!options.version_loops || options.local_bytes <= 0) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) { ShareLaunches(m, x, f, options).run(); });
}

}  // namespace vr::lower
