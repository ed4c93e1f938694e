#include "codegen/llvm/compilation.hpp"

#include "support/settings.hpp"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/raw_ostream.h>

namespace vr::codegen::llvm_backend {

Compilation::Compilation() { context.setDiagnosticHandlerCallBack(report, this, true); }

void Compilation::report(const llvm::DiagnosticInfo* info, void* self) {
  if (info->getSeverity() != llvm::DS_Error) return;
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info->print(printer);
  auto& errors = static_cast<Compilation*>(self)->errors;
  errors += (errors.empty() ? "" : "; ") + stream.str();
}

Error internal_error(const std::string& module, const std::string& what) {
  return make_error(Code::Internal, "compiling module '" + module + "': " + what);
}

bool must_verify() {
#ifdef NDEBUG
  static const bool wanted = settings::on(settings::Name::VR_VERIFY_LLVM);
  return wanted;
#else
  return true;
#endif
}

}  // namespace vr::codegen::llvm_backend
