#include "runtime/gpu/sort.hpp"

#include "runtime/gpu/library/text.hpp"

#include <algorithm>
#include <limits>

namespace vr::gpu {

namespace {

/// How the lines are divided into chunks, each of which a work-group moves.
struct Chunks {
  int64_t size = 0, count = 1;
};
Chunks chunks_of(const Lines& l, int64_t tile) {
  // Enough work-groups for any device; more would only make the tables of counts longer.
  constexpr int64_t groups = 2048;
  const int64_t tiles = (l.n + tile - 1) / tile, wanted = std::clamp<int64_t>(groups / l.count, 1, tiles);
  Chunks c;
  c.size = (tiles + wanted - 1) / wanted * tile;
  c.count = (l.n + c.size - 1) / c.size;
  return c;
}

/// Whether line k begins k * n elements after the first line.
bool in_rows(const Lines& l, const Lines::Side& side, int64_t width) {
  return (l.n == 1 || side.step == width) && l.extent[1] == 1 && l.extent[2] == 1 &&
         (l.count == 1 || side.stride[0] == l.n * width);
}

/// Rows of elements or positions that a pass reads or writes.
struct SortedRows {
  device::Buffer* buffer = nullptr;
  int64_t at = 0;  ///< in elements
};

class Sort final : public Task {
 public:
  struct Plan {
    bool packed = false, unpacked = false;  ///< the lines are brought into rows first; the result is brought from rows
    int64_t passes = 0;                     ///< 0: each line is one tile
    Chunks chunks;
  };
  Sort(const Routine& routine, const SortForm& form, const Lines& values, const Lines& positions, const Plan& plan,
       int64_t base)
      : routine_(routine),
        form_(form),
        values_(values),
        positions_(positions),
        plan_(plan),
        base_(base),
        width_(runtime::element_bytes(form.elem)) {
    name = "sort";
  }
  /// Numbers of the arrays of a task: the argument, the result, two arrays of rows, and for passes counts and totals;
  /// with positions, their result and two arrays of rows.
  void enqueue(device::Queue& queue, device::Waits wait, const std::vector<Place>& places,
               device::EventPtr* event) override {
    for (size_t k : {0, 1})
      if (places[k].offset % size_t(width_) != 0) throw Refused{"its elements are not aligned in memory"};
    steps_.clear();
    const SortedRows result = rows(places[1], width_), room[2] = {rows(places[2], width_), rows(places[3], width_)};
    const SortedRows to = plan_.unpacked ? room[1] : result;
    SortedRows from = rows(places[0], width_);
    if (plan_.packed) {
      Step& s = each("pack");
      add_side(s, places[0], values_.from);
      // With an even number of passes, the first pass writes the other rows.
      from = plan_.passes > 0 && plan_.passes % 2 == 0 ? to : room[0];
      s.with(values_.extent[0], values_.extent[1], values_.n, values_.count, from.buffer, from.at);
    }
    SortedRows places_from, places_to;
    if (form_.positions) {
      places_from = rows(places[7], 4);
      places_to = rows(places[8], 4);
    }
    if (plan_.passes == 0) {
      Step& s = groups("sort_tile", values_.count);
      s.with(from.buffer, from.at, to.buffer, to.at);
      if (form_.positions) s.with(places_to.buffer, places_to.at);
      s.with(values_.n);
    }
    for (int64_t p = 0; p < plan_.passes; ++p) {
      // The last pass writes `to`, the previous one the other rows, and so on.
      const bool last_parity = (plan_.passes - 1 - p) % 2 == 0;
      const SortedRows target = last_parity ? to : room[0];
      pass(from, target, places, p, places_from, places_to);
      from = target;
      std::swap(places_from, places_to);
    }
    if (plan_.passes > 0) std::swap(places_from, places_to);  // places_to: the array with the newest positions
    if (plan_.unpacked) {
      Step& s = each("unpack");
      s.with(to.buffer, to.at);
      add_side(s, places[1], values_.to);
      s.with(values_.extent[0], values_.extent[1], values_.n, values_.count);
    }
    if (form_.positions) {
      Step& s = each("unpack_positions");
      s.with(places_to.buffer, places_to.at);
      add_side(s, places[6], positions_.to);
      s.with(positions_.extent[0], positions_.extent[1], positions_.n, positions_.count, int64_t(base_));
    }
    gpu::enqueue(steps_, queue, wait, event);
  }

 private:
  static SortedRows rows(const Task::Place& p, int64_t width) { return {p.buffer, int64_t(p.offset) / width}; }
  static void add_side(Step& s, const Task::Place& p, const Lines::Side& side) {
    s.with(p.buffer, int64_t(p.offset), side.step, side.stride[0], side.stride[1], side.stride[2]);
  }
  Step& each(const char* kernel) {
    return steps_.emplace_back(Step{&routine_, kernel, whole_groups(values_.n * values_.count), group_of_items});
  }
  Step& groups(const char* kernel, int64_t count) {
    return steps_.emplace_back(Step{&routine_, kernel, size_t(count * form_.group), size_t(form_.group)});
  }
  void pass(const SortedRows& from, const SortedRows& to, const std::vector<Place>& places, int64_t p,
            const SortedRows& places_from, const SortedRows& places_to) {
    const SortedRows counts = rows(places[4], 4), totals = rows(places[5], 4);
    const auto shift = int32_t(8 * p);
    const Chunks& c = plan_.chunks;
    groups("count_digits", values_.count * c.count)
        .with(from.buffer, from.at, values_.n, c.count, c.size, shift, counts.buffer, counts.at);
    groups("digit_offsets", values_.count * 256).with(counts.buffer, counts.at, c.count, totals.buffer, totals.at);
    Step& move = groups("move_digits", values_.count * c.count);
    move.with(from.buffer, from.at, to.buffer, to.at);
    if (form_.positions) move.with(places_from.buffer, places_from.at, int32_t(p > 0), places_to.buffer, places_to.at);
    move.with(values_.n, c.count, c.size, shift, counts.buffer, counts.at, totals.buffer, totals.at);
  }

  const Routine& routine_;
  const SortForm& form_;
  const Lines &values_, &positions_;
  const Plan& plan_;
  const int64_t base_, width_;
  std::vector<Step> steps_;
};

}  // namespace

void sort_on_device(Section& section, Shared& shared, Temporaries& temporaries, const vr_array& from,
                    const vr_array& to, const vr_array* positions, int32_t axis, int64_t base) {
  const std::optional<Lines> values = lines_along(from, to, axis);
  const std::optional<Lines> places = positions ? lines_along(from, *positions, axis) : values;
  if (!values || !places) throw Refused{no_lines};
  const int64_t width = element_bytes(from.elem), n = values->n, all = n * values->count;
  for (int32_t d = 0; d < from.rank; ++d)
    if (from.stride[d] % width != 0) throw Refused{"its elements are not aligned in memory"};
  // The numbers of elements of a line and of a table of counts must fit in 32 bits.
  if (n > std::numeric_limits<int32_t>::max()) throw Refused{"a line has more than 2147483647 elements"};
  const size_t most = std::min(shared.device.max_group(), shared.device.info.limits.max_items[0]);
  const SortForm form = sort_form(from.elem, positions != nullptr, n, int64_t(most));
  const Routine routine(shared, sort_text(form));
  Sort::Plan plan;
  plan.packed = !in_rows(*values, values->from, width);
  plan.unpacked = !in_rows(*values, values->to, width);
  if (n > form.tile()) {
    plan.passes = width;
    plan.chunks = chunks_of(*values, form.tile());
  }
  routine.need_group(plan.passes ? "move_digits" : "sort_tile", size_t(form.group));
  const auto rows = [&](int32_t elem, bool used) -> Access {
    return {&temporaries.make(elem, used ? all : 1), true, true};
  };
  std::vector<Access> uses = {{&from}, {&to, true, true}};
  uses.push_back(rows(from.elem, plan.packed || plan.passes > 1));
  uses.push_back(rows(from.elem, plan.unpacked));
  const int64_t counts = plan.passes ? values->count * 256 * plan.chunks.count : 1;
  uses.push_back({&temporaries.make(VR_UINT32, counts), true, true});
  uses.push_back({&temporaries.make(VR_UINT32, plan.passes ? values->count * 256 : 1), true, true});
  if (positions) {
    uses.push_back({positions, true, true});
    uses.push_back(rows(VR_UINT32, plan.passes > 0));
    uses.push_back(rows(VR_UINT32, true));
  }
  Sort task(routine, form, *values, *places, plan, base);
  section.run(task, uses);
}

}  // namespace vr::gpu
