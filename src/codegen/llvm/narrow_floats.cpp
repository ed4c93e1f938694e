#include "codegen/llvm/narrow_floats.hpp"

namespace vr::codegen::llvm_backend {

namespace {

using Value = llvm::Value*;

/// Integer arithmetic on the bits of floats, for vectors of any length after vectorisation: no branches.
struct Bits {
  llvm::IRBuilder<>& b;

  Value i32(uint32_t v) const { return b.getInt32(v); }
  Value of(Value f) const { return b.CreateBitCast(f, f->getType()->isDoubleTy() ? b.getInt64Ty() : b.getInt32Ty()); }
  Value to_float(Value bits) const { return b.CreateBitCast(bits, b.getFloatTy()); }
  Value constant(double v) const { return llvm::ConstantFP::get(b.getFloatTy(), v); }

  /// Rounds to the nearest at that bit, ties to even, and drops the bits below.
  Value rounded(Value u, unsigned bit) const {
    Value odd = b.CreateAnd(b.CreateLShr(u, bit), i32(1));
    return b.CreateLShr(b.CreateAdd(b.CreateAdd(u, i32((1u << (bit - 1)) - 1)), odd), bit);
  }

  Value float16_to_float(Value v) const {
    Value wide = b.CreateZExt(v, b.getInt32Ty());
    Value sign = b.CreateShl(b.CreateAnd(wide, i32(0x8000)), 16);
    Value magnitude = b.CreateAnd(wide, i32(0x7fff)), shifted = b.CreateShl(magnitude, 13);
    // A subnormal number is its bits times 2^-24. The product is a normal float32: no processor mode flushes it to 0.
    Value subnormal = of(b.CreateFMul(b.CreateUIToFP(magnitude, b.getFloatTy()), constant(0x1p-24)));
    Value normal = b.CreateAdd(shifted, i32(uint32_t{127 - 15} << 23));
    Value special = b.CreateOr(shifted, i32(0x7f800000));
    Value nan = b.CreateOr(special, i32(0x400000));
    Value r = b.CreateSelect(b.CreateICmpULT(magnitude, i32(0x400)), subnormal, normal);
    r = b.CreateSelect(b.CreateICmpUGE(magnitude, i32(0x7c00)), special, r);
    r = b.CreateSelect(b.CreateICmpUGT(magnitude, i32(0x7c00)), nan, r);
    return to_float(b.CreateOr(r, sign));
  }

  Value float_to_float16(Value v) const {
    Value u = of(v), sign = b.CreateAnd(b.CreateLShr(u, 16), i32(0x8000)), a = b.CreateAnd(u, i32(0x7fffffff));
    // Below 2^-14 the last bits of the sum count multiples of 2^-24, rounded by the addition.
    Value subnormal = b.CreateSub(of(b.CreateFAdd(to_float(a), constant(0.5))), i32(0x3f000000));
    Value normal = b.CreateSub(rounded(a, 13), i32(uint32_t{127 - 15} << 10));
    Value nan = b.CreateOr(b.CreateAnd(b.CreateLShr(a, 13), i32(0x1ff)), i32(0x7e00));
    Value r = b.CreateSelect(b.CreateICmpULT(a, i32(0x38800000)), subnormal, normal);
    r = b.CreateSelect(b.CreateICmpUGE(a, i32(0x477ff000)), i32(0x7c00), r);  // 65520 and more
    r = b.CreateSelect(b.CreateICmpUGT(a, i32(0x7f800000)), nan, r);
    return b.CreateTrunc(b.CreateOr(r, sign), b.getInt16Ty());
  }

  /// A float64 as a float32 that rounds to the same float16: the last bit stands for the dropped digits, and is set if
  /// any of them is not 0 (rounding to odd).
  Value odd_float(Value v) const {
    Value u = of(v), lost = b.CreateAnd(u, b.getInt64(0x1fffffff));
    Value some = b.CreateSelect(b.CreateIsNotNull(lost), b.getInt64(0x20000000), b.getInt64(0));
    Value kept = b.CreateOr(b.CreateAnd(u, b.getInt64(~uint64_t{0x1fffffff})), some);
    return b.CreateFPTrunc(b.CreateBitCast(kept, b.getDoubleTy()), b.getFloatTy());
  }

  Value float_to_bfloat16(Value v) const {
    Value u = of(v), a = b.CreateAnd(u, i32(0x7fffffff));
    Value nan = b.CreateOr(b.CreateLShr(u, 16), i32(0x40));
    return b.CreateTrunc(b.CreateSelect(b.CreateICmpUGT(a, i32(0x7f800000)), nan, rounded(u, 16)), b.getInt16Ty());
  }
};

}  // namespace

Value narrow_to_float(llvm::IRBuilder<>& b, lower::Scalar from, Value v, bool hardware) {
  llvm::IRBuilder<>::FastMathFlagGuard guard(b);
  b.clearFastMathFlags();  // the conversion is exact for NaN and infinities too
  const Bits bits{b};
  if (from == lower::Scalar::BFloat16) return bits.to_float(b.CreateShl(b.CreateZExt(v, b.getInt32Ty()), 16));
  return hardware ? b.CreateFPExt(b.CreateBitCast(v, b.getHalfTy()), b.getFloatTy()) : bits.float16_to_float(v);
}

Value float_to_narrow(llvm::IRBuilder<>& b, lower::Scalar to, Value v, bool hardware) {
  llvm::IRBuilder<>::FastMathFlagGuard guard(b);
  b.clearFastMathFlags();
  const Bits bits{b};
  if (to == lower::Scalar::BFloat16) return bits.float_to_bfloat16(v);
  if (v->getType()->isDoubleTy()) v = bits.odd_float(v);
  return hardware ? b.CreateBitCast(b.CreateFPTrunc(v, b.getHalfTy()), b.getInt16Ty()) : bits.float_to_float16(v);
}

}  // namespace vr::codegen::llvm_backend
