// Scans as tasks of a section (runtime/gpu/library/scan.hpp).
#pragma once
#include "runtime/gpu/library/scan.hpp"
#include "runtime/gpu/routine.hpp"
#include "runtime/gpu/temporaries.hpp"

namespace vr::gpu {

/// Scans the lines of `from`; every element of `to`, which does not overlap it, is written. Throws Refused if this
/// device cannot do it, device::Failure, std::bad_alloc.
void scan_on_device(Section& section, Shared& shared, Temporaries& temporaries, const ScanForm& form,
                    const Lines& lines, const vr_array& from, const vr_array& to);

}  // namespace vr::gpu
