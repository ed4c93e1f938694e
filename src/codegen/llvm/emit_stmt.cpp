#include "codegen/llvm/emit_function.hpp"
#include "lower/runtime_table.hpp"
#include "lower/walk.hpp"

#include <llvm/IR/MDBuilder.h>

#include <functional>
#include <set>
#include <utility>

namespace vr::codegen::llvm_backend {

void FunctionEmitter::emit_block(const lower::Block& block) {
  const llvm::DebugLoc around = b_.getCurrentDebugLocation();
  for (const lower::Stmt& s : block) {
    if (terminated()) break;  // after a jump: never reached
    values_.clear();
    if (s.place != lower::none && module_.debug()) b_.SetCurrentDebugLocation(module_.debug()->at(s.place));
    std::visit([&](const auto& node) { emit(node); }, s.node);
  }
  b_.SetCurrentDebugLocation(around);
}

void FunctionEmitter::emit(const lower::SetVar& s) { set(s.var, eval(s.value)); }

void FunctionEmitter::emit(const lower::Store& s) {
  Value value = eval(s.value);
  if (s.value->type == lower::Scalar::Bool) value = b_.CreateZExt(value, b_.getInt8Ty());
  annotate_access(b_.CreateAlignedStore(value, address(s.base, s.offset), llvm::Align(1)), s.alias_set);
}

// Floats, and what LLVM's instruction would round or order otherwise, go through a compare-exchange of the bits.
void FunctionEmitter::emit(const lower::Atomic& s) {
  using Op = ir::AtomicOp;
  using Rmw = llvm::AtomicRMWInst;
  const auto order = llvm::AtomicOrdering::Monotonic;
  const llvm::Align align(static_cast<uint64_t>(lower::scalar_bytes(s.value->type)));
  Value x = eval(s.value), expected = s.expected ? eval(s.expected) : nullptr;
  Value p = address(s.base, s.offset);
  if (!lower::is_float(s.value->type)) {
    if (s.op == Op::Cas) {
      Value pair = b_.CreateAtomicCmpXchg(p, expected, x, align, order, order);
      return set(s.result, b_.CreateExtractValue(pair, 0));
    }
    const Rmw::BinOp op = s.op == Op::Add   ? Rmw::Add
                          : s.op == Op::Sub ? Rmw::Sub
                          : s.op == Op::Min ? Rmw::Min
                          : s.op == Op::Max ? Rmw::Max
                          : s.op == Op::And ? Rmw::And
                          : s.op == Op::Or  ? Rmw::Or
                                            : Rmw::Xchg;
    return set(s.result, b_.CreateAtomicRMW(op, p, x, align, order));
  }
  llvm::Type* type = x->getType();
  llvm::Type* bits = b_.getIntNTy(type->getPrimitiveSizeInBits());
  llvm::LoadInst* first = b_.CreateAlignedLoad(bits, p, align);
  first->setAtomic(order);
  llvm::BasicBlock* before = b_.GetInsertBlock();
  llvm::BasicBlock* again = new_block("atomic");
  llvm::BasicBlock* done = new_block("atomic.done");
  b_.CreateBr(again);
  b_.SetInsertPoint(again);
  llvm::PHINode* seen = b_.CreatePHI(bits, 2, "seen");
  seen->addIncoming(first, before);
  Value old = b_.CreateBitCast(seen, type);
  Value next = s.op == Op::Cas   ? b_.CreateSelect(b_.CreateFCmpOEQ(old, expected), x, old)
               : s.op == Op::Add ? b_.CreateFAdd(old, x)
               : s.op == Op::Sub ? b_.CreateFSub(old, x)
               : s.op == Op::Min ? b_.CreateSelect(b_.CreateFCmpOLT(x, old), x, old)
               : s.op == Op::Max ? b_.CreateSelect(b_.CreateFCmpOGT(x, old), x, old)
                                 : x;
  Value pair = b_.CreateAtomicCmpXchg(p, seen, b_.CreateBitCast(next, bits), align, order, order);
  seen->addIncoming(b_.CreateExtractValue(pair, 0), again);
  b_.CreateCondBr(b_.CreateExtractValue(pair, 1), done, again);
  b_.SetInsertPoint(done);
  set(s.result, old);
}

// LLVM's copies of the code from here on (unrolled, peeled) get scopes of their own, so that what holds for one pass
// through the loops outside is not taken to hold between two of them.
void FunctionEmitter::emit(const lower::AliasGroup& s) {
  auto it = alias_groups_.find(s.group);
  if (it == alias_groups_.end()) return;
  for (llvm::Metadata* scope : it->second.scopes)
    b_.CreateNoAliasScopeDeclaration(llvm::MDNode::get(context_, {scope}));
}

void FunctionEmitter::emit(const lower::If& s) {
  llvm::BasicBlock* then_block = new_block("then");
  llvm::BasicBlock* else_block = s.else_body.empty() ? nullptr : new_block("else");
  llvm::BasicBlock* end = llvm::BasicBlock::Create(context_, "endif");
  llvm::MDNode* weights = s.unlikely ? llvm::MDBuilder(context_).createUnlikelyBranchWeights() : nullptr;
  b_.CreateCondBr(eval(s.cond), then_block, else_block ? else_block : end, weights);
  auto arm = [&](llvm::BasicBlock* block, const lower::Block& body) {
    b_.SetInsertPoint(block);
    emit_block(body);
    if (!terminated()) b_.CreateBr(end);
  };
  arm(then_block, s.then_body);
  if (else_block) arm(else_block, s.else_body);
  if (end->use_empty()) {  // both arms jump away
    delete end;
    return;
  }
  end->insertInto(target_);
  b_.SetInsertPoint(end);
}

namespace {

/// Whether the loop adds to a float in the order written what it finds through subscripts that it loads. The additions are a
/// chain that vectors do not shorten, and the elements come one by one: taking them apart again costs more than the
/// products gain, and only in code without checks, for a way out of the loop keeps LLVM from trying.
bool chain_over_gathers(const lower::Function& f, const lower::CountedLoop& l) {
  using lower::Expr;
  if (f.fast_math & ir::fastmath::Reassoc) return false;
  std::set<lower::VarId> loaded;  // variables whose values depend on what the loop loads
  bool chain = false, gather = false;
  std::function<bool(lower::ExprP)> depends = [&](lower::ExprP e) {
    if (!e) return false;
    if (e->kind == Expr::Kind::Load) return true;
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
    chain = chain || (v.kind == Expr::Kind::Binary && is_float && !v.any_order && (is_itself(v.a) || is_itself(v.b)));
    if (depends(set->value)) loaded.insert(set->var);
  }
  return chain && gather;
}

}  // namespace

// Bottom-tested behind a guard, which is the shape LLVM's loop passes turn loops into anyway:
//   if (lo < hi) { i = lo; do { body } while (++i < hi); }
// The variable keeps the last iteration's value.
void FunctionEmitter::emit(const lower::CountedLoop& s) {
  Value lo = eval(s.lo), hi = eval(s.hi);
  llvm::BasicBlock* before = new_block("loop.before");
  llvm::BasicBlock* body = new_block("loop");
  llvm::BasicBlock* next = llvm::BasicBlock::Create(context_, "loop.next");
  llvm::BasicBlock* end = llvm::BasicBlock::Create(context_, "loop.end");
  b_.CreateCondBr(b_.CreateICmpSLT(lo, hi), before, end);
  b_.SetInsertPoint(before);
  b_.CreateBr(body);

  b_.SetInsertPoint(body);
  llvm::PHINode* i = b_.CreatePHI(b_.getInt64Ty(), 2, f_.vars[static_cast<size_t>(s.var)].name);
  i->addIncoming(lo, before);
  set(s.var, i);
  llvm::MDNode* group = s.independent ? llvm::MDNode::getDistinct(context_, {}) : nullptr;
  if (group) access_groups_.push_back(group);
  loops_.push_back({next, end});
  const bool outer_any_order = std::exchange(any_order_, false);
  emit_block(s.body);
  const bool any_order = std::exchange(any_order_, outer_any_order);
  loops_.pop_back();
  if (group) access_groups_.pop_back();
  if (!terminated()) b_.CreateBr(next);

  next->insertInto(target_);
  b_.SetInsertPoint(next);
  // i < hi, so i + 1 does not overflow; counting from a known non-negative number it is not negative either.
  auto* known_lo = llvm::dyn_cast<llvm::ConstantInt>(lo);
  Value i_next = b_.CreateAdd(i, b_.getInt64(1), "", known_lo && !known_lo->isNegative(), true);
  i->addIncoming(i_next, next);
  llvm::BranchInst* back = b_.CreateCondBr(b_.CreateICmpSLT(i_next, hi), body, end);

  // Loop metadata starts with itself, which keeps the loops of a function apart.
  auto property = [&](const char* name, llvm::Metadata* value) {
    std::vector<llvm::Metadata*> parts{llvm::MDString::get(context_, name)};
    if (value) parts.push_back(value);
    return llvm::MDNode::get(context_, parts);
  };
  std::vector<llvm::Metadata*> properties{nullptr, property("llvm.loop.mustprogress", nullptr)};
  if (group) properties.push_back(property("llvm.loop.parallel_accesses", group));
  llvm::Metadata* no = llvm::ConstantAsMetadata::get(b_.getInt1(false));
  const bool chain = chain_over_gathers(f_, s);
  if (s.fallback || s.across || chain) properties.push_back(property("llvm.loop.vectorize.enable", no));
  if (s.element) properties.push_back(property("llvm.loop.unroll.runtime.disable", nullptr));
  if (s.fallback || chain) {
    properties.push_back(property("llvm.loop.unroll.disable", nullptr));
  } else if (!any_order) {
    // Two vectors at a time: an out-of-order core overlaps iterations by itself, and the scalar rest of a short loop
    // stays short. A reduction in any order needs several accumulators.
    properties.push_back(property("llvm.loop.interleave.count", llvm::ConstantAsMetadata::get(b_.getInt32(2))));
  }
  llvm::MDNode* loop_id = llvm::MDNode::getDistinct(context_, properties);
  loop_id->replaceOperandWith(0, loop_id);
  back->setMetadata(llvm::LLVMContext::MD_loop, loop_id);

  end->insertInto(target_);
  b_.SetInsertPoint(end);
}

void FunctionEmitter::emit(const lower::Loop& s) {
  llvm::BasicBlock* body = new_block("loop");
  llvm::BasicBlock* end = llvm::BasicBlock::Create(context_, "loop.end");
  b_.CreateBr(body);
  b_.SetInsertPoint(body);
  loops_.push_back({body, end});
  emit_block(s.body);
  loops_.pop_back();
  if (!terminated()) b_.CreateBr(body);
  if (end->use_empty()) {  // never left by Break
    delete end;
    return;
  }
  end->insertInto(target_);
  b_.SetInsertPoint(end);
}

void FunctionEmitter::emit(const lower::Break&) { b_.CreateBr(loops_.back().end); }
void FunctionEmitter::emit(const lower::Continue&) { b_.CreateBr(loops_.back().next); }

void FunctionEmitter::emit(const lower::Fail& s) {
  Value index = s.index ? eval(s.index) : b_.getInt64(0);
  Value extent = s.extent ? eval(s.extent) : b_.getInt64(0);
  Value code = b_.getInt32(static_cast<uint32_t>(s.code));
  llvm::CallInst* call =
      b_.CreateCall(module_.runtime(lower::rt::Fail), {ctx_, module_.site(s.site), code, index, extent});
  call->addFnAttr(llvm::Attribute::Cold);
  b_.CreateStore(code, status_);
  b_.CreateBr(cleanup_);
}

void FunctionEmitter::emit(const lower::Exit&) { b_.CreateBr(exit_); }

}  // namespace vr::codegen::llvm_backend
