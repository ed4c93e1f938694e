// Kernels with parallel loops inside: the parts into which their bodies can be distributed.
#pragma once
#include "loop/form.hpp"

#include <string>
#include <vector>

namespace vr::lower {

/// A part of a kernel's body that can run for all iterations of the kernel before the next part runs for any.
struct NestPiece {
  Block body;          ///< for a parallel loop: the body of one iteration
  CountedLoop loop{none, nullptr, nullptr, {}};  ///< the parallel loop, without its body; var is none if the part is not a loop
  bool is_loop() const { return loop.var != none; }
};

/// The body of a kernel whose arrays are disjoint: `common` are cheap computations that each piece can repeat, then follow the
/// pieces in order. The iterations of a kernel, and those of a parallel loop, do not depend on each other; so the pieces can
/// become kernels that run one after the other (loop distribution).
struct NestPieces {
  struct Crossing {
    VarId var;
    size_t from;  ///< the piece that computes it; later ones use it
  };
  Block common;
  std::vector<NestPiece> pieces;
  std::vector<Crossing> crossing;  ///< scalars that must be kept for each iteration of the kernel between pieces
  std::string why;  ///< the reason why the body cannot be split; empty: it can
};
/// A body without parallel loops at its top level has no pieces.
NestPieces nest_pieces(const Function& kernel);

}  // namespace vr::lower
