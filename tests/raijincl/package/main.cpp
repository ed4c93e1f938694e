// Uses the installed headers and library; needs no device.
#include <raijincl/raijincl.hpp>

#include <cstring>

extern "C" int from_c(void);

int main() {
  std::unique_ptr<raijincl::Context> context;
  const raijincl::Status s = raijincl::Context::create(nullptr, nullptr, context);
  return s == raijincl::Status::InvalidContext && !std::strcmp(to_string(s), "InvalidContext") ? from_c() : 1;
}
