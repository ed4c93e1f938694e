// Octave's values as Velociraptor sees them: the binding of its arrays, the types of arguments, results.
//
// Arguments are not copied: an Object shares the array's storage and count. Results are made in Octave's own arrays.
#pragma once
#include "compile.hpp"

#include <velociraptor/engine.hpp>

#include <octave/oct.h>

#include <optional>

namespace vr::octave_host {

/// The binding of Octave's arrays. Objects are counted atomically and may be retained and released by any thread.
HostBinding binding();
/// Objects that exist; 0 when no call runs and no reference was lost.
int64_t live_objects();

/// What a value is to the compiler: class, complex or real, which extents are 1. Two values with the same code have the
/// same type; 0: no such values are compiled (cells, structures, sparse and diagonal matrices, ranges of other classes).
/// Text and handles have a code, and a type that depends on more than it.
uint64_t type_code(const octave_value& v);
bool is_text(uint64_t code);
bool is_handle(uint64_t code);

/// The type of a numeric value's code.
matlab::Type type_of(uint64_t code);

/// An argument. A value made of an object has a reference that `released` takes away.
Value argument(const octave_value& v, uint64_t code);
void release(const Value& v);

/// A result of a call; takes over its reference.
octave_value result(const Value& v, const matlab::ResultInfo& info);

}  // namespace vr::octave_host
