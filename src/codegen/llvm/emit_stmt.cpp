#include "codegen/llvm/emit_stmt.hpp"

#include "codegen/llvm/emit_call.hpp"
#include "loop/runtime_table.hpp"
#include "loop/walk.hpp"

#include <velociraptor/ir/nodes.hpp>

#include <llvm/IR/MDBuilder.h>

#include <functional>
#include <set>

namespace vr::codegen::llvm_backend {

static void emit(FunctionCode& f, const lower::SetVar& s) { f.variables.set(s.var, f.exprs.eval(s.value)); }

static void emit(FunctionCode& f, const lower::Store& s) {
  llvm::Value* value = f.exprs.eval(s.value);
  if (s.value->type == lower::Scalar::Bool) value = f.b.CreateZExt(value, f.b.getInt8Ty());
  f.accesses.annotate(f.b.CreateAlignedStore(value, f.exprs.address(s.base, s.offset), llvm::Align(1)), s.alias_set);
}

static void emit(FunctionCode&, const lower::LoadVector&) {}  // only kernels contain them (lower::check())
static void emit(FunctionCode&, const lower::StoreVector&) {}
static void emit(FunctionCode&, const lower::Fence&) {}
static void emit(FunctionCode&, const lower::Barrier&) {}
static void emit(FunctionCode&, const lower::RowAt&) {}
static void emit(FunctionCode&, const lower::RowLoad&) {}
static void emit(FunctionCode&, const lower::RowWait&) {}
static void emit(FunctionCode&, const lower::RowStore&) {}
static void emit(FunctionCode&, const lower::Solo&) {}

static void emit(FunctionCode& f, const lower::Scratch& s) {
  llvm::AllocaInst* memory =
      entry_alloca(f.target, llvm::ArrayType::get(f.b.getInt8Ty(), static_cast<uint64_t>(s.bytes)), 1, "scratch");
  memory->setAlignment(llvm::Align(64));
  f.variables.set(s.var, memory);
}

// Floats, and operations for which LLVM's instruction rounds or orders differently, use a compare-exchange of the bits.
static void emit(FunctionCode& f, const lower::Atomic& s) {
  using Op = ir::AtomicOp;
  using Rmw = llvm::AtomicRMWInst;
  const auto order = llvm::AtomicOrdering::Monotonic;
  const llvm::Align align(static_cast<uint64_t>(lower::scalar_bytes(s.value->type)));
  llvm::Value *x = f.exprs.eval(s.value), *expected = s.expected ? f.exprs.eval(s.expected) : nullptr;
  llvm::Value* p = f.exprs.address(s.base, s.offset);
  if (!lower::is_float(s.value->type)) {
    if (s.op == Op::Cas) {
      llvm::Value* pair = f.b.CreateAtomicCmpXchg(p, expected, x, align, order, order);
      return f.variables.set(s.result, f.b.CreateExtractValue(pair, 0));
    }
    const bool no_sign = lower::is_unsigned(s.value->type);
    const Rmw::BinOp op = s.op == Op::Add   ? Rmw::Add
                          : s.op == Op::Sub ? Rmw::Sub
                          : s.op == Op::Min ? (no_sign ? Rmw::UMin : Rmw::Min)
                          : s.op == Op::Max ? (no_sign ? Rmw::UMax : Rmw::Max)
                          : s.op == Op::And ? Rmw::And
                          : s.op == Op::Or  ? Rmw::Or
                                            : Rmw::Xchg;
    return f.variables.set(s.result, f.b.CreateAtomicRMW(op, p, x, align, order));
  }
  llvm::Type* type = x->getType();
  llvm::Type* bits = f.b.getIntNTy(type->getPrimitiveSizeInBits());
  llvm::LoadInst* first = f.b.CreateAlignedLoad(bits, p, align);
  first->setAtomic(order);
  llvm::BasicBlock* before = f.b.GetInsertBlock();
  llvm::BasicBlock* again = f.new_block("atomic");
  llvm::BasicBlock* done = f.new_block("atomic.done");
  f.b.CreateBr(again);
  f.b.SetInsertPoint(again);
  llvm::PHINode* seen = f.b.CreatePHI(bits, 2, "seen");
  seen->addIncoming(first, before);
  llvm::Value* old = f.b.CreateBitCast(seen, type);
  llvm::Value* next = s.op == Op::Cas   ? f.b.CreateSelect(f.b.CreateFCmpOEQ(old, expected), x, old)
                      : s.op == Op::Add ? f.b.CreateFAdd(old, x)
                      : s.op == Op::Sub ? f.b.CreateFSub(old, x)
                      : s.op == Op::Min ? f.b.CreateSelect(f.b.CreateFCmpOLT(x, old), x, old)
                      : s.op == Op::Max ? f.b.CreateSelect(f.b.CreateFCmpOGT(x, old), x, old)
                                        : x;
  llvm::Value* pair = f.b.CreateAtomicCmpXchg(p, seen, f.b.CreateBitCast(next, bits), align, order, order);
  seen->addIncoming(f.b.CreateExtractValue(pair, 0), again);
  f.b.CreateCondBr(f.b.CreateExtractValue(pair, 1), done, again);
  f.b.SetInsertPoint(done);
  f.variables.set(s.result, old);
}

// LLVM gives copies of the following code (unrolled, peeled) scopes of their own, so that facts that hold within one
// iteration of the enclosing loops are not assumed between two iterations.
static void emit(FunctionCode& f, const lower::AliasGroup& s) { f.accesses.declare_scopes(f.b, s.group); }

static void emit(FunctionCode& f, const lower::If& s) {
  llvm::BasicBlock* then_block = f.new_block("then");
  llvm::BasicBlock* else_block = s.else_body.empty() ? nullptr : f.new_block("else");
  llvm::BasicBlock* end = llvm::BasicBlock::Create(f.module.context(), "endif");
  llvm::MDNode* weights = s.unlikely ? llvm::MDBuilder(f.module.context()).createUnlikelyBranchWeights() : nullptr;
  f.b.CreateCondBr(f.exprs.eval(s.cond), then_block, else_block ? else_block : end, weights);
  auto arm = [&](llvm::BasicBlock* block, const lower::Block& body) {
    f.b.SetInsertPoint(block);
    emit_block(f, body);
    if (!f.terminated()) f.b.CreateBr(end);
  };
  arm(then_block, s.then_body);
  if (else_block) arm(else_block, s.else_body);
  if (end->use_empty()) {  // both branches end in a jump
    delete end;
    return;
  }
  end->insertInto(f.target);
  f.b.SetInsertPoint(end);
}

/// Whether the loop adds elements, at subscripts that it loads, to a float in the order written. Vectors do not shorten
/// the chain of additions, and the elements are loaded one by one: taking vectors apart costs more than vector products
/// save. Only code without checks would be affected, because LLVM does not vectorise loops with several exits.
static bool chain_over_gathers(const lower::Function& f, const lower::CountedLoop& l) {
  using lower::Expr;
  if (f.fast_math & ir::fastmath::Reassoc) return false;
  // Variables that the body has assigned, and those of them whose values depend on loads that differ between
  // iterations.
  std::set<lower::VarId> assigned{l.var}, loaded;
  bool chain = false, gather = false;
  auto is_assigned = [&](lower::VarId v) { return assigned.count(v) != 0; };
  std::function<bool(lower::ExprP)> depends = [&](lower::ExprP e) {
    if (!e) return false;
    if (e->kind == Expr::Kind::Load) {
      const auto used = lower::variables(e);
      return std::any_of(used.begin(), used.end(), is_assigned);
    }
    if (e->kind == Expr::Kind::Var) return loaded.count(e->var) != 0;
    return depends(e->a) || depends(e->b) || depends(e->c);
  };
  std::function<void(lower::ExprP)> look = [&](lower::ExprP e) {
    if (!e) return;
    if (e->kind == Expr::Kind::Load) gather = gather || depends(e->b);
    for (lower::ExprP part : {e->a, e->b, e->c}) look(part);
  };
  for (const lower::Stmt& s : l.body) {
    lower::each_expr(s, look);
    auto* set = std::get_if<lower::SetVar>(&s.node);
    if (!set) continue;
    const Expr& v = *set->value;
    const bool is_float = v.type == lower::Scalar::Float64 || v.type == lower::Scalar::Float32;
    auto is_itself = [&](lower::ExprP e) { return e && e->kind == Expr::Kind::Var && e->var == set->var; };
    // What the iteration has assigned before is not carried from one to the next.
    chain = chain || (v.kind == Expr::Kind::Binary && is_float && !v.any_order && (is_itself(v.a) || is_itself(v.b)) &&
                      !is_assigned(set->var));
    if (depends(set->value)) loaded.insert(set->var);
    assigned.insert(set->var);
  }
  return chain && gather;
}

// Rotated (tested at the bottom, behind a guard), the form into which LLVM's loop passes bring loops anyway:
//   if (lo < hi) { i = lo; do { body } while (++i < hi); }
// The variable keeps the last iteration's value.
static void emit(FunctionCode& f, const lower::CountedLoop& s) {
  const llvm::DebugLoc where = f.b.getCurrentDebugLocation();
  llvm::Value *lo = f.exprs.eval(s.lo), *hi = f.exprs.eval(s.hi);
  llvm::BasicBlock* before = f.new_block("loop.before");
  llvm::BasicBlock* body = f.new_block("loop");
  llvm::BasicBlock* next = llvm::BasicBlock::Create(f.module.context(), "loop.next");
  llvm::BasicBlock* end = llvm::BasicBlock::Create(f.module.context(), "loop.end");
  f.b.CreateCondBr(f.b.CreateICmpSLT(lo, hi), before, end);
  f.b.SetInsertPoint(before);
  f.b.CreateBr(body);

  f.b.SetInsertPoint(body);
  llvm::PHINode* i = f.b.CreatePHI(f.b.getInt64Ty(), 2, f.source.vars[static_cast<size_t>(s.var)].name);
  i->addIncoming(lo, before);
  f.variables.set(s.var, i);
  llvm::MDNode* group = s.independent ? f.accesses.enter_independent_loop() : nullptr;
  f.loops.push_back({next, end});
  const bool outer_any_order = f.exprs.exchange_any_order(false);
  emit_block(f, s.body);
  const bool any_order = f.exprs.exchange_any_order(outer_any_order);
  f.loops.pop_back();
  if (group) f.accesses.leave_independent_loop();
  if (!f.terminated()) f.b.CreateBr(next);

  next->insertInto(f.target);
  f.b.SetInsertPoint(next);
  // i < hi, so i + 1 does not overflow; if lo is known to be non-negative, so is i + 1.
  auto* known_lo = llvm::dyn_cast<llvm::ConstantInt>(lo);
  llvm::Value* i_next = f.b.CreateAdd(i, f.b.getInt64(1), "", known_lo && !known_lo->isNegative(), true);
  i->addIncoming(i_next, next);
  llvm::BranchInst* back = f.b.CreateCondBr(f.b.CreateICmpSLT(i_next, hi), body, end);

  // A loop's metadata node refers to itself first, which makes it distinct from those of other loops.
  auto property = [&](const char* name, llvm::Metadata* value) {
    std::vector<llvm::Metadata*> parts{llvm::MDString::get(f.module.context(), name)};
    if (value) parts.push_back(value);
    return llvm::MDNode::get(f.module.context(), parts);
  };
  std::vector<llvm::Metadata*> properties{nullptr, property("llvm.loop.mustprogress", nullptr)};
  if (where) properties.push_back(where.get());  // remarks about the loop name this location
  if (group) properties.push_back(property("llvm.loop.parallel_accesses", group));
  llvm::Metadata* no = llvm::ConstantAsMetadata::get(f.b.getInt1(false));
  const bool chain = chain_over_gathers(f.source, s);
  if (s.fallback || s.across || chain) properties.push_back(property("llvm.loop.vectorize.enable", no));
  if (s.element) properties.push_back(property("llvm.loop.unroll.runtime.disable", nullptr));
  if (s.fallback || chain) {
    properties.push_back(property("llvm.loop.unroll.disable", nullptr));
  } else if (!any_order) {
    // The interleave count is at most 2, because an out-of-order core overlaps iterations by itself, and the scalar
    // remainder of a short loop stays short. A reduction in any order needs several accumulators, and is left to LLVM.
    properties.push_back(property("llvm.loop.interleave.count", llvm::ConstantAsMetadata::get(f.b.getInt32(2))));
  }
  llvm::MDNode* loop_id = llvm::MDNode::getDistinct(f.module.context(), properties);
  loop_id->replaceOperandWith(0, loop_id);
  back->setMetadata(llvm::LLVMContext::MD_loop, loop_id);

  end->insertInto(f.target);
  f.b.SetInsertPoint(end);
}

static void emit(FunctionCode& f, const lower::Loop& s) {
  llvm::BasicBlock* body = f.new_block("loop");
  llvm::BasicBlock* end = llvm::BasicBlock::Create(f.module.context(), "loop.end");
  f.b.CreateBr(body);
  f.b.SetInsertPoint(body);
  f.loops.push_back({body, end});
  emit_block(f, s.body);
  f.loops.pop_back();
  if (!f.terminated()) f.b.CreateBr(body);
  if (end->use_empty()) {  // a loop that is never left by Break
    delete end;
    return;
  }
  end->insertInto(f.target);
  f.b.SetInsertPoint(end);
}

static void emit(FunctionCode& f, const lower::Break&) { f.b.CreateBr(f.loops.back().end); }
static void emit(FunctionCode& f, const lower::Continue&) { f.b.CreateBr(f.loops.back().next); }

static void emit(FunctionCode& f, const lower::Fail& s) {
  auto bits = [&](lower::ExprP e) -> llvm::Value* {
    return e ? f.b.CreateBitCast(f.exprs.eval(e), f.b.getInt64Ty()) : f.b.getInt64(0);
  };
  llvm::Value* index = bits(s.index);
  llvm::Value* extent = bits(s.extent);
  llvm::Value* code = f.b.getInt32(static_cast<uint32_t>(s.code));
  llvm::CallInst* call =
      f.b.CreateCall(f.module.runtime(lower::rt::Fail), {f.context(), f.module.site(s.site), code, index, extent});
  call->addFnAttr(llvm::Attribute::Cold);
  f.b.CreateStore(code, f.out.status);
  f.b.CreateBr(f.out.cleanup);
}

static void emit(FunctionCode& f, const lower::Exit&) { f.b.CreateBr(f.out.exit); }

void emit_block(FunctionCode& f, const lower::Block& block) {
  const llvm::DebugLoc around = f.b.getCurrentDebugLocation();
  for (const lower::Stmt& s : block) {
    if (f.terminated()) break;  // after a jump: unreachable
    f.exprs.forget();
    if (s.place != lower::none && f.module.debug()) f.b.SetCurrentDebugLocation(f.module.debug()->at(s.place));
    std::visit([&](const auto& node) { emit(f, node); }, s.node);
  }
  f.b.SetCurrentDebugLocation(around);
}

}  // namespace vr::codegen::llvm_backend
