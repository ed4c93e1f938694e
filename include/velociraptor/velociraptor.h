/* The C API of Velociraptor: for hosts in C, and in Rust, Go, Zig, ... through their foreign function interfaces. C99.
 * docs/c-api.md is a tutorial; the following rules hold for every function.
 *
 * Status. Functions that can fail return a vr_status: VR_OK or one of the VR_... codes of descriptor.h. Their last
 * parameter, `failure`, may be NULL; otherwise *failure is set to NULL on success, and on failure to an object that the
 * caller frees with vr_failure_free. What *failure was before is overwritten, not freed. Results (`out` parameters) are
 * NULL after a failure.
 *
 * Accessors, which have no `failure` parameter, cannot fail. For NULL or an index out of range they return "", NULL or
 * 0, unless their comment says otherwise.
 *
 * NULL for a required object is an error (VR_USAGE), never a crash. Comments say "or NULL" where NULL is allowed.
 *
 * Ownership. Functions called NAME_create, NAME_load_..., NAME_parse return an object that the caller owns and frees
 * with NAME_free (NULL is allowed). Objects may be freed in any order: a module keeps what it needs of its engine, a
 * function what it needs of its module. A `const char*` that a function returns belongs to the object passed to the
 * function and is valid as long as that; a `char*` returned through an `out` parameter is owned by the caller, who
 * frees it with vr_string_free. Arguments are copied, unless "borrowed".
 *
 * Threads. Engines, modules, functions, trees and types may be used by any number of threads at once; builders, options
 * and failures by one at a time. Reference counts of vr_ndarray are atomic; access to its elements is not synchronised.
 *
 * Exceptions never leave a function. Callbacks given to the library must not unwind (throw, panic, longjmp) through it.
 *
 * ABI. Numbers of enumerators never change. Objects are opaque; options are set by functions, so that a new option is a
 * new function. Structures that the library hands out by pointer may get new fields at the end; vr_host, which the
 * caller allocates, begins with its size for the same reason; vr_datum, vr_subscript, vr_attr, vr_host_field and
 * descriptor.h are frozen. */
#ifndef VELOCIRAPTOR_VELOCIRAPTOR_H
#define VELOCIRAPTOR_VELOCIRAPTOR_H
#include <stddef.h>
#include <stdint.h>

#include <velociraptor/descriptor.h>

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t vr_status;

typedef struct vr_failure vr_failure;         /* why something failed */
typedef struct vr_diagnostics vr_diagnostics; /* a list of findings about a program */
typedef struct vr_options vr_options;
typedef struct vr_engine vr_engine;     /* compiles and calls for one host */
typedef struct vr_module vr_module;     /* a loaded module */
typedef struct vr_function vr_function; /* a compiled function */
typedef struct vr_ndarray vr_ndarray;   /* an array of the built-in host, counted */
typedef struct vr_type vr_type;         /* a type of VRIR, immutable */
typedef struct vr_tree vr_tree;         /* a module as a tree, immutable */
typedef struct vr_node vr_node;         /* a statement or expression of a tree */
typedef struct vr_builder vr_builder;   /* a module under construction */
typedef struct vr_fn vr_fn;             /* a function under construction */
typedef struct vr_expr vr_expr;         /* an expression under construction */
typedef struct vr_pipeline vr_pipeline; /* stages that work on several items at once */
typedef struct vr_pipeline_run vr_pipeline_run;

/* Value for the length of a text that is terminated by NUL. */
#define VR_TO_NUL ((size_t)-1)

const char* vr_version(void);            /* "0.1.0" */
int32_t vr_abi_version(void);            /* VR_ABI_VERSION of the library in use */
const char* vr_status_name(vr_status s); /* "OUT_OF_BOUNDS"; "UNKNOWN" if `s` is not a status code */
void vr_string_free(char* text);         /* NULL is allowed */

/* ---------------------------------------------------------------- failures and findings */

enum { VR_SEVERITY_ERROR = 0, VR_SEVERITY_REMARK = 1 };

/* One finding about a program. Strings are never NULL; unknown ones are empty. */
typedef struct vr_diagnostic {
  int32_t severity;
  int32_t line, column; /* from 1; 0: unknown */
  const char* file;
  const char* path;    /* position in the tree, such as "function f/body/2/rhs", when there is no text */
  const char* rule;    /* short stable name of the broken rule: "type-mismatch" */
  const char* message; /* what is wrong, one sentence */
  const char* hint;    /* what to write instead */
  const char* text;    /* the whole finding: "FILE:LINE:COL: error: MESSAGE [RULE]", and the hint on a second line */
} vr_diagnostic;

size_t vr_diagnostics_count(const vr_diagnostics* list);
const vr_diagnostic* vr_diagnostics_at(const vr_diagnostics* list, size_t k); /* NULL: no such entry */
void vr_diagnostics_free(vr_diagnostics* list);

void vr_failure_free(vr_failure* failure);
vr_status vr_failure_code(const vr_failure* failure);      /* VR_OK for NULL */
const char* vr_failure_text(const vr_failure* failure);    /* everything: all findings, or the record; a line each */
const char* vr_failure_message(const vr_failure* failure); /* one sentence: of the record, else of the first finding */
/* The errors found in the program (VR_SYNTAX, VR_VERIFY); belongs to the failure. Empty for other failures. */
const vr_diagnostics* vr_failure_diagnostics(const vr_failure* failure);
/* The error record of a fault of running code; "", -1 and 0 for other failures. */
const char* vr_failure_function(const vr_failure* failure); /* the VRIR function in which it happened */
const char* vr_failure_location(const vr_failure* failure); /* `:loc` of the statement, or file:line:col of the text */
const char* vr_failure_array(const vr_failure* failure);    /* the array's name */
int32_t vr_failure_axis(const vr_failure* failure);         /* from 0; -1: the fault is not about a subscript */
int64_t vr_failure_index(const vr_failure* failure);        /* the subscript as the program wrote it */
int64_t vr_failure_extent(const vr_failure* failure);
int32_t vr_failure_raised(const vr_failure* failure);       /* VR_RAISED: the raise statement's own code */
/* The same as a plain structure; NULL when the failure is not a fault of running code. */
const vr_error* vr_failure_record(const vr_failure* failure);

/* ---------------------------------------------------------------- options and engines */

enum {
  VR_TARGET_INTERP = 0,       /* the interpreter */
  VR_TARGET_CPU = 1,          /* native, one thread */
  VR_TARGET_CPU_PARALLEL = 2, /* native, pfor loops on all threads; the default */
  VR_TARGET_OPENCL = 3        /* accelerated sections on the OpenCL device, the rest like CPU_PARALLEL */
};
enum { VR_DIALECT_VRIR = 0, VR_DIALECT_MCLAB = 1 };

vr_status vr_options_create(vr_options** out, vr_failure** failure);
void vr_options_free(vr_options* options);
vr_status vr_options_set_target(vr_options* options, int32_t target, vr_failure** failure);
vr_status vr_options_set_opt_level(vr_options* options, int32_t level, vr_failure** failure); /* 0 to 3; default 2 */
/* Statements that a function may reach by inlining; default 300. */
vr_status vr_options_set_inline_limit(vr_options* options, int32_t statements, vr_failure** failure);
/* Tiers: calls run unoptimised code, which is ready quickly, until a background thread has compiled the functions at the
 * optimisation level. Off by default; for interactive hosts. */
vr_status vr_options_set_tiered(vr_options* options, int32_t on, vr_failure** failure);
/* Versions of regions for the arguments that occur in calls (docs/regions.md): VR_REGIONS_OFF, the default; BACKGROUND: a
 * thread compiles them while calls use the general code; SYNC: the first call with new arguments waits. Limits of the
 * versions of one region that are kept: their number (default 5), and bytes of their object files (default 16 MiB). */
enum { VR_REGIONS_OFF = 0, VR_REGIONS_BACKGROUND = 1, VR_REGIONS_SYNC = 2 };
vr_status vr_options_set_regions(vr_options* options, int32_t mode, vr_failure** failure);
vr_status vr_options_set_region_limits(vr_options* options, int32_t versions, int64_t bytes, vr_failure** failure);
/* Whether a function is compiled, with those it calls, only at the first vr_module_function for it; off by default. */
vr_status vr_options_set_lazy(vr_options* options, int32_t on, vr_failure** failure);
/* Whether machine code is kept on disk for later processes (VR_CACHE_DIR); on by default. */
vr_status vr_options_set_disk_cache(vr_options* options, int32_t on, vr_failure** failure);
/* Every bounds check on, whatever the text says. */
vr_status vr_options_set_force_checks(vr_options* options, int32_t on, vr_failure** failure);
/* 0, the default: VR_NUM_THREADS of the environment, else as many as the hardware has. */
vr_status vr_options_set_threads(vr_options* options, int32_t threads, vr_failure** failure);
/* Number of elementary operations in an array expression or reduction from which on threads share it, > 0; default 200000. */
vr_status vr_options_set_parallel_threshold(vr_options* options, int64_t operations, vr_failure** failure);
/* Milliseconds of processor time that compiling a module, or a version of a region, may take; after that the rest is
 * compiled with less optimisation, which vr_module_report says. 0: no limit; default 5000. */
vr_status vr_options_set_compile_budget(vr_options* options, int32_t ms, vr_failure** failure);
/* Whether to generate line tables and register the code with debuggers; default off. */
vr_status vr_options_set_debug_info(vr_options* options, int32_t on, vr_failure** failure);
/* Part of an OpenCL platform or device name, "opencl:N" or "cuda:N"; "", the default: VR_DEVICE of the environment,
 * else the first GPU, else any. */
vr_status vr_options_set_device(vr_options* options, const char* name, vr_failure** failure);
/* Devices that work together on each accelerated section: such names, separated by commas, or "all"; "", the default:
 * VR_DEVICES of the environment unless a device is set. */
vr_status vr_options_set_devices(vr_options* options, const char* names, vr_failure** failure);
vr_status vr_options_set_dialect(vr_options* options, int32_t dialect, vr_failure** failure);
vr_status vr_options_skip_pass(vr_options* options, const char* name, vr_failure** failure); /* one pass per call */
/* Interpreter: statements executed before error VR_INTERRUPTED; 0, the default: no limit. */
vr_status vr_options_set_step_limit(vr_options* options, int64_t steps, vr_failure** failure);
/* Interpreter: bytes of arrays alive at once before OUT_OF_MEMORY; 0, the default: none. */
vr_status vr_options_set_memory_limit(vr_options* options, int64_t bytes, vr_failure** failure);

typedef struct vr_host vr_host;
/* `options` or NULL: the defaults. `host` or NULL: the built-in arrays (vr_ndarray). */
vr_status vr_engine_create(const vr_options* options, const vr_host* host, vr_engine** out, vr_failure** failure);
/* Binds a host function that programs declare with `extern` (docs/c-api.md): modules loaded from now on that declare
 * `name` with this type call `function` with `data`; modules loaded before keep their binding. `type` is a function
 * type; its parameters and results, at most 16 each, are numbers and arrays (else VR_USAGE). The type is copied.
 * `done`, or NULL, is called with `data` once the function can no longer be called, also when binding fails: in this
 * call, or in the call that frees the last object that refers to the function (engine, module or function) or binds its
 * name anew, so never on a thread of the library. */
vr_status vr_engine_bind(const vr_engine* engine, const char* name, const vr_type* type, vr_external function, void* data,
                         void (*done)(void* data), vr_failure** failure);
void vr_engine_free(vr_engine* engine);
const char* vr_engine_device_name(const vr_engine* engine); /* the OpenCL device in use; "": none */
/* Arrays that are resident on the device between calls. keep: makes this array (VR_DATUM_ARRAY, or VR_DATUM_OBJECT for
 * engines with a vr_host) resident, until drop was called as often as keep. Meanwhile the host must not access its
 * elements without look_at, nor free or move them. look_at: synchronises: the host's memory then has the newest
 * elements; `write`: the host is going to change them. drop: synchronises, and after the last drop the array is no
 * longer resident. Calls that use resident arrays run one at a time. Without a device all three do nothing. VR_USAGE:
 * the elements are not contiguous, or overlap those of another resident array; the array is then not resident.
 * VR_DEVICE: elements that only the device had are lost. */
struct vr_datum;
vr_status vr_engine_keep_on_device(const vr_engine* engine, const struct vr_datum* array, vr_failure** failure);
vr_status vr_engine_look_at(const vr_engine* engine, const struct vr_datum* array, int32_t write, vr_failure** failure);
vr_status vr_engine_drop_from_device(const vr_engine* engine, const struct vr_datum* array, vr_failure** failure);

/* ---------------------------------------------------------------- loading */

/* Parses, verifies and compiles. VR_SYNTAX, VR_VERIFY: the failure has all findings. `file` or NULL names the text in
 * them. */
vr_status vr_module_load_text(const vr_engine* engine, const char* text, size_t length, const char* file,
                              vr_module** out, vr_failure** failure);
vr_status vr_module_load_file(const vr_engine* engine, const char* path, vr_module** out, vr_failure** failure);
vr_status vr_module_load_tree(const vr_engine* engine, const vr_tree* tree, vr_module** out, vr_failure** failure);
/* As vr_module_load_text and vr_module_load_tree, with a dialect (VR_DIALECT_...) and a target of the module's own, each
 * VR_OF_ENGINE for that of the engine's options. Targets: VR_TARGET_INTERP on every engine, VR_TARGET_CPU on one for
 * VR_TARGET_CPU_PARALLEL, or the engine's; others are VR_USAGE. */
enum { VR_OF_ENGINE = -1 };
vr_status vr_module_load_text_as(const vr_engine* engine, const char* text, size_t length, const char* file,
                                 int32_t dialect, int32_t target, vr_module** out, vr_failure** failure);
vr_status vr_module_load_tree_as(const vr_engine* engine, const vr_tree* tree, int32_t dialect, int32_t target,
                                 vr_module** out, vr_failure** failure);
void vr_module_free(vr_module* module);

const char* vr_module_name(const vr_module* module);
size_t vr_module_function_count(const vr_module* module);
const char* vr_module_function_name(const vr_module* module, size_t k);
/* VR_NOT_FOUND if the module has no function of that name. */
vr_status vr_module_function(const vr_module* module, const char* name, vr_function** out, vr_failure** failure);
/* The tree after translation of the dialect and verification, before the passes. */
vr_status vr_module_tree(const vr_module* module, vr_tree** out, vr_failure** failure);
/* What the dialect corrected; belongs to the module. */
const vr_diagnostics* vr_module_remarks(const vr_module* module);
/* What does not run where it was requested, a line each: of the compiled code as of loading, and since the last
 * vr_module_wait also the kernels that calls had run on the CPU by then. */
size_t vr_module_report_count(const vr_module* module);
const char* vr_module_report_line(const vr_module* module, size_t k);
/* The module's regions and the present state of each (docs/regions.md), a line each; "" if there are none. The caller frees
 * the text (vr_string_free). Thread-safe. */
vr_status vr_module_regions(const vr_module* module, char** out, vr_failure** failure);

/* Whether calls run code of the requested optimisation level: 0 for a while with tiers. */
int32_t vr_module_optimised(const vr_module* module);
/* Waits for the background compilation, after which no better code will come. Updates the report and the compile info, so
 * no other thread may be reading them. */
vr_status vr_module_wait(vr_module* module, vr_failure** failure);

/* What compiling cost, in milliseconds, as of loading or of the last vr_module_wait. background_ms: for the optimised
 * code with vr_options_set_tiered; not part of total_ms. */
typedef struct vr_compile_info {
  double parse_ms, verify_ms, passes_ms, lower_ms, codegen_ms, opencl_ms, total_ms, background_ms;
} vr_compile_info;
const vr_compile_info* vr_module_compile_info(const vr_module* module); /* NULL for NULL */

enum { VR_DUMP_LLVM_IR = 0, VR_DUMP_ASSEMBLY = 1, VR_DUMP_OPENCL = 2 };
/* The generated code as text. VR_UNSUPPORTED if the target has no such code. */
vr_status vr_module_dump(const vr_module* module, int32_t what, char** out, vr_failure** failure);

/* ---------------------------------------------------------------- ahead of time */

enum {
  VR_BUILD_PARALLEL = 1,      /* parallel loops use threads: needs the runtime's part `threads` */
  VR_BUILD_FORCE_CHECKS = 2,  /* every bounds check on */
  VR_BUILD_DEBUG_INFO = 4,    /* line tables; in C `#line` */
  VR_BUILD_STATIC_RUNTIME = 8, /* shared libraries contain the runtime */
  VR_BUILD_OPENCL = 16,          /* accelerated sections are kernels, made for GPUs: needs the runtime's part `opencl` */
  VR_BUILD_OPENCL_CPU = 32,      /* the same, made for CPUs */
  VR_BUILD_KERNEL_BINARIES = 64  /* kernels also as the drivers of this machine's OpenCL devices compile them */
};

/* How vr_module_build compiles. Set all bytes to 0, then `size` and `opt_level`; NULL means the default. Everything is borrowed for
 * the call. */
typedef struct vr_build_options {
  size_t size;           /* sizeof(vr_build_options) */
  int32_t opt_level;     /* 0 to 3 */
  int32_t flags;         /* sum of VR_BUILD_... */
  const char* target;    /* processor: "generic", the default, "native", or one that LLVM knows; "aarch64"; several with commas */
  const char* prefix;    /* before the C name of each function; default "" */
  const char* runtime;   /* folder of libvrrt; default: beside this library */
  const char* linker;    /* the C compiler that links shared libraries; default "cc", for aarch64 "aarch64-linux-gnu-gcc" */
  size_t function_count; /* the functions to export; 0: all of all modules */
  const char* const* functions;
  size_t part_count; /* the parts of the runtime that may be used; parts NULL: those that are in `runtime` */
  const char* const* parts;
  size_t region_count; /* versions for given arguments: "A=[100,200] m=3" */
  const char* const* regions;
} vr_build_options;

/* Compiles modules ahead of time to a library with C functions (docs/ahead-of-time.md), and writes the file `library`,
 * which ends with .a, .so, .o or .c (of one module), and the C header `header` (NULL: none): both completely, or
 * nothing. *report: what a user should know, such as sections that run on the CPU there, a line each; "" if nothing.
 * The caller frees it (vr_string_free). Modules may be of any engine; their options are not used, so that one of
 * VR_TARGET_INTERP, which compiles nothing, will do. VR_USAGE: no such function, target, part or ending; names that
 * clash or are no names in C; a file that cannot be written; no linker. VR_NOT_FOUND: no runtime. VR_DEVICE: no device
 * for VR_BUILD_KERNEL_BINARIES. VR_UNSUPPORTED: a function that cannot be called from C, or needs what the runtime does
 * not have. Thread-safe. */
vr_status vr_module_build(size_t module_count, const vr_module* const* modules, const vr_build_options* options,
                          const char* library, const char* header, char** report, vr_failure** failure);

/* ---------------------------------------------------------------- arrays of the built-in host */

enum { VR_LAYOUT_ROW_MAJOR = 0, VR_LAYOUT_COL_MAJOR = 1, VR_LAYOUT_STRIDED = 2 };

/* Fresh arrays: `elem` VR_FLOAT64 ..., | VR_COMPLEX; rank 1 to VR_MAX_RANK; layout row or column major. VR_SIZE when an
 * extent is negative or the size overflows. */
vr_status vr_ndarray_zeros(int32_t elem, int32_t rank, const int64_t* extents, int32_t layout, vr_ndarray** out,
                           vr_failure** failure);
vr_status vr_ndarray_empty(int32_t elem, int32_t rank, const int64_t* extents, int32_t layout, vr_ndarray** out,
                           vr_failure** failure); /* elements undefined */
/* An array over the caller's memory, without a copy. `data` (borrowed): address of element (0, ..., 0), aligned for
 * `elem`; must outlive the array and every array that shares its elements (results of calls may). `strides` in bytes,
 * of any sign, or NULL: contiguous, row major. */
vr_status vr_ndarray_borrow(void* data, int32_t elem, int32_t rank, const int64_t* extents, const int64_t* strides,
                            vr_ndarray** out, vr_failure** failure);
/* As vr_ndarray_borrow, for memory that must not be written: functions that store to the array fail with VR_READ_ONLY. */
vr_status vr_ndarray_borrow_const(const void* data, int32_t elem, int32_t rank, const int64_t* extents,
                                  const int64_t* strides, vr_ndarray** out, vr_failure** failure);
/* A view of the whole array, whose elements it shares, that functions cannot store to (VR_READ_ONLY). */
vr_status vr_ndarray_read_only_view(const vr_ndarray* array, vr_ndarray** out, vr_failure** failure);
/* A fresh array with the same elements, row or column major; not read-only. */
vr_status vr_ndarray_copy(const vr_ndarray* array, int32_t layout, vr_ndarray** out, vr_failure** failure);
vr_ndarray* vr_ndarray_retain(vr_ndarray* array); /* adds a reference; returns its argument */
void vr_ndarray_release(vr_ndarray* array);       /* removes one; the last one frees. NULL is allowed */
int64_t vr_ndarray_use_count(const vr_ndarray* array);
/* The array's whole descriptor; out->owner becomes NULL. */
vr_status vr_ndarray_describe(const vr_ndarray* array, vr_array* out, vr_failure** failure);
void* vr_ndarray_data(const vr_ndarray* array);
int32_t vr_ndarray_elem(const vr_ndarray* array); /* -1 for NULL */
int32_t vr_ndarray_rank(const vr_ndarray* array);
int32_t vr_ndarray_is_read_only(const vr_ndarray* array); /* 1 or 0; so are views of one that is */
int64_t vr_ndarray_extent(const vr_ndarray* array, int32_t axis); /* axis from 0; -1: no such axis */
int64_t vr_ndarray_stride(const vr_ndarray* array, int32_t axis); /* bytes; 0: no such axis */
int64_t vr_ndarray_size(const vr_ndarray* array);                 /* number of elements */

/* ---------------------------------------------------------------- calls */

enum { VR_DATUM_NONE = 0, VR_DATUM_SCALAR = 1, VR_DATUM_ARRAY = 2, VR_DATUM_OBJECT = 3 };

/* An argument or a result. */
typedef struct vr_datum {
  int32_t kind;
  int32_t elem; /* SCALAR: VR_FLOAT64 ..., | VR_COMPLEX */
  union {
    vr_value scalar;   /* SCALAR: the member for `elem` */
    vr_ndarray* array; /* ARRAY: of an engine with the built-in host */
    void* object;      /* OBJECT: of an engine with a vr_host */
  } as;
} vr_datum;

void vr_function_free(vr_function* function);
const char* vr_function_name(const vr_function* function);
const vr_type* vr_function_type(const vr_function* function); /* belongs to the function */
size_t vr_function_parameter_count(const vr_function* function);
size_t vr_function_result_count(const vr_function* function);
/* Runs the function. Arguments are borrowed. Numbers are converted to the parameter's type: floating-point parameters
 * round; integer and bool parameters take only what they can represent exactly, and real parameters no imaginary part
 * but 0. Arrays must have the parameter's element type and rank, and be contiguous in its layout unless that is
 * `strided`. Otherwise, and if `argument_count` is wrong, the error is VR_TYPE. `result_count` must be
 * vr_function_result_count (else VR_USAGE). The caller owns the results: each array or object comes with one reference.
 * On failure all results are VR_DATUM_NONE. */
vr_status vr_function_call(const vr_function* function, size_t argument_count, const vr_datum* arguments,
                           size_t result_count, vr_datum* results, vr_failure** failure);
/* For coroutines and fibres: registers the stack of `size` bytes at address `low` as another stack on which this thread may
 * run; NULL removes it. Recursion then ends with VR_STACK before the stack overflows. On a stack that was not registered,
 * calls may use 32 KiB below the caller's frame, and another 32 KiB must be free below that. */
void vr_thread_stack(void* low, size_t size);
/* Releases those of kind VR_DATUM_ARRAY and sets all to VR_DATUM_NONE. */
void vr_datum_release(vr_datum* data, size_t count);

/* The native function itself (descriptor.h says how it is called); NULL on VR_TARGET_INTERP. Valid while `function`
 * lives. */
vr_entry vr_function_entry(const vr_function* function);
/* The state that native calls need. Only the thread that created it may use it, for one call at a time, because it has the
 * limits of that thread's stack. An array argument whose `owner` is NULL is borrowed; array results are released with
 * vr_array_drop. VR_UNSUPPORTED on VR_TARGET_OPENCL, whose device state only vr_function_call has. With a vr_host that has a
 * lock: the caller must not hold it when it enters native code. */
vr_status vr_context_create(const vr_function* function, vr_context** out, vr_failure** failure);
void vr_context_free(vr_context* context);
/* The record of the fault of the last call, or NULL; valid until the context is reset or freed. */
const vr_error* vr_context_error(const vr_context* context);
void vr_context_reset(vr_context* context); /* needed after a fault, before the next call */
void vr_array_drop(vr_array* array);        /* releases the owner's reference; `array` is invalid afterwards */

/* As keep_on_device's counterpart vr_engine_drop_from_device, for an array whose elements nobody needs any more:
 * nothing is copied, and the elements in the host's memory are undefined. */
vr_status vr_engine_forget_on_device(const vr_engine* engine, const vr_datum* array, vr_failure** failure);

static inline vr_datum vr_datum_none(void) {
  vr_datum d;
  d.kind = VR_DATUM_NONE;
  d.elem = 0;
  d.as.scalar.ci64[0] = d.as.scalar.ci64[1] = 0;
  return d;
}
static inline vr_datum vr_datum_scalar(int32_t elem, vr_value value) {
  vr_datum d;
  d.kind = VR_DATUM_SCALAR;
  d.elem = elem;
  d.as.scalar = value;
  return d;
}
static inline vr_datum vr_datum_f64(double x) {
  vr_datum d = vr_datum_none();
  d.kind = VR_DATUM_SCALAR;
  d.elem = VR_FLOAT64;
  d.as.scalar.f64 = x;
  return d;
}
static inline vr_datum vr_datum_f32(float x) {
  vr_datum d = vr_datum_none();
  d.kind = VR_DATUM_SCALAR;
  d.elem = VR_FLOAT32;
  d.as.scalar.f32 = x;
  return d;
}
static inline vr_datum vr_datum_i64(int64_t x) {
  vr_datum d = vr_datum_none();
  d.kind = VR_DATUM_SCALAR;
  d.elem = VR_INT64;
  d.as.scalar.i64 = x;
  return d;
}
static inline vr_datum vr_datum_i32(int32_t x) {
  vr_datum d = vr_datum_none();
  d.kind = VR_DATUM_SCALAR;
  d.elem = VR_INT32;
  d.as.scalar.i32 = x;
  return d;
}
static inline vr_datum vr_datum_bool(int x) {
  vr_datum d = vr_datum_none();
  d.kind = VR_DATUM_SCALAR;
  d.elem = VR_BOOL;
  d.as.scalar.b = x != 0;
  return d;
}
static inline vr_datum vr_datum_c64(double re, double im) {
  vr_datum d = vr_datum_none();
  d.kind = VR_DATUM_SCALAR;
  d.elem = VR_FLOAT64 | VR_COMPLEX;
  d.as.scalar.cf64[0] = re;
  d.as.scalar.cf64[1] = im;
  return d;
}
static inline vr_datum vr_datum_array(vr_ndarray* array) {
  vr_datum d = vr_datum_none();
  d.kind = VR_DATUM_ARRAY;
  d.as.array = array;
  return d;
}
static inline vr_datum vr_datum_object(void* object) {
  vr_datum d = vr_datum_none();
  d.kind = VR_DATUM_OBJECT;
  d.as.object = object;
  return d;
}

/* ---------------------------------------------------------------- pipelines
 *
 * A pipeline is a chain of stages, functions and callbacks (docs/c-api.md). Each item, a few values, goes through all
 * of them; while stage k works on item n, stage k-1 works on item n+1. New arrays stay on the device between
 * neighbouring functions of one engine whose sections run there. Functions must be of engines with the built-in host.
 *
 * Callbacks are called on threads of the run, each on one thread and for one item at a time, and must not unwind. `why`
 * has room for 256 bytes and is empty: what they write there is the message of a failure. Runs call them with `data`
 * until vr_pipeline_next reports the end or a failure, or vr_pipeline_run_free returns. */

/* A stage: values are borrowed. Sets `results`, which are VR_DATUM_NONE, to scalars and arrays, each array with a
 * reference that it gives away, and returns VR_OK; or returns another code. */
typedef vr_status (*vr_pipeline_stage)(void* data, size_t count, const vr_datum* values, size_t result_count,
                                       vr_datum* results, char* why);
/* The source: sets the values of the next item likewise and *more to 1, or *more to 0 at the end. */
typedef vr_status (*vr_pipeline_source)(void* data, size_t count, vr_datum* values, int32_t* more, char* why);

vr_status vr_pipeline_create(vr_pipeline** out, vr_failure** failure);
void vr_pipeline_free(vr_pipeline* pipeline); /* runs go on */
/* Stages, in their order. A pipeline may be added to by one thread at a time, while none starts it. */
vr_status vr_pipeline_add_function(vr_pipeline* pipeline, const vr_function* function, vr_failure** failure);
vr_status vr_pipeline_add_stage(vr_pipeline* pipeline, const char* name, size_t result_count, vr_pipeline_stage stage,
                                void* data, vr_failure** failure);
/* Starts a run, which has a thread for the source and one for each stage. Items of `value_count` values. in_flight: the
 * items that exist at a time, at least 1: the source waits until vr_pipeline_next is called after it returned an item.
 * VR_TYPE: a function does not give what the function after it takes; VR_UNSUPPORTED: another host; VR_USAGE: no stage.
 */
vr_status vr_pipeline_start(const vr_pipeline* pipeline, size_t value_count, vr_pipeline_source source, void* data,
                            int32_t in_flight, vr_pipeline_run** out, vr_failure** failure);
/* Waits for the next item, in the order of the source. *more is 1 and the caller owns the first *count of the `room`
 * values (the others are VR_DATUM_NONE); or *more is 0 at the end. A failure of a stage arrives after the items before
 * it, and again at every later call; its text names stage and item. VR_INTERRUPTED: the run was stopped. VR_FORKED: in
 * a forked child. VR_USAGE: there are more than `room` values, which are then released. One thread at a time. */
vr_status vr_pipeline_next(vr_pipeline_run* run, size_t room, vr_datum* values, size_t* count, int32_t* more,
                           vr_failure** failure);
/* After a failure: the stage, from 1, or 0 for the source, and the item, from 0; -1 if nothing failed. */
int32_t vr_pipeline_failed_stage(const vr_pipeline_run* run);
int64_t vr_pipeline_failed_item(const vr_pipeline_run* run);
/* Makes vr_pipeline_next return at once, and no stage begin another item. Any thread. */
void vr_pipeline_stop(vr_pipeline_run* run);
/* Stops the run and waits for the callbacks and calls in progress; NULL is allowed. */
void vr_pipeline_run_free(vr_pipeline_run* run);

/* ---------------------------------------------------------------- conventions */

/* Conventions that a module or a host may state (docs/vrir.md "Conventions of a module"). */
enum {
  VR_ATTR_INDEXING = 1,   /* 0 or 1: base of subscripts */
  VR_ATTR_EXCLUDE = 2,    /* 0 or 1: ranges leave out their stop */
  VR_ATTR_FLATTEN = 3,    /* 0 or 1: with fewer subscripts than dimensions, the last one counts over the remaining dimensions */
  VR_ATTR_GROW = 4,       /* 0 or 1: a store past the end enlarges the array */
  VR_ATTR_ASSIGN = 5,     /* 0 share, 1 copy */
  VR_ATTR_SLICES = 6,     /* 0 view, 1 copy */
  VR_ATTR_NAN = 7,        /* 0 propagate, 1 omit */
  VR_ATTR_MEMORY = 8,     /* 0 refcount, 1 boehm */
  VR_ATTR_MINDIMS = 9,    /* 1 or 2 */
  VR_ATTR_FASTMATH = 10,  /* sum of reassoc 1, contract 2, arcp 4, nnan 8, ninf 16, nsz 32, afn 64 */
  VR_ATTR_BROADCAST = 11, /* 0 trailing, 1 leading, 2 none */
  VR_ATTR_VERSION = 12,   /* `:vrir`, of modules only: 1 */
  VR_ATTR_PROMOTE = 13,   /* 0 vrir, 1 numpy2 */
  VR_ATTR_OVERFLOW = 14   /* 0 wrap, 1 saturate, 2 fault */
};
typedef struct vr_attr {
  int32_t attr;
  int32_t value;
} vr_attr;
enum { VR_CONVENTIONS_NUMPY = 0, VR_CONVENTIONS_MATLAB = 1 };

/* ---------------------------------------------------------------- hosts with arrays of their own */

/* How to read a value of the host's object: a constant, a load at a byte offset, or a call of a function, which must not
 * fail. All zero: the constant 0. */
enum { VR_FIELD_FIXED = 0, VR_FIELD_OFFSET = 1, VR_FIELD_ACCESSOR = 2 };
typedef struct vr_host_field {
  int32_t how;
  int32_t offset;    /* OFFSET: bytes from the object's start */
  int32_t width;     /* OFFSET: 1, 2, 4 or 8 bytes */
  int32_t is_signed; /* OFFSET: sign-extended, else zero-extended */
  int32_t indirect;  /* OFFSET, extents and strides: the field holds the address of the values, not the values */
  int32_t reserved;  /* 0 */
  int64_t fixed;     /* FIXED */
  int64_t (*get)(void* context, void* object, int32_t k); /* ACCESSOR; k: the dimension, for extents and strides */
} vr_host_field;

#define VR_HOST_FIELD_(T, member, size, sign, indirect) \
  {VR_FIELD_OFFSET, (int32_t)offsetof(T, member), (int32_t)(size), sign, indirect, 0, 0, NULL}
/* Initialisers of a vr_host_field: a pointer member of T; a signed integer member; a member that is an array of, or a
 * pointer to, signed integers; a constant; a function. */
#define VR_HOST_POINTER(T, member) VR_HOST_FIELD_(T, member, sizeof(void*), 0, 0)
#define VR_HOST_INTEGER(T, member) VR_HOST_FIELD_(T, member, sizeof(((T*)0)->member), 1, 0)
#define VR_HOST_INTEGERS(T, member) VR_HOST_FIELD_(T, member, sizeof(((T*)0)->member[0]), 1, 0)
#define VR_HOST_INTEGERS_AT(T, member) VR_HOST_FIELD_(T, member, sizeof(((T*)0)->member[0]), 1, 1)
#define VR_HOST_CONSTANT(value) {VR_FIELD_FIXED, 0, 0, 0, 0, 0, (value), NULL}
#define VR_HOST_ACCESSOR(function) {VR_FIELD_ACCESSOR, 0, 0, 0, 0, 0, 0, (function)}

enum { VR_STRIDES_BYTES = 0, VR_STRIDES_ELEMENTS = 1, VR_STRIDES_NONE = 2 };

/* How to access, allocate, reference-count and lock a host's array objects; vrbinding.hpp.in, the same for C++,
 * explains each member in detail. Set all bytes to 0, then `size`. Copied by vr_engine_create. `context` and what the
 * functions need must outlive the engine and its modules, functions and contexts; after the last of these has been
 * freed nothing is called, even if a background compilation still runs. `raise` and `poll` are called on the thread
 * that made the call, the others on any thread; with take_lock, those marked L are called with the lock held. */
struct vr_host {
  size_t size;        /* sizeof(vr_host) */
  const char* name;   /* for messages; copied */
  void* context;      /* passed to every function below */
  vr_host_field data; /* address of element (0, ..., 0) */
  vr_host_field elem; /* the host's own element code */
  vr_host_field rank;
  vr_host_field extents; /* `rank` values, one after another */
  vr_host_field strides; /* the same; not used with VR_STRIDES_NONE */
  int32_t stride_unit;
  int32_t layout; /* VR_STRIDES_NONE: VR_LAYOUT_ROW_MAJOR or VR_LAYOUT_COL_MAJOR */
  /* The host's element code -> VR_FLOAT64 ..., | VR_COMPLEX, or -1 when VRIR has no such type. NULL: the codes are
   * VRIR's. */
  int32_t (*elem_code)(void* context, int64_t host_code);
  /* L. A new object with one reference, elements undefined. NULL: no memory, or the host has no such array; the call
   * then ends with VR_OUT_OF_MEMORY. `layout`: row or column major; a host with only one of them may ignore it. */
  void* (*allocate)(void* context, int32_t elem, int32_t rank, const int64_t* extents, int32_t layout);
  void (*retain)(void* context, void* object);  /* L */
  void (*release)(void* context, void* object); /* L */
  /* The host's lock; both functions or neither. The host calls the engine with the lock held; the engine releases it while
   * native code runs. */
  void (*take_lock)(void* context);
  void (*release_lock)(void* context);
  /* L. After a function failed: turns the record into the host's own error. Or NULL. */
  void (*raise)(void* context, const vr_error* error);
  /* L. A new object with one reference that is a view of base's elements with the address, extents and strides of `shape`, and
   * keeps base alive; read-only if shape->flags has VR_ARRAY_READ_ONLY. NULL function: the host has no views, and a slice that
   * is returned is a copy. */
  void* (*view)(void* context, void* base, const vr_array* shape);
  int32_t conventions; /* VR_CONVENTIONS_NUMPY or _MATLAB, for modules that do not state them ... */
  int32_t attr_count;  /* ... but for these */
  const vr_attr* attrs;
  /* Non-zero: the object is read-only at present, and functions that store to its elements fail with VR_READ_ONLY. Read at each
   * call. All zero: no object is read-only. */
  vr_host_field read_only;
  /* The struct of ABI 2 ends here. */

  /* Interrupts. The host may set this flag at any time from any thread or signal handler (volatile sig_atomic_t, or a 32-bit
   * atomic). While it is not 0, running calls call `poll`. The library reads it in long loops and never writes it. NULL: calls
   * cannot be interrupted. */
  const int32_t* interrupt;
  /* L. Called on the thread that made the call while *interrupt is not 0. If it returns 0 the call goes on, otherwise the call
   * ends with VR_INTERRUPTED. It may run host code and make other calls; it must reset the flag first. NULL: all calls end while
   * the flag is not 0. */
  int32_t (*poll)(void* context);

  /* L. Instead of all vr_host_field members: stores address, element code (VR_...), rank, extents, strides in bytes and flags of
   * the object in `out`, which is zero, and returns VR_OK; or VR_TYPE when VRIR has no such array. It must not fail in another
   * way. NULL: the fields are read. */
  int32_t (*describe)(void* context, void* object, vr_array* out);
  /* The element types that the host has: bit 1 << code, also of complex ones. Modules with functions that take or return other
   * arrays are refused when they are loaded (VR_UNSUPPORTED). 0: all. */
  uint32_t elements;
};
/* For a host's tests: allocates, writes and releases a few arrays and checks that the host behaves as documented. VR_USAGE,
 * whose message says what is wrong, if it does not. */
vr_status vr_host_check(const vr_host* host, vr_failure** failure);

/* ---------------------------------------------------------------- types */

enum {
  VR_TYPE_NULL = 0, /* not typed: a front end of the mclab dialect could not determine the type */
  VR_TYPE_VOID = 1,
  VR_TYPE_SCALAR = 2,
  VR_TYPE_ARRAY = 3,
  VR_TYPE_DOMAIN = 4,
  VR_TYPE_TUPLE = 5,
  VR_TYPE_FUNCTION = 6
};

/* These types are static and never freed. NULL if an element code, rank (1 to VR_MAX_RANK) or layout is invalid. */
const vr_type* vr_type_null(void);
const vr_type* vr_type_void(void);
const vr_type* vr_type_scalar(int32_t elem); /* VR_FLOAT64 ..., | VR_COMPLEX */
const vr_type* vr_type_array(int32_t elem, int32_t rank, int32_t layout);
/* These types belong to the builder. NULL, with an error recorded in the builder, if a part is NULL or the type is too large. */
const vr_type* vr_type_domain(vr_builder* builder, size_t count, const vr_type* const* dimensions);
const vr_type* vr_type_tuple(vr_builder* builder, size_t count, const vr_type* const* elements);
const vr_type* vr_type_function(vr_builder* builder, size_t parameter_count, const vr_type* const* parameters,
                                size_t result_count, const vr_type* const* results);

int32_t vr_type_kind(const vr_type* type);   /* -1 for NULL */
int32_t vr_type_elem(const vr_type* type);   /* of scalars and arrays, | VR_COMPLEX; else -1 */
int32_t vr_type_rank(const vr_type* type);   /* of arrays and domains; else 0 */
int32_t vr_type_layout(const vr_type* type); /* of arrays; else -1 */
/* Dimensions of a domain, elements of a tuple, parameters of a function. */
size_t vr_type_part_count(const vr_type* type);
const vr_type* vr_type_part(const vr_type* type, size_t k);
/* Results of a function. */
size_t vr_type_result_count(const vr_type* type);
const vr_type* vr_type_result(const vr_type* type, size_t k);
int32_t vr_type_equal(const vr_type* a, const vr_type* b); /* 1 or 0; NULL equals nothing */
/* "colmajor float64[2]" */
vr_status vr_type_text(const vr_type* type, char** out, vr_failure** failure);

/* ---------------------------------------------------------------- trees */

/* The kinds of nodes (ir/nodes.def). */
enum {
  VR_KIND_ASSIGN = 1,
  VR_KIND_STMT_LIST = 2,
  VR_KIND_FOR = 3,
  VR_KIND_PFOR = 4,
  VR_KIND_WHILE = 5,
  VR_KIND_IF = 6,
  VR_KIND_BREAK = 7,
  VR_KIND_CONTINUE = 8,
  VR_KIND_RETURN = 9,
  VR_KIND_EXPR_STMT = 10,
  VR_KIND_PLUS = 11,
  VR_KIND_MINUS = 12,
  VR_KIND_MULT = 13,
  VR_KIND_DIV = 14,
  VR_KIND_LT = 15,
  VR_KIND_LEQ = 16,
  VR_KIND_GT = 17,
  VR_KIND_GEQ = 18,
  VR_KIND_EQ = 19,
  VR_KIND_NEQ = 20,
  VR_KIND_AND = 21,
  VR_KIND_OR = 22,
  VR_KIND_NOT = 23,
  VR_KIND_NEGATE = 24,
  VR_KIND_CAST = 25,
  VR_KIND_NAME = 26,
  VR_KIND_INT_CONST = 27,
  VR_KIND_FLOAT_CONST = 28,
  VR_KIND_COMPLEX_CONST = 29,
  VR_KIND_INDEX = 30,
  VR_KIND_FN_CALL = 31,
  VR_KIND_FN_HANDLE = 32,
  VR_KIND_LIB_CALL = 33,
  VR_KIND_ALLOC = 34,
  VR_KIND_DIM = 35,
  VR_KIND_DIM_VEC = 36,
  VR_KIND_TUPLE_EXPR = 37,
  VR_KIND_TUPLE_INDEX = 38,
  VR_KIND_COMPLEX_EXPR = 39,
  VR_KIND_REAL_EXPR = 40,
  VR_KIND_IMAG_EXPR = 41,
  VR_KIND_RANGE = 42,
  VR_KIND_DOMAIN = 43,
  VR_KIND_XCHANGE = 44,
  VR_KIND_RAISE = 45
};
const char* vr_kind_name(int32_t kind); /* the name in nodes.def: "Plus"; "" if `kind` is not a kind */
const char* vr_kind_word(int32_t kind); /* the head word of the text form: "plus" */

/* The tree of a text, not verified; in the engine's dialect, or strict VRIR if `engine` is NULL. In the short syntax
 * (docs/short-syntax.md) types are derived with the conventions of the text and, where it states none, of the engine's
 * host. VR_SYNTAX with all findings. */
vr_status vr_tree_parse(const vr_engine* engine, const char* text, size_t length, const char* file, vr_tree** out,
                        vr_failure** failure);
void vr_tree_free(vr_tree* tree);
/* Whether the engine (or, for NULL, an engine with the default options) would accept the tree. `findings` or NULL
 * receives all findings and remarks, also when the tree is valid. VR_VERIFY if it is invalid; VR_SYNTAX for a text. */
vr_status vr_tree_verify(const vr_engine* engine, const vr_tree* tree, vr_diagnostics** findings, vr_failure** failure);
vr_status vr_text_verify(const vr_engine* engine, const char* text, size_t length, const char* file,
                         vr_diagnostics** findings, vr_failure** failure);
/* The inverse of parsing. */
vr_status vr_tree_print(const vr_tree* tree, char** out, vr_failure** failure);
int32_t vr_tree_equal(const vr_tree* a, const vr_tree* b); /* 1 or 0; positions in the text are ignored */

/* Walking. Nodes, types and strings belong to the tree. Functions are numbered from 0 in the order of the text; host
 * functions that the tree declares (`extern`) are among them and have no statements. */
const char* vr_tree_name(const vr_tree* tree);
size_t vr_tree_function_count(const vr_tree* tree);
const char* vr_tree_function_name(const vr_tree* tree, size_t function);
const vr_type* vr_tree_function_type(const vr_tree* tree, size_t function);
int32_t vr_tree_function_is_external(const vr_tree* tree, size_t function); /* 1: declared by `extern`, else 0 */
size_t vr_tree_statement_count(const vr_tree* tree, size_t function);
const vr_node* vr_tree_statement(const vr_tree* tree, size_t function, size_t k);
int32_t vr_node_kind(const vr_node* node);        /* VR_KIND_...; 0 for NULL */
const vr_type* vr_node_type(const vr_node* node); /* of an expression; NULL for statements */
int32_t vr_node_line(const vr_node* node);        /* from 1; 0: not from a text */
int32_t vr_node_column(const vr_node* node);
size_t vr_node_child_count(const vr_node* node); /* in the order of the text; absent children are not counted */
const vr_node* vr_node_child(const vr_node* node, size_t k);
vr_status vr_node_print(const vr_node* node, char** out, vr_failure** failure);

/* ---------------------------------------------------------------- building trees
 *
 * A builder makes one module; vr_builder_function begins a function; constructors of expressions take the function
 * first and return the expression with its natural type (docs/vrir.md); statements are added to the innermost open
 * block. All of these belong to the builder and are freed with it; an expression may be used any number of times, but
 * only in its own function.
 *
 * Errors are recorded: a constructor that finds one returns NULL, a statement its code, and vr_builder_finish reports
 * all of them. Passing NULL for an expression or type is an error of its own only if no error was recorded before.
 * Therefore the caller need not check each step, and the code reads like the program that it builds:
 *
 *   vr_fn* f = vr_builder_function(b, "axpy", 1, &vector);
 *   vr_expr *a = vr_fn_parameter(f, "a", f64), *x = vr_fn_parameter(f, "x", vector), *i = vr_fn_variable(f, "i", i64);
 *   vr_expr* domain = vr_expr_range(f, VR_YES, vr_expr_int_const(f, 0, NULL), NULL, vr_expr_dim(f, x, 0));
 *   vr_stmt_for_begin(f, VR_LIST(i), domain);
 *   vr_stmt_assign(f, vr_expr_index(f, x, VR_LIST(i)), vr_expr_mult(f, a, vr_expr_index(f, x, VR_LIST(i))));
 *   vr_stmt_end(f);
 *   vr_stmt_return(f, VR_LIST(x));
 */
#ifndef __cplusplus
/* The two arguments (count, list) of the functions below, from expressions. */
#define VR_LIST(...) \
  (sizeof((vr_expr*[]){__VA_ARGS__}) / sizeof(vr_expr*)), (vr_expr*[]) { __VA_ARGS__ }
#endif

/* A choice that may be left to the module's conventions (VR_UNSTATED). */
enum { VR_UNSTATED = 0, VR_YES = 1, VR_NO = -1 };

/* `engine` or NULL supplies the conventions that `attrs` leaves out. */
vr_status vr_builder_create(const char* name, size_t attr_count, const vr_attr* attrs, const vr_engine* engine,
                            vr_builder** out, vr_failure** failure);
void vr_builder_free(vr_builder* builder);
/* VR_OK while no error was recorded. */
vr_status vr_builder_status(const vr_builder* builder);
/* The verified module, or VR_VERIFY with all errors. To be called once; afterwards the builder can only be freed. */
vr_status vr_builder_finish(vr_builder* builder, vr_tree** out, vr_failure** failure);

/* Declares a host function (vr_engine_bind), before its callers are built. parallel: iterations of parallel loops may call it. */
vr_status vr_builder_external(vr_builder* builder, const char* name, const vr_type* type, int32_t parallel);
/* Begins a function; several may be under construction. Parameters are the vr_fn_parameter calls that follow, and must
 * be known before a caller is built. */
vr_fn* vr_builder_function(vr_builder* builder, const char* name, size_t result_count, const vr_type* const* results);
vr_status vr_fn_set_location(vr_fn* f, const char* loc); /* `:loc` of the function, "file:line:col" */
/* Variables. */
vr_expr* vr_fn_parameter(vr_fn* f, const char* name, const vr_type* type);
vr_expr* vr_fn_variable(vr_fn* f, const char* name, const vr_type* type);

/* An expression's type (NULL for NULL), its id if it is a variable (else -1), and its node. They belong to the builder.
 */
const vr_type* vr_expr_type(const vr_expr* e);
int32_t vr_expr_symbol(const vr_expr* e);
const vr_node* vr_expr_node(const vr_expr* e);

/* Expressions, one constructor per kind. Where `type` may be NULL, NULL means the first type named in the comment. */
vr_expr* vr_expr_plus(vr_fn* f, const vr_expr* a, const vr_expr* b);
vr_expr* vr_expr_minus(vr_fn* f, const vr_expr* a, const vr_expr* b);
vr_expr* vr_expr_mult(vr_fn* f, const vr_expr* a,
                      const vr_expr* b); /* elementwise; the matrix product is libcall "mmult" */
vr_expr* vr_expr_div(vr_fn* f, const vr_expr* a, const vr_expr* b);
vr_expr* vr_expr_lt(vr_fn* f, const vr_expr* a, const vr_expr* b);
vr_expr* vr_expr_leq(vr_fn* f, const vr_expr* a, const vr_expr* b);
vr_expr* vr_expr_gt(vr_fn* f, const vr_expr* a, const vr_expr* b);
vr_expr* vr_expr_geq(vr_fn* f, const vr_expr* a, const vr_expr* b);
vr_expr* vr_expr_eq(vr_fn* f, const vr_expr* a, const vr_expr* b);
vr_expr* vr_expr_neq(vr_fn* f, const vr_expr* a, const vr_expr* b);
vr_expr* vr_expr_and(vr_fn* f, const vr_expr* a, const vr_expr* b);
vr_expr* vr_expr_or(vr_fn* f, const vr_expr* a, const vr_expr* b);
/* The same twelve by kind, VR_KIND_PLUS to VR_KIND_OR. */
vr_expr* vr_expr_binary(vr_fn* f, int32_t kind, const vr_expr* a, const vr_expr* b);
vr_expr* vr_expr_not(vr_fn* f, const vr_expr* a);
vr_expr* vr_expr_negate(vr_fn* f, const vr_expr* a);
vr_expr* vr_expr_cast(vr_fn* f, const vr_expr* a, const vr_type* to);
vr_expr* vr_expr_name(vr_fn* f, int32_t id); /* the variable; vr_fn_parameter and vr_fn_variable return it already */
vr_expr* vr_expr_int_const(vr_fn* f, int64_t value, const vr_type* type);            /* int64, any scalar */
vr_expr* vr_expr_float_const(vr_fn* f, double value, const vr_type* type);           /* float64, any scalar */
vr_expr* vr_expr_complex_const(vr_fn* f, double re, double im, const vr_type* type); /* complex float64 */
/* Element, slice or gather of an array variable; as a target of an assignment, the store. */
vr_expr* vr_expr_index(vr_fn* f, const vr_expr* array, size_t count, vr_expr* const* subscripts);
enum {
  VR_SUBSCRIPT_NO_LOWER_CHECK = 1, /* `:minbounds %0` */
  VR_SUBSCRIPT_NO_UPPER_CHECK = 2, /* `:maxbounds %0` */
  VR_SUBSCRIPT_NEGATIVE = 4,       /* below the base: counts from the end */
  VR_SUBSCRIPT_GROW = 8,           /* a store past the end enlarges the array; neither: the module's convention */
  VR_SUBSCRIPT_NO_GROW = 16
};
typedef struct vr_subscript {
  const vr_expr* value;
  int32_t flags;
  int32_t reserved; /* 0 */
} vr_subscript;
/* The same with attributes; `copyslice` and `flatten` are VR_UNSTATED, VR_YES or VR_NO. */
vr_expr* vr_expr_index_with(vr_fn* f, const vr_expr* array, size_t count, const vr_subscript* subscripts,
                            int32_t copyslice, int32_t flatten);
vr_expr* vr_expr_fncall(vr_fn* f, const char* function, size_t count, vr_expr* const* arguments);
/* `type`: NULL, or the function type when `function` is one of the library. */
vr_expr* vr_expr_fnhandle(vr_fn* f, const char* function, const vr_type* type);
/* `type`: NULL, or the result where the call must state it: several results (a tuple), element and rank of a new array.
 */
vr_expr* vr_expr_libcall(vr_fn* f, const char* function, size_t count, vr_expr* const* arguments, const vr_type* type);
enum { VR_ALLOC_ZEROS = 0, VR_ALLOC_ONES = 1, VR_ALLOC_EMPTY = 2 };
/* `type`: the element's scalar type, with extents as scalars; or the array's, with one vector of extents. */
vr_expr* vr_expr_alloc(vr_fn* f, int32_t what, const vr_type* type, size_t count, vr_expr* const* extents);
vr_expr* vr_expr_dim(vr_fn* f, const vr_expr* array, int32_t dimension); /* in the module's base, as tuple_index */
vr_expr* vr_expr_dimvec(vr_fn* f, const vr_expr* array);
vr_expr* vr_expr_tuple(vr_fn* f, size_t count, vr_expr* const* elements);
vr_expr* vr_expr_tuple_index(vr_fn* f, const vr_expr* tuple, int32_t index);
vr_expr* vr_expr_complex(vr_fn* f, const vr_expr* re, const vr_expr* im);
vr_expr* vr_expr_real(vr_fn* f, const vr_expr* variable);
vr_expr* vr_expr_imag(vr_fn* f, const vr_expr* variable);
/* start, start + step ... up to stop, each may be NULL: absent. `exclude`: without stop itself (VR_UNSTATED: by
 * convention). All absent: the whole dimension, as a subscript. */
vr_expr* vr_expr_range(vr_fn* f, int32_t exclude, const vr_expr* start, const vr_expr* step, const vr_expr* stop);
vr_expr* vr_expr_domain(vr_fn* f, size_t count, vr_expr* const* ranges);
enum {
  VR_ATOMIC_CAS = 0,
  VR_ATOMIC_ADD = 1,
  VR_ATOMIC_SUB = 2,
  VR_ATOMIC_MIN = 3,
  VR_ATOMIC_MAX = 4,
  VR_ATOMIC_AND = 5,
  VR_ATOMIC_OR = 6,
  VR_ATOMIC_SWAP = 7
};
vr_expr* vr_expr_xchange(vr_fn* f, int32_t op, const vr_expr* array, size_t count, const vr_subscript* subscripts,
                         size_t argument_count, vr_expr* const* arguments);
/* The same expression with another stated type, to which its result is converted (same kind of type and rank). */
vr_expr* vr_expr_as(vr_fn* f, const vr_expr* e, const vr_type* type);

/* Statements. NAME_begin opens a block, vr_stmt_end closes the innermost one. */
vr_status vr_stmt_location(vr_fn* f, const char* loc); /* `:loc` of the statements that follow; NULL or "": none */
vr_status vr_stmt_assign(vr_fn* f, const vr_expr* target, const vr_expr* value);
vr_status vr_stmt_assign_all(vr_fn* f, size_t count, vr_expr* const* targets, const vr_expr* value);
/* `on_gpu`: an accelerated section. */
vr_status vr_stmt_list_begin(vr_fn* f, int32_t on_gpu);
/* `domain`: a domain, a range, or a variable of domain type; one loop variable a dimension. */
vr_status vr_stmt_for_begin(vr_fn* f, size_t count, vr_expr* const* variables, const vr_expr* domain);
/* `shared` NULL: determined by the rule `auto` (docs/vrir.md). */
vr_status vr_stmt_pfor_begin(vr_fn* f, size_t count, vr_expr* const* variables, const vr_expr* domain,
                             size_t shared_count, vr_expr* const* shared);
vr_status vr_stmt_while_begin(vr_fn* f, const vr_expr* test);
vr_status vr_stmt_if_begin(vr_fn* f, const vr_expr* test);
vr_status vr_stmt_else(vr_fn* f); /* inside an if: the statements that follow run if the test is false */
vr_status vr_stmt_end(vr_fn* f);
vr_status vr_stmt_break(vr_fn* f);
vr_status vr_stmt_continue(vr_fn* f);
vr_status vr_stmt_return(vr_fn* f, size_t count, vr_expr* const* values);
/* Ends the call with VR_RAISED: a code defined by the host, and the text with a number (0 to 2 numbers) for each "{}". */
vr_status vr_stmt_raise(vr_fn* f, int32_t code, const char* text, size_t count, vr_expr* const* numbers);
vr_status vr_stmt_expr(vr_fn* f, const vr_expr* e);

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
