// blocks: rows of a work-group's iterations, and tables, are in local memory while the group runs.
//
//   store b[i, 0] = a[i, 1]            row r at f32 a[i] step a.stride0       (loaded)
//   store b[i, 1] = a[i, 0]            row s at f32 b[i] step b.stride0       (stored)
//                                      store s[0] = r[1]
//                                      store s[1] = r[0]
//
// Work-items that each use a short row of their own (a small matrix, the coordinates of a point, the bytes of a
// message) access addresses a row apart, so that each access of a group of neighbours touches as many lines of the
// cache as there are work-items. The rows of a group's iterations follow each other in memory: the group loads and
// stores them as one block, with neighbours at neighbouring elements. A row is worth it if the iteration uses all of
// its elements; this also means that no element is moved that the kernel did not access before.
//
// A table is a small array from which the work-items of a group load at subscripts that follow no pattern. Local memory
// serves such loads faster than the cache.
#include "loop/transform/blocks.hpp"

#include "loop/analysis/launch_intervals.hpp"
#include "loop/analysis/row_uses.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/replace.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <functional>
#include <optional>

namespace vr::lower {

namespace {

/// Bytes of local memory for the rows of a group, if their lengths are not constant: enough groups remain on a
/// multiprocessor.
constexpr int64_t most_unknown_bytes = 24576;
constexpr int64_t table_bytes = 4096;
constexpr int64_t most_tables = 4;
constexpr int64_t fewest_row_bytes = 20;  // shorter rows are in few lines of the cache, or are loaded as vectors
constexpr int64_t unknown_trips = 8;      // of a loop whose trip count the host does not know
// Lookups for each word of a table that a group moves, from which on that is worth it. Two tables of 256 elements with
// four lookups each take 1.7 times as long from local memory, one with 64 lookups is worth it (H200).
constexpr int64_t lookups_of_word = 16;

/// A row, with the memory that an iteration has for it.
struct PlacedRow {
  RowUse use;
  int64_t bytes;  ///< with room for a padding element
};

int64_t padding(Scalar type) { return scalar_bytes(type) == 8 ? 8 : 4; }

/// The number of scalars of the row if it is constant.
std::optional<int64_t> constant_scalars(const RowUse& r) {
  int64_t all = 0;
  for (const Box& box : r.boxes) {
    int64_t one = 1;
    for (ExprP n : box) {
      if (!n || n->kind != Expr::Kind::IntConst || n->ival < 1 || n->ival > table_bytes) return {};
      one = std::min(one * n->ival, table_bytes);
    }
    all += one;
  }
  return all;
}

/// Changes a copy of a kernel.
class BlockForm {
 public:
  BlockForm(Exprs& x, Function& kernel) : x_(x), out_(x, kernel), original_(kernel) {}

  void add(const PlacedRow& r) {
    const ArrayVars array = original_.arrays[static_cast<size_t>(r.use.array)];
    const ExprP data = name(array, ".row", static_cast<int32_t>(r.bytes), false);
    out_.fn.rows.back().loaded = r.use.loaded;
    out_.fn.rows.back().stored = r.use.stored;
    const size_t axes = r.use.dims.size();
    ExprP begin = nullptr;
    redirect(out_.fn.body, array.data, [&](ExprP at) {
      if (!begin) begin = first_element(at, r.use.dims);
      ExprP rest = at;
      for (size_t k = 0; k < axes; ++k) rest = rest->c;
      return std::pair{data, at->ival ? x_.part(rest, at->ival) : rest};
    });
    begin_.push_back(
        {RowAt{row(), x_.var(array.data, Scalar::Ptr), begin, out_.get(array.stride[axes - 1])}, original_.place});
  }
  void add(const TableUse& t) {
    const ArrayVars array = original_.arrays[static_cast<size_t>(t.array)];
    const ExprP data = name(array, ".table", table_bytes, true);
    out_.fn.rows.back().loaded = true;
    redirect(out_.fn.body, array.data, [&](ExprP at) { return std::pair{data, at}; });
    ExprP bytes = x_.int_const(array.element_bytes());
    for (VarId n : array.extent) bytes = x_.mul(bytes, out_.get(n));
    begin_.push_back({RowAt{row(), x_.var(array.data, Scalar::Ptr), x_.int_const(0), bytes}, original_.place});
  }
  void finish() { out_.fn.body.insert(out_.fn.body.begin(), begin_.begin(), begin_.end()); }

 private:
  int32_t row() const { return static_cast<int32_t>(out_.fn.rows.size()) - 1; }
  ExprP name(const ArrayVars& array, const char* suffix, int64_t bytes, bool common) {
    const Scalar type = scalar_of(array.elem);
    const VarId data = out_.new_var(array.name + suffix, Scalar::Ptr);
    out_.fn.rows.push_back({data, type, static_cast<int32_t>(bytes / scalar_bytes(type)), common, 0});
    return x_.var(data, Scalar::Ptr);
  }
  /// Where the row of an iteration begins, in terms of the kernel's dimensions. at: an element of it.
  ExprP first_element(ExprP at, const std::vector<size_t>& dims) {
    std::vector<ExprP> index, stride;
    for (size_t d : dims) {
      index.push_back(x_.var(original_.dims[d], Scalar::Int64));
      stride.push_back(at->b);
      at = at->c;
    }
    return x_.at(index, stride);
  }
  /// Accesses of the array become accesses at the base and offset that `to` makes of the offset.
  template <class F>
  void redirect(Block& b, VarId data, const F& to) {
    const std::function<ExprP(ExprP)> write = [&](ExprP e) -> ExprP {
      if (!e) return e;
      const ExprP inner = with_parts(x_, e, write);
      if (e->kind != Expr::Kind::Load || e->a->kind != Expr::Kind::Var || e->a->var != data) return inner;
      const auto [base, offset] = to(inner->b);
      return x_.load(e->type, base, offset);
    };
    for (Stmt& s : b) {
      each_expr_of(s, [&](ExprP& e) { e = write(e); });
      if (auto* n = std::get_if<Store>(&s.node); n && n->base->kind == Expr::Kind::Var && n->base->var == data) {
        std::tie(n->base, n->offset) = to(n->offset);
        n->alias_set = none;
      }
      for (Block* p : parts(s)) redirect(*p, data, to);
    }
  }

  Exprs& x_;
  Writer out_;
  const Function original_;
  Block begin_;
};

class BlockLaunches {
 public:
  BlockLaunches(Module& m, Exprs& x, Function& f, const PassOptions& o) : m_(m), x_(x), out_(x, f), options_(o) {}

  void run() {
    replace_launches(out_, [&](const Launch& n) { return launch(n); });
  }

 private:
  bool launch(const Launch& plain) {
    const Function& kernel = *m_.functions[static_cast<size_t>(plain.kernel)];
    if (!kernel.disjoint || kernel.points != 1 || !kernel.folds.empty() || !kernel.lanes.empty() || kernel.team ||
        !kernel.rows.empty())
      return false;
    RowUses uses = row_uses(x_, kernel);
    if (uses.tables.size() > size_t{most_tables}) uses.tables.clear();
    const int64_t for_tables = table_bytes * static_cast<int64_t>(uses.tables.size());
    const std::vector<PlacedRow> rows = placed(kernel, uses.rows, options_.local_bytes - for_tables);
    if (rows.empty() && uses.tables.empty()) return false;
    Launch here = plain;
    ExprP rows_fit = x_.bool_const(false), tables_fit = x_.bool_const(false);
    Block tests = out_.collect([&] {
      for (ExprP& count : here.counts) count = out_.keep(count, "count");
      LaunchIntervals at(out_);
      at.inputs(kernel, plain.args);
      at.single_values(kernel);
      if (!rows.empty()) rows_fit = out_.keep(fit(kernel, here, rows, at), "rows.fit");
      if (!uses.tables.empty()) tables_fit = out_.keep(fit(kernel, here, uses.tables, at), "tables.fit");
    });
    if (is_false(rows_fit) && is_false(tables_fit)) return false;
    out_.append(std::move(tests));
    Block otherwise;
    otherwise.push_back({here, out_.place});
    if (rows.empty()) add(otherwise, tables_fit, here, {}, uses.tables, "_table");
    add(otherwise, rows_fit, here, rows, {}, "_block");
    if (!rows.empty()) add(otherwise, x_.both(rows_fit, tables_fit), here, rows, uses.tables, "_block_table");
    out_.append(std::move(otherwise));
    return true;
  }
  /// If `c` holds, a form of the kernel instead of what is launched `otherwise`.
  void add(Block& otherwise, ExprP c, Launch form, const std::vector<PlacedRow>& rows,
           const std::vector<TableUse>& tables, const char* suffix) {
    if (is_false(c)) return;
    Function made = *m_.functions[static_cast<size_t>(form.kernel)];
    BlockForm changes(x_, made);
    for (const PlacedRow& r : rows) changes.add(r);
    for (const TableUse& t : tables) changes.add(t);
    changes.finish();
    form.kernel = add_form(m_, form.kernel, std::move(made), suffix);
    otherwise = launch_if(c, std::move(form), std::move(otherwise), out_.place);
  }

  /// Empty if there is too little memory.
  std::vector<PlacedRow> placed(const Function& kernel, std::vector<RowUse> rows, int64_t room) const {
    const auto type = [&](const RowUse& r) { return scalar_of(kernel.arrays[static_cast<size_t>(r.array)].elem); };
    std::erase_if(rows, [&](const RowUse& r) {
      const auto scalars = constant_scalars(r);
      return scalars && (*scalars < fewest_scalars(type(r)) || loads_vectors(r, *scalars * scalar_bytes(type(r))));
    });
    std::vector<PlacedRow> all;
    int64_t total = 0, sizes = 0;
    for (const RowUse& r : rows) sizes += scalar_bytes(type(r));
    for (const RowUse& r : rows) {
      const auto scalars = constant_scalars(r);
      const int64_t bytes = scalars ? *scalars * scalar_bytes(type(r)) + padding(type(r))
                                    : std::min(room, most_unknown_bytes) / block_group * scalar_bytes(type(r)) / sizes;
      all.push_back({r, bytes / 8 * 8 + (scalars && bytes % 8 ? 8 : 0)});
      total += all.back().bytes;
    }
    if (total * block_group > room) all.clear();
    return all;
  }

  /// Whether single loads of 16 bytes (vectors.hpp) do as well: they use all of what they touch.
  bool loads_vectors(const RowUse& r, int64_t bytes) const {
    const bool constant = std::all_of(r.boxes.begin(), r.boxes.end(), [](const Box& box) { return box.empty(); });
    return options_.tiles != 1 && constant && bytes % 16 == 0;
  }
  int64_t fewest_scalars(Scalar type) const {
    const int64_t size = scalar_bytes(type);
    return options_.tiles == 1 ? 1 : (fewest_row_bytes + size - 1) / size;
  }

  // ---------------------------------------------------------------- the host's tests
  const ArrayVars& passed(const Function& kernel, const Launch& launch, ArrayId a) {
    return out_.array(passed_array(kernel, launch, kernel.arrays[static_cast<size_t>(a)].data));
  }
  /// Whether the array's axes from `axis` on are contiguous.
  ExprP contiguous(const ArrayVars& array, size_t axis) {
    ExprP ok = x_.bool_const(true), bytes = x_.int_const(array.element_bytes());
    for (size_t d = array.extent.size(); d-- > axis;) {
      ok = x_.both(ok, x_.eq(out_.get(array.stride[d]), bytes));
      if (d > axis) bytes = x_.mul(bytes, out_.get(array.extent[d]));
    }
    return ok;
  }
  ExprP elements(const ArrayVars& array, size_t axis) {
    ExprP all = x_.int_const(1);
    for (size_t d = axis; d < array.extent.size(); ++d) all = x_.mul(all, out_.get(array.extent[d]));
    return out_.keep(all, "elements");
  }
  /// The number of elements of the boxes. unknown: stands for trip counts that the host does not know; null: the result
  /// is null.
  ExprP volume(const std::vector<Box>& boxes, LaunchIntervals& at, ExprP unknown) {
    ExprP all = x_.int_const(0);
    for (const Box& box : boxes) {
      ExprP one = x_.int_const(1);
      for (ExprP n : box) {
        const ExprP trips = n ? at.host(n) : nullptr;
        if (!trips && !unknown) return nullptr;
        one = x_.mul(one, trips ? x_.max(out_.keep(trips, "trips"), x_.int_const(0)) : unknown);
      }
      all = x_.add(all, one);
    }
    return all;
  }

  /// Whether the rows may be moved, and are worth it.
  ExprP fit(const Function& kernel, const Launch& launch, const std::vector<PlacedRow>& rows, LaunchIntervals& at) {
    ExprP ok = within_limits(x_, x_.bool_const(true), launch.counts, 1);
    for (const PlacedRow& r : rows) {
      const ArrayVars& array = passed(kernel, launch, r.use.array);
      const size_t axes = r.use.dims.size();
      const ExprP used = volume(r.use.boxes, at, nullptr);
      if (!used) return x_.bool_const(false);
      ok = x_.both(ok, contiguous(array, axes - 1));
      const ExprP scalars = x_.mul(elements(array, axes), x_.int_const(array.complex ? 2 : 1));
      ok = x_.both(ok, x_.eq(used, scalars));
      const Scalar type = scalar_of(array.elem);
      ok = x_.both(ok, x_.both(x_.ge(scalars, x_.int_const(fewest_scalars(type))),
                               x_.le(scalars, x_.int_const((r.bytes - padding(type)) / scalar_bytes(type)))));
      // The group moves the rows of all iterations, also of those that access nothing.
      for (size_t k = 0; k < axes; ++k)
        ok = x_.both(ok, x_.le(launch.counts[r.use.dims[k]], out_.get(array.extent[k])));
    }
    return ok;
  }
  ExprP fit(const Function& kernel, const Launch& launch, const std::vector<TableUse>& tables, LaunchIntervals& at) {
    ExprP ok = x_.bool_const(true);
    for (const TableUse& t : tables) {
      const ArrayVars& array = passed(kernel, launch, t.array);
      const ExprP all = elements(array, 0);
      const int64_t size = array.element_bytes();
      ok = x_.both(ok, x_.both(contiguous(array, 0),
                               x_.both(x_.ge(all, x_.int_const(1)), x_.le(all, x_.int_const(table_bytes / size)))));
      if (options_.tiles == 1) continue;
      const ExprP lookups = volume(t.lookups, at, x_.int_const(unknown_trips));
      const int64_t each = lookups_of_word * std::max<int64_t>(size / 4, 1);
      ok = x_.both(ok, x_.ge(x_.mul(lookups, x_.int_const(block_group)), x_.mul(all, x_.int_const(each))));
    }
    return ok;
  }

  Module& m_;
  Exprs& x_;
  Writer out_;
  const PassOptions& options_;
};

}  // namespace

void blocks(Module& m, const PassOptions& options) {
  if (!options.version_loops || options.local_bytes < most_tables * table_bytes || options.group < block_group) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) { BlockLaunches(m, x, f, options).run(); });
}

}  // namespace vr::lower
