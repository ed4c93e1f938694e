#include "loop/analysis/movers.hpp"

#include "loop/runtime_table.hpp"
#include "loop/walk.hpp"
#include "support/overloaded.hpp"

#include <algorithm>

namespace vr::lower {

static bool is_task(int32_t fn) {
  return fn == rt::GpuScan || fn == rt::GpuSort || fn == rt::GpuSortIndex || fn == rt::GpuFft;
}

Movers::Movers(const Module& m) : m_(m), movers_(m.functions.size(), false) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t k = 0; k < m.functions.size(); ++k) {
      const Function& f = *m.functions[k];
      if (movers_[k] || f.kind == Function::Kind::Kernel || !moves(f.body)) continue;
      movers_[k] = changed = true;
    }
  }
}

bool Movers::moves(const Block& b) const {
  return std::any_of(b.begin(), b.end(), [&](const Stmt& s) {
    if (moves(s)) return true;
    const auto inside = parts(s);
    return std::any_of(inside.begin(), inside.end(), [&](const Block* p) { return moves(*p); });
  });
}

bool Movers::moves(const Stmt& s) const {
  return std::visit(Overloaded{
                        [](const Launch&) { return true; },
                        [](const Call& n) {
                          if (n.fn == rt::GpuLaunch || n.fn == rt::GpuMmult || n.fn == rt::GpuGemm || is_task(n.fn)) return true;
                          return n.fn == rt::GpuMakeUnique && !is_int(n.args.back().value, 0);
                        },
                        [&](const CallFunction& n) { return n.callee == none || function_moves(n.callee); },
                        [&](const ParallelFor& n) { return function_moves(n.task); },
                        [](const SetVar&) { return false; },
                        [](const Store&) { return false; },
                        [](const LoadVector&) { return false; },
                        [](const StoreVector&) { return false; },
                        [](const Fence&) { return false; },
                        [](const Barrier&) { return false; },
                        [](const RowAt&) { return false; },
                        [](const RowLoad&) { return false; },
                        [](const RowWait&) { return false; },
                        [](const RowStore&) { return false; },
                        [](const Solo&) { return false; },
                        [](const Atomic&) { return false; },
                        [](const AliasGroup&) { return false; },
                        [](const If&) { return false; },
                        [](const CountedLoop&) { return false; },
                        [](const Loop&) { return false; },
                        [](const Break&) { return false; },
                        [](const Continue&) { return false; },
                        [](const Fail&) { return false; },
                        [](const Exit&) { return false; },
                        [](const TakeAddress&) { return false; },
                        [](const Scratch&) { return false; },
                        [](const Poll&) { return false; },
                    },
                    s.node);
}

}  // namespace vr::lower
