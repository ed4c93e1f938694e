#include "loop/transform/accesses.hpp"
#include "loop/transform/blocks.hpp"
#include "loop/transform/contract.hpp"
#include "loop/transform/contract_launches.hpp"
#include "loop/transform/cooperate.hpp"
#include "loop/transform/count_bits.hpp"
#include "loop/transform/count_loops.hpp"
#include "loop/transform/disjoint.hpp"
#include "loop/transform/distribute.hpp"
#include "loop/transform/expand_arrays.hpp"
#include "loop/transform/forward.hpp"
#include "loop/transform/fresh.hpp"
#include "loop/transform/grid.hpp"
#include "loop/transform/hoist_checks.hpp"
#include "loop/transform/hoist_guards.hpp"
#include "loop/transform/host_version.hpp"
#include "loop/transform/independent_loops.hpp"
#include "loop/transform/interchange.hpp"
#include "loop/transform/jam.hpp"
#include "loop/transform/jam_serial.hpp"
#include "loop/transform/join_conditions.hpp"
#include "loop/transform/kernel_version.hpp"
#include "loop/transform/lanes.hpp"
#include "loop/transform/linearise.hpp"
#include "loop/transform/march.hpp"
#include "loop/transform/narrow_integers.hpp"
#include "loop/transform/packed_strides.hpp"
#include "loop/transform/pad_loops.hpp"
#include "loop/transform/parallelise.hpp"
#include "loop/transform/persistent_loops.hpp"
#include "loop/transform/poll.hpp"
#include "loop/transform/private_registers.hpp"
#include "loop/transform/privatise.hpp"
#include "loop/transform/promote.hpp"
#include "loop/transform/register_tile.hpp"
#include "loop/transform/remainders.hpp"
#include "loop/transform/residence.hpp"
#include "loop/transform/scan.hpp"
#include "loop/transform/share_loops.hpp"
#include "loop/transform/sin_cos.hpp"
#include "loop/transform/single_values.hpp"
#include "loop/transform/sink_loops.hpp"
#include "loop/transform/slide.hpp"
#include "loop/transform/split_reductions.hpp"
#include "loop/transform/split_sums.hpp"
#include "loop/transform/stage.hpp"
#include "loop/transform/stride_loops.hpp"
#include "loop/transform/strip.hpp"
#include "loop/transform/strip_checks.hpp"
#include "loop/transform/unroll.hpp"
#include "loop/transform/vectors.hpp"
#include "loop/transform/version.hpp"
#include "pipeline/loops.hpp"

namespace vr::pipeline {

const std::vector<LoopPass>& loop_table() {
  static const std::vector<LoopPass> table = {
      {"count_bits", "loops that count the ones of a number become an operation", lower::count_bits},
      {"count_loops", "while loops with a counter become counted loops", lower::count_loops},
      {"single_values", "values of kernels' variables that nothing needs later get variables of their own",
       lower::single_values},
      {"join_conditions",
       "conditions that are evaluated one after the other become one expression, if nothing in them can fail",
       lower::join_conditions},
      {"stride_loops", "loops of which only every n-th iteration does something make these iterations alone",
       lower::stride_loops},
      {"split_reductions", "reductions of many elements are cut into parts, which threads share (thesis 4.5.3)",
       lower::split_reductions},
      {"unroll_inner", "short inner loops on the host become straight code", lower::unroll_inner},
      {"disjoint", "whether the arrays of a nest overlap is tested in front of it (thesis 5.4, at run time)",
       lower::disjoint_arrays},
      {"version", "innermost loops get a form without checks, behind a guard (past thesis 5.6)", lower::version},
      {"hoist_guards", "guards of inner loops' versions move in front of outer loops", lower::hoist_guards},
      {"contract", "three loops that sum products become calls of the matrix product, where sums may associate",
       lower::contract},
      {"interchange", "the loop along which most accesses have unit stride becomes the innermost of its nest",
       lower::interchange},
      {"promote_stored", "elements that are stored and then updated by a loop on the host become variables",
       lower::promote_stored},
      {"jam", "several iterations of a loop that updates the same elements run together (unroll and jam)", lower::jam},
      {"kernel_version", "launches get a second kernel without the checks that a guard proves for all work-items",
       lower::kernel_version},
      {"contract_launches",
       "launches that sum products become products of the device's library, where sums may associate",
       lower::contract_launches},
      {"independent_loops", "serial loops of kernels whose iterations are independent count as parallel",
       lower::independent_loops},
      {"sink_loops",
       "serial loops on the host that launch a kernel go into it, if its iterations do not depend on each other",
       lower::sink_loops},
      {"grid", "parallel loops inside of a kernel become dimensions of it, or kernels of their own", lower::grid},
      {"expand_arrays",
       "arrays of a work-item's own become rows of one array, and loops over them dimensions (array expansion)",
       lower::expand_arrays},
      {"split_sums", "long reductions of kernels with few iterations are computed in parts, where sums may associate",
       lower::split_sums},
      {"hoist_checks",
       "checks that no iteration of a kernel's loop changes are made in front of it, and those made already go",
       lower::hoist_checks},
      {"pad_loops", "serial loops from or to the diagonal of a matrix get bounds that blocks of 64 rows have in common",
       lower::pad_loops},
      {"distribute",
       "inner loops and expensive functions of a kernel's serial loop become kernels of their own (loop distribution)",
       lower::distribute},
      {"sin_cos",
       "the sine and the cosine of an angle are computed at the same place, for devices that compute both at once",
       lower::sin_cos},
      {"accesses", "notes which elements kernels access, for transfers", lower::accesses},
      {"promote", "elements that loops of kernels update become variables", lower::promote},
      {"scan", "work-groups share scans of rows and columns, where the order is free (running sums, integral images)",
       lower::scan},
      {"persistent_loops", "serial loops on the host with short launches become one kernel, which one work-group runs",
       lower::persistent_loops},
      {"share_loops",
       "work-groups share loops inside of the serial loops of one iteration, and meet at barriers between them",
       lower::share_loops},
      {"private_registers", "short arrays of a work-item's own become variables, if all subscripts can be constants",
       lower::private_registers},
      {"unroll", "short loops of kernels become straight code", lower::unroll},
      {"forward", "kernels use a stored value where they would load it again", lower::forward},
      {"jam_serial", "iterations of a kernel's serial loop that load the same elements run their inner loops together",
       lower::jam_serial},
      {"packed_strides", "kernels get a form for arrays whose short rows (pixels, points) follow each other",
       lower::packed_strides},
      {"blocks", "work-groups keep their iterations' rows, and tables, in local memory", lower::blocks},
      {"cooperate",
       "teams of work-items share the loops of one iteration, where reductions may associate (rows, sparse rows)",
       lower::cooperate},
      {"stage",
       "work-groups load and store parts of rows together, through local memory (Lime's tiling of inner loops)",
       lower::stage},
      {"register_tile",
       "each work-item runs several iterations at once, which share the elements that their loops load (unPython 4.4)",
       lower::register_tile},
      {"march", "each work-item runs several iterations of a stencil, which share the elements that they load",
       lower::march},
      {"privatise",
       "work-groups of kernels that count or add up by subscripts do so in copies of their own (histograms)",
       lower::privatise},
      {"host_version", "kernels get a form that the CPU runs where the device cannot", lower::host_version, true},
      {"slide", "serial loops of kernels keep elements that the next iterations load again (predictive commoning)",
       lower::slide},
      {"lanes", "short kernels load and store several neighbouring elements at once", lower::lanes},
      {"strip_checks", "serial loops of kernels with checks of what they load run several iterations together",
       lower::strip_checks},
      {"strip", "serial loops of kernels load and store several elements of a row at once", lower::strip},
      {"vectors", "loads and stores of kernels to consecutive elements become vector accesses", lower::vectors},
      {"remainders", "remainders of sums in kernels are computed by a subtraction where that is enough",
       lower::remainders},
      {"narrow_integers", "integers are computed with as few bits as their values need", lower::narrow_integers},
      {"fresh", "launches say which arrays are new and have no contents yet", lower::fresh},
      {"residence", "host code asks for elements that may be on a device before it looks", lower::residence, true},
      {"parallelise", "long loops over the elements of array expressions become tasks (thesis 4.5.3)",
       lower::parallelise},
      {"poll", "long loops poll whether the host wants them to stop", lower::poll},
      {"linearise", "subscripts become addresses", lower::linearise, true},
  };
  return table;
}

}  // namespace vr::pipeline
