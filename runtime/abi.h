/* VRruntime as generated code sees it: the C functions of abi.def and the structures they take. The runtime knows no IR. */
#ifndef VELOCIRAPTOR_RUNTIME_ABI_H
#define VELOCIRAPTOR_RUNTIME_ABI_H
#include <velociraptor/descriptor.h>

#ifdef __cplusplus
#include <atomic>
namespace vr { struct HostBinding; namespace gpu { class Session; class OnHost; } namespace runtime { class Externals; } }
extern "C" {
#endif

/* A region function with versions specialised on its arguments (thesis 6.2.4), and one of them. enter chooses the version
 * for these arguments and holds it until leave; NULL: there is none (yet), the code for all arguments is to run.
 * Thread-safe. */
typedef struct vr_region_version {
  vr_entry entry;
} vr_region_version;
/* What the dispatcher decided of one call. */
typedef struct vr_region_call {
  vr_entry entry;             /* NULL: the code for all arguments runs */
  vr_region_version* version; /* to be left behind the call; NULL: none */
  int32_t timed;              /* the dispatcher's own */
  int64_t started;
} vr_region_call;
/* leave: only where `version` is set; `status` is what the call returned. */
typedef struct vr_region {
  void (*enter)(struct vr_region*, vr_context*, const vr_value* args, vr_region_call*);
  void (*leave)(struct vr_region*, vr_context*, const vr_region_call*, int32_t status);
} vr_region;

/* Where a fault can happen; a constant of the generated module. Strings may be "", never NULL. */
typedef struct vr_site {
  const char* function;
  const char* loc;
  const char* array;
  const char* message; /* VR_RAISED: with places for numbers (support/raise_text.hpp) */
  int32_t axis;
  int32_t raised; /* VR_RAISED: the statement's own code */
} vr_site;

/* A reference-counted hold on storage: the engine's own (pooled) or an object of a host. */
struct vr_owner {
#ifdef __cplusplus
  std::atomic<int64_t> refs;
  const vr::HostBinding* host; /* NULL: meant to stay in the engine's pool */
#else
  int64_t refs;
  const void* host;
#endif
  void* object;       /* the host's object; one of its references is ours unless `borrowed`. NULL: engine storage, which an
                         object takes over when the array is returned, if `host` is set */
  void* storage;      /* object == NULL: the block */
  int64_t bytes;      /* size of the block; may be more than the array needs (vr_rt_grow) */
  int32_t borrowed;   /* the object belongs to the caller: never written under value semantics, not released; the struct
                         itself lives in the caller's frame and is not freed. VR_COLLECTED: owner and block are freed
                         by a garbage collector (runtime/cpu/collect.hpp); who else holds the array is not known */
};
enum { VR_COLLECTED = 2 };

/* Layout codes of alloc and copy. */
enum { VR_ROWMAJOR = 0, VR_COLMAJOR = 1 };
/* Where a new array lives: in the engine's pool, or in an object of the host (because it will be returned). */
enum { VR_IN_ENGINE = 0, VR_IN_HOST = 1 };
/* Work-items of a folding kernel's work-group at most; its local memory is made for so many. */
#define VR_FOLD_GROUP 256
/* Initial content of a new array. */
enum { VR_FILL_NONE = 0, VR_FILL_ZERO = 1, VR_FILL_ONE = 2 };

/* A kernel of an accelerated section; a constant of the generated module. Parameters in order; an array takes
 * (buffer, int64 byte offset, rank extents, rank byte strides). The error buffer comes last (gpu/README or opencl emitter). */
enum { VR_PARAM_SCALAR = 0, VR_PARAM_ARRAY = 1, VR_WRITTEN_FRESH = 2 };
/* What suits a kernel's work-groups. UNEVEN: how long a work-item takes depends on data. LARGE: work-items need many registers. */
enum { VR_GROUP_ANY = 0, VR_GROUP_UNEVEN = 1, VR_GROUP_LARGE = 2 };
typedef struct vr_kernel_param {
  int32_t kind;
  int32_t elem;     /* element code | VR_COMPLEX */
  int32_t rank;     /* arrays */
  int32_t written;  /* arrays: 0 only read, 1 may be written, VR_WRITTEN_FRESH: and what they hold before is of no interest */
  const char* name; /* arrays: the program's variable, for reports; "" for temporaries, never NULL */
} vr_kernel_param;
typedef struct vr_kernel {
  const char* name;
  const char* source;  /* OpenCL C of the whole program; kernels of one program share the pointer */
  const char* options; /* build options */
  int32_t dims;        /* 1..3 */
  int32_t param_count;
  const vr_kernel_param* params;
  int32_t site_count;  /* 0: the kernel has no faults */
  int32_t narrow;      /* extents, strides and counts are passed as 32 bits; whoever launches knows that they fit */
  const vr_site* sites; /* what the numbers in the error buffer mean */
  int32_t groups_param; /* >= 0: a folding kernel; the first extent of this array is the number of work-groups */
  /* 0: work-items stride over the domain, so that any number of them covers it. Else there is one for each `points`
   * neighbouring points of the first dimension and each point of the others. */
  int32_t points;
  int32_t group;       /* VR_GROUP_...: what suits its work-groups */
  /* The same work on the CPU, for when the device cannot: takes the kernel's arguments and then the counts, keeps no
   * references. NULL: there is none. */
  vr_entry on_host;
} vr_kernel;

/* Body of a parallel loop: runs iterations [lo, hi). */
typedef int32_t (*vr_task)(vr_context*, void* env, int64_t lo, int64_t hi);

/* Prototypes; abi.def lists the same functions for the code generator. */
/* Records the fault when it is the context's first; returns code. VR_RAISED: index and extent are its numbers. */
int32_t vr_rt_fail(vr_context*, const vr_site*, int32_t code, int64_t index, int64_t extent);
void vr_rt_retain(vr_owner*);   /* NULL is fine */
void vr_rt_release(vr_owner*);  /* NULL is fine; the last one frees */
/* Does nothing. What releases are to counted arrays this is to collected ones: up to here the owner must be in a register
 * or on the stack. The code generator makes no call of it. NULL is fine. */
void vr_rt_keep(vr_owner*);
/* New array: fills data, owner, elem, rank, extents, strides. SIZE on a negative or overflowing size. */
int32_t vr_rt_alloc(vr_context*, const vr_site*, vr_array* out, int32_t elem, int32_t rank, const int64_t* extents,
                    int32_t layout, int32_t fill, int32_t where);
/* A new array, elements undefined, for a variable whose old value `old` ends with the assignment (thesis 5.7.2): takes over
 * old's storage when nobody else holds it and it fits, and leaves old->owner NULL then; else it is vr_rt_alloc. old's data,
 * extents and strides stay as they were, so that the new elements may be computed from old ones at the same place in
 * memory, but not from others. `out` is another descriptor than `old`. */
int32_t vr_rt_alloc_for(vr_context*, const vr_site*, vr_array* old, vr_array* out, int32_t elem, int32_t rank,
                        const int64_t* extents, int32_t layout, int32_t where);
/* out = a fresh copy of src's elements in `layout`. */
int32_t vr_rt_copy(vr_context*, const vr_site*, const vr_array* src, vr_array* out, int32_t layout, int32_t where);
/* Value semantics: when the storage is shared or borrowed, replaces a by a fresh copy and drops a's old reference. */
int32_t vr_rt_make_unique(vr_context*, const vr_site*, vr_array* a, int32_t layout, int32_t where);
/* Enlarges a to the new extents (never smaller), zero fill, elements stay at their subscripts; drops the old reference.
 * Appending along the slowest-varying dimension is amortised: the block keeps spare room. Objects of a host cannot have any,
 * so the result lies in the engine whatever `where` says, and becomes an object of the host when it is returned. */
int32_t vr_rt_grow(vr_context*, const vr_site*, vr_array* a, const int64_t* extents, int32_t layout, int32_t where);
/// What becomes of the elements that are there.
enum { VR_INTO_EMPTY, VR_INTO_NEGATED, VR_INTO_ADD, VR_INTO_SUBTRACT };
/// c = a * b, -a * b, c + a * b or c - a * b (`into`): matrices of one floating element type whose shapes fit (VR_TYPE
/// where not). Rows or columns of c lie in one piece, one after another; it shares no storage with the others.
int32_t vr_rt_gemm(vr_context*, const vr_site*, const vr_array* a, const vr_array* b, vr_array* c, int32_t into);
/* out = a * b, ranks 1 or 2 (NumPy's matmul rules for rank 1; a product of two vectors is a vector of one element), fresh
 * array in `layout`; same element type on both sides. Two matrices that do not fit scale when one has exactly one element
 * (MATLAB); a language without that rule checks first. */
int32_t vr_rt_mmult(vr_context*, const vr_site*, const vr_array* a, const vr_array* b, vr_array* out, int32_t layout,
                    int32_t where);
/* Blocks of [lo, hi) over the context's threads, two a thread to begin with, smaller ones later (thesis 5.7.3); the first
 * fault wins and stops the rest. A loop inside a task runs serially. */
/* Without a site the loop is the runtime's own, and is not interrupted. */
int32_t vr_rt_parallel_for(vr_context*, const vr_site*, vr_task, void* env, int64_t lo, int64_t hi);
/* What loops call when *interrupt or `failed` is not 0: VR_OK to go on; VR_INTERRUPTED when the host says so; another thread's
 * fault, which ends the call anyway. `site` may be NULL: the place is not known. */
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
/* out = a sorted along `axis` (from 0), stable, ascending, NaN last. An axis that a does not have sorts nothing (MATLAB). Real
 * types only. sort_index also tells where each element was along the axis, counted from `base` (int64, in `layout`). */
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
/* Copies src's elements to the same subscripts of dst, which may be a view; same element type; extents are the same, or 1 in
 * src and spread out; the two may overlap. dst's descriptor does not change. */
int32_t vr_rt_assign(vr_context*, const vr_site*, const vr_array* src, const vr_array* dst);

/* A library function that the runtime computes (runtime/library/call.hpp): `id` is its number in ir/library.def. Arguments
 * and then results follow, at most 16 of each, as vr_array*; a number is an array of rank 0. Results say element type and
 * rank on entry. On a fault there are none. */
enum { VR_LIBRARY_MATLAB = 1, VR_LIBRARY_BASE_ONE = 2, VR_LIBRARY_COLMAJOR = 4, VR_LIBRARY_IN_HOST = 8 };
int32_t vr_rt_library(vr_context*, const vr_site*, int32_t id, int32_t conventions, int32_t arguments, int32_t results, ...);

/* Calls the host's function `name`. Arguments and then results follow, at most 16 of each, as vr_array*; a number is an array of
 * rank 0. Results say element type and rank on entry. */
enum { VR_EXTERNAL_READ_ONLY = 1, VR_EXTERNAL_COLMAJOR = 2 }; /* arrays must not be stored to; results' layout */
int32_t vr_rt_external(vr_context*, const vr_site*, const char* name, int32_t flags, int32_t arguments, int32_t results,
                       ...);

/* Calls the region's version for these arguments, or `generic`. region may be NULL. */
int32_t vr_rt_call_region(vr_context*, vr_region* region, vr_entry generic, const vr_value* args, vr_value* results);

/* Accelerated sections. launch: args[k].array for arrays. need_host: pending work on the array ends and its newest elements
 * are in host memory (and with write, the device's copy is stale). section_end: everything ends, all elements are in host
 * memory, faults of kernels are reported. */
int32_t vr_gpu_section_begin(vr_context*);
int32_t vr_gpu_launch(vr_context*, const vr_site*, const vr_kernel*, const int64_t* counts, const vr_value* args);
int32_t vr_gpu_need_host(vr_context*, const vr_array*, int32_t write);
int32_t vr_gpu_section_end(vr_context*);
/* In place of section_end: faults are reported, elements stay where they are, for later sections of the call. Whoever made
 * the context ends it all. Until then host code asks for what it reads and writes (need_host). */
int32_t vr_gpu_section_leave(vr_context*);
/* All elements are in host memory, and the device's copies are stale; sections stay open. */
int32_t vr_gpu_section_sync(vr_context*);
/* Inside a section: vr_rt_mmult on the device (RaijinCL), its error within the bound of any product's (docs/vrir.md). On the
 * CPU, with its arrays brought there, what the device does not take: elements that are not floating, factors without a
 * dimension of unit stride, one that scales, empty ones. */
int32_t vr_gpu_mmult(vr_context*, const vr_site*, const vr_array* a, const vr_array* b, vr_array* out, int32_t layout,
                     int32_t where);
/* vr_rt_make_unique where the newest elements may be on the device. on_device: kernels are about to store, so that the
 * copy is made there (copy-on-write clone, thesis 7.3.2); without it, and for elements with gaps between them, in host
 * memory. */
int32_t vr_gpu_make_unique(vr_context*, const vr_site*, vr_array* a, int32_t layout, int32_t where, int32_t on_device);
/* Inside a section: drops the reference once the device's pending work is done (at the section's end). NULL is fine. */
void vr_gpu_release(vr_context*, vr_owner*);

#ifdef __cplusplus
}
/* Of hosts that interrupt nothing. */
inline const int32_t vr_never_interrupted = 0;
/* Per-call state. Made by the engine on the caller's stack; shared by the call's worker threads. Generated code reads
 * `interrupt`, which stays, and `failed`. */
struct vr_context {
  const int32_t* interrupt = &vr_never_interrupted;  /* HostBinding::interrupt; never NULL */
  const vr::HostBinding* host = nullptr;
  int threads = 1;                      /* what parallel_for may use */
  bool collected = false;               /* `:memory boehm`: new arrays are collected memory, never objects of the host */
  std::atomic<int32_t> failed{0};       /* set by the first fault */
  vr_error error;                       /* valid when failed; else an empty record */
  char* stack_limit = nullptr;          /* lowest address that code may use; NULL: not checked */
  vr::gpu::Session* gpu = nullptr;      /* the device session; NULL without a device */
  const vr::runtime::Externals* externals = nullptr; /* the host's functions; NULL: there are none */
  vr::gpu::OnHost* on_host = nullptr;   /* where work is noted that the device did not take; NULL: nobody asks */

  /* The record's texts are emptied, not cleared: each call makes a context. */
  vr_context() {
    error.code = VR_OK;
    error.axis = -1;
    error.index = error.extent = error.raised = 0;
    error.function[0] = error.loc[0] = error.array[0] = error.message[0] = '\0';
  }
};
#endif
#endif
