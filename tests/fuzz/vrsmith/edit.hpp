// Small changes to a program, each of which may or may not keep it well-typed.
#pragma once
#include "program.hpp"

#include <functional>
#include <optional>

namespace vr::smith {

/// Statements of the module, in order, parents first.
int statements(const ir::Module& m);
/// Without the statements [first, first + count).
Program without_statements(const Program& p, int first, int count);
/// The statement replaced by its `which`-th body; nothing when it has none.
std::optional<Program> unwrapped(const Program& p, int statement, int which);

/// Expressions of the module, as a rewrite meets them.
int expressions(const ir::Module& m);
/// The expression replaced by its `which`-th simpler form; nothing when there are no more.
std::optional<Program> simplified(const Program& p, int expression, int which);

Program without_function(const Program& p, size_t k);
std::optional<Program> without_parameter(const Program& p, size_t function, size_t k);
std::optional<Program> without_result(const Program& p, size_t function, size_t k);
Program without_unused_symbols(const Program& p);
Program without_places(const Program& p);
/// Without the `which`-th of the module's attributes; nothing when there are no more.
std::optional<Program> without_attribute(const Program& p, int which);
/// Input k in its `which`-th simpler form; nothing when there are no more.
std::optional<Program> simpler_input(const Program& p, size_t k, int which);
/// An array argument made in the function itself, element by element.
std::optional<Program> baked_input(const Program& p, size_t k);

/// What a reduction makes smaller.
int64_t cost(const Program& p);

}  // namespace vr::smith
