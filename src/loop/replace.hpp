// Replaces statements of a function, wherever they are nested (private to src/loop).
#pragma once
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <utility>

namespace vr::lower {

/// The statements of the block go where `out` writes. `replace` (Stmt& to bool) either writes what takes a statement's place and
/// returns true, or leaves it as it is and returns false; then the statement stays, and those in its blocks are visited.
template <class F>
void replace_statements(Writer& out, Block& b, F&& replace) {
  for (Stmt& s : b) {
    const Restore place(out.place, s.place);
    if (replace(s)) continue;
    for (Block* p : parts(s)) *p = out.collect([&] { replace_statements(out, *p, replace); });
    out.block->push_back(std::move(s));
  }
}
/// The same for the body of the function that `out` writes.
template <class F>
void replace_in_body(Writer& out, F&& replace) {
  Block body = std::move(out.fn.body);
  out.fn.body = out.collect([&] { replace_statements(out, body, replace); });
}
/// The same, without loops that rarely run: they stay as they are.
template <class F>
void replace_often_run(Writer& out, F&& replace) {
  replace_in_body(out, [&](Stmt& s) {
    if (auto* loop = std::get_if<CountedLoop>(&s.node); loop && loop->fallback) {
      out.block->push_back(std::move(s));
      return true;
    }
    return replace(s);
  });
}
/// Launches alone: `replace` gets each (Launch& to bool) but those of loops that rarely run.
template <class F>
void replace_launches(Writer& out, F&& replace) {
  replace_often_run(out, [&](Stmt& s) {
    auto* n = std::get_if<Launch>(&s.node);
    return n && replace(*n);
  });
}
/// Calls `f` (Function&) for the entry functions that there are now; it may add others to the module.
template <class F>
void each_entry(Module& m, F&& f) {
  const size_t count = m.functions.size();
  for (size_t k = 0; k < count; ++k)
    if (m.functions[k]->kind == Function::Kind::Entry) f(*m.functions[k]);
}
/// Writes the bodies of the module's functions for the CPU anew: `rewrite` (Writer& and the old Block& to void) writes each.
template <class F>
void rewrite_cpu_functions(Module& m, F&& rewrite) {
  Exprs x(m);
  for (const auto& f : m.functions) {
    if (f->kind == Function::Kind::Kernel) continue;
    Writer out(x, *f);
    Block body = std::move(f->body);
    f->body = out.collect([&] { rewrite(out, body); });
  }
}

}  // namespace vr::lower
