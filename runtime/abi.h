/* VRruntime's interface to generated code: the C functions of abi.def and their structures. The runtime does not depend on the IR. */
#ifndef VELOCIRAPTOR_RUNTIME_ABI_H
#define VELOCIRAPTOR_RUNTIME_ABI_H
#include <velociraptor/descriptor.h>

#ifdef __cplusplus
#include <atomic>
namespace vr { struct HostBinding; namespace gpu { class Session; class OnHost; } namespace runtime { class Externals; } }
extern "C" {
#endif

/* One version of a region function, specialised on its arguments (thesis 6.2.4). vr_region::enter chooses the version for the
 * arguments of a call and keeps it alive until vr_region::leave; it chooses NULL if there is none (yet), and the general code
 * runs. Thread-safe. */
typedef struct vr_region_version {
  vr_entry entry;
} vr_region_version;
/* The dispatcher's decision for one call. */
typedef struct vr_region_call {
  vr_entry entry;             /* NULL: the general code runs */
  vr_region_version* version; /* to be released with leave after the call; NULL: none */
  int32_t timed;              /* private to the dispatcher */
  int64_t started;
} vr_region_call;
/* leave: to be called only if `version` is set; `status` is the call's result. */
typedef struct vr_region {
  void (*enter)(struct vr_region*, vr_context*, const vr_value* args, vr_region_call*);
  void (*leave)(struct vr_region*, vr_context*, const vr_region_call*, int32_t status);
} vr_region;

/* Where a fault can happen; a constant of the generated module. Strings may be "", never NULL. */
typedef struct vr_site {
  const char* function;
  const char* loc;
  const char* array;
  const char* message; /* VR_RAISED: with placeholders for numbers (support/raise_text.hpp) */
  int32_t axis;
  int32_t raised; /* VR_RAISED: the statement's own code */
} vr_site;

/* The owner of storage, which counts its references: a block of the engine's pool or an object of a host. */
struct vr_owner {
#ifdef __cplusplus
  std::atomic<int64_t> refs;
  const vr::HostBinding* host; /* NULL: engine storage that never becomes an object of a host */
#else
  int64_t refs;
  const void* host;
#endif
  void* object;       /* the host's object; the owner holds one of its references unless `borrowed`. NULL: engine storage;
                         if `host` is set, an object of the host takes it over when the array is returned */
  void* storage;      /* object == NULL: the block */
  int64_t bytes;      /* size of the block; may be more than the array needs (vr_rt_grow) */
  int32_t borrowed;   /* 1: the object belongs to the caller: never written under value semantics, not released; the owner
                         itself is in the caller's stack frame and is not freed. VR_COLLECTED: owner and block are freed
                         by a garbage collector (runtime/cpu/collect.hpp); the number of references is not known */
};
enum { VR_COLLECTED = 2 };

/* Layout codes of alloc and copy. */
enum { VR_ROWMAJOR = 0, VR_COLMAJOR = 1 };
/* Where a new array is allocated: in the engine's pool, or as an object of the host (because it will be returned). */
enum { VR_IN_ENGINE = 0, VR_IN_HOST = 1 };
#define VR_POINTS_PRIVATE (-1) /* vr_kernel::points: as 0, with few work-groups, because each has copies of arrays */
#define VR_POINTS_SLICES (-2)  /* as VR_POINTS_PRIVATE, of a part of the arrays for each iteration of the last dimension: a group has one at a time */
/* Maximum number of work-items in a work-group of a reduction kernel; its local memory has room for that many. */
#define VR_FOLD_GROUP 256
/* vr_array.flags of an argument of a launch that writes it: nothing has accessed its elements since it was allocated without
 * contents, so there is nothing to copy to the device. */
enum { VR_ARRAY_UNDEFINED = 1 << 30 };
/* Initial content of a new array. */
enum { VR_FILL_NONE = 0, VR_FILL_ZERO = 1, VR_FILL_ONE = 2 };

/* A kernel of an accelerated section; a constant of the generated module. Parameters in order; an array takes
 * (buffer, int64 byte offset, rank extents, rank byte strides). The error buffer comes last (gpu/README or opencl emitter). */
enum { VR_PARAM_SCALAR = 0, VR_PARAM_ARRAY = 1, VR_WRITTEN_FRESH = 2 };
/* Hints for the shape of work-groups. SQUARE: the time of a work-item depends on data, or neighbours along
   both of the first two dimensions access neighbouring elements. LARGE: work-items need many registers. */
enum { VR_GROUP_ANY = 0, VR_GROUP_SQUARE = 1, VR_GROUP_LARGE = 2 };
typedef struct vr_kernel_param {
  int32_t kind;
  int32_t elem;     /* element code | VR_COMPLEX */
  int32_t rank;     /* arrays */
  int32_t written;  /* arrays: 0 only read, 1 may be written, VR_WRITTEN_FRESH: fully written, old elements are dead */
  const char* name; /* arrays: the program's variable, for reports; "" for temporaries, never NULL */
} vr_kernel_param;
/* A program that the driver of one device has compiled already, in a library built ahead of time. */
typedef struct vr_kernel_binary {
  const char* device; /* DeviceInfo::identity() of runtime/gpu/session.hpp; NULL: the end of the list */
  const void* bytes;
  int64_t size;
} vr_kernel_binary;
typedef struct vr_kernel {
  const char* name;
  const char* source;  /* OpenCL C of a program that contains it; built at its first launch */
  const char* options; /* build options */
  int32_t dims;        /* 1..3 */
  int32_t param_count;
  const vr_kernel_param* params;
  int32_t site_count;  /* 0: the kernel has no faults */
  int32_t narrow;      /* extents, strides and counts are passed as 32 bits; the launching code has checked that they fit */
  const vr_site* sites; /* the sites that the numbers in the error buffer refer to */
  int32_t groups_param; /* >= 0: a reduction kernel; the first extent of this array is the number of work-groups */
  /* 0: work-items stride over the domain, so any number of them covers it. Otherwise there is one work-item for each `points`
   * consecutive iterations of the first dimension and each iteration of the others. */
  int32_t points;
  int32_t group;       /* VR_GROUP_...: hint for its work-groups */
  /* > 0: work-groups have points x team work-items along the first dimension, `team` for each of `points` consecutive
   * iterations, and 1 along the others. */
  int32_t team;
  /* The same computation on the CPU, as the fallback: takes the kernel's arguments followed by the counts, keeps no
   * references. NULL: there is none. */
  vr_entry on_host;
  /* Which elements its arguments need (AccessTable::words() of runtime/accesses.hpp). NULL: it may access any of them. */
  const int64_t* accesses;
  const vr_kernel_binary* binaries; /* of its program; NULL: none */
} vr_kernel;

/* A function with a plain C interface, of a program that was compiled ahead of time; a constant of the generated object. */
typedef struct vr_export_value {
  const char* name;  /* the parameter's; "" for results, never NULL */
  const char* type;  /* in words, for messages */
  int32_t elem;      /* element code | VR_COMPLEX */
  int32_t rank;      /* 0: a scalar */
  int32_t layout;    /* VR_ROWMAJOR, VR_COLMAJOR or VR_STRIDED */
  int32_t reserved;
} vr_export_value;
enum { VR_STRIDED = 2 };
typedef struct vr_export {
  const char* function; /* the name in the program */
  vr_entry entry;
  const vr_export_value* args;
  const vr_export_value* results;
  int32_t arg_count, result_count;
  int32_t shares;   /* 1: results may share their elements with arguments and with each other (reference semantics, views) */
  int32_t parallel; /* 1: its loops may use threads */
  const void* const* parts; /* addresses in the parts of the runtime that it needs, so that linkers keep them; ends with NULL */
} vr_export;

/* Body of a parallel loop: runs iterations [lo, hi). */
typedef int32_t (*vr_task)(vr_context*, void* env, int64_t lo, int64_t hi);

/* Prototypes; abi.def lists the same functions for the code generator. */
/* Records the fault if it is the context's first; returns code. VR_RAISED: index and extent are the statement's numbers. */
int32_t vr_rt_fail(vr_context*, const vr_site*, int32_t code, int64_t index, int64_t extent);
void vr_rt_retain(vr_owner*);   /* NULL is allowed */
void vr_rt_release(vr_owner*);  /* NULL is allowed; the last release frees */
/* Does nothing. For collected arrays it marks the end of the owner's live range, as a release does for counted ones: up to
 * here the owner must be in a register or on the stack. The code generator emits no call for it. NULL is allowed. */
void vr_rt_keep(vr_owner*);
/* New array: fills data, owner, elem, rank, extents, strides. SIZE on a negative or overflowing size. */
int32_t vr_rt_alloc(vr_context*, const vr_site*, vr_array* out, int32_t elem, int32_t rank, const int64_t* extents,
                    int32_t layout, int32_t fill, int32_t where);
/* A new array, elements undefined, for a variable whose old value `old` is dead after the assignment (thesis 5.7.2): reuses
 * old's storage if it has no other reference and is large enough, and then sets old->owner to NULL; otherwise as vr_rt_alloc.
 * old's data, extents and strides do not change, so a new element may be computed from the old one at the same address,
 * but not from others. `out` must be a different descriptor than `old`. */
int32_t vr_rt_alloc_for(vr_context*, const vr_site*, vr_array* old, vr_array* out, int32_t elem, int32_t rank,
                        const int64_t* extents, int32_t layout, int32_t where);
/* out = a fresh copy of src's elements in `layout`. */
int32_t vr_rt_copy(vr_context*, const vr_site*, const vr_array* src, vr_array* out, int32_t layout, int32_t where);
/* Value semantics: if the storage is shared or borrowed, replaces a by a new copy and releases a's old reference. */
int32_t vr_rt_make_unique(vr_context*, const vr_site*, vr_array* a, int32_t layout, int32_t where);
/* Enlarges a to the new extents (never smaller); elements keep their subscripts, new ones are 0; releases the old reference.
 * Appending along the slowest-varying dimension takes amortised constant time per element, because the block has spare room.
 * Objects of a host cannot have any, so the result is in engine storage whatever `where` is, and becomes an object of the host
 * when it is returned. */
int32_t vr_rt_grow(vr_context*, const vr_site*, vr_array* a, const int64_t* extents, int32_t layout, int32_t where);
/// How vr_rt_gemm combines the product with the elements of c.
enum { VR_INTO_EMPTY, VR_INTO_NEGATED, VR_INTO_ADD, VR_INTO_SUBTRACT };
/// c = a * b, -a * b, c + a * b or c - a * b (`into`): matrices of one floating element type whose shapes fit (VR_TYPE
/// if not). Along one dimension c has unit stride; it is disjoint from a and b.
int32_t vr_rt_gemm(vr_context*, const vr_site*, const vr_array* a, const vr_array* b, vr_array* c, int32_t into);
/* out = a * b, ranks 1 or 2 (NumPy's matmul rules for rank 1; a product of two vectors is a vector of one element), a new
 * array in `layout`; a and b have the same element type. If the shapes do not match and one matrix has exactly one element,
 * the other is scaled by it (MATLAB); for languages without that rule the caller checks the shapes first. */
int32_t vr_rt_mmult(vr_context*, const vr_site*, const vr_array* a, const vr_array* b, vr_array* out, int32_t layout,
                    int32_t where);
/* Runs blocks of [lo, hi) on the context's threads, two per thread at first, then smaller ones (thesis 5.7.3); the first
 * fault is recorded and stops the rest. A parallel loop inside a task runs serially. */
/* A NULL site marks loops of the runtime itself, which cannot be interrupted. */
int32_t vr_rt_parallel_for(vr_context*, const vr_site*, vr_task, void* env, int64_t lo, int64_t hi);
/* Called by loops when *interrupt or `failed` is not 0. Returns VR_OK to go on, VR_INTERRUPTED if the host ends the call, or
 * the code of another thread's fault, which ends the call too. `site` may be NULL if the source location is not known. */
int32_t vr_rt_poll(vr_context*, const vr_site*);
/* Interrupt and stack check at function entry: VR_STACK when the native stack is nearly used up. */
int32_t vr_rt_enter(vr_context*, const vr_site*);
/* out = a \ b: the solution of a x = b for a square a (a singular one gives inf and nan), least squares of the smallest norm
 * for any other shape. a of rank 2, b of rank 1 or 2, both of one floating type. */
int32_t vr_rt_solve(vr_context*, const vr_site*, const vr_array* a, const vr_array* b, vr_array* out, int32_t layout,
                    int32_t where);
/* out = b / a: the solution of x a = b, same rules. */
int32_t vr_rt_solve_right(vr_context*, const vr_site*, const vr_array* b, const vr_array* a, vr_array* out,
                          int32_t layout, int32_t where);
/* out = a sorted along `axis` (from 0), stable, ascending, NaN last; a copy if a does not have that axis (MATLAB). Real
 * types only. sort_index also returns each element's old position along the axis, counted from `base` (int64, in `layout`). */
int32_t vr_rt_sort(vr_context*, const vr_site*, const vr_array* a, vr_array* out, int32_t axis, int32_t layout,
                   int32_t where);
int32_t vr_rt_sort_index(vr_context*, const vr_site*, const vr_array* a, vr_array* out, vr_array* index, int32_t axis,
                         int64_t base, int32_t layout, int32_t where);
/* out = int64 numbers, from `base`, of the nonzero elements, elements counted in `order` (a layout code). `rank` 1: a vector.
 * 2: a matrix of MATLAB's shape (a row for a row, else a column). */
int32_t vr_rt_find(vr_context*, const vr_site*, const vr_array* a, vr_array* out, int64_t base, int32_t rank,
                   int32_t order, int32_t layout, int32_t where);
/* out = one element of a's real type in a vector of extent 1: a norm of a floating vector or matrix. kind AUTO: a matrix with
 * one row or column is a vector; MATRIX: it is a matrix; FRO: root of the sum of squares whatever the shape. p of a vector:
 * any number or +-inf; of a matrix: 1, 2, inf. */
enum { VR_NORM_AUTO = 0, VR_NORM_FRO = 1, VR_NORM_MATRIX = 2 };
int32_t vr_rt_norm(vr_context*, const vr_site*, const vr_array* a, vr_array* out, double p, int32_t kind);
/* Copies src's elements to the same subscripts of dst, which may be a view; same element type; extents are equal, or 1 in
 * src and then broadcast; the two may overlap. dst's descriptor does not change. */
int32_t vr_rt_assign(vr_context*, const vr_site*, const vr_array* src, const vr_array* dst);

/* Calls a library function of the runtime (runtime/library/call.hpp): `id` is its index in ir/library.def. Arguments and then
 * results follow, at most 16 of each, as vr_array*; a scalar is an array of rank 0. The caller sets element type and rank of
 * the results. After a fault there are no results. */
enum { VR_LIBRARY_MATLAB = 1, VR_LIBRARY_BASE_ONE = 2, VR_LIBRARY_COLMAJOR = 4, VR_LIBRARY_IN_HOST = 8 };
int32_t vr_rt_library(vr_context*, const vr_site*, int32_t id, int32_t conventions, int32_t arguments, int32_t results, ...);

/* Calls the host function `name`. Arguments and then results follow, at most 16 of each, as vr_array*; a scalar is an array of
 * rank 0. The caller sets element type and rank of the results. */
enum { VR_EXTERNAL_READ_ONLY = 1, VR_EXTERNAL_COLMAJOR = 2 }; /* arrays must not be stored to; results' layout */
int32_t vr_rt_external(vr_context*, const vr_site*, const char* name, int32_t flags, int32_t arguments, int32_t results,
                       ...);

/* Calls the region's version for these arguments, or `generic`. region may be NULL. */
int32_t vr_rt_call_region(vr_context*, vr_region* region, vr_entry generic, const vr_value* args, vr_value* results);

/* A call from C (runtime/aot; not in libvelociraptor). args: scalars by value, arrays by descriptor, whose owners are not
 * consumed. results: addresses of scalars and of descriptors, which are written only on success; arrays are zeroed
 * otherwise. Returns VR_OK or the code of the fault, whose record is copied to *error unless that is NULL. */
int32_t vr_rt_call_export(const vr_export*, const vr_value* args, void* const* results, vr_error* error);

/* Accelerated sections. launch: args[k].array for arrays. need_host: waits for pending work on the array and synchronises it
 * (with `write` the device's copy becomes stale). section_end: waits for all work, synchronises all arrays and reports faults
 * of kernels. */
int32_t vr_gpu_section_begin(vr_context*);
int32_t vr_gpu_launch(vr_context*, const vr_site*, const vr_kernel*, const int64_t* counts, const vr_value* args);
int32_t vr_gpu_need_host(vr_context*, const vr_array*, int32_t write);
/* need_host for reading `count` bytes at `first`, a part of an array: other elements of it may stay on the device. */
int32_t vr_gpu_need_bytes(vr_context*, const void* first, int64_t count);
int32_t vr_gpu_section_end(vr_context*);
/* Instead of section_end: reports faults, but arrays stay resident for later sections of the call. The creator of the context
 * ends the sections. Until then host code must synchronise the arrays that it reads and writes (need_host). */
int32_t vr_gpu_section_leave(vr_context*);
/* Synchronises all arrays and marks the device's copies as stale; sections stay open. */
int32_t vr_gpu_section_sync(vr_context*);
/* Inside a section: vr_rt_mmult on the device (RaijinCL), with the error bound of all products (docs/vrir.md). Falls back to
 * the CPU, with its arrays synchronised, for elements that are not floating, factors without a dimension of unit stride,
 * scaling by a matrix of one element, and empty factors. */
int32_t vr_gpu_mmult(vr_context*, const vr_site*, const vr_array* a, const vr_array* b, vr_array* out, int32_t layout,
                     int32_t where);
/* Inside a section: c = a * b by the device's library (RaijinCL), for matrices of one floating element type whose shapes fit;
 * c is dense and disjoint from a and b. Returns 1 if the product was enqueued; 0 if there is no section or the library does
 * not support it: nothing has happened then. */
int32_t vr_gpu_gemm(vr_context*, const vr_site*, const vr_array* a, const vr_array* b, const vr_array* c);
/* Inside a section: out = the scan of a real array along `axis`, a new array of `elem` in `layout`; axis -1: of all elements in
 * row-major order, in which they are contiguous, as a vector; an axis past the last one has extent 1. How `fold` joins elements
 * of which type: runtime/gpu/library/scan.hpp. */
enum { VR_SCAN_SUM = 0, VR_SCAN_PRODUCT = 1, VR_SCAN_LARGEST = 2, VR_SCAN_SMALLEST = 3, VR_SCAN_OMIT_NAN = 4 };
int32_t vr_gpu_scan(vr_context*, const vr_site*, const vr_array* a, vr_array* out, int32_t axis, int32_t fold, int32_t elem,
                    int32_t layout, int32_t where);
/* Inside a section: vr_rt_sort and vr_rt_sort_index on the device. */
int32_t vr_gpu_sort(vr_context*, const vr_site*, const vr_array* a, vr_array* out, int32_t axis, int32_t layout,
                    int32_t where);
int32_t vr_gpu_sort_index(vr_context*, const vr_site*, const vr_array* a, vr_array* out, vr_array* index, int32_t axis,
                          int64_t base, int32_t layout, int32_t where);
/* Inside a section: vr_rt_library of the function fft (VR_FFT_FORWARD, VR_FFT_INVERSE), rfft (VR_FFT_OF_REAL) or irfft
 * (VR_FFT_TO_REAL), whose index in ir/library.def is `id`, along `axis` (from 0), with length (VR_FFT_WHOLE: as without
 * the argument) and `scaling` as there. The rounding is another one than on the CPU. */
#define VR_FFT_WHOLE INT64_MIN
enum { VR_FFT_FORWARD = 0, VR_FFT_INVERSE = 1, VR_FFT_OF_REAL = 2, VR_FFT_TO_REAL = 3 };
int32_t vr_gpu_fft(vr_context*, const vr_site*, int32_t id, int32_t conventions, const vr_array* a, vr_array* out,
                   int32_t axis, int64_t length, int32_t kind, int32_t scaling);
/* vr_rt_make_unique for arrays whose newest elements may be on the device. on_device: kernels are going to store to the array,
 * so the copy is made there (copy-on-write clone, thesis 7.3.2); otherwise, and if the elements have gaps, it is made in
 * host memory. */
int32_t vr_gpu_make_unique(vr_context*, const vr_site*, vr_array* a, int32_t layout, int32_t where, int32_t on_device);
/* Inside a section: releases the reference when the device's pending work has ended (at the section's end). NULL is allowed. */
void vr_gpu_release(vr_context*, vr_owner*);

#ifdef __cplusplus
}
/* The flag of hosts that do not interrupt calls. */
inline const int32_t vr_never_interrupted = 0;
/* Per-call state. Created by the engine on the caller's stack; shared by the call's worker threads. Generated code reads
 * `interrupt`, which does not change during the call, and `failed`. */
struct vr_context {
  const int32_t* interrupt = &vr_never_interrupted;  /* HostBinding::interrupt; never NULL */
  const vr::HostBinding* host = nullptr;
  int threads = 1;                      /* the number of threads that parallel_for may use */
  bool collected = false;               /* `:memory boehm`: new arrays are collected memory, never objects of the host */
  std::atomic<int32_t> failed{0};       /* set by the first fault */
  vr_error error;                       /* valid when failed; else an empty record */
  char* stack_limit = nullptr;          /* lowest address that code may use; NULL: not checked */
  vr::gpu::Session* gpu = nullptr;      /* the device session; NULL without a device */
  const vr::runtime::Externals* externals = nullptr; /* the host functions; NULL: there are none */
  vr::gpu::OnHost* on_host = nullptr;   /* records fallbacks to the CPU; NULL: they are not recorded */

  /* Sets only the first byte of the record's texts, because every call creates a context. */
  vr_context() {
    error.code = VR_OK;
    error.axis = -1;
    error.index = error.extent = error.raised = 0;
    error.function[0] = error.loc[0] = error.array[0] = error.message[0] = '\0';
  }
};
#endif
#endif
