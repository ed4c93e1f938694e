// Function handles that compiled code passes to functions of Octave's, such as ode45: made from the text of an
// anonymous function and the values that it has captured.
#pragma once
#include "compile.hpp"

#include <octave/oct.h>

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace vr::octave_host {

class Program;

/// What names in handles refer to.
struct Scopes {
  std::map<std::string, octave_value> functions;  ///< in which handles are made, and functions that handles are of
  bool differs = false;                           ///< a name would refer to another function
};
/// Adds what an argument's handles use.
void add_scopes(const matlab::HostCall::Argument& a, const Program& program, Scopes& scopes);

/// The handle; undefined when a name of it would refer to another function than in the program.
octave_value made_handle(const matlab::HostCall::Handle& h, const Scopes& scopes,
                         const std::vector<octave_value>& captured);

/// Collects what the interpreter prints while the object exists, and notices warnings.
class Printing {
 public:
  Printing();
  ~Printing();
  Printing(const Printing&) = delete;
  Printing& operator=(const Printing&) = delete;
  std::string text();
  bool warned() const { return !errors_.str().empty(); }

 private:
  std::ostringstream out_, errors_;
  std::streambuf *old_out_, *old_errors_;
};

}  // namespace vr::octave_host
