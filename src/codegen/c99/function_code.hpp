// The state of one function while its text is written (private to codegen/c99).
#pragma once
#include "codegen/c99/expr_writer.hpp"
#include "codegen/c_family/lines.hpp"
#include "codegen/c_family/names.hpp"

#include <map>
#include <string>
#include <vector>

namespace vr::codegen::c99 {

/// Declarations, written when the whole body is known.
struct Needs {
  size_t descriptors = 0;
  size_t args = 0, results = 0;        ///< vr_values of calls
  bool exit = false, cleanup = false;  ///< labels that something jumps to
};

struct FunctionCode {
  FunctionCode(const lower::Module& m, const lower::Function& f, Prelude& prelude,
               std::vector<std::string> variable_names, c_family::Names taken_names)
      : m(m),
        f(f),
        prelude(prelude),
        names(std::move(variable_names)),
        taken(std::move(taken_names)),
        exprs(names, prelude) {}
  FunctionCode(const FunctionCode&) = delete;

  const lower::Module& m;
  const lower::Function& f;
  Prelude& prelude;
  std::vector<std::string> names;  ///< of the variables
  c_family::Names taken;
  ExprWriter exprs;
  c_family::Lines out;
  Needs needs;
  bool lines = false;                          ///< EmitOptions::lines
  int32_t place = lower::none;                 ///< the last `#line`
  /// Truth values that loops collect, declared as numbers of so many bytes: C's compilers vectorise those.
  std::map<lower::VarId, int> collected = {};
  std::vector<std::string> declarations = {};  ///< at the function's start, besides its variables
  std::string problem = {};

  const std::string& name(lower::VarId v) { return exprs.name(v); }
  lower::Scalar type(lower::VarId v) const { return f.vars[static_cast<size_t>(v)].type; }
  const lower::ArrayVars& array(lower::ArrayId a) const { return f.arrays[static_cast<size_t>(a)]; }
  void refuse(const std::string& what) {
    if (problem.empty()) problem = what;
  }
};

/// The C name of a lowered function; all begin with the same letters, so that they differ from all other names.
std::string function_name(const lower::Function& f);
/// "&vr_sites[3]", or a null pointer.
std::string site(lower::SiteId id);
/// Declares constants for shared subexpressions of the next statement.
void declare_shared(FunctionCode& code, const std::vector<lower::ExprP>& roots);
/// Leaves the function through the cleanup if `status` is not 0.
void check_status(FunctionCode& code);
/// The member of vr_value for a scalar, with the index of its part if it is complex: "f64", "cf64[1]".
std::string value_member(lower::Scalar type, bool complex, int part = 0);
void write_block(FunctionCode& code, const lower::Block& b);

/// Copies between the array's variables and the fields of descriptor `d` (contents: also data, owner, extents and
/// strides).
void fill_descriptor(FunctionCode& code, const lower::ArrayVars& a, const std::string& d, bool contents);
void read_descriptor(FunctionCode& code, const std::string& d, const lower::ArrayVars& a);

void write_statement(FunctionCode& code, const lower::Call& s);
void write_statement(FunctionCode& code, const lower::CallFunction& s);
void write_statement(FunctionCode& code, const lower::ParallelFor& s);

}  // namespace vr::codegen::c99
