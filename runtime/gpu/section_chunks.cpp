// Launches whose arrays do not fit on the device: chunks of the domain use a ring of buffers in turn.
#include "runtime/gpu/arrays.hpp"
#include "runtime/gpu/chunks.hpp"
#include "runtime/gpu/device_section.hpp"

#include "runtime/carried.hpp"
#include "support/trace.hpp"

namespace vr::gpu {
namespace {

uintptr_t base_of(const Piece& piece) { return piece.hull.lo & ~(buffer_alignment - 1); }

}  // namespace

/// Up to three chunks are on the device: while one is computed, the next one's elements are copied to the device and
/// the results of the previous one to the host.
class DeviceSection::Stream {
 public:
  /// Of a reduction: its partial results, as a piece that all chunks have; the work-groups of the whole launch, which
  /// run in every chunk; bytes for what their work-items accumulate.
  struct Fold {
    Piece partial;
    device::Grid grid;
    size_t accumulated = 0;
  };
  Stream(DeviceSection& section, const vr_kernel& kernel, Loaded& loaded, const int64_t* counts, const vr_value* args,
         const Chunks& plan, const Fold* fold, const Poll& poll, bool* started)
      : section_(section),
        shared_(section.shared_),
        kernel_(kernel),
        loaded_(loaded),
        args_(args),
        plan_(plan),
        fold_(fold),
        poll_(poll),
        started_(started),
        counts_(counts, counts + kernel.dims),
        copies_(shared_.device, shared_.staging, shared_.traffic),
        down_(shared_.pool.take_queue()),
        slots_(size_t(plan.slots)) {}
  Stream(const Stream&) = delete;
  ~Stream() {
    // After a failure commands may still use the buffers.
    const bool idle = finished(*section_.transfer_) && section_.tasks_.drain() && finished(*down_);
    for (Slot& s : slots_) give_back(s, idle);
    give_back(fixed_, idle);
    if (idle) shared_.pool.give_queue(std::move(down_));
  }

  EventId run() {
    for (size_t k = 0; k < plan_.fixed.size(); ++k) send(plan_.fixed[k], place(fixed_, k, plan_.fixed[k]));
    if (fold_) {
      place(fixed_, plan_.fixed.size(), fold_->partial);
      reserve(fixed_, plan_.fixed.size() + 1, fold_->accumulated);
    }
    EventId id = no_event;
    for (size_t c = 0; c < plan_.chunks.size(); ++c) {
      if (c > 0) poll(c);
      Slot& s = slots_[c % slots_.size()];
      retire(s);
      id = start(s, plan_.chunks[c]);
    }
    retire_all(plan_.chunks.size());
    if (fold_)
      copies_.down(*down_, *fixed_.blocks[plan_.fixed.size()].buffer, base_of(fold_->partial), fold_->partial.write);
    section_.tasks_.wait(id);
    return id;
  }

 private:
  struct Block {
    std::unique_ptr<device::Buffer> buffer;
    size_t capacity = 0;
  };
  struct Slot {
    std::vector<Block> blocks;     ///< of the chunk's pieces
    const Chunk* chunk = nullptr;  ///< null: its results are on the host
    device::EventPtr computed;
  };

  /// Before the chunk `next` starts. If the call is to end, the host gets the results of those that have started.
  void poll(size_t next) {
    try {
      poll_();
    } catch (const Stopped&) {
      retire_all(next);
      throw;
    }
  }

  /// The oldest first; `next` is the first chunk that has not started.
  void retire_all(size_t next) {
    for (size_t k = 0; k < slots_.size(); ++k) retire(slots_[(next + k) % slots_.size()]);
  }

  void give_back(Slot& s, bool idle) {
    for (Block& b : s.blocks)
      if (b.buffer) shared_.pool.give_buffer(std::move(b.buffer), b.capacity, idle);
  }

  /// The slot's k-th buffer, large enough for the piece.
  device::Buffer& place(Slot& s, size_t k, const Piece& piece) { return reserve(s, k, piece.hull.hi - base_of(piece)); }
  device::Buffer& reserve(Slot& s, size_t k, size_t bytes) {
    if (s.blocks.size() <= k) s.blocks.resize(k + 1);
    Block& b = s.blocks[k];
    if (b.buffer && b.capacity >= bytes) return *b.buffer;
    if (b.buffer) shared_.pool.give_buffer(std::move(b.buffer), b.capacity);
    b.buffer = shared_.pool.take_buffer(bytes, &b.capacity);
    if (!b.buffer) shared_.pool.no_room(bytes);
    return *b.buffer;
  }

  void send(const Piece& piece, device::Buffer& buffer) {
    if (piece.read.empty()) return;
    const UploadPlan plan = plan_upload(piece.read, {}, copies_.rates);
    sent_ = copies_.up(*section_.transfer_, buffer, base_of(piece), plan).last;
  }

  EventId start(Slot& s, const Chunk& chunk) {
    std::vector<Task::Place> of_param(size_t(kernel_.param_count));
    auto put = [&](const Piece& piece, device::Buffer& buffer) {
      for (int32_t p : piece.params)
        of_param[size_t(p)] = {&buffer, reinterpret_cast<uintptr_t>(args_[p].array->data) - base_of(piece)};
    };
    for (size_t k = 0; k < plan_.fixed.size(); ++k) put(plan_.fixed[k], *fixed_.blocks[k].buffer);
    if (fold_) put(fold_->partial, *fixed_.blocks[plan_.fixed.size()].buffer);
    for (size_t k = 0; k < chunk.pieces.size(); ++k) {
      device::Buffer& buffer = place(s, k, chunk.pieces[k]);
      send(chunk.pieces[k], buffer);
      put(chunk.pieces[k], buffer);
    }
    section_.transfer_->flush();
    std::vector<Task::Place> places;
    for (int32_t p = 0; p < kernel_.param_count; ++p)
      if (kernel_.params[p].kind == VR_PARAM_ARRAY) places.push_back(of_param[size_t(p)]);

    const auto dim = size_t(plan_.dim);
    counts_[dim] = chunk.hi - chunk.lo;
    device::Grid grid = fold_ ? fold_->grid : section_.grid_of(kernel_, loaded_, counts_.data(), args_);
    counts_[dim] = chunk.hi;
    if (!fold_) start_at(grid, kernel_, {plan_.dim, chunk.lo, chunk.hi});
    FaultBuffer& fault = section_.fault_buffer(kernel_);
    Carry carry{fold_ ? fixed_.blocks.back().buffer.get() : nullptr, chunk.lo, &chunk != &plan_.chunks.back()};
    section_.set_arguments(kernel_, loaded_, counts_.data(), args_, places, *fault.buffer, fold_ ? &carry : nullptr);
    device::Queue& queue = section_.tasks_.queue(0);
    device::Event* const waits[] = {sent_.get()};
    const EventId id = section_.tasks_.add(0);
    s.chunk = &chunk;
    queue.launch(*loaded_.kernel, grid, sent_ ? device::Waits(waits) : device::Waits(), &s.computed);
    *started_ = true;
    fault.unread |= kernel_.site_count > 0;
    queue.flush();
    ++shared_.chunks;
    return id;
  }

  /// Copies results to the host; the slot's buffers are free afterwards.
  void retire(Slot& s) {
    if (!s.chunk) return;
    device::Event* const waits[] = {s.computed.get()};
    bool waited = false;
    for (size_t k = 0; k < s.chunk->pieces.size(); ++k) {
      const Piece& piece = s.chunk->pieces[k];
      if (piece.write.empty()) continue;
      if (!waited) down_->barrier(waits);
      waited = true;
      copies_.down(*down_, *s.blocks[k].buffer, base_of(piece), piece.write);
    }
    const std::string error = s.computed->wait();
    if (!error.empty()) throw device::Failure{Code::Device, "'" + loaded_.name + "' failed: " + error};
    s.chunk = nullptr;
  }

  DeviceSection& section_;
  Shared& shared_;
  const vr_kernel& kernel_;
  Loaded& loaded_;
  const vr_value* args_;
  const Chunks& plan_;
  const Fold* const fold_;  ///< null: no reduction
  const Poll& poll_;
  bool* started_;
  std::vector<int64_t> counts_;
  Copies copies_;
  std::unique_ptr<device::Queue> down_;
  std::vector<Slot> slots_;
  Slot fixed_;             ///< of the fixed pieces, then of the reduction: partial results, what is accumulated
  device::EventPtr sent_;  ///< the last copy to the device
};

EventId DeviceSection::launch_in_chunks(const vr_kernel& kernel, Loaded& loaded, const int64_t* counts,
                                        const vr_value* args, const NoRoom& why, const Poll& poll, bool* started) {
  const AccessTable* table = loaded.footprints.table();
  if (!table || shared_.device.info.zero_copy) throw why;
  trace::Span span("OpenCL", "launch in chunks");
  span.note("kernel", kernel.name);
  constexpr int slots = 3;
  arrays_.evict_all();
  const auto cost = [&](int64_t bytes) {
    const auto more = size_t(bytes) + buffer_alignment;
    return int64_t(more) > shared_.device.info.limits.max_alloc_bytes ? INT64_MAX / 64
                                                                      : int64_t(shared_.pool.capacity_of(more));
  };
  int64_t room = shared_.pool.room(), unit = 1;
  Stream::Fold fold;
  const bool folds = kernel.groups_param >= 0;
  Loaded& parts = folds ? load_carried(kernel, loaded) : loaded;
  if (folds) {
    const vr_array& partial = *args[kernel.groups_param].array;
    fold.partial = {storage_span(partial), {}, whole_footprint(partial, true, true).write, {kernel.groups_param}};
    fold.grid = grid_of(kernel, loaded, counts, args);
    // Eight bytes for each variable, as in the partial results of each group.
    fold.accumulated = fold.grid.global[0] * size_t(fold.partial.hull.bytes() / uint64_t(partial.extent[0]));
    // Smaller groups would join in another order.
    if (parts.limits.max_group < fold.grid.local[0])
      throw NoRoom{{why.code, why.message + "; and the driver runs its parts in smaller work-groups only"}, why.span};
    room -= cost(int64_t(fold.accumulated)) + cost(int64_t(fold.partial.hull.bytes()));
    if (room <= 0)
      throw NoRoom{{why.code, why.message + "; and the partial results of its work-items need more"}, why.span};
    if (kernel.dims == 1) unit = int64_t(fold.grid.local[0]) * carried_iterations;
  }
  const Chunks plan =
      plan_chunks(*table, kernel, counts, args, room, slots, cost, unit, shared_.device.info.limits.max_offset);
  if (!plan.why.empty())
    throw NoRoom{{why.code, why.message + "; and it does not run in parts: " + plan.why}, why.span};
  span.note("chunks", int64_t(plan.chunks.size()));
  // After a failure the device may still use host memory.
  for (int32_t p = 0; p < kernel.param_count; ++p)
    if (kernel.params[p].kind == VR_PARAM_ARRAY)
      if (vr_owner* owner = args[p].array->owner; owner && !owner->borrowed) touched_.insert(owner);
  ++shared_.in_chunks;
  return Stream(*this, kernel, parts, counts, args, plan, folds ? &fold : nullptr, poll, started).run();
}

}  // namespace vr::gpu
