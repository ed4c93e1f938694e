// Conversion between Octave's values and Velociraptor's: the binding of Octave's arrays, types of arguments, results.
//
// Arguments are not copied: an Object shares the array's storage and reference count. Results are Octave's arrays.
#pragma once
#include "compile.hpp"

#include <velociraptor/engine.hpp>

#include <octave/oct.h>

#include <optional>

namespace vr::octave_host {

/// The binding of Octave's arrays. Objects are counted atomically and may be retained and released by any thread.
HostBinding binding();
/// The number of objects that exist; 0 if no call is running and no reference was lost.
int64_t live_objects();

/// A code for the type that a value has for the compiler: class, complex or real, and which extents are 1. Values with
/// the same code have the same type. 0: values of this kind are not compiled (cells, structures, sparse and diagonal
/// matrices, ranges of other classes). For strings and handles, the type depends on more than the code.
uint64_t type_code(const octave_value& v);
bool is_text(uint64_t code);
bool is_handle(uint64_t code);

/// The type of text of at most one row, which is a constant of the version, and what identifies it in a key.
matlab::Type text_type(const octave_value& v);
std::string text_key(const octave_value& v);

/// The type of a numeric value's code.
matlab::Type type_of(uint64_t code);

/// The code of an array of the class of which nothing more is known.
uint64_t array_code(uint64_t code);

/// An argument. If the Value refers to an object, `released` must be called to release the reference.
Value argument(const octave_value& v, uint64_t code);
void release(const Value& v);

/// A value that compiled code passed to a function of the host, with elements of its own; the caller has the reference.
Value copied(const ir::Type& type, const vr_value& v);

/// Converts a result of a call; takes over its reference.
octave_value result(const Value& v, const matlab::ResultInfo& info);

}  // namespace vr::octave_host
