// How each loop of a module was compiled, for `vrir explain`.
#pragma once
#include "tool/commands.hpp"

#include <string>
#include <vector>

namespace vr::tool {

/// One statement about a loop. Good: it runs as vectors, on several threads, or as a kernel. Missed: it does not, and
/// the text says why.
struct Note {
  enum class Kind : uint8_t { Good, Missed, Plain } kind = Kind::Plain;
  std::string text;
};

/// A loop of the program: a loop statement, or an array expression or library call that loops over elements.
struct ExplainedLoop {
  Place place;
  std::string what;      ///< "pfor loop over i, j"
  std::string function;  ///< of the program
  std::vector<Note> notes;
};

struct ExplainOptions {
  Target target = Target::CpuParallel;
  std::string processor = "native";  ///< as for `vrir build --target`
  int opt_level = 2;
  bool lanes = false;  ///< for OpenCL, the device's properties: see `vrir emit`
  int64_t tiles = 0, local_bytes = 0;
};

struct Explanation {
  std::vector<ExplainedLoop> loops;  ///< by file, line and column
  std::vector<std::string> report;   ///< what the lowering reports without naming one of these loops
};

/// Compiles the module for the target and reports how its loops were compiled. Errors of the passes, of lowering and of
/// compiling; USAGE: there is no such processor, or the target is the interpreter.
Result<Explanation> explain_loops(const Tree& tree, const ExplainOptions& options);

}  // namespace vr::tool
