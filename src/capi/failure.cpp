// Failures and findings.
#include "capi/handles.hpp"

#include <cstdlib>
#include <cstring>

namespace vr::capi {

namespace {

// Made when the library is loaded, because there may be no memory for it later; never freed.
vr_failure* const no_memory = new vr_failure(make_error(Code::OutOfMemory, "not enough memory"));

template <size_t N>
void put(char (&to)[N], const std::string& from) {
  const size_t n = std::min(from.size(), N - 1);
  std::memcpy(to, from.data(), n);
  to[n] = '\0';
}

}  // namespace

vr_status out_of_memory(vr_failure** failure) noexcept {
  if (failure) *failure = no_memory;
  return VR_OUT_OF_MEMORY;
}

vr_status hand_over(vr_failure** failure, Error error) noexcept {
  const auto code = static_cast<vr_status>(error.code);
  if (!failure) return code;
  try {
    *failure = new vr_failure(std::move(error));
  } catch (...) {
    *failure = no_memory;
  }
  // If the failure object could not be allocated the status becomes OUT_OF_MEMORY too, so that status and failure agree.
  return *failure == no_memory ? vr_status{VR_OUT_OF_MEMORY} : code;
}

char* copy_text(const std::string& text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (!copy) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

std::string_view view_of(const char* text, size_t length) {
  return length == VR_TO_NUL ? std::string_view(text) : std::string_view(text, length);
}

}  // namespace vr::capi

using namespace vr;

vr_diagnostics::vr_diagnostics(std::vector<Diagnostic> list) : findings(std::move(list)) {
  for (const Diagnostic& d : findings) texts.push_back(d.text());
  for (size_t k = 0; k < findings.size(); ++k) {
    const Diagnostic& d = findings[k];
    view.push_back({static_cast<int32_t>(d.severity), d.place.line, d.place.column, d.place.file.c_str(),
                    d.path.c_str(), d.rule.c_str(), d.message.c_str(), d.hint.c_str(), texts[k].c_str()});
  }
}

vr_failure::vr_failure(Error e) : error(std::move(e)), text(error.text()), diagnostics(error.diagnostics) {
  if (error.record) {
    const ErrorRecord& r = *error.record;
    record.code = static_cast<int32_t>(r.code);
    record.axis = r.axis;
    record.index = r.index;
    record.extent = r.extent;
    record.raised = r.raised;
    capi::put(record.function, r.function);
    capi::put(record.loc, r.loc);
    capi::put(record.array, r.array);
    capi::put(record.message, r.message);
    message = r.message;
  } else if (error.message.empty() && !error.diagnostics.empty()) {
    message = error.diagnostics[0].message;
  } else {
    message = error.message;
  }
  if (text.empty()) text = code_name(error.code);
}

extern "C" {

const char* vr_version(void) { return VR_VERSION; }
int32_t vr_abi_version(void) { return VR_ABI_VERSION; }
const char* vr_status_name(vr_status s) { return code_name(static_cast<Code>(s)); }
void vr_string_free(char* text) { std::free(text); }

size_t vr_diagnostics_count(const vr_diagnostics* list) { return list ? list->view.size() : 0; }
const vr_diagnostic* vr_diagnostics_at(const vr_diagnostics* list, size_t k) {
  return list && k < list->view.size() ? &list->view[k] : nullptr;
}
void vr_diagnostics_free(vr_diagnostics* list) { delete list; }

void vr_failure_free(vr_failure* failure) {
  if (failure != capi::no_memory) delete failure;
}
vr_status vr_failure_code(const vr_failure* f) { return f ? static_cast<vr_status>(f->error.code) : vr_status{VR_OK}; }
const char* vr_failure_text(const vr_failure* f) { return f ? f->text.c_str() : ""; }
const char* vr_failure_message(const vr_failure* f) { return f ? f->message.c_str() : ""; }
const vr_diagnostics* vr_failure_diagnostics(const vr_failure* f) { return f ? &f->diagnostics : nullptr; }
const char* vr_failure_function(const vr_failure* f) {
  return f && f->error.record ? f->error.record->function.c_str() : "";
}
const char* vr_failure_location(const vr_failure* f) {
  return f && f->error.record ? f->error.record->loc.c_str() : "";
}
const char* vr_failure_array(const vr_failure* f) { return f && f->error.record ? f->error.record->array.c_str() : ""; }
int32_t vr_failure_axis(const vr_failure* f) { return f && f->error.record ? f->error.record->axis : -1; }
int64_t vr_failure_index(const vr_failure* f) { return f && f->error.record ? f->error.record->index : 0; }
int64_t vr_failure_extent(const vr_failure* f) { return f && f->error.record ? f->error.record->extent : 0; }
int32_t vr_failure_raised(const vr_failure* f) { return f && f->error.record ? f->error.record->raised : 0; }
const vr_error* vr_failure_record(const vr_failure* f) { return f && f->error.record ? &f->record : nullptr; }

}  // extern "C"
