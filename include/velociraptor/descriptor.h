/* The plain C structures that hosts, the runtime and generated code share. Nothing else is in this header.
 *
 * Layout is part of the ABI (VR_ABI_VERSION); generated code reads these fields directly. */
#ifndef VELOCIRAPTOR_DESCRIPTOR_H
#define VELOCIRAPTOR_DESCRIPTOR_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define VR_ABI_VERSION 3
#define VR_MAX_RANK 16

/* Element codes (elements.def). A complex element is two adjacent values of the base type: base | VR_COMPLEX.
 * FLOAT16 (binary16 of IEEE 754) and BFLOAT16 (the upper half of a binary32) have no complex numbers. */
enum {
  VR_BOOL = 0,
  VR_INT32 = 1,
  VR_INT64 = 2,
  VR_FLOAT32 = 3,
  VR_FLOAT64 = 4,
  VR_INT8 = 5,
  VR_INT16 = 6,
  VR_UINT8 = 7,
  VR_UINT16 = 8,
  VR_UINT32 = 9,
  VR_UINT64 = 10,
  VR_FLOAT16 = 11,
  VR_BFLOAT16 = 12,
  VR_COMPLEX = 16
};

/* Keeps an array's storage alive; private to the runtime (runtime/abi.h). */
typedef struct vr_owner vr_owner;

/* vr_array.flags. Bits without a name are 0.
 * READ_ONLY: a store to the elements through this descriptor, or through anything derived from it (slices and other views,
 * other references, results that share its elements), is fault VR_READ_ONLY. A copy may be written. */
enum { VR_ARRAY_READ_ONLY = 1 };

/* The descriptor of an array: address of element (0,...,0), element type, extents, strides and owner. */
typedef struct vr_array {
  void* data;                   /* address of element (0, ..., 0); may be NULL when the array has no element */
  vr_owner* owner;              /* reference that keeps `data` valid; NULL when the caller guarantees that (borrowed) */
  int32_t elem;                 /* element code, | VR_COMPLEX */
  int32_t rank;                 /* 1 .. VR_MAX_RANK */
  int32_t flags;                /* VR_ARRAY_... */
  int32_t reserved;             /* 0 */
  int64_t extent[VR_MAX_RANK];  /* elements per dimension, >= 0; only the first `rank` entries mean anything */
  int64_t stride[VR_MAX_RANK];  /* bytes to the next element along a dimension; any sign, zero allowed */
} vr_array;

/* One argument or result of a compiled function. The function's type determines which member is used. */
typedef union vr_value {
  uint8_t b;
  int8_t i8;
  int16_t i16;
  int32_t i32;
  int64_t i64;
  uint8_t u8;
  uint16_t u16;
  uint32_t u32;
  uint64_t u64;
  uint16_t f16;  /* the bits of a float16 */
  uint16_t bf16; /* the bits of a bfloat16 */
  float f32;
  double f64;
  uint8_t cb[2];
  int8_t ci8[2];
  int16_t ci16[2];
  int32_t ci32[2];
  int64_t ci64[2];
  uint8_t cu8[2];
  uint16_t cu16[2];
  uint32_t cu32[2];
  uint64_t cu64[2];
  float cf32[2];
  double cf64[2];
  vr_array* array;
  void* function; /* a vr_entry, for arguments of function type */
} vr_value;

/* Status codes; 0 is success. 1..19 are faults of running code and fill a vr_error; 20.. are errors in a program's text or in
 * the use of the API. */
enum {
  VR_OK = 0,
  VR_OUT_OF_BOUNDS = 1,
  VR_SHAPE_MISMATCH = 2,
  VR_SIZE = 3,
  VR_DIV_BY_ZERO = 4,
  VR_OUT_OF_MEMORY = 5,
  VR_STACK = 6,
  VR_TYPE = 7,
  VR_DEVICE = 8,
  VR_HOST = 9,
  VR_FORKED = 10,
  VR_INTERRUPTED = 11,
  VR_READ_ONLY = 12,
  VR_RAISED = 13,
  VR_OVERFLOW = 14,
  VR_SYNTAX = 20,
  VR_VERIFY = 21,
  VR_UNSUPPORTED = 22,
  VR_NOT_FOUND = 23,
  VR_USAGE = 24,
  VR_INTERNAL = 25
};

/* The record of a run-time fault. Strings are NUL-terminated and truncated when too long; unknown ones are empty. */
typedef struct vr_error {
  int32_t code;       /* VR_OUT_OF_BOUNDS ... */
  int32_t axis;       /* 0-based dimension of the array, -1 when the fault is not about a subscript */
  int64_t index;      /* the subscript as the user wrote it (in the module's base, before negative wrap) */
  int64_t extent;     /* the array's extent along `axis` */
  char function[64];  /* VRIR function in which it happened */
  char loc[128];      /* :loc of the statement or file:line:col of the text */
  char array[64];     /* the array's name */
  char message[256];  /* one sentence for people; RAISED: the statement's text */
  int32_t raised;     /* HOST, failed host function: its code. RAISED: the code of the raise statement, whose numbers are in index
                         and extent, floating ones as the bits of a double */
} vr_error;

/* A call of a host function (docs/c-api.md, "Functions of your own"); passed to that function. */
typedef struct vr_external_call {
  void* state; /* the engine's */
  /* Allocates result k, an array of the declared type, with these extents (as many as its rank); elements are undefined.
   * NULL: no memory, or result k is no array; the host function must then return. */
  vr_array* (*make)(struct vr_external_call*, int32_t k, const int64_t* extents);
  /* Reports why the host function fails, which must then return the value of this call. `code` is chosen by the host
   * (vr_error.raised). */
  int32_t (*fail)(struct vr_external_call*, int32_t code, const char* text);
} vr_external_call;

/* A host function: returns 0, or what fail() returned. Array arguments are borrowed: descriptors and elements must not be kept
 * beyond the call. Scalar results are stored in results[k], array results are allocated with make(). Called with the host's
 * lock held; must not unwind. */
typedef int32_t (*vr_external)(void* data, vr_external_call*, const vr_value* args, vr_value* results);

/* Opaque per-call state, made by the engine. */
typedef struct vr_context vr_context;

/* Every compiled function has this type. Arrays are passed by descriptor; the callee consumes one reference of each
 * array argument's owner (also when it fails) and gives one to the caller with each array result. The caller provides
 * the descriptors of array results (results[k].array). Returns VR_OK or the code of the error record in the context. */
typedef int32_t (*vr_entry)(vr_context*, const vr_value* args, vr_value* results);

#ifdef __cplusplus
}
#endif
#endif
