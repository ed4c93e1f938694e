#include "draws.hpp"

namespace pyraptor {

namespace {

/// The method of RandomState: draws as many bits as the largest number has, and repeats while the result is too large.
/// range: largest - least.
uint64_t masked(bitgen_t* b, uint64_t range) {
  uint64_t mask = range;
  for (int shift : {1, 2, 4, 8, 16, 32}) mask |= mask >> shift;
  uint64_t v;
  if (range <= UINT32_MAX) {
    if (range == UINT32_MAX) return b->next_uint32(b->state);
    while ((v = b->next_uint32(b->state) & mask) > range) {
    }
    return v;
  }
  if (range == UINT64_MAX) return b->next_uint64(b->state);
  while ((v = b->next_uint64(b->state) & mask) > range) {
  }
  return v;
}

/// The method of Generator: the upper half of a product. Repeats for the few lower halves that would bias the result.
uint64_t by_products(bitgen_t* b, uint64_t range) {
  if (range <= UINT32_MAX) {
    if (range == UINT32_MAX) return b->next_uint32(b->state);
    const auto count = static_cast<uint32_t>(range + 1);
    uint64_t product = uint64_t{b->next_uint32(b->state)} * count;
    if (static_cast<uint32_t>(product) < count) {
      const uint32_t least = (UINT32_MAX - static_cast<uint32_t>(range)) % count;
      while (static_cast<uint32_t>(product) < least) product = uint64_t{b->next_uint32(b->state)} * count;
    }
    return product >> 32;
  }
  if (range == UINT64_MAX) return b->next_uint64(b->state);
  __extension__ using Wide = unsigned __int128;
  const uint64_t count = range + 1;
  Wide product = Wide{b->next_uint64(b->state)} * count;
  if (static_cast<uint64_t>(product) < count) {
    const uint64_t least = (UINT64_MAX - range) % count;
    while (static_cast<uint64_t>(product) < least) product = Wide{b->next_uint64(b->state)} * count;
  }
  return static_cast<uint64_t>(product >> 64);
}

}  // namespace

bool Generator::find(PyObject* owner) {
  static PyObject* const name = PyUnicode_InternFromString("_bit_generator");
  Ref current = Ref::take(name ? PyObject_GetAttr(owner, name) : nullptr);
  if (!current) return PyErr_Clear(), false;
  if (current.get() == bit_generator_.get()) return bits_ != nullptr;
  bits_ = nullptr;
  bit_generator_ = current;
  const Ref capsule = Ref::take(PyObject_GetAttrString(current.get(), "capsule"));
  const Ref lock = Ref::take(PyObject_GetAttrString(current.get(), "lock"));
  if (capsule && lock) {
    acquire_ = Ref::take(PyObject_GetAttrString(lock.get(), "acquire"));
    release_ = Ref::take(PyObject_GetAttrString(lock.get(), "release"));
    if (acquire_ && release_) bits_ = static_cast<bitgen_t*>(PyCapsule_GetPointer(capsule.get(), "BitGenerator"));
  }
  PyErr_Clear();
  return bits_ != nullptr;
}

bool Generator::draw(const vr_value* args, size_t count, vr_value* result) {
  if (drawn_ == Drawn::Nothing) return false;
  PyObject* owner = owner_.get();
  if (!owner) {
    owner = object_at(args->i64);
    ++args;
    --count;
  }
  uint64_t low = 0, range = 0;
  if (drawn_ != Drawn::Double) {
    const int64_t from = count > 1 ? args[0].i64 : 0, end = args[count - 1].i64;
    if (from >= end) return false;  // NumPy raises the error
    low = static_cast<uint64_t>(from);
    range = static_cast<uint64_t>(end) - low - 1;
  }
  if (!find(owner)) return false;
  // While this thread waits for the lock, another thread may change the members.
  const Ref held = bit_generator_, release = release_;
  bitgen_t* const bits = bits_;
  const Ref locked = Ref::take(PyObject_CallObject(acquire_.get(), nullptr));
  if (!locked) return false;
  if (drawn_ == Drawn::Double)
    result->f64 = bits->next_double(bits->state);
  else
    result->i64 = static_cast<int64_t>(low + (range == 0 ? 0 : drawn_ == Drawn::Masked ? masked(bits, range) : by_products(bits, range)));
  // This thread holds the lock, so releasing it cannot fail.
  const Ref released = Ref::take(PyObject_CallObject(release.get(), nullptr));
  return bool(released);
}

}  // namespace pyraptor
