// The implementation of the opaque objects of velociraptor.h, and the wrappers that let no exception through. Private to
// src/capi.
#pragma once
#include <velociraptor/velociraptor.h>
#include <velociraptor/engine.hpp>

#include <cxxabi.h>

#include <memory>
#include <new>
#include <string>
#include <vector>

namespace vr::capi {

/// A host given in C: its functions, and the binding that leads to them. Never moves: the binding points to it.
struct Host {
  vr_host functions = {};
  std::string name;
  HostBinding binding;
};

/// An engine and the objects that it needs; modules and functions share it, so that objects can be freed in any order.
struct EngineState {
  std::unique_ptr<const Host> host;  ///< null: the built-in one; declared first, so that it goes last
  Engine engine;
  std::string device;
  const HostBinding& binding() const { return host ? host->binding : builtin_binding(); }
};
using EnginePtr = std::shared_ptr<const EngineState>;

}  // namespace vr::capi

struct vr_engine {
  vr::capi::EnginePtr state;
};

struct vr_options {
  vr::Options options;
};

/// Not to be copied or moved once `build` was called.
struct vr_diagnostics {
  vr_diagnostics() = default;
  explicit vr_diagnostics(std::vector<vr::Diagnostic> findings);
  std::vector<vr::Diagnostic> findings;
  std::vector<std::string> texts;
  std::vector<vr_diagnostic> view;  ///< points into the two above
  vr_diagnostics(const vr_diagnostics&) = delete;
  vr_diagnostics& operator=(const vr_diagnostics&) = delete;
};

struct vr_failure {
  explicit vr_failure(vr::Error e);
  vr::Error error;
  std::string text, message;
  vr_error record = {};
  vr_diagnostics diagnostics;
};

struct vr_tree {
  vr::ir::ModulePtr module;
};

struct vr_module {
  vr_module(vr::capi::EnginePtr e, vr::Module m);
  /// Copies report and compile info from the module.
  void refresh();
  vr::capi::EnginePtr engine;
  vr::Module module;
  vr_diagnostics remarks;
  std::vector<std::string> report;
  vr_compile_info info = {};
};

struct vr_function {
  vr::capi::EnginePtr engine;
  vr::Function function;
};

namespace vr::capi {

/// Stores the error in *failure if `failure` is not null; returns its code.
vr_status hand_over(vr_failure** failure, Error error) noexcept;
vr_status out_of_memory(vr_failure** failure) noexcept;

inline Error usage(std::string message) { return make_error(Code::Usage, std::move(message)); }
inline Error null_argument(const char* what) { return usage(std::string("'") + what + "' is NULL"); }

/// Runs `f`, which returns a Status; converts errors and exceptions to a code and a failure. Every fallible function of the API
/// consists of one call of this.
template <class F>
vr_status border(vr_failure** failure, F&& f) {
  if (failure) *failure = nullptr;
  try {
    Status s = f();
    return s ? vr_status{VR_OK} : hand_over(failure, s.error());
  } catch (const std::bad_alloc&) {
    return out_of_memory(failure);
  } catch (const abi::__forced_unwind&) {
    throw;  // the thread is being cancelled: this exception must pass through
  } catch (const std::exception& e) {
    return hand_over(failure, make_error(Code::Internal, e.what()));
  } catch (...) {
    return hand_over(failure, make_error(Code::Internal, "an unknown exception"));
  }
}

/// The same for functions with an `out` parameter, which is checked and set to null first.
template <class T, class F>
vr_status border(T** out, vr_failure** failure, F&& f) {
  if (out) *out = nullptr;
  return border(failure, [&]() -> Status { return out ? f() : Status(null_argument("out")); });
}

/// A copy for the caller, to be freed with vr_string_free. Throws std::bad_alloc.
char* copy_text(const std::string& text);

inline const vr_type* wrap(const ir::Type* t) { return reinterpret_cast<const vr_type*>(t); }
inline const ir::Type* unwrap(const vr_type* t) { return reinterpret_cast<const ir::Type*>(t); }
inline const vr_node* wrap(const ir::Node* n) { return reinterpret_cast<const vr_node*>(n); }
inline const ir::Node* unwrap(const vr_node* n) { return reinterpret_cast<const ir::Node*>(n); }
inline vr_ndarray* wrap(ArrayObject* a) { return reinterpret_cast<vr_ndarray*>(a); }
inline ArrayObject* unwrap(vr_ndarray* a) { return reinterpret_cast<ArrayObject*>(a); }
inline const ArrayObject* unwrap(const vr_ndarray* a) { return reinterpret_cast<const ArrayObject*>(a); }
/// A new reference to the array; `a` is not null.
Array share(const vr_ndarray* a);

/// A new reference for the caller.
vr_datum to_datum(const Value& v);

/// Whether this is an element code, complex or not.
bool is_elem(int32_t code);
inline Elem elem_of(int32_t code) { return static_cast<Elem>(code & ~VR_COMPLEX); }
inline bool complex_of(int32_t code) { return (code & VR_COMPLEX) != 0; }
inline int32_t code_of(Elem e, bool complex) { return static_cast<int32_t>(e) | (complex ? VR_COMPLEX : 0); }

/// The text of `length` bytes, or up to its NUL.
std::string_view view_of(const char* text, size_t length);

/// Attributes of a module or a host; `version` is null where it has no meaning. Error USAGE for invalid attributes.
Status read_attrs(const vr_attr* attrs, size_t count, ir::ConventionAttrs* out, std::optional<int>* version);

/// Checks and copies a host given in C.
Result<std::unique_ptr<const Host>> make_host(const vr_host* host);

/// The conventions and the dialect of a tree that an engine, or no engine, loads.
inline ir::Conventions conventions_of(const vr_engine* e) {
  return e ? e->state->binding().conventions : ir::Conventions::numpy();
}
inline ir::Dialect dialect_of(const vr_engine* e) { return e ? e->state->engine.options().dialect : ir::Dialect::Vrir; }

}  // namespace vr::capi
