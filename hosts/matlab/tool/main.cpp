// vrmat: the MATLAB front end at the command line.
#include "run.hpp"

#include <cstdio>
#include <exception>
#include <map>

namespace {
constexpr const char* usage =
    "vrmat emit FILE.m [--fn NAME] [--nargout N] [--part LINE] [--args TYPE...]    VRIR of a version: double:3x4 "
    "complex-single:?x1 "
    "'text'\n"
    "vrmat run FILE.m [--fn NAME] [--nargout N] [--part LINE] [--on TARGET] [--opt LEVEL] [--args EXPRESSION...]\n"
    "vrmat cases FILE.m --cases FILE.json [--rtol R] [--on TARGET] [--opt LEVEL] [--quiet] [--all-right]    recorded calls of one "
    "function\n"
    "vrmat probes FILE.json [--rtol R] [--on TARGET] [--opt LEVEL] [--quiet] [--outcomes FILE [--bless]]    recorded calls with "
    "programs\n"
    "vrmat test FILE.m|FOLDER... [--bless]    file tests\n";
}

int main(int argc, char** argv) {
  using Command = int (*)(const std::vector<std::string>&, std::string&);
  static const std::map<std::string, Command> commands = {{"emit", vr::matlab::emit_command},
                                                          {"run", vr::matlab::run_command},
                                                          {"cases", vr::matlab::cases_command},
                                                          {"probes", vr::matlab::cases_command},
                                                          {"test", vr::matlab::test_command}};
  auto it = argc > 1 ? commands.find(argv[1]) : commands.end();
  if (it == commands.end()) {
    std::fputs(usage, argc > 1 && std::string(argv[1]) == "--help" ? stdout : stderr);
    return argc > 1 && std::string(argv[1]) == "--help" ? 0 : 2;
  }
  std::string out;
  int status = 2;
  try {
    status = it->second(std::vector<std::string>(argv + 2, argv + argc), out);
  } catch (const std::exception& e) {
    std::fputs(out.c_str(), stdout);
    std::fprintf(stderr, "vrmat: %s\n", e.what());
    return 2;
  }
  std::fputs(out.c_str(), stdout);
  return status;
}
