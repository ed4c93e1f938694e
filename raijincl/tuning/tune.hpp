// The commands of raijincl-tune.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/impl.hpp"

namespace raijincl {

int probe(Context::Impl&, cl_command_queue, const std::string& file, double seconds);

struct TuneOptions {
  std::string what = "all";  // gemm, gemv, transpose, hybrid or all
  std::string precisions = "SDCZ";
  std::vector<std::size_t> sizes;  // empty: by kind of device
  double minutes = 20;             // for the whole run
  bool full = false;               // try every point of the space instead of a random and local search
  std::string profile = "raijincl-profile.json",
              state;  // state: what was measured so far (default: profile + ".state")
  double limit = 10;  // seconds after which a kernel counts as hung
  bool quiet = false;
  std::function<void()> restart;  // starts a new process with the same arguments, after a kernel hung
};
// Searches, checks, writes the profile after every step, and continues where an interrupted run stopped. 0: success.
int tune(Context&, cl_command_queue, const TuneOptions&);

// The size classes of a routine in the new profile: those in `found` (measured now, at the sizes in measured_at), and
// those in `before` that were measured at other sizes. A class extends to the geometric mean of its size and the next
// one. Bounds between two classes of `before` are kept.
std::vector<GemmChoice> merge_classes(const std::vector<GemmChoice>& before, const std::vector<GemmChoice>& found);

// Prints lines such as `S 1024 119.5`: GFLOP/s of products with the current parameters; compensated ones as Sc and Cc.
int bench(Context::Impl&, cl_command_queue, const std::string& precisions, const std::vector<std::size_t>& sizes,
          double seconds);
// Memory-bound routines: prints lines such as `gemv 8192 1234.5` in GB/s (gemv, gemv_t, transpose, copy, sum).
int bench_memory(Context&, cl_command_queue, std::size_t n, double seconds);

// Writes an SVG of GFLOP/s against size (as thesis figure 8.2): one curve per NAME=FILE, where FILE has the lines that
// bench prints.
int plot(const std::string& svg, const std::string& precision,
         const std::vector<std::pair<std::string, std::string>>& curves, const std::string& title);

}  // namespace raijincl
