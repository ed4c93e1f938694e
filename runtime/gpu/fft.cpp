#include "runtime/gpu/fft.hpp"

#include <algorithm>
#include <deque>

#include "runtime/cpu/sizes.hpp"
#include "runtime/gpu/library/fft.hpp"

namespace vr::gpu {

namespace {

class Fft final : public Task {
 public:
  Fft(const std::vector<FftForm>& plan, const std::deque<Routine>& routines, const Lines& lines, int64_t n_from,
      double factor, int64_t width)
      : plan_(plan), routines_(routines), lines_(lines), n_from_(n_from), factor_(factor), width_(width) {
    name = "fft";
    small = false;
  }
  /// Numbers of the arrays of a task: the argument, the result, and the rows between passes.
  void enqueue(device::Queue& queue, device::Waits wait, const std::vector<Place>& places,
               device::EventPtr* event) override {
    for (size_t k : {0, 1})
      if (places[k].offset % size_t(width_ / 2) != 0) throw Refused{"its elements are not aligned in memory"};
    steps_.clear();
    const Lines::Side rows{width_,
                           {lines_.n * width_, lines_.n * lines_.extent[0] * width_,
                            lines_.n * lines_.extent[0] * lines_.extent[1] * width_}};
    int64_t ns = 1;
    for (size_t k = 0; k < plan_.size(); ++k) {
      const FftForm& form = plan_[k];
      const bool first = k == 0, last = k + 1 == plan_.size();
      const int64_t all = lines_.count * (lines_.n / form.radix), groups = (all + form.columns - 1) / form.columns;
      Step& s = steps_.emplace_back(Step{&routines_[k], "fft_pass", size_t(groups * form.group), size_t(form.group)});
      const Lines::Side &from = first ? lines_.from : rows, &to = last ? lines_.to : rows;
      add_side(s, first ? places[0] : places[2 + (k + 1) % 2], from);
      add_side(s, last ? places[1] : places[2 + k % 2], to);
      s.with(lines_.extent[0], lines_.extent[1], lines_.n, first ? n_from_ : lines_.n, lines_.count, ns);
      const double factor = last ? factor_ : 1;
      if (form.single)
        s.with(float(factor));
      else
        s.with(factor);
      s.with(int32_t(in_rows(form, from)), int32_t(ns == 1 && (form.radix < lines_.n || in_rows(form, to))));
      ns *= form.radix;
    }
    gpu::enqueue(steps_, queue, wait, event);
  }

 private:
  static void add_side(Step& s, const Place& place, const Lines::Side& side) {
    s.with(place.buffer, int64_t(place.offset), side.step, side.stride[0], side.stride[1], side.stride[2]);
  }
  /// Whether the elements of one transform are adjacent: they then belong to a line that one work-group transforms.
  bool in_rows(const FftForm& form, const Lines::Side& side) const {
    return form.radix == lines_.n && (lines_.count == 1 || std::abs(side.step) <= std::abs(side.stride[0]));
  }

  const std::vector<FftForm>& plan_;
  const std::deque<Routine>& routines_;
  const Lines& lines_;
  const int64_t n_from_;
  const double factor_;
  const int64_t width_;  ///< bytes of a complex element
  std::vector<Step> steps_;
};

}  // namespace

void fft_on_device(Section& section, Shared& shared, Temporaries& temporaries, const Lines& lines, int64_t n_from,
                   bool inverse, double factor, const vr_array& from, const vr_array& to) {
  const int64_t width = element_bytes(to.elem);
  const bool single = width == 8;
  if (!single && !shared.device.info.has_fp64) throw Refused{"the device has no float64"};
  for (int32_t d = 0; d < from.rank; ++d)
    if (from.stride[d] % (width / 2) != 0) throw Refused{"its elements are not aligned in memory"};
  const auto plan = fft_plan(lines.n, lines.count, single, !(from.elem & VR_COMPLEX), inverse,
                             std::min<int64_t>(shared.device.info.limits.group_memory_bytes, 32 << 10));
  if (!plan) throw Refused{"its length has a prime factor above 7"};
  std::deque<Routine> routines;
  for (const FftForm& form : *plan) {
    routines.emplace_back(shared, fft_text(form));
    routines.back().need_group("fft_pass", size_t(form.group));
  }
  std::vector<Access> uses = {{&from}, {&to, true, true}};
  for (size_t k = 1; k < std::min<size_t>(plan->size(), 3); ++k)
    uses.push_back({&temporaries.make(to.elem, lines.n * lines.count), true, true});
  Fft task(*plan, routines, lines, n_from, factor, width);
  section.run(task, uses);
}

}  // namespace vr::gpu
