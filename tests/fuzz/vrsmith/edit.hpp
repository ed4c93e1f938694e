// Small changes to a program, each of which may or may not keep it well-typed.
#pragma once
#include "program.hpp"

#include <functional>
#include <optional>

namespace vr::smith {

/// Statements of the module, in order, parents first.
int statements(const ir::Module& m);
/// The module without the statements [first, first + count).
Program without_statements(const Program& p, int first, int count);
/// The module with the statement replaced by its `which`-th body; nullopt when it has none.
std::optional<Program> unwrapped(const Program& p, int statement, int which);

/// The expressions of the module, in the order in which a rewrite visits them.
int expressions(const ir::Module& m);
/// The module with the expression replaced by its `which`-th simpler form; nullopt when there are no more.
std::optional<Program> simplified(const Program& p, int expression, int which);

Program without_function(const Program& p, size_t k);
std::optional<Program> without_parameter(const Program& p, size_t function, size_t k);
std::optional<Program> without_result(const Program& p, size_t function, size_t k);
Program without_unused_symbols(const Program& p);
Program without_places(const Program& p);
/// The module without its `which`-th attribute; nullopt when there are no more.
std::optional<Program> without_attribute(const Program& p, int which);
/// The program with input k in its `which`-th simpler form; nullopt when there are no more.
std::optional<Program> simpler_input(const Program& p, size_t k, int which);
/// The program with an array argument replaced by an array that the function itself creates, element by element.
std::optional<Program> baked_input(const Program& p, size_t k);

/// The size that a reduction makes smaller.
int64_t cost(const Program& p);

}  // namespace vr::smith
