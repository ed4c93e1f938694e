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

/// What groups that look back need, in words of 64 bits: the number of groups that have begun, and for each total its
/// value and whether it is there.
int64_t state_words(int64_t totals) { return 2 * (1 + totals); }

class Scan final : public Task {
 public:
  Scan(const ScanForm& form, const Lines& lines, const ScanTree& tree, const Routine& routine, bool look_back)
      : form_(form),
        lines_(lines),
        tree_(tree),
        routine_(routine),
        look_back_(look_back),
        width_(runtime::element_bytes(form.joined())) {
    name = "scan";
    small = false;
  }
  /// Numbers of the arrays of a task: the argument, the result and the totals.
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
      Step& total = steps_.emplace_back(Step{&routine_, "part_totals", all, group_of_items});
      add_source(total, from);
      total.with(lines_.extent[0], lines_.extent[1], lines_.n, lines_.count, tree_.parts, tree_.part, totals.buffer,
                 at);
      steps_.emplace_back(Step{&routine_, "part_carries", whole_groups(lines_.count), group_of_items})
          .with(totals.buffer, at, lines_.count, tree_.parts);
    }
    Step& scan = steps_.emplace_back(Step{&routine_, "scan_parts", all, group_of_items});
    add_source(scan, from);
    add_source(scan, to);
    scan.with(lines_.extent[0], lines_.extent[1], lines_.n, lines_.count, tree_.parts, tree_.part, totals.buffer, at,
              int32_t(several));
  }

  void tiles(const Source& from, const Source& to, const std::vector<Place>& places) {
    constexpr int64_t leaves = ScanTree::leaves, block = ScanTree::block;
    const int64_t tiles = tree_.tiles(lines_.n), totals = total_count(tiles);
    const Place& all = places[totals > 0 ? 2 : 0];
    const size_t items = size_t(lines_.count * tiles * leaves);
    int32_t levels = 0;
    for (int64_t n = totals > 0 ? tiles : 0; n > 0; n /= block) ++levels;
    if (levels > 0 && look_back_) {
      const int64_t n = state_words(lines_.count * totals);
      steps_.emplace_back(Step{&routine_, "clear", whole_groups(n), group_of_items})
          .with(all.buffer, bytes(all) / int64_t(sizeof(uint64_t)), n);
    } else if (levels > 0) {
      Step& s = steps_.emplace_back(Step{&routine_, "tile_totals", items, size_t(leaves)});
      add_source(s, from);
      s.with(lines_.extent[0], lines_.extent[1], lines_.n, tiles, all.buffer, bytes(all) / width_, totals);
      for (int64_t first = 0, n = tiles; n / block > 0; first += n, n /= block)
        steps_.emplace_back(Step{&routine_, "block_totals", size_t(lines_.count * (n / block) * block), size_t(block)})
            .with(all.buffer, bytes(all) / width_, totals, first, n, n / block);
    }
    Step& s = steps_.emplace_back(Step{&routine_, "scan_tiles", items, size_t(leaves)});
    add_source(s, from);
    add_source(s, to);
    s.with(lines_.extent[0], lines_.extent[1], lines_.n, tiles, all.buffer, bytes(all), totals, levels);
  }

  const ScanForm& form_;
  const Lines& lines_;
  const ScanTree& tree_;
  const Routine& routine_;
  const bool look_back_;
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
  const bool look_back = shared.device.info.limits.groups_progress;
  const Routine routine(shared, scan_text(form, tree.items, look_back));
  std::vector<Access> uses = {{&from}, {&to, true, true}};
  const auto temporary = [&](int32_t elem, int64_t n) { uses.push_back({&temporaries.make(elem, n), true, true}); };
  if (tree.parts > 0) {
    routine.need_group("scan_parts", group_of_items);
    if (tree.parts > 1) temporary(form.joined(), lines.count * tree.parts);
  } else {
    routine.need_group("scan_tiles", ScanTree::leaves);
    const int64_t totals = lines.count * total_count(tree.tiles(lines.n));
    if (totals > 0) look_back ? temporary(VR_UINT64, state_words(totals)) : temporary(form.joined(), totals);
  }
  Scan task(form, lines, tree, routine, look_back);
  section.run(task, uses);
}

}  // namespace vr::gpu
