#include "runtime/gpu/fft.hpp"

#include <algorithm>
#include <deque>

#include "runtime/cpu/sizes.hpp"
#include "runtime/gpu/library/fft.hpp"

namespace vr::gpu {

namespace {

/// Numbers of the arrays of a task: the argument, the result, two for rows between passes, and the transform of 1 / w
/// (library/fft.hpp).
enum : size_t { at_from, at_to, at_rows, at_chirps = at_rows + 2 };

class Fft final : public Task {
 public:
  Fft(const std::vector<FftStage>& stages, const std::deque<Routine>& routines, const Lines& lines, const FftTask& task,
      int64_t width)
      : stages_(stages), routines_(routines), lines_(lines), task_(task), width_(width) {
    name = "fft";
    small = false;
  }
  void enqueue(device::Queue& queue, device::Waits wait, const std::vector<Place>& places,
               device::EventPtr* event) override {
    for (size_t k : {at_from, at_to})
      if (places[k].offset % size_t(width_ / 2) != 0) throw Refused{"its elements are not aligned in memory"};
    steps_.clear();
    const Place* rows[] = {&places[std::min(at_rows + 0, places.size() - 1)],
                           &places[std::min(at_rows + 1, places.size() - 1)]};
    auto routine = routines_.begin();
    const bool convolved = stages_.size() > 1;
    const size_t rest = convolved ? stages_[1].passes.size() + stages_[2].passes.size() : stages_[0].passes.size();
    size_t row = 0;  // passes of the transform itself, not of the chirps
    for (size_t s = 0; s < stages_.size(); ++s) {
      const FftStage& stage = stages_[s];
      const bool chirps = convolved && s == 0;
      const Lines::Side wide = side_of_rows(stage.n);
      const int64_t count = chirps ? 1 : lines_.count;
      int64_t ns = 1;
      for (size_t k = 0; k < stage.passes.size(); ++k) {
        const FftForm& form = stage.passes[k];
        const size_t at = chirps ? k : row++;
        const bool first = at == 0, last = chirps ? k + 1 == stage.passes.size() : row == rest;
        const bool from_array = first && !chirps, to_array = last && !chirps;
        const int64_t groups = (count * (stage.n / form.radix) + form.columns - 1) / form.columns;
        Step& step =
            steps_.emplace_back(Step{&*routine++, "fft_pass", size_t(groups * form.group), size_t(form.group)});
        const Lines::Side &from = from_array ? lines_.from : wide, &to = to_array ? lines_.to : wide;
        const Place& target = to_array ? places[at_to] : last ? places[at_chirps] : *rows[at % 2];
        // the first pass of the chirps reads nothing
        const Place& source = from_array ? places[at_from] : first ? target : *rows[(at + 1) % 2];
        add_side(step, source, from);
        add_side(step, target, to);
        const Place& other = form.product ? places[at_chirps] : source;
        step.with(other.buffer, int64_t(other.offset));
        const bool scaled = to_array;
        const double factor = !scaled ? 1 : convolved ? task_.factor / static_cast<double>(stage.n) : task_.factor;
        step.with(lines_.extent[0], lines_.extent[1], stage.n, from_array ? task_.n_from : stage.n,
                  to_array ? task_.n_to : stage.n, lines_.n, count, ns);
        if (form.single)
          step.with(float(factor));
        else
          step.with(factor);
        step.with(int32_t(in_rows(stage, form, from)),
                  int32_t(ns == 1 && (form.radix < stage.n || in_rows(stage, form, to))));
        ns *= form.radix;
      }
    }
    gpu::enqueue(steps_, queue, wait, event);
  }

 private:
  static void add_side(Step& s, const Place& place, const Lines::Side& side) {
    s.with(place.buffer, int64_t(place.offset), side.step, side.stride[0], side.stride[1], side.stride[2]);
  }
  /// Lines of n complex elements, one behind the other.
  Lines::Side side_of_rows(int64_t n) const {
    return {width_, {n * width_, n * lines_.extent[0] * width_, n * lines_.extent[0] * lines_.extent[1] * width_}};
  }
  /// Whether the elements of one transform are adjacent: they then belong to a line that one work-group transforms.
  bool in_rows(const FftStage& stage, const FftForm& form, const Lines::Side& side) const {
    return form.radix == stage.n && (lines_.count == 1 || std::abs(side.step) <= std::abs(side.stride[0]));
  }

  const std::vector<FftStage>& stages_;
  const std::deque<Routine>& routines_;
  const Lines& lines_;
  const FftTask& task_;
  const int64_t width_;  ///< bytes of a complex element
  std::vector<Step> steps_;
};

}  // namespace

void fft_on_device(Section& section, Shared& shared, Temporaries& temporaries, const Lines& lines, const FftTask& task,
                   const vr_array& from, const vr_array& to) {
  const int32_t complex = to.elem | VR_COMPLEX;
  const int64_t width = runtime::element_bytes(complex);
  const device::Limits& limits = shared.device.info.limits;
  FftKind kind;
  kind.single = width == 8;
  kind.inverse = task.kind == VR_FFT_INVERSE || task.kind == VR_FFT_TO_REAL;
  kind.from_real = !(from.elem & VR_COMPLEX);
  kind.mirrored = kind.to_real = task.kind == VR_FFT_TO_REAL;
  if (!kind.single && !shared.device.info.has_fp64) throw Refused{"the device has no float64"};
  for (int32_t d = 0; d < from.rank; ++d)
    if (from.stride[d] % (width / 2) != 0) throw Refused{"its elements are not aligned in memory"};
  const auto stages = fft_plan(lines.n, lines.count, kind,
                               {std::min<int64_t>(limits.group_memory_bytes, 32 << 10),
                                int64_t(std::min(shared.device.max_group(), limits.max_items[0]))});
  if (!stages) throw Refused{"the device has too little local memory for its length"};
  std::deque<Routine> routines;
  for (const FftStage& stage : *stages) {
    for (const FftForm& form : stage.passes) {
      routines.emplace_back(shared, fft_text(form));
      routines.back().need_group("fft_pass", size_t(form.group));
    }
  }
  const bool convolved = stages->size() > 1;
  const size_t passes = stages->back().passes.size(), rows = convolved ? 2 : std::min<size_t>(passes - 1, 2);
  std::vector<Access> uses = {{&from}, {&to, true, true}};
  for (size_t k = 0; k < rows; ++k)
    uses.push_back({&temporaries.make(complex, stages->back().n * lines.count), true, true});
  if (convolved) uses.push_back({&temporaries.make(complex, stages->back().n), true, true});
  Fft fft(*stages, routines, lines, task, width);
  section.run(fft, uses);
}

}  // namespace vr::gpu
