// Modules and functions of CUDA.
#pragma once
#include "runtime/device/cuda/context.hpp"
#include "runtime/device/cuda/ptx.hpp"

#include <map>

namespace vr::device::cuda {

/// A loaded module, which is unloaded when neither its program nor a kernel of it is left.
struct Module {
  Module(ContextPtr c, CUmodule m) : context(std::move(c)), module(m) {}
  Module(const Module&) = delete;
  ~Module();
  ContextPtr context;
  CUmodule module;
};

class CuKernel final : public Kernel {
 public:
  CuKernel(std::shared_ptr<const Module> module, CUfunction function, const Entry& entry);
  size_t argument_count() const override { return parameters_.size(); }
  size_t max_group() const override { return size_t(attribute(max_threads)); }
  size_t group_memory_bytes() const override { return size_t(attribute(shared_bytes)); }
  void set(size_t index, const void* value, size_t bytes) override;
  void set(size_t index, Buffer& buffer) override;

  CUfunction function() const { return function_; }
  const std::string& name() const { return name_; }
  /// Pointers to the arguments and to `environment`. Throws if one was never set.
  void** arguments(Environment& environment);
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  int attribute(FunctionAttribute what) const;
  std::vector<unsigned char>& place(size_t index, size_t bytes, bool pointer);

  std::shared_ptr<const Module> module_;
  CUfunction function_;
  std::string name_;
  std::vector<Parameter> parameters_;
  std::vector<std::vector<unsigned char>> values_;  ///< empty: not set
  std::vector<void*> pointers_;                     ///< to values_
};

class CuProgram final : public Program {
 public:
  /// `text`: from rewrite(). Throws BuildRefused if CUDA rejects it.
  CuProgram(ContextPtr context, std::string text, const std::string& on);
  std::unique_ptr<Kernel> kernel(const std::string& name) override;
  std::string binary() const override { return text_; }

 private:
  struct Function {
    CUfunction function;
    Entry entry;
  };
  std::string text_;
  std::shared_ptr<const Module> module_;
  std::map<std::string, Function> functions_;
};

}  // namespace vr::device::cuda
