#include "codegen/llvm/structures.hpp"

#include <velociraptor/descriptor.h>

#include <cstddef>

namespace vr::codegen::llvm_backend {

using lower::none;
using lower::Scalar;

llvm::Value* at(FunctionCode& f, llvm::Value* base, uint64_t bytes) {
  return bytes == 0 ? base : f.b.CreateInBoundsGEP(f.b.getInt8Ty(), base, f.b.getInt64(bytes));
}

llvm::Value* load_field(FunctionCode& f, Scalar type, llvm::Value* address) {
  llvm::Value* v = f.b.CreateLoad(f.module.memory_type(type), address);
  return type == Scalar::Bool ? f.b.CreateIsNotNull(v) : v;
}

void store_field(FunctionCode& f, llvm::Value* value, llvm::Value* address) {
  if (value->getType()->isIntegerTy(1)) value = f.b.CreateZExt(value, f.b.getInt8Ty());
  f.b.CreateStore(value, address);
}

void read_descriptor(FunctionCode& f, llvm::Value* descriptor, const lower::ArrayVars& a) {
  f.variables.set(a.data, load_field(f, Scalar::Ptr, at(f, descriptor, offsetof(vr_array, data))));
  if (a.owner != none)
    f.variables.set(a.owner, load_field(f, Scalar::Ptr, at(f, descriptor, offsetof(vr_array, owner))));
  if (a.flags != none)
    f.variables.set(a.flags, load_field(f, Scalar::Int32, at(f, descriptor, offsetof(vr_array, flags))));
  for (size_t d = 0; d < a.extent.size(); ++d) {
    // Never negative, so that one unsigned comparison with a subscript checks both bounds.
    llvm::Value* extent = load_field(f, Scalar::Int64, at(f, descriptor, offsetof(vr_array, extent) + 8 * d));
    f.variables.set(a.extent[d], f.b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, extent, f.b.getInt64(0)));
    f.variables.set(a.stride[d], load_field(f, Scalar::Int64, at(f, descriptor, offsetof(vr_array, stride) + 8 * d)));
  }
}

void fill_descriptor(FunctionCode& f, const lower::ArrayVars& a, llvm::Value* descriptor, bool contents) {
  llvm::Value* null = llvm::ConstantPointerNull::get(f.b.getPtrTy());
  const int32_t elem = static_cast<int32_t>(a.elem) | (a.complex ? VR_COMPLEX : 0);
  store_field(f, contents ? f.variables.get(a.data) : null, at(f, descriptor, offsetof(vr_array, data)));
  store_field(f, contents && a.owner != none ? f.variables.get(a.owner) : null,
              at(f, descriptor, offsetof(vr_array, owner)));
  store_field(f, f.b.getInt32(static_cast<uint32_t>(elem)), at(f, descriptor, offsetof(vr_array, elem)));
  store_field(f, f.b.getInt32(static_cast<uint32_t>(a.extent.size())), at(f, descriptor, offsetof(vr_array, rank)));
  store_field(f, contents && a.flags != none ? f.variables.get(a.flags) : f.b.getInt32(0),
              at(f, descriptor, offsetof(vr_array, flags)));
  store_field(f, f.b.getInt32(0), at(f, descriptor, offsetof(vr_array, reserved)));
  if (!contents) return;
  for (size_t d = 0; d < a.extent.size(); ++d) {
    store_field(f, f.variables.get(a.extent[d]), at(f, descriptor, offsetof(vr_array, extent) + 8 * d));
    store_field(f, f.variables.get(a.stride[d]), at(f, descriptor, offsetof(vr_array, stride) + 8 * d));
  }
}

}  // namespace vr::codegen::llvm_backend
