#include "codegen/llvm/debug_info.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <filesystem>

namespace vr::codegen::llvm_backend {

DebugInfo::DebugInfo(llvm::Module& module, const lower::Module& lowered, bool optimised)
    : context_(module.getContext()), lowered_(lowered), builder_(module), optimised_(optimised) {
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
  const std::string name = lowered.places.empty() ? lowered.name : lowered.places.front().file;
  // DWARF has no language code for VRIR; debuggers do not demangle names or change calling conventions for C.
  builder_.createCompileUnit(llvm::dwarf::DW_LANG_C99, file(name), "velociraptor", optimised, "", 0, "",
                             llvm::DICompileUnit::FullDebug);
}

/// The file name as the program gives it: relative names stay relative, to the directory where the debugger runs.
llvm::DIFile* DebugInfo::file(const std::string& name) {
  llvm::DIFile*& f = files_[name];
  if (!f) {
    const std::filesystem::path path(name);
    f = builder_.createFile(path.filename().string(), path.parent_path().string());
  }
  return f;
}

llvm::DebugLoc DebugInfo::begin(llvm::Function* function, const lower::Function& source) {
  const Place place =
      source.place == lower::none ? Place{lowered_.name, 0, 0} : lowered_.places[static_cast<size_t>(source.place)];
  const auto line = static_cast<unsigned>(place.line);
  llvm::DIFile* f = file(place.file);
  llvm::DISubroutineType* type = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
  auto flags = llvm::DISubprogram::SPFlagDefinition;
  if (optimised_) flags |= llvm::DISubprogram::SPFlagOptimized;
  if (source.kind != lower::Function::Kind::Entry) flags |= llvm::DISubprogram::SPFlagLocalToUnit;
  function_ = builder_.createFunction(f, source.source_name, /*LinkageName=*/"", f, line, type, line,
                                      llvm::DINode::FlagPrototyped, flags);
  function->setSubprogram(function_);
  scopes_.clear();
  scopes_[f] = function_;
  return llvm::DILocation::get(context_, line, 0, function_);
}

llvm::DebugLoc DebugInfo::at(int32_t number) {
  const Place& place = lowered_.places[static_cast<size_t>(number)];
  llvm::DIFile* f = file(place.file);
  llvm::DIScope*& scope = scopes_[f];
  if (!scope) scope = builder_.createLexicalBlockFile(function_, f);
  return llvm::DILocation::get(context_, static_cast<unsigned>(place.line), static_cast<unsigned>(place.column), scope);
}

}  // namespace vr::codegen::llvm_backend
