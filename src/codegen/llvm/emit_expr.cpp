#include "codegen/llvm/emit_expr.hpp"

#include "codegen/llvm/narrow_floats.hpp"
#include "loop/exprs.hpp"

#include <llvm/IR/Intrinsics.h>

#include <cmath>

namespace vr::codegen::llvm_backend {

using lower::Expr;
using lower::Op;
using lower::Scalar;

llvm::Value* Expressions::eval(lower::ExprP e) {
  if (e->kind == Expr::Kind::Var || !e->a) return eval_new(e);
  if (Value known = values_.lookup(e)) return known;
  Value v = eval_new(e);
  values_[e] = v;
  return v;
}

namespace {
template <class F>
llvm::FastMathFlags with(llvm::FastMathFlags flags, F&& add) {
  add(flags);
  return flags;
}
}  // namespace

llvm::Value* Expressions::eval_new(lower::ExprP e) {
  switch (e->kind) {
    case Expr::Kind::IntConst:
      if (e->type == Scalar::Bool) return b_.getInt1(e->ival != 0);
      return llvm::ConstantInt::get(module_.value_type(e->type),
                                    static_cast<uint64_t>(ir::wrap(e->ival, lower::elem_of(e->type))),
                                    !lower::is_unsigned(e->type));
    case Expr::Kind::FloatConst:
      if (lower::is_narrow_float(e->type)) return b_.getInt16(lower::narrow_bits(e->fval, e->type));
      if (e->type == Scalar::Float32)
        return llvm::ConstantFP::get(b_.getContext(), llvm::APFloat(static_cast<float>(e->fval)));
      return llvm::ConstantFP::get(b_.getContext(), llvm::APFloat(e->fval));
    case Expr::Kind::Null:
      return llvm::ConstantPointerNull::get(b_.getPtrTy());
    case Expr::Kind::Var:
      return variables_.get(e->var);
    case Expr::Kind::Unary:
      return unary(*e);
    case Expr::Kind::Binary:
      return binary(*e);
    case Expr::Kind::Select: {
      Value yes = eval(e->b), no = eval(e->c);
      // Only the comparison and the select of a minimum or maximum get the flags: NaN cannot occur, and either zero is allowed.
      llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
      any_order_ = any_order_ || e->any_order;
      if (e->any_order)
        b_.setFastMathFlags(with(b_.getFastMathFlags(), [](auto& f) {
          f.setNoNaNs();
          f.setNoSignedZeros();
        }));
      Value cond = eval(e->a);
      return b_.CreateSelect(cond, yes, no);
    }
    case Expr::Kind::Convert:
      return convert(e->a->type, e->type, eval(e->a));
    case Expr::Kind::Math:
      return math(*e);
    case Expr::Kind::Load:
      return load(*e);
    case Expr::Kind::Offset: {
      // Not "inbounds": a view of an empty array may point anywhere, as long as it is not accessed.
      Value base = eval(e->a), bytes = eval(e->b);
      return b_.CreateGEP(b_.getInt8Ty(), base, bytes);
    }
    case Expr::Kind::At:
    case Expr::Kind::Aligned:
      break;  // lower::check() rejects them
  }
  return nullptr;
}

llvm::Value* Expressions::unary(const Expr& e) {
  Value a = eval(e.a);
  if (e.op == Op::Not) return b_.CreateNot(a);
  if (e.op == Op::Popcount) return b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, a);
  return lower::is_float(e.type) ? b_.CreateFNeg(a) : b_.CreateNeg(a);
}

llvm::Value* Expressions::binary(const Expr& e) {
  Value a = eval(e.a), b = eval(e.b);
  llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
  any_order_ = any_order_ || e.any_order;
  if (e.any_order) b_.setFastMathFlags(with(b_.getFastMathFlags(), [](auto& f) { f.setAllowReassoc(); }));
  const bool floating = lower::is_float(e.a->type);
  switch (e.op) {
    case Op::Add:
      return floating ? b_.CreateFAdd(a, b) : b_.CreateAdd(a, b);
    case Op::Sub:
      return floating ? b_.CreateFSub(a, b) : b_.CreateSub(a, b);
    case Op::Mul:
      return floating ? b_.CreateFMul(a, b) : b_.CreateMul(a, b);
    case Op::Div:
      if (lower::shifted_right(e)) return b_.CreateExactSDiv(a, b);
      return floating                     ? b_.CreateFDiv(a, b)
             : lower::is_unsigned(e.type) ? b_.CreateUDiv(a, b)
                                          : b_.CreateSDiv(a, b);
    case Op::Rem:
      return lower::is_unsigned(e.type) ? b_.CreateURem(a, b) : b_.CreateSRem(a, b);
    case Op::And:
      return b_.CreateAnd(a, b);
    case Op::Or:
      return b_.CreateOr(a, b);
    case Op::Xor:
      return b_.CreateXor(a, b);
    case Op::Shl:
    case Op::Shr: {
      // LLVM's shifts by more bits than there are have no value.
      const auto most = static_cast<uint64_t>(8 * lower::scalar_bytes(e.type) - 1);
      llvm::Value* count = b_.CreateAnd(b, llvm::ConstantInt::get(b->getType(), most));
      if (e.op == Op::Shl) return b_.CreateShl(a, count);
      return lower::is_unsigned(e.type) ? b_.CreateLShr(a, count) : b_.CreateAShr(a, count);
    }
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
      return compare(e, a, b);
    case Op::Neg:
    case Op::Not:
    case Op::Popcount:
      break;
  }
  return nullptr;
}

llvm::Value* Expressions::compare(const Expr& e, Value a, Value b) {
  using P = llvm::CmpInst::Predicate;
  // Pointers and truth values are compared as unsigned numbers: false < true, low addresses < high ones.
  const bool no_sign = e.a->type == Scalar::Bool || e.a->type == Scalar::Ptr || lower::is_unsigned(e.a->type);
  auto pick = [&](P floating, P with_sign, P without) {
    if (lower::is_float(e.a->type)) return b_.CreateFCmp(floating, a, b);
    return b_.CreateICmp(no_sign ? without : with_sign, a, b);
  };
  switch (e.op) {
    case Op::Eq:
      return pick(P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ);
    case Op::Ne:
      return pick(P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE);
    case Op::Lt:
      return pick(P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT);
    case Op::Le:
      return pick(P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE);
    case Op::Gt:
      return pick(P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT);
    case Op::Ge:
      return pick(P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE);
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Rem:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Shl:
    case Op::Shr:
    case Op::Neg:
    case Op::Not:
    case Op::Popcount:
      break;
  }
  return nullptr;
}

llvm::Value* Expressions::nearest_integer(Scalar to, Value v) {
  llvm::Type* type = module_.value_type(to);
  const unsigned bits = type->getIntegerBitWidth();
  const bool no_sign = lower::is_unsigned(to);
  if (bits > 32)
    return b_.CreateIntrinsic(no_sign ? llvm::Intrinsic::fptoui_sat : llvm::Intrinsic::fptosi_sat, {type, v->getType()}, {v});
  // LLVM lowers the saturating intrinsics on vectors to one conversion per element. Clamping first, with bounds that the
  // float type represents exactly, keeps the conversion a vector instruction.
  llvm::IRBuilder<>::FastMathFlagGuard guard(b_);
  b_.clearFastMathFlags();
  if (bits == 32 && v->getType()->isFloatTy()) v = b_.CreateFPExt(v, b_.getDoubleTy());
  auto constant = [&](double x) { return llvm::ConstantFP::get(v->getType(), x); };
  const double high = std::ldexp(1.0, static_cast<int>(no_sign ? bits : bits - 1)) - 1, low = no_sign ? 0 : -high - 1;
  // NaN fails the comparison with the lower bound and becomes that bound: 0 for unsigned types. Signed types replace it first.
  if (!no_sign) v = b_.CreateSelect(b_.CreateFCmpORD(v, v), v, constant(0));
  v = b_.CreateSelect(b_.CreateFCmpOGT(v, constant(low)), v, constant(low));
  v = b_.CreateSelect(b_.CreateFCmpOLT(v, constant(high)), v, constant(high));
  llvm::Type* wide = b_.getInt32Ty();
  return b_.CreateTrunc(no_sign && bits == 32 ? b_.CreateFPToUI(v, wide) : b_.CreateFPToSI(v, wide), type);
}

llvm::Value* Expressions::convert(Scalar from, Scalar to, Value v) {
  if (from == to) return v;
  if (lower::is_narrow_float(from)) return narrow_to_float(b_, from, v, module_.target().half);
  if (lower::is_narrow_float(to)) return float_to_narrow(b_, to, v, module_.target().half);
  llvm::Type* type = module_.value_type(to);
  if (to == Scalar::Bool)  // NaN is not zero
    return lower::is_float(from) ? b_.CreateFCmpUNE(v, llvm::ConstantFP::get(v->getType(), 0.0))
                                 : b_.CreateIsNotNull(v);
  if (lower::is_float(from))
    return lower::is_float(to) ? b_.CreateFPCast(v, type) : nearest_integer(to, v);
  const bool no_sign = from == Scalar::Bool || lower::is_unsigned(from);
  if (lower::is_float(to)) return no_sign ? b_.CreateUIToFP(v, type) : b_.CreateSIToFP(v, type);
  return no_sign ? b_.CreateZExtOrTrunc(v, type) : b_.CreateSExtOrTrunc(v, type);
}

llvm::Value* Expressions::math(const Expr& e) {
  std::vector<Value> args{eval(e.a)};
  if (lower::math_arity(e.fn) == 2) args.push_back(eval(e.b));
  llvm::CallInst* call = b_.CreateCall(module_.math(e.fn, args[0]->getType()), args);
  // The hardware's square root is exact and fast; the flag `afn` would let LLVM replace it by an estimate.
  if (e.fn == lower::MathFn::Sqrt) {
    call->setHasApproxFunc(false);
  } else if (b_.getFastMathFlags().approxFunc()) {
    module_.allow_vector_math(call, e.fn);
  }
  return call;
}

// ---------------------------------------------------------------- memory
llvm::Value* Expressions::address(lower::ExprP base, lower::ExprP offset) {
  // One GEP per axis, so that the part that does not depend on the innermost subscript, the row's address, is loop invariant.
  if (offset->kind == Expr::Kind::Binary && offset->op == lower::Op::Add) {
    Value row = address(base, offset->a);
    return b_.CreateInBoundsGEP(b_.getInt8Ty(), row, eval(offset->b));
  }
  Value b = eval(base), bytes = eval(offset);
  return b_.CreateInBoundsGEP(b_.getInt8Ty(), b, bytes);
}

llvm::Value* Expressions::load(const Expr& e) {
  llvm::LoadInst* v = b_.CreateAlignedLoad(module_.memory_type(e.type), address(e.a, e.b), llvm::Align(1));
  accesses_.annotate(v, e.alias_set);
  return e.type == Scalar::Bool ? b_.CreateIsNotNull(v) : v;
}

}  // namespace vr::codegen::llvm_backend
