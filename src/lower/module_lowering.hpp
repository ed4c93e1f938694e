// The state of lowering one module (private to src/lower).
#pragma once
#include "loop/exprs.hpp"
#include "lower/lower.hpp"

#include <map>
#include <set>
#include <string>

namespace vr::lower {

class ModuleLowering {
 public:
  ModuleLowering(const ir::Module& module, const ir::Conventions& conventions, const LowerOptions& options);
  std::unique_ptr<Module> run();

  const ir::ModulePtr explicit_;  ///< ir::explicit_conversions()
  const ir::Module& ir;
  const ir::Conventions conventions;
  const LowerOptions options;
  std::unique_ptr<Module> out;
  Exprs x;

  /// Number of the lowered Entry function of this VRIR function, or none.
  int32_t index_of(const std::string& name) const;
  int32_t add_function(Function::Kind kind, const std::string& name, const std::string& source_name) {
    // Names of kernels begin with a letter (others are reserved in C-family languages) and not as the runtime's.
    const char first = name.empty() ? '_' : static_cast<char>(name[0] | 0x20);
    const bool reserved = first < 'a' || first > 'z' || name.starts_with("vr_");
    return lower::add_function(*out, kind, kind == Function::Kind::Kernel && reserved ? "f" + name : name, source_name);
  }
  bool recursive(const std::string& name) const { return recursive_.count(name) != 0; }
  std::string place(ir::TextPos pos, const std::string& loc) const;
  /// Number of the source location in the module's list; none without the option `places`.
  int32_t place_number(ir::TextPos pos, const std::string& loc);

 private:
  std::map<std::string, int32_t> index_;
  std::map<std::string, int32_t> places_;
  std::set<std::string> recursive_;
};

}  // namespace vr::lower
