// File tests: the first line of a .m file says what to run, the lines after "% EXPECT" are what it prints.
#include "run.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace vr::matlab {

namespace {

std::vector<std::string> words(const std::string& line) {
  std::vector<std::string> list;
  std::string word;
  char quote = 0;
  for (char c : line) {
    if (quote == 0 && c == ' ') {
      if (!word.empty()) list.push_back(std::move(word));
      word.clear();
      continue;
    }
    if (c == '"') {
      quote = quote ? 0 : c;
      continue;
    }
    word += c;
  }
  if (!word.empty()) list.push_back(std::move(word));
  return list;
}

std::string commented(const std::string& s) {
  std::istringstream in(s);
  std::string out;
  for (std::string line; std::getline(in, line);) out += line.empty() ? "%\n" : "% " + line + "\n";
  return out;
}

// "" or what is wrong.
std::string test_file(const std::string& path, bool bless) {
  const std::string source = read_file(path);
  const std::string mark = "% RUN: ";
  if (source.rfind(mark, 0) != 0) return "does not begin with '% RUN: '";
  std::vector<std::string> command = words(source.substr(mark.size(), source.find('\n') - mark.size()));
  if (command.empty()) return "has no command";
  const std::string what = command[0];
  // Places are those of the file's own name, wherever the tree lies.
  const auto folder = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(path).parent_path());
  command[0] = std::filesystem::path(path).filename();
  std::string got;
  int status = 2;
  try {
    status = what == "emit"  ? emit_command(command, got)
             : what == "run" ? run_command(command, got)
                             : throw std::runtime_error("no command '" + what + "'");
  } catch (const std::exception& e) {
    got += std::string(e.what()) + "\n";
  }
  std::filesystem::current_path(folder);
  if (status != 0) got += "exit " + std::to_string(status) + "\n";
  const size_t expect = source.find("% EXPECT\n");
  const std::string wanted = expect == source.npos ? "" : source.substr(expect + 9);
  if (commented(got) == wanted) return "";
  if (bless) {
    std::string program = expect == source.npos ? source : source.substr(0, expect);
    if (program.back() != '\n') program += '\n';
    std::ofstream(path, std::ios::binary) << program << "% EXPECT\n" << commented(got);
    return "";
  }
  return "prints\n" + got;
}

}  // namespace

int test_command(const std::vector<std::string>& args, std::string& out) {
  std::vector<std::string> files;
  bool bless = false;
  for (const std::string& a : args) {
    if (a == "--bless")
      bless = true;
    else if (std::filesystem::is_directory(a))
      for (const auto& f : std::filesystem::directory_iterator(a)) {
        if (f.path().extension() == ".m") files.push_back(f.path());
      }
    else
      files.push_back(a);
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) throw std::runtime_error("there are no tests");
  int failed = 0;
  for (const std::string& f : files) {
    const std::string why = test_file(std::filesystem::absolute(f), bless);
    if (!why.empty()) out += f + ": " + why + "\n";
    failed += !why.empty();
  }
  out +=
      std::to_string(files.size() - static_cast<size_t>(failed)) + " passed, " + std::to_string(failed) + " failed\n";
  return failed ? 1 : 0;
}

}  // namespace vr::matlab
