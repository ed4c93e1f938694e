// Host functions that programs call (thesis 4.1.1).
#pragma once
#include "runtime/abi.h"

#include <velociraptor/binding.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace vr::runtime {

/// A host function. `done` is called with `data` when the function can no longer be called.
struct External {
  vr_external call = nullptr;
  void* data = nullptr;
  void (*done)(void* data) = nullptr;
  External(vr_external c, void* d, void (*f)(void*)) : call(c), data(d), done(f) {}
  External(const External&) = delete;
  ~External() {
    if (done) done(data);
  }
};

/// The host functions of a module, by name.
class Externals {
 public:
  void add(std::string name, std::shared_ptr<const External> f) { functions_[std::move(name)] = std::move(f); }
  const External* find(std::string_view name) const {
    auto it = functions_.find(name);
    return it == functions_.end() ? nullptr : it->second.get();
  }

 private:
  std::map<std::string, std::shared_ptr<const External>, std::less<>> functions_;
};

/// Why a call failed.
struct ExternalFault {
  int32_t code = VR_HOST;
  int32_t raised = 0;
  std::string message;
};

/// Calls `f` with the host's lock held (`host` is null if the caller holds it already); scalars are arrays of rank 0, in and
/// out. make(k, extents) allocates the array of result k, or returns false with `fault` filled. Returns false on failure.
bool call_external(const HostBinding* host, const External& f, std::string_view name,
                   std::span<const vr_array* const> in, std::span<vr_array* const> out,
                   const std::function<bool(int32_t, const int64_t*)>& make, ExternalFault& fault);

}  // namespace vr::runtime
