// The engine: load VRIR, get native functions, call them on the host's arrays.
#pragma once
#include <velociraptor/array.hpp>
#include <velociraptor/binding.hpp>
#include <velociraptor/defaults.hpp>
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/ir/text.hpp>
#include <velociraptor/status.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace vr {

/// Where a module's functions run.
enum class Target : uint8_t {
  Interp,       ///< the interpreter
  Cpu,          ///< native, one thread
  CpuParallel,  ///< native, pfor loops on all threads
  OpenCL,       ///< accelerated sections on the OpenCL device, the rest like CpuParallel
};
const char* target_name(Target t);  ///< "cpu-par"
/// The environment variables that the library reads (docs/settings.md) and their values, as `vrir settings` prints them.
std::string settings_text();

/// Whether versions of regions are compiled for the arguments that occur in calls (thesis chapter 6; docs/regions.md).
enum class RegionMode : uint8_t {
  Off,         ///< one version, for all arguments
  Background,  ///< a thread compiles the others; calls use the general code until their version is ready
  Sync,        ///< the first call with new arguments waits for its version (tests, measuring)
};

struct Options {
  Target target = Target::CpuParallel;
  int opt_level = 2;       ///< 0..3
  int inline_limit = 300;  ///< statements that a function may reach by inlining
  bool tiered = false;     ///< calls run unoptimised code, which is ready quickly, until a background thread has
                           ///< compiled them at opt_level; for interactive hosts
  bool lazy = false;       ///< compile a function, with those it calls, at the first Module::function for it
  /// An array expression or reduction runs on several threads if it has at least this many elementary operations:
  /// loads, stores and arithmetic count 1, a division 5, a maths function 10. The default takes one thread 8 to 17 us;
  /// with two threads several threads are faster from 10 us on, with sixteen from 20 us on (docs/performance.md).
  int64_t parallel_threshold = default_parallel_threshold;
  RegionMode regions = RegionMode::Off;
  /// Number of calls of a version, and of the general code, that are timed before the slower one is discarded
  /// (docs/regions.md); 0: versions are used without timing; negative: 4 with RegionMode::Background and 0 with Sync.
  int region_trials = -1;
  int region_versions = 5;          ///< of one region, in memory at once (thesis 6.2.4); at least 1
  int64_t region_bytes = 16 << 20;  ///< of one region's versions: of their object files
  /// Milliseconds of processor time that compiling a module (with `lazy` a function, with `regions` a version) may take.
  /// After that, passes and optimisations that have not begun are skipped and the fast instruction selector is used, which
  /// Module::report says. 0: no limit.
  int compile_budget = 5000;
  bool disk_cache = true;           ///< keep machine code in VR_CACHE_DIR (docs/architecture.md) for later processes
  bool force_checks = false;        ///< every bounds check on, whatever the text says
  bool debug_info =
      false;           ///< generate line tables and register the code with debuggers (also: VR_GDB, VR_PERF)
  int threads = 0;     ///< 0: VR_NUM_THREADS, else the hardware's
  /// Part of an OpenCL platform or device name, or "opencl:N" or "cuda:N" for a numbered device; "": VR_DEVICE, else
  /// the first GPU, else any.
  std::string device;
  /// Devices that work together on each accelerated section, if there are several: names as in `device`, separated by
  /// commas, or "all"; "": VR_DEVICES if `device` is "", too (docs/devices.md).
  std::string devices;
  std::vector<std::string> skip_passes;
  ir::Dialect dialect = ir::Dialect::Vrir;
  int64_t interp_step_limit = 0;    ///< interpreter: statements executed before INTERRUPTED; 0 none
  int64_t interp_memory_limit = 0;  ///< interpreter: bytes of arrays alive at once before OUT_OF_MEMORY; 0 none
};

/// For hosts with coroutines: registers the stack of `size` bytes at address `low` as another stack on which the calling
/// thread may run; null removes it. Recursion then ends with error STACK before the stack overflows. On a stack that was not
/// registered, calls may use 32 KiB below the caller's frame, and another 32 KiB must be free below that.
void set_stack_bounds(void* low, size_t size);

/// An argument or result: a number, or an array object of the host. A Value made from a vr::Array keeps it alive; for
/// other hosts the object is borrowed as an argument and owned by the caller as a result.
class Value {
 public:
  Value() = default;
  Value(double v) : type_(ir::Type::scalar(Elem::Float64)) { value_.f64 = v; }
  Value(float v) : type_(ir::Type::scalar(Elem::Float32)) { value_.f32 = v; }
  Value(ir::Float16 v) : type_(ir::Type::scalar(Elem::Float16)) { value_.f16 = v.bits; }
  Value(ir::BFloat16 v) : type_(ir::Type::scalar(Elem::BFloat16)) { value_.bf16 = v.bits; }
  Value(int8_t v) : type_(ir::Type::scalar(Elem::Int8)) { value_.i8 = v; }
  Value(int16_t v) : type_(ir::Type::scalar(Elem::Int16)) { value_.i16 = v; }
  Value(int32_t v) : type_(ir::Type::scalar(Elem::Int32)) { value_.i32 = v; }
  Value(int64_t v) : type_(ir::Type::scalar(Elem::Int64)) { value_.i64 = v; }
  Value(uint8_t v) : type_(ir::Type::scalar(Elem::UInt8)) { value_.u8 = v; }
  Value(uint16_t v) : type_(ir::Type::scalar(Elem::UInt16)) { value_.u16 = v; }
  Value(uint32_t v) : type_(ir::Type::scalar(Elem::UInt32)) { value_.u32 = v; }
  Value(uint64_t v) : type_(ir::Type::scalar(Elem::UInt64)) { value_.u64 = v; }
  Value(bool v) : type_(ir::Type::scalar(Elem::Bool)) { value_.b = v; }
  Value(Array a);
  /// A scalar of any type from the raw union.
  static Value scalar(Elem elem, bool complex, vr_value v);
  static Value complex(double re, double im);
  /// An array object of the engine's host.
  static Value object(void* host_object);

  bool is_scalar() const { return type_.is_scalar(); }
  bool is_object() const { return object_ != nullptr; }
  const ir::Type& type() const { return type_; }  ///< of a scalar; Null for objects
  const vr_value& raw() const { return value_; }
  void* object() const { return object_; }
  /// The number converted to double (the real part of a complex one); 0 for objects.
  double as_double() const;
  /// The built-in host's array; empty when this is no vr::Array.
  const Array& array() const { return array_; }

 private:
  ir::Type type_;
  vr_value value_ = {};
  void* object_ = nullptr;
  Array array_;
};

/// What one compilation cost, in milliseconds, and which passes ran.
struct CompileInfo {
  bool from_cache = false;  ///< the code came from disk: no passes, lowering or code generation
  double parse_ms = 0, verify_ms = 0, passes_ms = 0, lower_ms = 0, codegen_ms = 0, opencl_ms = 0;
  double optimise_ms = 0;  ///< LLVM's passes: part of codegen_ms
  struct Pass {
    std::string name;
    double ms = 0;
    bool changed = false;
  };
  std::vector<Pass> passes;  ///< those that ran, in order: parts of passes_ms
  double background_ms = 0;  ///< Options::tiered: what the optimised code took; not part of total_ms()
  double total_ms() const { return parse_ms + verify_ms + passes_ms + lower_ms + codegen_ms + opencl_ms; }
};

/// The state of one region (Options::regions): its versions and how calls used them.
struct RegionInfo {
  std::string function;             ///< the region function
  std::string source;               ///< the function that it is a part of, as the program names it
  int number = 0;                   ///< in that function, from 1
  std::string place;                ///< source location of its first statement: "file:line:column"
  std::vector<std::string> shapes;  ///< critical shape variables: arrays whose extents a version is made for
  std::vector<std::string> values;  ///< critical value variables: numbers and short arrays whose values it is made for
  int versions = 0;                 ///< in memory at present
  int64_t bytes = 0;      ///< of their object files
  int64_t hits = 0;       ///< calls that a version answered
  int64_t generic = 0;    ///< calls that the code for all arguments answered, or that waited for their version
  int64_t misses = 0;     ///< versions requested
  int64_t evicted = 0;    ///< versions removed to make room for others
  int64_t failed = 0;     ///< versions that could not be made
  std::string failure;    ///< why the last of these could not
  double compile_ms = 0;  ///< for all versions together
  double inference_ms = 0;  ///< part of compile_ms: shape inference and integer programs
  // Of the version that was compiled last.
  int array_uses = 0, array_uses_known = 0;  ///< uses of arrays, and those whose extents are all known
  int checks_before = 0, checks_after = 0;   ///< checks of subscripts in its text, and those left
  int64_t dropped = 0;    ///< versions that were slower than the general code, which is used for their arguments
  bool stopped = false;   ///< no more versions are compiled: arguments keep changing, or none is possible for them
  /// All members in one line: "region 1 of 'f' (f.vrir:12:5), shapes A, values n: 1 version ...".
  std::string text() const;
};

namespace engine {
struct EngineState;
struct ModuleState;
struct FunctionState;
struct CFunctionState;
}  // namespace engine

/// A compiled function as one with C's calling convention, which C libraries take as a callback. Copies refer to the
/// same function.
class CFunction {
 public:
  /// What a fault of the function is reported to, in the thread of the call; the function then returns 0. `data` is
  /// that of Function::c_function. It must not throw.
  using Failed = void (*)(void* data, const Error& error);
  /// The function pointer, valid as long as the CFunction or a copy of it is there. Any thread may call it.
  void* address() const;

 private:
  friend class Function;
  explicit CFunction(std::shared_ptr<engine::CFunctionState> s) : state_(std::move(s)) {}
  std::shared_ptr<engine::CFunctionState> state_;
};

class Engine;

/// A compiled function. Copies refer to the same function, which keeps its module's code alive. Thread-safe.
class Function {
 public:
  const std::string& name() const;
  const ir::Type& type() const;
  /// Runs the function. Numbers are converted: floating-point parameters round; integer and bool parameters take only
  /// what they can represent exactly, real ones no imaginary part but 0. Arrays must have the parameter's element type
  /// and rank, and be contiguous in its layout unless that is Strided. Otherwise, and for a wrong number of arguments,
  /// the error is TYPE. Arguments are borrowed. Results are new references that the caller owns: a host with arrays of
  /// its own must release each Value::object(), also of results that it does not need.
  Result<std::vector<Value>> call(std::span<const Value> args) const;
  template <class... A>
  Result<std::vector<Value>> operator()(A&&... args) const {
    const Value values[] = {Value(std::forward<A>(args))..., Value()};
    return call({values, sizeof...(A)});
  }
  /// As call, for results that the next call of a function of this engine takes: arrays among the results stay on the
  /// device, as after Engine::keep_on_device. (*resident)[k]: result k does, and the caller must call
  /// Engine::drop_from_device or forget_on_device for it once, while the array lives. None does where there is no
  /// device, or where the result is a part of another array. Calls with arrays of one `group`, which is not 0, run one
  /// at a time, beside those of other groups.
  Result<std::vector<Value>> call_resident(std::span<const Value> args, int64_t group,
                                           std::vector<bool>* resident) const;
  /// Whether calls have accelerated sections that a device runs. Other functions must not get arrays that are resident.
  bool on_device() const;
  Engine engine() const;
  /// The binding of the engine's host, valid while this Function lives.
  const HostBinding& host() const;
  /// The native entry (descriptor.h); null on Target::Interp. Valid while this Function lives. With Options::tiered it is
  /// the best code available at present; call Module::wait() first to get the optimised one.
  vr_entry entry() const;
  /// The function with C's calling convention: real numbers by value (bool as a byte), row-major arrays of one
  /// dimension as the address of their first element, and at most one real number as result. Such an array has more
  /// elements than memory, so the program must know how many there are. Calls are made without the host's lock. Error
  /// UNSUPPORTED: another type, Target::Interp, a device, or `:memory boehm`.
  Result<CFunction> c_function(CFunction::Failed failed, void* data) const;

 private:
  friend class Module;
  friend class Pipeline;
  explicit Function(std::shared_ptr<engine::FunctionState> s) : state_(std::move(s)) {}
  std::shared_ptr<engine::FunctionState> state_;
};

/// A loaded module. Copies refer to the same module; its code is freed with the last copy and the last Function. Thread-safe.
class Module {
 public:
  const std::string& name() const;
  /// After dialect and verification, before the passes.
  const ir::Module& ir() const;
  /// Error NOT_FOUND if there is none of that name; with Options::lazy also the errors of compiling it.
  Result<Function> function(const std::string& name) const;
  /// Sums over what was compiled so far.
  CompileInfo compile_info() const;
  /// Whether calls are answered by code of Options::opt_level; false for a while with Options::tiered.
  bool optimised() const;
  /// Waits for the background compilation, after which no better code will come. In a forked child it starts anew.
  void wait() const;
  const std::vector<Diagnostic>& remarks() const;
  /// What does not run where it was requested, a line each; empty if nothing fell back. For accelerated sections: each
  /// part that was compiled for the CPU, and each part that calls so far ran there because the device could not, with the
  /// source location, the arrays and the reason.
  std::vector<std::string> report() const;
  /// The regions of what was compiled so far, in no order; empty with RegionMode::Off.
  std::vector<RegionInfo> regions() const;
  enum class Dump : uint8_t { LlvmIr, Assembly, OpenCl };
  /// The generated code as text.
  Result<std::string> dump(Dump what) const;

 private:
  friend class Engine;
  explicit Module(std::shared_ptr<engine::ModuleState> s) : state_(std::move(s)) {}
  std::shared_ptr<engine::ModuleState> state_;
};

/// What calls did on the device. bytes_up, bytes_down: bytes copied to the device and back, 0 for a device that works
/// on the host's memory in place. on_host: kernels and matrix products that fell back to the CPU because the device had
/// no room for their arrays or could not run them; Engine::report says which. in_chunks: launches whose arrays together
/// are larger than the device's memory, which ran as `chunks` parts of their domains. divided: launches that
/// ran on several devices, a part of the domain each.
struct DeviceUse {
  int64_t sections = 0, launches = 0, bytes_up = 0, bytes_down = 0, on_host = 0, in_chunks = 0, chunks = 0;
  int64_t divided = 0;
};

/// What a module has of its own; without it, that of the engine's Options.
struct LoadOptions {
  std::optional<ir::Dialect> dialect;
  /// Interp on every engine, Cpu on one for CpuParallel, or the engine's own target; else error USAGE.
  std::optional<Target> target;
};

/// Loads modules and calls their functions for one host. Thread-safe; a process may have several engines, of different hosts too.
class Engine {
 public:
  /// The binding is copied; what it points to must outlive the engine.
  static Result<Engine> create(const Options& options = {}, const HostBinding& binding = builtin_binding());
  /// Parses, verifies and compiles text / a tree.
  Result<Module> load(std::string_view text, const std::string& file = "<text>") const;
  Result<Module> load_file(const std::string& path) const;
  Result<Module> load(ir::ModulePtr module) const;
  Result<Module> load(std::string_view text, const std::string& file, const LoadOptions& own) const;
  Result<Module> load(ir::ModulePtr module, const LoadOptions& own) const;
  /// Binds a host function that programs declare with `extern` (thesis 4.1.1; docs/vrir.md). Modules loaded from now on
  /// that declare `name` with this type call `function` with `data`; modules loaded before keep their binding. The type
  /// has at most 16 parameters and results, numbers and arrays (else error USAGE). `done` (or null) is called with
  /// `data` once nothing can call the function, also when binding fails: in this call, or when the last Engine, Module
  /// or Function that refers to it is destroyed or its name is bound anew, so never on a thread of the library.
  Status bind(const std::string& name, const ir::Type& type, vr_external function, void* data = nullptr,
              void (*done)(void* data) = nullptr) const;
  const Options& options() const;
  /// Name of the OpenCL device in use; empty without one.
  std::string device_name() const;
  /// What this engine's accelerated sections did on the device so far; all zero without one.
  DeviceUse device_use() const;
  /// The reports of the modules that are still loaded.
  std::vector<std::string> report() const;

  /// Keeps this array of the engine's host resident on the device between calls (thesis 7.2.1), until drop_from_device
  /// was called as often as keep_on_device. Meanwhile the host must not access its elements without look_at, nor free
  /// or move them. Calls that use resident arrays run one at a time. Without a device this does nothing. Error TYPE:
  /// not an array. USAGE: the elements are not contiguous, or overlap those of another resident array. DEVICE: the
  /// device failed and elements that only it had are lost; the host's memory has those of the last synchronisation.
  Status keep_on_device(const Value& array) const;
  /// Synchronises: afterwards the host's memory has the array's newest elements, whether it is resident or not. write: the
  /// host is going to change them.
  Status look_at(const Value& array, bool write = false) const;
  /// Synchronises as look_at does; after the last one the array is no longer resident.
  Status drop_from_device(const Value& array) const;
  /// The same for an array whose elements nobody needs any more: nothing is copied, and the host's memory is undefined.
  Status forget_on_device(const Value& array) const;
  /// Whether both are the same engine.
  bool operator==(const Engine& other) const { return state_ == other.state_; }

 private:
  friend class Function;
  explicit Engine(std::shared_ptr<engine::EngineState> s) : state_(std::move(s)) {}
  std::shared_ptr<engine::EngineState> state_;
};

}  // namespace vr
#pragma GCC visibility pop
