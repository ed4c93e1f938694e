// HostBinding: how a host's array objects are reached, made, counted and locked (thesis 3.4). A host fills one in, usually
// through vrbinding.hpp; one process may hold many. Everything is plain data and function pointers, so that generated code
// and the runtime work directly on the host's own objects, without a copy.
#pragma once
#include <velociraptor/descriptor.h>
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <cstdint>

#pragma GCC visibility push(default)

namespace vr {

/// Where a value lies in the host's object: at a byte offset, or behind a function, or fixed.
struct HostField {
  enum class How : uint8_t { Fixed, Offset, Accessor };
  How how = How::Fixed;
  int32_t offset = 0;      ///< Offset: bytes from the object's start
  uint8_t width = 8;       ///< Offset: 1, 2, 4 or 8 bytes
  bool is_signed = true;   ///< Offset: sign-extended or zero-extended
  bool indirect = false;   ///< Offset, extents and strides: the field holds the address of the values, not the values
  int64_t fixed = 0;       ///< Fixed: the value itself
  /// Accessor: value for the object, and the dimension k where that makes sense. Must not fail.
  int64_t (*get)(void* context, void* object, int32_t k) = nullptr;

  static HostField at(int32_t offset, uint8_t width, bool is_signed = true, bool indirect = false);
  static HostField constant(int64_t value);
  static HostField call(int64_t (*get)(void*, void*, int32_t));
};

enum class StrideUnit : uint8_t { Bytes, Elements, None };  ///< None: contiguous in `layout`

struct HostBinding {
  const char* name = "";      ///< for messages and reports; must outlive the engine
  void* context = nullptr;    ///< handed back to every function below

  HostField data;             ///< address of element (0,...,0)
  HostField elem;             ///< the host's own element code, mapped by `elem_code`
  HostField rank;
  HostField extents;          ///< rank values, one after another
  HostField strides;          ///< rank values; unused with StrideUnit::None
  /// Not 0: the object's elements must not be changed, now; a store to them is fault READ_ONLY. Read at each call. A host
  /// without such objects leaves it as it is (0 for all).
  HostField read_only;
  StrideUnit stride_unit = StrideUnit::Bytes;
  ir::Layout layout = ir::Layout::RowMajor;  ///< with StrideUnit::None
  /// Host's element code -> VR_... code (| VR_COMPLEX), or -1 when VRIR has no such type. Null: the codes are VRIR's.
  int32_t (*elem_code)(void* context, int64_t host_code) = nullptr;

  /// A new array object with one reference, elements undefined, or null when there is no memory. `elem` is VRIR's code.
  /// `layout` is RowMajor or ColMajor and is binding unless the host has only one.
  void* (*allocate)(void* context, int32_t elem, int32_t rank, const int64_t* extents, ir::Layout layout) = nullptr;
  void (*retain)(void* context, void* object) = nullptr;
  void (*release)(void* context, void* object) = nullptr;
  /// The host's lock (an interpreter lock, say). Calls into the engine are made with it held; it is given back while native
  /// code runs and taken around allocate / retain / release. Both null when the host needs no lock.
  void (*take_lock)(void* context) = nullptr;
  void (*release_lock)(void* context) = nullptr;
  /// Called with the lock held after a function failed; turns the record into the host's own error. May be null.
  void (*raise)(void* context, const vr_error* error) = nullptr;

  /// Habits of the host's language, for modules that do not state them.
  ir::Conventions conventions = ir::Conventions::numpy();

  /// A new object with one reference that shares `base`'s storage and looks like `shape` (its `owner` is not to be read);
  /// read-only where shape->flags say so. Null when there is no memory. A null function: the host has no views, and a slice that is returned becomes a copy.
  void* (*view)(void* context, void* base, const vr_array* shape) = nullptr;

  /// Interrupts. A number that anybody may set at any time, a signal handler too, as an atomic or volatile store: not 0
  /// means that running calls are to ask `poll`. Native code and the interpreter look at it in long loops and never write
  /// it. Null: calls cannot be interrupted.
  const int32_t* interrupt = nullptr;
  /// Asked by the thread that made the call, with the lock held, while `*interrupt` is not 0: 0 lets the call go on, anything
  /// else ends it with fault INTERRUPTED. May run the host's own code, and other calls; sets the number back where this
  /// was the question's last cause, first of all, so that what comes meanwhile is asked for again. Null: a number that is
  /// not 0 ends all calls, until the host sets it back.
  int32_t (*poll)(void* context) = nullptr;
};

/// The binding of vr::Array (array.hpp); objects are vr::ArrayObject*.
const HostBinding& builtin_binding();

/// Reads the object's fields into `out` (owner stays null). Returns VR_OK, or VR_TYPE when the element type or rank is not
/// one of VRIR's.
int32_t read_descriptor(const HostBinding& binding, void* object, vr_array* out);

/// Whether a binding keeps its promises: the fields make sense, and for each element type and a few shapes that the host can
/// make, a new object reads back as what was asked for, can be written, retained and released. USAGE with what is wrong.
/// For a host's tests; called without the lock.
Status check_binding(const HostBinding& binding);

}  // namespace vr
#pragma GCC visibility pop
