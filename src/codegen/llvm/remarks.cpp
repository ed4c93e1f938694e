#include "codegen/llvm/remarks.hpp"

#include "codegen/llvm/compilation.hpp"
#include "codegen/llvm/emit.hpp"
#include "codegen/llvm/fatal.hpp"
#include "codegen/llvm/object.hpp"
#include "codegen/llvm/optimise.hpp"
#include "codegen/llvm/target.hpp"
#include "loop/verify/check.hpp"
#include "loop/walk.hpp"
#include "support/fork_gate.hpp"
#include "support/memory_reserve.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace vr::codegen::llvm_backend {

namespace {

/// The file that loops get as their source location; the line is the loop's number, from 1.
constexpr const char* loop_file = "(loops)";

void collect(lower::Block& block, std::vector<lower::CountedLoop*>& out) {
  for (lower::Stmt& s : block) {
    if (auto* loop = std::get_if<lower::CountedLoop>(&s.node)) out.push_back(loop);
    for (lower::Block* b : lower::parts(s)) collect(*b, out);
  }
}

/// Gives each loop a location of its own, and its statements the same: remarks name the loop, or an instruction in it.
/// The order is that of collect().
void give_numbers(lower::Module& m, lower::Block& block, int32_t around, int& count) {
  for (lower::Stmt& s : block) {
    if (std::holds_alternative<lower::CountedLoop>(s.node)) {
      s.place = static_cast<int32_t>(m.places.size());
      m.places.push_back({loop_file, ++count, 1});
    } else if (around != lower::none) {
      s.place = around;
    }
    const bool loop = std::holds_alternative<lower::CountedLoop>(s.node);
    for (lower::Block* b : lower::parts(s)) give_numbers(m, *b, loop ? s.place : around, count);
  }
}

int number(llvm::StringRef text) {
  // Widths of scalable vectors begin with "vscale x "; none of our targets has them.
  int n = 0;
  return text.getAsInteger(10, n) ? 0 : n;
}

/// Collects the vectoriser's remarks; errors are handled by Compilation.
struct Listener : llvm::DiagnosticHandler {
  std::vector<LoopRemark> remarks;
  Compilation& compilation;
  explicit Listener(Compilation& c) : compilation(c) {}

  static bool vectoriser(llvm::StringRef pass) { return pass == "loop-vectorize"; }
  bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override { return vectoriser(pass); }
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override { return vectoriser(pass); }
  bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override { return vectoriser(pass); }
  bool isAnyRemarkEnabled() const override { return true; }

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    const auto* remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info);
    if (!remark) {
      Compilation::report(&info, &compilation);
      return true;
    }
    // The context passes on every remark, also those of passes that were not requested.
    if (!vectoriser(remark->getPassName())) return true;
    const llvm::DiagnosticLocation where = remark->getLocation();
    // Line 0: LLVM joined instructions of different loops.
    if (!where.isValid() || where.getRelativePath() != loop_file || where.getLine() == 0) return true;
    LoopRemark r;
    r.loop = static_cast<int32_t>(where.getLine()) - 1;
    if (remark->isPassed()) {
      r.vectorised = true;
      for (const auto& argument : remark->getArgs()) {
        if (argument.Key == "VectorizationFactor") r.width = number(argument.Val);
        if (argument.Key == "InterleaveCount") r.interleaved = number(argument.Val);
      }
    } else {
      r.why = remark->getMsg();
      if (const size_t colon = r.why.find(": "); r.why.starts_with("loop not vectorized") && colon != std::string::npos)
        r.why.erase(0, colon + 2);
      if (r.why == "loop not vectorized") r.why.clear();
      // The rest of the remark is advice for C programs, and locations in our numbering.
      r.why.resize(std::min({r.why.size(), r.why.find(". Use #pragma"), r.why.find('\n')}));
    }
    remarks.push_back(std::move(r));
    return true;
  }
};

/// The objects that loop_remarks works on; leaked if LLVM fails meanwhile.
struct RemarksWork {
  std::optional<HostTarget> target;
  std::unique_ptr<llvm::TargetMachine> machine;
  Compilation compilation;
  Listener* listener = nullptr;  ///< owned by the context
  std::string failure;
};

}  // namespace

std::vector<lower::CountedLoop*> number_loops(lower::Module& m) {
  std::vector<lower::CountedLoop*> out;
  for (auto& f : m.functions) collect(f->body, out), collect(f->cleanup, out);
  return out;
}

Result<std::vector<LoopRemark>> loop_remarks(lower::Module& m, const std::string& target, int opt_level) {
  if (std::string wrong = lower::check(m); !wrong.empty())
    return make_error(Code::Internal, "compiling module '" + m.name + "': " + wrong);
  if (Status s = check_target(target); !s) return s.error();
  int count = 0;
  for (auto& f : m.functions)
    give_numbers(m, f->body, lower::none, count), give_numbers(m, f->cleanup, lower::none, count);
  NoForkNow no_fork;
  const int level = std::clamp(opt_level, 0, 3);
  auto work = std::make_unique<RemarksWork>();
  auto listener = std::make_unique<Listener>(work->compilation);
  work->listener = listener.get();
  work->compilation.context.setDiagnosticHandler(std::move(listener));
  warm_up();
  const Ending ending = catch_fatal_errors([&] {
    work->target = target_named(target, work->failure);
    work->machine = make_machine(*work->target, level);
    if (!work->machine) {
      work->failure = "no code generator for " + work->target->triple;
      return;
    }
    // Kernels need no programs here: only the loops of host code are examined.
    const lower::KernelPrograms no_programs(m.functions.size());
    work->compilation.module = emit(m, no_programs, *work->target, work->compilation.context, {true, level > 0});
    optimise(*work->compilation.module, *work->machine, level, [] { return MemoryReserve::used(); });
  });
  if (!ending.done()) {
    (void)work.release();
    if (ending.kind == Ending::Kind::NoMemory)
      return make_error(Code::OutOfMemory, "no memory to compile module '" + m.name + "'");
    return make_error(Code::Internal, "compiling module '" + m.name + "': " + ending.text);
  }
  if (MemoryReserve::used()) return make_error(Code::OutOfMemory, "no memory to compile module '" + m.name + "'");
  if (work->failure.empty()) work->failure = work->compilation.errors;
  if (!work->failure.empty()) return make_error(Code::Internal, "compiling module '" + m.name + "': " + work->failure);
  return std::move(work->listener->remarks);
}

}  // namespace vr::codegen::llvm_backend
