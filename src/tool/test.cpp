// vrir test: file tests. The first line of a test is the command (`; RUN: run --fn f --args 1 2`), the input follows, and below
// the line `; EXPECT` the expected output is given as comments. VR_BLESS=1 rewrites that part.
#include "support/settings.hpp"
#include "tool/commands.hpp"
#include "tool/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sstream>

namespace vr::tool {

namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

constexpr std::string_view run_mark = "; RUN: ";
constexpr std::string_view expect_mark = "; EXPECT";

Lines split_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

/// The words of a RUN line as the tool's arguments, with the file after the command; `run` also gets `extra`, and no time
/// limit, because the output of a test must not depend on the machine.
std::vector<std::string> tool_arguments(std::string_view run_line, const std::string& file, const Lines& extra) {
  std::istringstream in{std::string(run_line)};
  std::vector<std::string> args;
  for (std::string word; in >> word;) args.push_back(word);
  if (args.empty()) return args;
  if (args[0] == "mclab") {
    args[0] = "cat";
    args.insert(args.end(), {"--dialect", "mclab", "--strict"});
  } else if (args[0] == "lower") {
    args[0] = "emit";
    args.push_back("--lowered");
  } else if (args[0] == "run") {
    args.insert(args.end(), extra.begin(), extra.end());
    const auto budget = [](const std::string& a) { return a.rfind("--compile-budget", 0) == 0; };
    if (std::none_of(args.begin(), args.end(), budget)) args.push_back("--compile-budget=0");
  }
  args.insert(args.begin() + 1, file);
  return args;
}

/// The command's output, standard output and errors together, and the exit status if it is not 0.
Lines run_command(std::string_view run_line, const fs::path& path, const Lines& extra) {
  const auto args = tool_arguments(run_line, path.filename().string(), extra);
  if (args.empty() || args[0] == "test") return {"(nothing to run)"};
  std::ostringstream text;
  Io io{text, text, path.parent_path()};
  const int status = run_tool(args, io);
  Lines lines = split_lines(text.str());
  if (status != exit_ok) lines.push_back(fmt::format("exit {}", status));
  return lines;
}

/// Lines that occur on one side only, in order; the longest common part is found by dynamic programming, since texts
/// are short.
std::string diff(const Lines& wanted, const Lines& got) {
  const size_t n = wanted.size(), m = got.size();
  std::string out;
  if (n * m > 4'000'000) return fmt::format("    {} lines wanted, {} lines got\n", n, m);
  std::vector<std::vector<int>> common(n + 1, std::vector<int>(m + 1, 0));
  for (size_t i = n; i-- > 0;) {
    for (size_t j = m; j-- > 0;) {
      common[i][j] = wanted[i] == got[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  for (size_t i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && wanted[i] == got[j]) {
      ++i, ++j;
    } else if (j == m || (i < n && common[i + 1][j] >= common[i][j + 1])) {
      out += fmt::format("    - {}\n", wanted[i++]);
    } else {
      out += fmt::format("    + {}\n", got[j++]);
    }
  }
  return out;
}

struct FileTest {
  std::string input;  ///< everything above the EXPECT line
  std::string run;    ///< the first line's command
  Lines expected;
};

Result<FileTest> parse_test(const std::string& text) {
  FileTest test;
  const Lines lines = split_lines(text);
  if (lines.empty() || !lines[0].starts_with(run_mark)) {
    return make_error(Code::Usage, fmt::format("the first line must be '{}COMMAND'", run_mark));
  }
  test.run = lines[0].substr(run_mark.size());
  size_t k = 0;
  for (; k < lines.size() && lines[k] != expect_mark; ++k) {
    if (k > 0 && lines[k].starts_with(run_mark))
      return make_error(Code::Usage, fmt::format("line {}: a test has one line '{}COMMAND'", k + 1, run_mark));
    test.input += lines[k] + "\n";
  }
  for (++k; k < lines.size(); ++k) {
    if (!lines[k].starts_with(";"))
      return make_error(Code::Usage, fmt::format("line {}: only comments may follow {}", k + 1, expect_mark));
    test.expected.push_back(lines[k].substr(lines[k].starts_with("; ") ? 2 : 1));
  }
  return test;
}

enum class Outcome { Passed, Failed, Rewritten };

Outcome run_test(Io& io, Progress& progress, const std::string& name, const Lines& extra, bool bless) {
  auto failed = [&](const std::string& why) {
    progress.clear();
    io.out << fmt::format("FAILED {}\n{}", name, why);
    return Outcome::Failed;
  };
  auto text = read_file(io, name);
  if (!text) return failed("    " + text.error().text() + "\n");
  auto test = parse_test(*text);
  if (!test) return failed("    " + test.error().text() + "\n");
  const Lines got = run_command(test->run, io.resolve(name), extra);
  if (got == test->expected) return Outcome::Passed;
  if (!bless) return failed(diff(test->expected, got));
  std::string rewritten = test->input + std::string(expect_mark) + "\n";
  for (const std::string& line : got) rewritten += line.empty() ? ";\n" : "; " + line + "\n";
  auto written = write_file(io.resolve(name), rewritten);
  if (!written) return failed("    " + written.error().text() + "\n");
  progress.clear();
  io.out << fmt::format("rewritten {}\n", name);
  return Outcome::Rewritten;
}

/// The .vrir, .vrs and .loops files below the paths, sorted. A path that does not exist stays in the list and fails as
/// a test.
Lines collect(const Io& io, const Lines& paths) {
  Lines files;
  for (const std::string& p : paths) {
    std::error_code ec;
    const fs::path root = io.resolve(p);
    if (!fs::is_directory(root, ec)) {
      files.push_back(p);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(root, ec)) {
      const fs::path kind = entry.path().extension();
      if (entry.is_regular_file(ec) && (kind == ".vrir" || kind == ".vrs" || kind == ".loops")) {
        files.push_back((fs::path(p) / entry.path().lexically_relative(root)).string());
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

int run_tests(Io& io, const Lines& paths, const Lines& extra) {
  const bool bless = settings::on(settings::Name::VR_BLESS);
  const Lines files = collect(io, paths);
  if (files.empty()) return fail(io, "there is no .vrir, .vrs or .loops file");
  int passed = 0, failed = 0;
  Progress progress(io, files.size());
  for (const std::string& f : files) {
    progress.step(f);
    ++(run_test(io, progress, f, extra, bless) == Outcome::Failed ? failed : passed);
  }
  progress.clear();
  io.out << fmt::format("{} passed, {} failed\n", passed, failed);
  return failed == 0 ? exit_ok : exit_bad;
}

}  // namespace

Command add_test(CLI::App& root) {
  struct Options {
    Lines paths, extra;
  };
  auto o = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("test", "Run file tests (VR_BLESS=1 replaces the expected output)");
  app->add_option("DIR|FILE", o->paths, "tests, or folders of them")->required();
  app->add_option("--with", o->extra, "more options for `run`, for instance --with=-O0; the results must be the same")
      ->expected(1, CLI::detail::expected_max_vector_size)  // of one each, for several are said with several --with
      ->allow_extra_args(false);
  return {app, [o](Io& io) { return run_tests(io, o->paths, o->extra); }};
}

}  // namespace vr::tool
