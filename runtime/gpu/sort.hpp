// Sorting as tasks of a section.
#pragma once
#include "runtime/gpu/library/lines.hpp"
#include "runtime/gpu/routine.hpp"
#include "runtime/gpu/temporaries.hpp"

namespace vr::gpu {

/// Sorts along an axis as vr_rt_sort and vr_rt_sort_index do. `to` and, unless it is null, `positions`, an int64 array
/// of the same extents, are new arrays. Throws Refused if this device cannot do it, device::Failure, std::bad_alloc.
void sort_on_device(Section& section, Shared& shared, Temporaries& temporaries, const vr_array& from,
                    const vr_array& to, const vr_array* positions, int32_t axis, int64_t base);

}  // namespace vr::gpu
