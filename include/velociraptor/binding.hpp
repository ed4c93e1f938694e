// HostBinding: how to access, allocate, reference-count and lock a host's array objects (thesis 3.4). A host fills one in, usually
// through vrbinding.hpp; one process may hold many. Everything is plain data and function pointers, so that generated code
// and the runtime work directly on the host's own objects, without a copy.
#pragma once
#include <velociraptor/descriptor.h>
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <cstdint>

#pragma GCC visibility push(default)

namespace vr {

/// How to read a value of the host's object: a constant, a load at a byte offset, or a call of an accessor function.
struct HostField {
  enum class How : uint8_t { Fixed, Offset, Accessor };
  How how = How::Fixed;
  int32_t offset = 0;      ///< Offset: bytes from the object's start
  uint8_t width = 8;       ///< Offset: 1, 2, 4 or 8 bytes
  bool is_signed = true;   ///< Offset: sign-extended or zero-extended
  bool indirect = false;   ///< Offset, extents and strides: the field holds the address of the values, not the values
  int64_t fixed = 0;       ///< Fixed: the value itself
  /// Accessor: the value for `object`; for extents and strides, of dimension k. Must not fail.
  int64_t (*get)(void* context, void* object, int32_t k) = nullptr;

  static HostField at(int32_t offset, uint8_t width, bool is_signed = true, bool indirect = false);
  static HostField constant(int64_t value);
  static HostField call(int64_t (*get)(void*, void*, int32_t));
};

enum class StrideUnit : uint8_t { Bytes, Elements, None };  ///< None: contiguous in `layout`

/// Copied by Engine::create. `name`, `context` and what the functions need must outlive the engine, its modules and its
/// functions; after the last of these has been destroyed nothing is called, even if a background compilation still
/// runs. `raise` and `poll` are called on the thread that made the call; the other functions on any thread.
struct HostBinding {
  const char* name = "";      ///< for messages and reports
  void* context = nullptr;    ///< passed to every function below

  HostField data;             ///< address of element (0,...,0)
  HostField elem;             ///< the host's own element code, mapped by `elem_code`
  HostField rank;
  HostField extents;          ///< rank values, one after another
  HostField strides;          ///< rank values; unused with StrideUnit::None
  /// Non-zero: the object is read-only at present, and a store to its elements is fault READ_ONLY. Read at each call. Hosts
  /// without read-only objects keep the default, the constant 0.
  HostField read_only;
  StrideUnit stride_unit = StrideUnit::Bytes;
  ir::Layout layout = ir::Layout::RowMajor;  ///< with StrideUnit::None
  /// Host's element code -> VR_... code (| VR_COMPLEX), or -1 when VRIR has no such type. Null: the codes are VRIR's.
  int32_t (*elem_code)(void* context, int64_t host_code) = nullptr;

  /// Instead of all fields above: stores address, element code (VR_...), rank, extents, strides in bytes and flags of
  /// the object in `out`, which is zero, and returns VR_OK; or VR_TYPE when VRIR has no such array. Called with the
  /// lock held; must not fail in another way. Null: the fields are read.
  int32_t (*describe)(void* context, void* object, vr_array* out) = nullptr;
  /// The element types that the host has: bit 1 << code, also of complex ones. Modules with functions that take or
  /// return other arrays are refused when they are loaded. Arrays within functions may have any type.
  uint32_t elements = 0xffffffff;

  /// A new array object with one reference, elements undefined. Null: no memory, or the host has no such array; the
  /// call then ends with fault OUT_OF_MEMORY. `elem` is VRIR's code. `layout` is RowMajor or ColMajor and must be
  /// respected unless the host's arrays have only one layout.
  void* (*allocate)(void* context, int32_t elem, int32_t rank, const int64_t* extents, ir::Layout layout) = nullptr;
  void (*retain)(void* context, void* object) = nullptr;
  void (*release)(void* context, void* object) = nullptr;
  /// The host's lock, such as an interpreter lock. The host calls the engine with the lock held; the engine releases it while
  /// native code runs and takes it around allocate / retain / release. Both null when the host needs no lock.
  void (*take_lock)(void* context) = nullptr;
  void (*release_lock)(void* context) = nullptr;
  /// Called with the lock held after a function failed; turns the record into the host's own error. May be null.
  void (*raise)(void* context, const vr_error* error) = nullptr;

  /// The conventions of the host's language, for modules that do not state them.
  ir::Conventions conventions = ir::Conventions::numpy();

  /// A new object with one reference that is a view of `base`'s storage with the address, extents and strides of `shape` (whose
  /// `owner` must not be read); read-only if shape->flags has VR_ARRAY_READ_ONLY. Null when there is no memory. If the function
  /// itself is null the host has no views, and a slice that is returned becomes a copy.
  void* (*view)(void* context, void* base, const vr_array* shape) = nullptr;

  /// Interrupts. The host may set this flag at any time from any thread or signal handler, with an atomic or volatile store.
  /// While it is not 0, running calls call `poll`. Native code and the interpreter read it in long loops and never write it.
  /// Null: calls cannot be interrupted.
  const int32_t* interrupt = nullptr;
  /// Called with the lock held, on the thread that made the call, while `*interrupt` is not 0. If it returns 0 the call goes
  /// on, otherwise the call ends with fault INTERRUPTED. It may run host code and make other calls. Before anything else it
  /// resets the flag, unless another reason to poll remains; so an interrupt that arrives meanwhile causes another poll. Null:
  /// all calls end while the flag is not 0.
  int32_t (*poll)(void* context) = nullptr;
};

/// The binding of vr::Array (array.hpp); objects are vr::ArrayObject*.
const HostBinding& builtin_binding();

/// Reads the object's fields into `out`, with a null owner. Returns VR_OK, or VR_TYPE when VRIR does not have the element type
/// or rank.
int32_t read_descriptor(const HostBinding& binding, void* object, vr_array* out);

/// Tests a binding: the fields are consistent, and for each element type and a few shapes that the host can allocate, a new
/// object has the requested type and shape and can be written, retained and released. Error USAGE says what is wrong.
/// For a host's tests; to be called without the lock.
Status check_binding(const HostBinding& binding);

}  // namespace vr
#pragma GCC visibility pop
