// What the suite prints and writes.
#pragma once
#include "suite.hpp"

#include <string>
#include <vector>

namespace papers {

/// One program in one size.
struct Row {
  const Case* of = nullptr;
  std::string status, unit;                   // "yes", "NO: ...", "refused: ...", "by hand: ..."
  std::vector<std::string> elsewhere, notes;  // lines of the report: what ran on the CPU, and others
  bool launched = false, small = false;       // small: not at the size that was asked for
  double ours = 0, hand = 0, work = 0;
  double load = 0, first = 0, second = 0;  // ms: loading, the first call with its copies, another one
  int64_t bytes = 0;                       // moved by that other call
  int64_t launches = 0, bytes_again = 0;   // of a repetition: kernels, and bytes moved in the section
  bool equal() const { return status == "yes"; }
  bool failed() const { return !equal() && status.rfind("NO", 0) != 0; }
  void read(const std::vector<std::string>& report);
  bool counts() const { return equal() && ours > 0 && !small; }
};

void print(const Row& r, bool breakdown);
/// "NAME: geomean R min R over N".
void summary(const std::string& name, const std::vector<const Row*>& rows);
void write_json(const std::string& path, const std::string& device, const std::vector<Row>& rows);

}  // namespace papers
