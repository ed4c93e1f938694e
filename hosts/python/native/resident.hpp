// Arrays that stay on the device between the stages of a pipeline (pipeline.py).
#pragma once
#include <velociraptor/engine.hpp>

#include <optional>
#include <span>
#include <vector>

#include "python.hpp"

namespace pyraptor {

/// For one call: which arrays among its results stay on the device, in which group (vr::Function::call_resident).
class Residence {
 public:
  explicit Residence(int64_t group) : group_(group) {}
  vr::Result<std::vector<vr::Value>> call(const vr::Function& f, std::span<const vr::Value> args);
  /// The object that result k has become.
  void became(size_t k, PyObject* array);
  /// When all results are objects; of arrays that no ndarray stands for, the elements are copied back. failed: nothing
  /// stays on the device.
  void end(const vr::Function& f, bool failed);
  std::vector<Ref> take() { return std::move(objects_); }

 private:
  int64_t group_;
  std::vector<bool> resident_;
  std::vector<vr::Value> values_;  ///< hold the arrays until objects do
  std::vector<Ref> objects_;
};

/// Adds the type Resident and the function call_resident to the module. False with a Python exception.
bool add_residence(PyObject* module);

}  // namespace pyraptor
