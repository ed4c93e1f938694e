// Kernels with parallel loops inside: the pieces into which their bodies fall.
#pragma once
#include "loop/form.hpp"

#include <string>
#include <vector>

namespace vr::lower {

/// A part of a kernel's body that may run for all points before the next part runs for any.
struct NestPiece {
  Block body;          ///< of a parallel loop: that of one iteration
  CountedLoop loop{none, nullptr, nullptr, {}};  ///< the parallel loop, without its body; var is none where the piece is none
  bool is_loop() const { return loop.var != none; }
};

/// The body of a kernel whose arrays are disjoint: `common` are cheap computations that each piece may make anew, then the
/// pieces in order. The points of a kernel, and the iterations of a parallel loop, do not depend on each other; so the
/// pieces may be kernels that run one after the other (distribution of the loop over points).
struct NestPieces {
  struct Crossing {
    VarId var;
    size_t from;  ///< the piece that computes it; later ones use it
  };
  Block common;
  std::vector<NestPiece> pieces;
  std::vector<Crossing> crossing;  ///< numbers that each point has to keep between pieces
  std::string why;  ///< the body has to stay whole: the reason; empty: it need not
};
/// Pieces of bodies without parallel loops at their top: one.
NestPieces nest_pieces(const Function& kernel);

}  // namespace vr::lower
