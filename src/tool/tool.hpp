// The `vrir` program: one function per command. Commands write to the streams they are given and keep no global state,
// so that the file tests (command test) run them in this process.
#pragma once
#include <velociraptor/status.hpp>

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace vr::tool {

/// Exit statuses: success; bad input or a failing program; wrong use of the command line; SIGINT, as in shells.
enum Exit : int { exit_ok = 0, exit_bad = 1, exit_usage = 2, exit_interrupted = 130 };

/// Where a command writes, and the folder that relative paths of its arguments start from ("" : the current one).
struct Io {
  std::ostream& out;
  std::ostream& err;
  std::filesystem::path folder;
  const int32_t* interrupt = nullptr;  ///< not 0: the running program is to end (HostBinding::interrupt); null: never

  std::ostream* progress = nullptr;  ///< a terminal that shows how far long work has come; null: nothing is shown

  bool interrupted() const { return interrupt && __atomic_load_n(interrupt, __ATOMIC_RELAXED) != 0; }

  std::filesystem::path resolve(const std::string& path) const { return folder / path; }
};

/// Runs the program with these arguments (without the program's name). Returns the exit status.
int run_tool(const std::vector<std::string>& args, Io& io);

/// The file's bytes. `name` is the name as given by the user, for messages.
Result<std::string> read_file(const Io& io, const std::string& name);
/// Writes to a temporary file beside the target and renames it, so that a reader never sees an incomplete file.
Status write_file(const std::filesystem::path& path, std::string_view bytes);

/// One line for one diagnostic, followed by the hint in parentheses.
std::string one_line(const Diagnostic& d);
/// "FILE:LINE:COL: error: CODE: what happened", for a fault of running code.
std::string fault_line(const ErrorRecord& r);
/// Prints the error to io.err, one line per diagnostic, and returns exit_bad.
int fail(Io& io, const Error& e);
int fail(Io& io, std::string_view message);

}  // namespace vr::tool
