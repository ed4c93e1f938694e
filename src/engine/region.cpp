#include "engine/region.hpp"

#include "analysis/number.hpp"
#include "engine/background.hpp"
#include "engine/state.hpp"
#include "engine/unit.hpp"
#include "runtime/gpu/session.hpp"
#include "support/fork_gate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>

namespace vr::engine {

namespace {

constexpr size_t most_words = 256, most_arrays = 16, groups_in_word = 8;
constexpr int most_new_in_a_row = 8;
/// vr_region_call::timed
enum { untimed = 0, timed_version = 1, timed_general = 2 };
constexpr int default_trials = 4;
/// In nanoseconds. Shorter times are dominated by the clock and the dispatcher.
constexpr int64_t unnoticed = 200;

uint64_t hash_of(const int64_t* words, size_t count) {
  uint64_t h = count;
  for (size_t k = 0; k < count; ++k) {
    h = (h ^ static_cast<uint64_t>(words[k])) * 0x9e3779b97f4a7c15ull;
    h ^= h >> 32;
  }
  return h;
}

/// The lowest address of an element, and the address after the highest one.
struct Bytes {
  uintptr_t low, high;
  bool meets(const Bytes& b) const { return low < b.high && b.low < high; }
};
Bytes bytes_of(const vr_array& a) {
  const auto data = reinterpret_cast<uintptr_t>(a.data);
  int64_t low = 0, high = ir::elem_bytes(static_cast<ir::Elem>(a.elem & ~VR_COMPLEX)) * (a.elem & VR_COMPLEX ? 2 : 1);
  for (int k = 0; k < a.rank; ++k) {
    if (a.extent[k] <= 0) return {data, data};
    (a.stride[k] < 0 ? low : high) += (a.extent[k] - 1) * a.stride[k];
  }
  return {data + static_cast<uintptr_t>(low), data + static_cast<uintptr_t>(high)};
}

int64_t whole_value(Elem e, const void* p) {
  return ir::visit_elem(e, [&](auto tag) -> int64_t {
    typename decltype(tag)::type v;
    std::memcpy(&v, p, sizeof v);
    return tag.kind == ir::ElemKind::Logical ? v != 0 : static_cast<int64_t>(v);
  });
}
int64_t element(const vr_array& a, int64_t offset) {
  return whole_value(static_cast<Elem>(a.elem), static_cast<const char*>(a.data) + offset);
}

/// A float64 is part of the key if its value is an integer (region_facts.hpp); all others share one word.
bool whole(double v) { return std::trunc(v) == v && std::fabs(v) <= 0x1p53 && !(v == 0 && std::signbit(v)); }
constexpr int64_t not_whole = INT64_MIN;

/// Whether the elements of an array with these extents are part of a key.
bool short_enough(const int64_t* extent, int rank) {
  int64_t n = 1;
  for (int k = 0; k < rank; ++k) {
    if (extent[k] == 0) return true;
    if (n > static_cast<int64_t>(analysis::ParameterFacts::most_values) / extent[k]) return false;
    n *= extent[k];
  }
  return true;
}

/// Appends all elements to `words`, the last subscript fastest.
void read_elements(const vr_array& a, int axis, int64_t offset, int64_t* words, size_t& count) {
  if (axis == a.rank) {
    words[count++] = element(a, offset);
    return;
  }
  for (int64_t k = 0; k < a.extent[axis]; ++k) read_elements(a, axis + 1, offset + k * a.stride[axis], words, count);
}

}  // namespace

int64_t (*region_clock)() = [] {
  return int64_t{std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1)};
};

Region::Region(Unit& unit, std::string function) : unit_(unit), function_(std::move(function)) {
  vr_region::enter = enter_region;
  vr_region::leave = leave_region;
}

Region::~Region() = default;

RegionInfo Region::info() {
  prepare();
  std::lock_guard lock(lock_);
  RegionInfo i = info_;
  i.function = signature_.ir ? signature_.ir->name : function_;
  if (signature_.ir && signature_.ir->region) {
    const ir::Region& r = *signature_.ir->region;
    i.source = r.function;
    i.number = r.number;
    i.place = r.loc.empty() ? Place{unit_.file(), r.pos.line, r.pos.column}.text() : r.loc;
    for (int k : r.shape_params) i.shapes.push_back(signature_.ir->symbols.at(signature_.ir->args[static_cast<size_t>(k)]).name);
    for (int k : r.value_params) i.values.push_back(signature_.ir->symbols.at(signature_.ir->args[static_cast<size_t>(k)]).name);
  }
  for (const auto& v : versions_) i.versions += v->code != nullptr;
  for (const auto& v : versions_) i.bytes += static_cast<int64_t>(v->bytes);
  return i;
}

// ---------------------------------------------------------------- keys
/// Finds the region's parameters, once. If the code was loaded from disk, the module has not been analysed before.
void Region::prepare() {
  NoForkNow no_fork;
  std::call_once(once_, [this] {
    signature_.arrays.clear();  // remains of an attempt that ran out of memory
    signature_.parts.clear();
    signature_.most_words = 0;
    signature_.ir = unit_.region_function(function_);
    bool possible = signature_.ir && signature_.ir->region;
    if (possible) {
      const ir::Region& r = *signature_.ir->region;
      const auto& types = signature_.ir->type.components();
      for (size_t k = 0; k < signature_.ir->args.size(); ++k) {
        const int param = static_cast<int>(k);
        const ir::Type& t = types[k];
        auto in = [&](const std::vector<int>& list) {
          return std::find(list.begin(), list.end(), param) != list.end();
        };
        const bool value = in(r.value_params), integral = t.is_numeric() && !t.complex && analysis::known_whole(t.elem);
        // as numbers in MATLAB programs are
        const bool counts = t.is_scalar() && !t.complex && t.elem == ir::Elem::Float64;
        if (t.is_array()) {
          signature_.arrays.push_back(param);
          if (in(r.shape_params) || value) {
            signature_.parts.push_back({Part::Kind::Shape, param, t.rank});
            if (t.layout == ir::Layout::Strided) signature_.parts.push_back({Part::Kind::Strides, param, t.rank});
          }
          if (value && integral) signature_.parts.push_back({Part::Kind::Elements, param, t.rank});
        } else if (value && t.is_scalar() && (integral || counts)) {
          signature_.parts.push_back({counts ? Part::Kind::Float64 : Part::Kind::Integer, param, 0, t.elem});
        }
      }
      if (signature_.arrays.size() > most_arrays) signature_.arrays.clear();
      for (const Part& p : signature_.parts)
        signature_.most_words += p.kind == Part::Kind::Elements ? 5 : std::max(p.rank, 1);
      signature_.most_words += (signature_.arrays.size() + groups_in_word - 1) / groups_in_word;
      possible = signature_.most_words <= most_words;
    }
    if (!possible) {
      std::lock_guard lock(lock_);
      info_.stopped = true;
      signature_.parts.clear();
      signature_.arrays.clear();
    }
    prepared_.store(true, std::memory_order_release);
  });
}

void Region::read_key(const vr_value* args, int64_t* words, size_t& count) const {
  for (const Part& p : signature_.parts) {
    const vr_value& v = args[p.param];
    switch (p.kind) {
      case Part::Kind::Shape:
        for (int k = 0; k < p.rank; ++k) words[count++] = v.array->extent[k];
        break;
      case Part::Kind::Strides:
        for (int k = 0; k < p.rank; ++k) words[count++] = v.array->stride[k];
        break;
      case Part::Kind::Integer:
        words[count++] = whole_value(p.elem, &v);
        break;
      case Part::Kind::Float64:
        words[count++] = whole(v.f64) ? static_cast<int64_t>(v.f64) : not_whole;
        break;
      case Part::Kind::Elements:
        if (short_enough(v.array->extent, p.rank)) read_elements(*v.array, 0, 0, words, count);
        break;
    }
  }
  // Groups of overlapping arrays; each array has the number of the first one in its group.
  Bytes bytes[most_arrays];
  uint8_t group[most_arrays];
  for (size_t k = 0; k < signature_.arrays.size(); ++k) {
    bytes[k] = bytes_of(*args[signature_.arrays[k]].array);
    group[k] = static_cast<uint8_t>(k);
    for (size_t q = 0; q < k; ++q)
      if (bytes[k].meets(bytes[q]) && group[q] != group[k]) {
        const uint8_t to = std::min(group[q], group[k]), from = std::max(group[q], group[k]);
        for (size_t i = 0; i <= k; ++i)
          if (group[i] == from) group[i] = to;
      }
  }
  for (size_t k = 0; k < signature_.arrays.size(); ++k) {
    if (k % groups_in_word == 0) words[count++] = 0;
    words[count - 1] |= static_cast<int64_t>(static_cast<uint64_t>(group[k]) << (8 * (k % groups_in_word)));
  }
}

analysis::RegionFacts Region::facts(const Key& key) const {
  analysis::RegionFacts facts;
  facts.parameters.resize(signature_.ir->args.size());
  size_t at = 0;
  auto take = [&](size_t n) {
    std::vector<int64_t> v(key.begin() + static_cast<int64_t>(at), key.begin() + static_cast<int64_t>(at + n));
    at += n;
    return v;
  };
  for (const Part& p : signature_.parts) {
    analysis::ParameterFacts& f = facts.parameters[static_cast<size_t>(p.param)];
    const auto rank = static_cast<size_t>(p.rank);
    switch (p.kind) {
      case Part::Kind::Shape:
        f.extents = take(rank);
        break;
      case Part::Kind::Strides:
        f.strides = take(rank);
        break;
      case Part::Kind::Integer:
        f.values = take(1);
        break;
      case Part::Kind::Float64:
        f.values = take(1);
        if (f.values->front() == not_whole) f.values.reset();
        break;
      case Part::Kind::Elements: {
        // For longer arrays, only the shape is known and part of the key (thesis 6.2.4).
        if (!short_enough(f.extents->data(), p.rank)) break;
        int64_t n = 1;
        for (int64_t e : *f.extents) n *= e;
        f.values = take(static_cast<size_t>(n));
        break;
      }
    }
  }
  for (size_t k = 0; k < signature_.arrays.size(); ++k)
    facts.parameters[static_cast<size_t>(signature_.arrays[k])].alias_group =
        static_cast<int>(static_cast<uint64_t>(key[at + k / groups_in_word]) >> (8 * (k % groups_in_word)) & 0xff);
  return facts;
}

// ---------------------------------------------------------------- calls
namespace {
/// Waits for enqueued tasks, so that a call is timed with its own work on the device only.
void settle(vr_context* context) {
  if (context->gpu) context->gpu->settle(context);
}
}  // namespace

void Region::enter_region(vr_region* self, vr_context* context, const vr_value* args, vr_region_call* call) {
  // Errors here must not reach generated code: the code for all arguments can always run.
  try {
    static_cast<Region*>(self)->enter(args, *call);
  } catch (...) {
    *call = {};
  }
  if (call->timed == untimed) return;
  settle(context);
  call->started = region_clock();
}
void Region::leave_region(vr_region* self, vr_context* context, const vr_region_call* call, int32_t status) {
  Region& region = *static_cast<Region*>(self);
  if (call->timed == untimed) return region.leave(static_cast<Version*>(call->version));
  settle(context);
  region.leave(*call, status == VR_OK ? region_clock() - call->started : -1);
}

/// How many calls of each code are timed before one is chosen; 0: calls are not timed, and versions are always used.
int Region::trials() const {
  const Options& o = unit_.options();
  if (o.region_trials >= 0) return o.region_trials;
  return o.regions == RegionMode::Sync ? 0 : default_trials;
}

/// Requires the lock. Selects the version, or, while it is on trial, every other time the code for all arguments.
void Region::enter_version(Version& v, vr_region_call& call) {
  call.version = &v;
  ++v.users;
  const int n = v.decided ? 0 : trials();
  // Unoptimised code that only serves until the optimised code is ready is no basis for a comparison.
  if (n > 0 && std::min(v.handed[0], v.handed[1]) <= n && unit_.optimised()) {
    const int side = v.handed[1] < v.handed[0];
    ++v.handed[side];
    call.timed = side ? timed_general : timed_version;
    if (side) {
      ++info_.generic;
      return;
    }
  }
  ++info_.hits;
  call.entry = v.entry;
}

/// `took`: nanoseconds; negative: the call failed, and is not counted.
void Region::leave(const vr_region_call& call, int64_t took) {
  auto* v = static_cast<Version*>(call.version);
  const int side = call.timed == timed_general;
  {
    std::lock_guard lock(lock_);
    if (took < 0) {
      --v->handed[side];
    } else {
      // The first call of each is a warm-up.
      if (v->measured[side]++ > 0) v->best[side] = std::min(v->best[side], took);
      const int n = trials();
      if (!v->decided && v->measured[0] > n && v->measured[1] > n) {
        v->decided = true;
        const int64_t general = v->best[1];
        if (!v->retired && v->best[0] > general + std::max(general / 16, unnoticed)) {
          try {
            drop(*v);
          } catch (const std::bad_alloc&) {}  // it stays
        }
      }
    }
  }
  leave(v);
}

/// Requires the lock. From now on the code for all arguments serves the version's key.
void Region::drop(Version& v) {
  auto place = std::find_if(versions_.begin(), versions_.end(), [&](const auto& other) { return other.get() == &v; });
  if (place == versions_.end()) return;
  auto without = std::make_unique<Version>();
  without->key = v.key;
  without->hash = v.hash;
  without->used = v.used;
  retired_.reserve(retired_.size() + 1);
  v.retired = true;
  retired_.push_back(std::exchange(*place, std::move(without)));
  ++info_.dropped;
}

/// Requires the lock.
Region::Version* Region::find(const int64_t* words, size_t count, uint64_t hash) {
  for (const auto& v : versions_)
    if (v->hash == hash && std::equal(v->key.begin(), v->key.end(), words, words + count)) {
      v->used = ++clock_;
      return v.get();
    }
  return nullptr;
}

void Region::enter(const vr_value* args, vr_region_call& call) {
  if (!prepared_.load(std::memory_order_acquire)) prepare();
  int64_t words[most_words];
  size_t count = 0;
  read_key(args, words, count);
  const uint64_t hash = hash_of(words, count);
  {
    std::lock_guard lock(lock_);
    if (Version* v = find(words, count, hash)) {
      new_in_a_row_ = 0;
      if (!v->code) {
        ++info_.generic;
        return;
      }
      return enter_version(*v, call);
    }
    ++info_.generic;
    if (info_.stopped) return;
  }
  Version* const v = missed(Key(words, words + count), hash);
  if (!v) return;
  call.version = v;
  call.entry = v->entry;
}

void Region::leave(Version* version) {
  {
    std::lock_guard lock(lock_);
    if (--version->users > 0 || !version->retired) return;
  }
  free_retired();
}

void Region::free_retired() {
  std::vector<std::unique_ptr<Version>> gone;  // unloaded after the lock is released
  NoForkNow no_fork;
  std::lock_guard lock(lock_);
  take_retired(gone);
}

/// Requires the lock. Moves replaced versions that no call uses any more to `gone`. Not while sections are open on the device, which
/// identify kernels by their address in the code: other code may be loaded at the same address.
void Region::take_retired(std::vector<std::unique_ptr<Version>>& gone) {
  if (retired_.empty() || unit_.device_at_work()) return;
  for (size_t k = retired_.size(); k-- > 0;)
    if (retired_[k]->users == 0) {
      gone.push_back(std::move(retired_[k]));
      retired_.erase(retired_.begin() + static_cast<int64_t>(k));
    }
}

/// Arguments for which there is no version. Null: the code for all arguments is to run.
Region::Version* Region::missed(const Key& key, uint64_t hash) {
  NoForkNow no_fork;
  const bool sync = unit_.options().regions == RegionMode::Sync;
  std::unique_lock making(making_, std::defer_lock);
  if (sync) making.lock();
  {
    std::lock_guard lock(lock_);
    if (Version* v = find(key.data(), key.size(), hash)) {  // another thread was quicker
      if (!v->code) return nullptr;
      ++v->users;
      return v;
    }
    if (info_.stopped || std::find(pending_.begin(), pending_.end(), key) != pending_.end()) return nullptr;
    if (++new_in_a_row_ > most_new_in_a_row) {
      info_.stopped = true;
      return nullptr;
    }
    ++info_.misses;
    if (!sync) pending_.push_back(key);
  }
  if (sync) return make(key, hash);
  unit_.in_background([this, key, hash] {
    Version* v = nullptr;
    try {
      v = make(key, hash);
    } catch (const std::bad_alloc&) {}  // the general code keeps running
    {
      std::lock_guard lock(lock_);
      pending_.erase(std::find(pending_.begin(), pending_.end(), key));
    }
    if (v) leave(v);
  });
  return nullptr;
}

/// A new version, with this call counted as user. Null if it cannot be made.
Region::Version* Region::make(const Key& key, uint64_t hash) {
  RegionInfo made;
  auto code = unit_.specialised(*signature_.ir, facts(key), made);
  auto v = std::make_unique<Version>();
  v->key = key;
  v->hash = hash;
  if (code) {
    v->code = std::move(*code);
    v->bytes = v->code->object_bytes();
    v->entry = v->code->entry(function_);
  }
  std::vector<std::unique_ptr<Version>> gone;
  NoForkNow no_fork;
  std::lock_guard lock(lock_);
  info_.compile_ms += made.compile_ms;
  info_.inference_ms += made.inference_ms;
  if (made.array_uses > 0 || made.checks_before > 0) {
    info_.array_uses = made.array_uses;
    info_.array_uses_known = made.array_uses_known;
    info_.checks_before = made.checks_before;
    info_.checks_after = made.checks_after;
  }
  if (!made.failure.empty()) info_.failure = made.failure;
  if (!code) {
    if (code.error().code == vr::Code::Interrupted) return nullptr;
    ++info_.failed;
    info_.failure = code.error().text();
  }
  return insert(std::move(v), gone);
}

/// Requires the lock. The least recently used versions are replaced.
Region::Version* Region::insert(std::unique_ptr<Version> version, std::vector<std::unique_ptr<Version>>& gone) {
  const Options& o = unit_.options();
  size_t bytes = version->bytes;
  for (const auto& v : versions_) bytes += v->bytes;
  while (!versions_.empty() &&
         (versions_.size() >= static_cast<size_t>(o.region_versions) || bytes > static_cast<size_t>(o.region_bytes))) {
    auto oldest = std::min_element(versions_.begin(), versions_.end(),
                                   [](const auto& a, const auto& b) { return a->used < b->used; });
    bytes -= (*oldest)->bytes;
    ++info_.evicted;
    retired_.reserve(retired_.size() + 1);
    (*oldest)->retired = true;
    retired_.push_back(std::move(*oldest));
    versions_.erase(oldest);
  }
  take_retired(gone);
  version->used = ++clock_;
  Version* v = version.get();
  versions_.push_back(std::move(version));
  if (!v->code) return nullptr;
  ++v->users;
  return v;
}

}  // namespace vr::engine
