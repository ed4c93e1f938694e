// The names that variables and arrays go by in the text of the lowered form (private to the printer, print.cpp).
#pragma once
#include "loop/form.hpp"

namespace vr::lower {

std::string quoted(const std::string& text);

class PrintedNames {
 public:
  /// unique: one name for each, as parse_loops() reads it. Else two of one name are numbered, each kind for itself.
  PrintedNames(const Function& f, bool unique);
  std::string var(VarId v) const;
  std::string array(ArrayId a) const;

 private:
  void make(const Function& f);
  void make_unique();
  std::vector<std::string> vars_, arrays_;
};

}  // namespace vr::lower
