#include "tool/tool.hpp"

#include <iostream>

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  vr::tool::Io io{std::cout, std::cerr, {}};
  const int status = vr::tool::run_tool({argv + 1, argv + argc}, io);
  std::cout.flush();
  // A full disk or a closed pipe must not look like success.
  return std::cout ? status : vr::tool::exit_bad;
}
