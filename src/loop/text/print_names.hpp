// The names of variables and arrays in the text of the loop form and the lowered form (private to the printer, print.cpp).
#pragma once
#include "loop/form.hpp"

namespace vr::lower {

std::string quoted(const std::string& text);

class PrintedNames {
 public:
  /// unique: all names are different, as parse_loops() needs it. Else equal names get numbers, variables and arrays separately.
  PrintedNames(const Function& f, bool unique);
  std::string var(VarId v) const;
  std::string array(ArrayId a) const;

 private:
  void make(const Function& f);
  void make_unique();
  std::vector<std::string> vars_, arrays_;
};

}  // namespace vr::lower
