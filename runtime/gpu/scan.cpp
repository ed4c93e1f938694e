#include "runtime/gpu/scan.hpp"

#include "runtime/gpu/library/text.hpp"

namespace vr::gpu {

namespace {

/// The addresses of an array's lines, for a kernel.
struct Source {
  Task::Place place;
  Lines::Side side;
};

void add_source(Step& s, const Source& a) {
  s.with(a.place.buffer, int64_t(a.place.offset), a.side.step, a.side.stride[0], a.side.stride[1], a.side.stride[2]);
}

class Scan final : public Task {
 public:
  Scan(const ScanForm& form, const Lines& lines, const ScanTree& tree, const Routine& outer, const Routine* inner)
      : form_(form),
        lines_(lines),
        tree_(tree),
        outer_(outer),
        inner_(inner),
        width_(runtime::element_bytes(form.joined())) {
    name = "scan";
    small = false;
  }
  /// Numbers of the arrays of a task: the argument, the result, and the totals of each level.
  void enqueue(device::Queue& queue, device::Waits wait, const std::vector<Place>& places,
               device::EventPtr* event) override {
    if (places[0].offset % size_t(runtime::element_bytes(form_.from)) != 0)
      throw Refused{"its elements are not aligned in memory"};
    steps_.clear();
    const Source from{places[0], lines_.from}, to{places[1], lines_.to};
    if (tree_.parts > 0)
      parts(from, to, places);
    else
      tiles(from, to, places);
    gpu::enqueue(steps_, queue, wait, event);
  }

 private:
  static int64_t bytes(const Place& p) { return int64_t(p.offset); }

  void parts(const Source& from, const Source& to, const std::vector<Place>& places) {
    const bool several = tree_.parts > 1;
    const Place& totals = places[several ? 2 : 0];
    const int64_t at = several ? bytes(totals) / width_ : 0;
    const size_t all = whole_groups(lines_.count * tree_.parts);
    if (several) {
      Step& total = steps_.emplace_back(Step{&outer_, "part_totals", all, group_of_items});
      add_source(total, from);
      total.with(lines_.extent[0], lines_.extent[1], lines_.n, lines_.count, tree_.parts, tree_.part, totals.buffer,
                 at);
      steps_.emplace_back(Step{&outer_, "part_carries", whole_groups(lines_.count), group_of_items})
          .with(totals.buffer, at, lines_.count, tree_.parts);
    }
    Step& scan = steps_.emplace_back(Step{&outer_, "scan_parts", all, group_of_items});
    add_source(scan, from);
    add_source(scan, to);
    scan.with(lines_.extent[0], lines_.extent[1], lines_.n, lines_.count, tree_.parts, tree_.part, totals.buffer, at,
              int32_t(several));
  }

  void tiles(const Source& from, const Source& to, const std::vector<Place>& places) {
    // Level 0 are the array's elements; level k are the totals of the tiles of level k - 1.
    struct Level {
      const Routine* routine;
      Source from, to;
      int64_t e0, e1, n, tiles;
    };
    std::vector<Level> levels;
    levels.push_back({&outer_, from, to, lines_.extent[0], lines_.extent[1], lines_.n,
                      (lines_.n + tree_.tile() - 1) / tree_.tile()});
    constexpr int64_t inner_tile = ScanTree::inner_items * ScanTree::leaves;
    while (levels.back().tiles > 1) {
      const int64_t n = levels.back().tiles;
      const Source totals{places[1 + levels.size()], {width_, {n * width_, 0, 0}}};
      levels.push_back({inner_, totals, totals, lines_.count, 1, n, (n + inner_tile - 1) / inner_tile});
    }
    const auto launch = [&](const Level& l, const char* kernel) -> Step& {
      return steps_.emplace_back(
          Step{l.routine, kernel, size_t(lines_.count * l.tiles * ScanTree::leaves), size_t(ScanTree::leaves)});
    };
    for (size_t k = 0; k + 1 < levels.size(); ++k) {
      const Level& l = levels[k];
      Step& s = launch(l, "tile_totals");
      add_source(s, l.from);
      const Place& totals = levels[k + 1].from.place;
      s.with(l.e0, l.e1, l.n, l.tiles, totals.buffer, bytes(totals) / width_);
    }
    for (size_t k = levels.size(); k-- > 0;) {
      const Level& l = levels[k];
      const bool carried = k + 1 < levels.size();
      const Place& carries = carried ? levels[k + 1].from.place : places[0];
      Step& s = launch(l, "scan_tiles");
      add_source(s, l.from);
      add_source(s, l.to);
      s.with(l.e0, l.e1, l.n, l.tiles, carries.buffer, carried ? bytes(carries) / width_ : int64_t{0},
             int32_t(carried));
    }
  }

  const ScanForm& form_;
  const Lines& lines_;
  const ScanTree& tree_;
  const Routine& outer_;
  const Routine* inner_;
  const int64_t width_;
  std::vector<Step> steps_;
};

}  // namespace

void scan_on_device(Section& section, Shared& shared, Temporaries& temporaries, const ScanForm& form,
                    const Lines& lines, const vr_array& from, const vr_array& to) {
  if (scan_needs_float64(form) && !shared.device.info.has_fp64) throw Refused{"the device has no float64"};
  for (int32_t d = 0; d < from.rank; ++d)
    if (from.stride[d] % element_bytes(from.elem) != 0) throw Refused{"its elements are not aligned in memory"};
  const ScanTree tree = scan_tree(lines);
  const Routine outer(shared, scan_text(form, tree.items, false));
  std::optional<Routine> inner;
  std::vector<Access> uses = {{&from}, {&to, true, true}};
  const auto totals = [&](int64_t n) { uses.push_back({&temporaries.make(form.joined(), n), true, true}); };
  if (tree.parts > 0) {
    outer.need_group("scan_parts", group_of_items);
    if (tree.parts > 1) totals(lines.count * tree.parts);
  } else {
    outer.need_group("scan_tiles", ScanTree::leaves);
    constexpr int64_t inner_tile = ScanTree::inner_items * ScanTree::leaves;
    for (int64_t n = (lines.n + tree.tile() - 1) / tree.tile(); n > 1; n = (n + inner_tile - 1) / inner_tile) {
      if (!inner) inner.emplace(shared, scan_text(form, ScanTree::inner_items, true));
      totals(lines.count * n);
    }
  }
  Scan task(form, lines, tree, outer, inner ? &*inner : nullptr);
  section.run(task, uses);
}

}  // namespace vr::gpu
