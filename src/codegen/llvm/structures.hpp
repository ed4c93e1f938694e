// Structures of C that generated code reads and writes in memory: descriptors (vr_array), vr_values (private to
// codegen/llvm).
#pragma once
#include "codegen/llvm/function_code.hpp"

namespace vr::codegen::llvm_backend {

/// base + bytes, within one object.
llvm::Value* at(FunctionCode& f, llvm::Value* base, uint64_t bytes);
/// Loads or stores a value as a member of a structure, where Bool is a byte, with the alignment of C's layout.
llvm::Value* load_field(FunctionCode& f, lower::Scalar type, llvm::Value* address);
void store_field(FunctionCode& f, llvm::Value* value, llvm::Value* address);
/// Sets the array's variables from a descriptor.
void read_descriptor(FunctionCode& f, llvm::Value* descriptor, const lower::ArrayVars& a);
/// Fills a descriptor from the array's variables; without `contents` data and owner are null.
void fill_descriptor(FunctionCode& f, const lower::ArrayVars& a, llvm::Value* descriptor, bool contents);

}  // namespace vr::codegen::llvm_backend
