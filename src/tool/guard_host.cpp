#include "tool/guard_host.hpp"

#include "runtime/cpu/copy.hpp"
#include "runtime/cpu/pool.hpp"
#include "runtime/cpu/sizes.hpp"
#include "tool/guard_memory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace vr::tool {

namespace {

struct GuardedObject {
  int64_t refs = 1;
  int32_t elem = VR_FLOAT64;
  int32_t rank = 1;
  char* data = nullptr;
  int64_t extent[VR_MAX_RANK] = {};
  int64_t stride[VR_MAX_RANK] = {};
  bool read_only = false;
  GuardedObject* base = nullptr;  ///< the object, retained, whose elements this is a view of
  std::unique_ptr<GuardedBlock> block;

  std::string text() const {
    return fmt::format("{}{} ({})", elem & VR_COMPLEX ? "complex " : "",
                       ir::elem_name(static_cast<Elem>(elem & ~VR_COMPLEX)), fmt::join(extent, extent + rank, ", "));
  }
};

/// The span of a strided array's elements relative to element (0,...,0), in bytes.
struct Span {
  int64_t low = 0, high = 0;
};
Span span_of(const vr_array& a) {
  if (runtime::element_count(a) == 0) return {};
  Span s{0, runtime::element_bytes(a.elem)};
  for (int32_t k = 0; k < a.rank; ++k) {
    const int64_t reach = a.stride[k] * (a.extent[k] - 1);
    (reach < 0 ? s.low : s.high) += reach;
  }
  return s;
}

}  // namespace

struct GuardHost::State {
  std::mutex mutex;  ///< of all below
  std::unordered_map<void*, std::unique_ptr<GuardedObject>> live, dead;
  std::vector<std::string> wrong;
  GuardedBlock::Side side = GuardedBlock::Side::End;  ///< of every object made now

  std::mutex lock;  ///< the host's lock, which the engine releases while native code runs
  std::thread::id holder;

  static State& of(void* context) { return *static_cast<State*>(context); }

  void report(std::string what) {
    if (wrong.size() < 20 && std::ranges::find(wrong, what) == wrong.end()) wrong.push_back(std::move(what));
  }
  /// The object if it may be used; otherwise null, and the misuse is recorded. `mutex` must be held.
  GuardedObject* use(void* object, const char* how) {
    if (holder != std::this_thread::get_id()) report(fmt::format("{} without the host's lock", how));
    if (auto it = live.find(object); it != live.end()) return it->second.get();
    if (auto it = dead.find(object); it != dead.end())
      report(fmt::format("{} of {} after its last reference was released", how, it->second->text()));
    else
      report(fmt::format("{} of a pointer that is not an object of the host", how));
    return nullptr;
  }
  GuardedObject* make(const vr_array& shape) {
    const Span span = span_of(shape);
    auto o = std::make_unique<GuardedObject>();
    o->block = std::make_unique<GuardedBlock>(span.high - span.low, side);
    if (!o->block->data()) return nullptr;
    o->elem = shape.elem;
    o->rank = shape.rank;
    o->data = o->block->data() - span.low;
    std::copy_n(shape.extent, shape.rank, o->extent);
    std::copy_n(shape.stride, shape.rank, o->stride);
    GuardedObject* made = o.get();
    live[made] = std::move(o);
    return made;
  }
  void drop(GuardedObject* o) {
    while (o && --o->refs == 0) {
      if (o->block && !o->block->intact())
        report(fmt::format("the engine wrote outside of the elements of {}", o->text()));
      GuardedObject* base = o->base;
      o->block.reset();
      o->data = nullptr;
      if (dead.size() > 10000) dead.clear();
      dead[o] = std::move(live[o]);
      live.erase(o);
      o = base;
    }
  }

  Answer call(const Function& f, std::span<const Value> args, bool write_back);

  // ---------------------------------------------------------------- the binding's functions
  static void* allocate(void* context, int32_t elem, int32_t rank, const int64_t* extents, ir::Layout layout) {
    State& s = of(context);
    std::lock_guard guard(s.mutex);
    if (s.holder != std::this_thread::get_id()) s.report("allocation without the host's lock");
    const int64_t width = runtime::element_bytes(elem);
    if (width == 0 || rank < 1 || rank > VR_MAX_RANK || !runtime::array_size(rank, extents, width).ok) return nullptr;
    vr_array shape;
    shape.elem = elem;
    shape.rank = rank;
    std::copy_n(extents, rank, shape.extent);
    runtime::contiguous_strides(rank, extents, width, layout == ir::Layout::ColMajor, shape.stride);
    return s.make(shape);
  }
  static void retain(void* context, void* object) {
    State& s = of(context);
    std::lock_guard guard(s.mutex);
    if (GuardedObject* o = s.use(object, "retain")) ++o->refs;
  }
  static void release(void* context, void* object) {
    State& s = of(context);
    std::lock_guard guard(s.mutex);
    if (GuardedObject* o = s.use(object, "release")) s.drop(o);
  }
  static void* view(void* context, void* base, const vr_array* shape) {
    State& s = of(context);
    std::lock_guard guard(s.mutex);
    GuardedObject* b = s.use(base, "view");
    if (!b) return nullptr;
    while (b->base) b = b->base;
    ++b->refs;
    auto o = std::make_unique<GuardedObject>();
    o->elem = shape->elem;
    o->rank = shape->rank;
    o->data = static_cast<char*>(shape->data);
    o->base = b;
    o->read_only = b->read_only || (shape->flags & VR_ARRAY_READ_ONLY);
    std::copy_n(shape->extent, shape->rank, o->extent);
    std::copy_n(shape->stride, shape->rank, o->stride);
    GuardedObject* made = o.get();
    s.live[made] = std::move(o);
    return made;
  }
  /// The address is read by an accessor function, so that no code accesses a released object.
  static int64_t data(void* context, void* object, int32_t) {
    State& s = of(context);
    std::lock_guard guard(s.mutex);
    GuardedObject* o = s.use(object, "a look into");
    return o ? static_cast<int64_t>(reinterpret_cast<uintptr_t>(o->data)) : 0;
  }
  static void take_lock(void* context) {
    State& s = of(context);
    s.lock.lock();
    std::lock_guard guard(s.mutex);
    s.holder = std::this_thread::get_id();
  }
  static void release_lock(void* context) {
    State& s = of(context);
    {
      std::lock_guard guard(s.mutex);
      if (s.holder != std::this_thread::get_id())
        return s.report("the host's lock was released by a thread that does not hold it");
      s.holder = {};
    }
    s.lock.unlock();
  }
};

GuardHost::GuardHost() : state_(std::make_unique<State>()) { explain_forbidden_accesses(); }
GuardHost::~GuardHost() = default;

HostBinding GuardHost::binding() {
  HostBinding b;
  b.name = "guard";
  b.context = state_.get();
  b.data = HostField::call(State::data);
  b.elem = HostField::at(offsetof(GuardedObject, elem), sizeof(int32_t));
  b.rank = HostField::at(offsetof(GuardedObject, rank), sizeof(int32_t));
  b.extents = HostField::at(offsetof(GuardedObject, extent), sizeof(int64_t));
  b.strides = HostField::at(offsetof(GuardedObject, stride), sizeof(int64_t));
  b.read_only = HostField::at(offsetof(GuardedObject, read_only), sizeof(bool), false);
  b.allocate = State::allocate;
  b.retain = State::retain;
  b.release = State::release;
  b.view = State::view;
  b.take_lock = State::take_lock;
  b.release_lock = State::release_lock;
  return b;
}

namespace {

vr_array descriptor_of(const GuardedObject& o) {
  vr_array a;
  a.data = o.data;
  a.elem = o.elem;
  a.rank = o.rank;
  a.flags = o.read_only ? VR_ARRAY_READ_ONLY : 0;
  std::copy_n(o.extent, o.rank, a.extent);
  std::copy_n(o.stride, o.rank, a.stride);
  return a;
}

void copy(const vr_array& to, const vr_array& from) {
  runtime::copy_elements(from.rank, from.extent, runtime::element_bytes(from.elem), static_cast<char*>(to.data),
                         to.stride, static_cast<const char*>(from.data), from.stride);
}

bool in_columns(const vr_array& a) {
  const int64_t width = runtime::element_bytes(a.elem);
  return runtime::is_contiguous(a.rank, a.extent, a.stride, width, true) &&
         !runtime::is_contiguous(a.rank, a.extent, a.stride, width, false);
}

}  // namespace

GuardHost::Answer GuardHost::call(const Function& f, std::span<const Value> args) {
  State& s = *state_;
  s.side = GuardedBlock::Side::End;
  Answer answer = s.call(f, args, false);
  s.side = GuardedBlock::Side::Begin;
  Answer again = s.call(f, args, true);
  if (answer.wrong.empty()) answer.wrong = std::move(again.wrong);
  return answer;
}

GuardHost::Answer GuardHost::State::call(const Function& f, std::span<const Value> args, bool write_back) {
  State& s = *this;
  Answer answer;
  std::unordered_map<ArrayObject*, GuardedObject*> given;
  std::vector<Value> in;
  State::take_lock(&s);
  for (const Value& v : args) {
    if (!v.array()) {
      in.push_back(v);
      continue;
    }
    GuardedObject*& o = given[v.array().object()];
    if (!o) {
      const vr_array d = v.array().descriptor();
      {
        std::lock_guard guard(s.mutex);
        o = s.make(d);
      }
      if (!o) {
        for (const auto& [array, object] : given)
          if (object) State::release(&s, object);
        State::release_lock(&s);
        answer.results = make_error(Code::OutOfMemory, "no memory for the guarded arguments");
        return answer;
      }
      copy(descriptor_of(*o), d);
      if (d.flags & VR_ARRAY_READ_ONLY) {
        o->read_only = true;
        o->block->make_read_only();
      }
    }
    in.push_back(Value::object(o));
  }

  const int64_t blocks = runtime::pool_stats().live_blocks;
  auto results = f.call(in);
  const int64_t left = runtime::pool_stats().live_blocks - blocks;

  if (!results) {
    answer.results = results.error();
  } else {
    for (Value& v : *results) {
      if (!v.is_object()) {
        answer.results->push_back(v);
        continue;
      }
      GuardedObject* o = nullptr;
      {
        std::lock_guard guard(s.mutex);
        o = s.use(v.object(), "a result");
      }
      if (!o) {
        answer.results->emplace_back();
        continue;
      }
      const vr_array d = descriptor_of(*o);
      auto made = Array::empty(static_cast<Elem>(d.elem & ~VR_COMPLEX), {d.extent, static_cast<size_t>(d.rank)},
                               in_columns(d) ? Layout::ColMajor : Layout::RowMajor, (d.elem & VR_COMPLEX) != 0);
      if (made) {
        copy(made->descriptor(), d);
        answer.results->emplace_back(std::move(*made));
      } else {
        answer.results->emplace_back();
      }
    }
    for (const Value& v : *results)
      if (v.is_object()) State::release(&s, v.object());
  }
  for (const auto& [array, object] : given) {
    {
      std::lock_guard guard(s.mutex);
      if (!s.use(object, "an argument")) continue;
    }
    if (write_back && !object->read_only) {
      vr_array back;
      back.data = array->data;
      std::copy_n(array->stride, array->rank, back.stride);
      copy(back, descriptor_of(*object));
    }
    State::release(&s, object);
  }
  State::release_lock(&s);

  std::lock_guard guard(s.mutex);
  for (const auto& [address, object] : s.live)
    s.report(fmt::format("{} has {} reference{} too many", object->text(), object->refs, object->refs == 1 ? "" : "s"));
  s.live.clear();
  if (left != 0) s.report(fmt::format("{} blocks of the engine's storage were not released", left));
  answer.wrong = fmt::format("{}", fmt::join(s.wrong, "\n"));
  s.wrong.clear();
  return answer;
}

}  // namespace vr::tool
