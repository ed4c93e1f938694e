#!/usr/bin/env python3
"""Checks the dependencies that docs/architecture.md states: reads the #include lines of every folder, and of the layers in
src/lower, and reports each that is not allowed, and the few names that some layers must not use.

  include_rules.py ROOT        checks the repository; a line FILE:LINE: per violation, exit 1 when there is any
  include_rules.py --self-test plants violations in a temporary tree and expects each to be found
"""
import pathlib
import re
import sys

import planted

SOURCES = {".c", ".cc", ".cpp", ".h", ".hpp", ".def", ".inc", ".in"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

# The components, one per folder, and the components that each may include. A component may always use itself and the public headers. "abi" is runtime/abi.h, abi.def, accesses.hpp and carried.hpp alone.
IR = {"support", "ir"}
COMPONENTS = {
    # component: (folder, components that it may include)
    "public": ("include", set()),
    "support": ("src/support", set()),
    "ir": ("src/ir", {"support"}),
    "grammar": ("vrir-grammar", {"support", "ir", "text"}),
    "text": ("src/text", IR | {"grammar"}),
    "interp": ("src/interp", IR | {"runtime"}),
    "solvers": ("src/solvers", set()),
    "analysis": ("src/analysis", IR | {"solvers"}),
    "transform": ("src/transform", IR | {"analysis"}),
    # The loop form, its text, verifier, analyses and transformations. An analysis may not include a transformation, nor a
    # transformation another one, nor a code generator any of them.
    "loop": ("src/loop", {"support", "abi"}),
    "loop_text": ("src/loop/text", {"support", "loop"}),
    "loop_verify": ("src/loop/verify", {"support", "loop", "abi"}),
    "loop_analysis": ("src/loop/analysis", {"support", "loop", "abi"}),
    "loop_transform": ("src/loop/transform", {"support", "loop", "loop_analysis", "abi"}),
    "lower": ("src/lower", IR | {"analysis", "loop", "loop_analysis", "abi"}),
    "pipeline": ("src/pipeline", IR | {"analysis", "transform", "lower", "loop", "loop_transform", "loop_verify"}),
    "codegen_llvm": ("src/codegen/llvm", IR | {"loop", "loop_analysis", "loop_verify", "abi"}),
    "codegen_c_family": ("src/codegen/c_family", IR | {"loop"}),
    "codegen_c99": ("src/codegen/c99", IR | {"loop", "loop_analysis", "codegen_c_family", "abi"}),
    "codegen_opencl": ("src/codegen/opencl", IR | {"loop", "codegen_c_family", "loop_analysis", "loop_verify", "abi"}),
    "runtime": ("runtime", {"support", "abi", "device"}),
    # The device layer, and its drivers: no other component uses a device API.
    "device": ("runtime/device", {"support", "device_opencl", "device_cuda"}),
    "device_opencl": ("runtime/device/opencl", {"support", "device", "raijincl"}),
    "device_cuda": ("runtime/device/cuda", {"support", "device"}),
    "raijincl": ("raijincl", set()),
    "engine": ("src/engine", IR | {"text", "interp", "analysis", "transform", "loop", "lower", "pipeline", "codegen_llvm",
                                   "codegen_opencl", "runtime", "abi"}),
    "aot": ("src/aot", IR | {"analysis", "transform", "loop", "lower", "pipeline", "codegen_llvm", "codegen_opencl", "codegen_c99",
                             "engine", "runtime", "abi"}),
    "capi": ("src/capi", IR | {"engine", "aot", "abi"}),
    "library": ("src/library", {"engine"}),
    "tool": ("src/tool", IR | {"text", "interp", "analysis", "transform", "loop", "loop_analysis", "loop_text", "loop_verify", "lower", "pipeline", "codegen_llvm",
                               "codegen_opencl", "runtime", "abi", "engine", "aot"}),
    "hosts": ("hosts", set()),
    "hosts_octave": ("hosts/octave", set()),  # under the GPL when it is built: nothing else may use Octave
    "examples": ("examples", set()),
    "bench": ("bench", set()),
}
# Benchmarks of single components include their internal headers; programs that represent a host do not.
COMPONENTS["bench"] = ("bench", set(COMPONENTS) - {"bench", "tool", "hosts", "examples"})

# The runtime does not use IR trees: it may include only these public headers.
RUNTIME_PUBLIC = {"velociraptor/descriptor.h", "velociraptor/aot.h", "velociraptor/aot_versions.h", "velociraptor/status.hpp", "velociraptor/array.hpp",
                  "velociraptor/binding.hpp", "velociraptor/ir/types.hpp", "velociraptor/ir/elements.hpp", "velociraptor/ir/elements.def"}
# The components that may include headers of these libraries; no other component may.
LIBRARIES = [
    (re.compile(r"^(llvm|llvm-c)/"), {"codegen_llvm"}, "LLVM"),
    (re.compile(r"^antlr4"), {"text", "grammar"}, "ANTLR"),
    (re.compile(r"^(CL/|OpenCL/)"), {"device_opencl", "raijincl", "bench"}, "OpenCL"),
    (re.compile(r"^CLI/"), {"tool"}, "CLI11"),
    (re.compile(r"^(tbb|oneapi/tbb)/"), {"runtime", "bench"}, "TBB"),
    (re.compile(r"^(cblas|lapacke)"), {"runtime", "raijincl", "bench"}, "a numeric library"),
    (re.compile(r"^pocketfft"), {"runtime"}, "pocketfft"),
    (re.compile(r"^glpk"), {"solvers"}, "GLPK"),
    (re.compile(r"^sha2\.h$"), {"support"}, "libmd"),
    (re.compile(r"^octave/"), {"hosts_octave"}, "Octave"),
]
ABI = re.compile(r"^runtime/(abi\.h|abi\.def|accesses\.hpp|carried\.hpp|parts\.def)$")
# The runtime's table of library functions is generated from the language's table.
LIBRARY_TABLE = ({"runtime/library/table.cpp", "runtime/aot/library_table.cpp", "runtime/aot/register.inc"}, "ir/library.def")
# Prefix of an include path -> its component.
PREFIXES = [("velociraptor/", "public"), ("runtime/device/opencl/", "device_opencl"), ("runtime/device/cuda/", "device_cuda"), ("runtime/device/", "device"), ("runtime/", "runtime"), ("raijincl/", "raijincl"), ("support/", "support"),
            ("ir/", "ir"), ("text/", "text"), ("interp/", "interp"), ("analysis/", "analysis"), ("solvers/", "solvers"), ("transform/", "transform"),
            ("loop/text/", "loop_text"), ("loop/verify/", "loop_verify"), ("loop/analysis/", "loop_analysis"),
            ("loop/transform/", "loop_transform"), ("loop/", "loop"), ("lower/", "lower"), ("pipeline/", "pipeline"), ("codegen/llvm/", "codegen_llvm"),
            ("codegen/c_family/", "codegen_c_family"), ("codegen/c99/", "codegen_c99"),
            ("codegen/opencl/", "codegen_opencl"), ("engine/", "engine"), ("aot/", "aot"), ("capi/", "capi"), ("library/", "library"),
            ("tool/", "tool"),
            ("src/", "unknown"), ("include/", "unknown")]


# Within src/lower: the files that each file may include. Files that are not listed lower trees ("lowering").
LOWER = "src/lower/"
LAYERS = {
    # layer: (files without their ending, layers that they may include)
    "module": ("lower module_lowering", {"module"}),
    "analyses": ("last_uses", {"analyses"}),
    # Emits code for scalars and addresses; uses neither array values nor trees.
    "emitter": ("emitter elementwise overflow complex complex_hyperbolic complex_log inverse_erf power random", {"emitter"}),
    "lowering": ("", {"module", "analyses", "emitter", "lowering"}),
}
LAYER_OF = {file: layer for layer, (files, _) in LAYERS.items() for file in files.split()}
# This file begins the lowering of each function.
DRIVERS = {"lower.cpp": {"lowering"}}
# Only in these files of src/lower, or of these layers: a pattern that the code of the others must not have, and why.
SYMBOLS = [
    (re.compile(r"\b(ArrayGen|ArrayValue|Slot|View|Lowering)\b"), {"lowering", "module"}, set(),
     "knows no values of arrays, and nothing of the lowering of trees"),
    (re.compile(r"\bir::(Expr|ExprPtr|Stmt|StmtPtr|Body|Function|Module|Symbol|SymbolId|SymbolTable|Name|Index|Subscript|"
                r"Assign|For|PFor|While|If|Range|Domain|LibCall|FnCall|Alloc|as|visit|walk_\w+)\b(?!::)"),
     {"lowering", "module", "analyses"}, set(), "knows no tree"),
    (re.compile(r"(?<!\w)(x|x_)\s*\.\s*offset\s*\("), set(), {"linearise.cpp", "byte_range.cpp", "view.cpp", "contract.cpp", "residence.cpp"},
     "linearise makes addresses (and where a view begins, and which bytes an array takes or the host needs); name subscripts with at()"),
    (re.compile(r"(?<!\w)(x|x_)\s*\.\s*load\s*\(|(?<!struct )\bStore\s*\{"), {"loop_text"},
     {"index.cpp", "host_version.cpp", "contract.cpp", "split_reductions.cpp", "grid.cpp", "scan.cpp", "share_writer.cpp", "distribute.cpp", "expand_arrays.cpp", "split_sums.cpp", "if_convert.cpp", "tile_jam.cpp", "blocks.cpp", "march.cpp", "slide.cpp", "staged_tile.cpp", "promote.cpp", "strip.cpp", "stage.cpp", "keep_rows.cpp", "vectors.cpp", "offload.cpp", "reduce.cpp", "reduce_axis.cpp", "reduce_pieces.cpp"},
     "elements are loaded and stored by load() and store() of index.hpp"),
]
# Names of CUDA, and of OpenCL, outside of their drivers.
CUDA_NAME = (re.compile(r"\bcu(?:da)?[A-Z]\w+|\bCU(?:DA)?_\w+|\bCU(?:result|device|deviceptr|context|module|function|stream|event)\b"),
             "only the driver of CUDA knows its names")
CL_NAME = (re.compile(r"\bcl_(?!khr_)\w+|\bcl[A-Z]\w+|\bCL_[A-Z]\w+|\bcl::\w+"), "only the driver of OpenCL knows its names")
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)


def layer_of(name):
    return LAYER_OF.get(name.rsplit(".", 1)[0], "lowering")


def code_of(text):
    """The text with comments and strings replaced by blanks."""
    return COMMENT_OR_TEXT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def device_findings(root):
    """Names of OpenCL and of CUDA in the runtime and in the engine."""
    for folder in ("runtime", "src/engine"):
        for file in sorted((root / folder).rglob("*.?pp")):
            path = file.relative_to(root).as_posix()
            code = code_of(file.read_text(errors="replace"))
            for names, driver in ((CL_NAME, "device_opencl"), (CUDA_NAME, "device_cuda")):
                if component_of(path) == driver:
                    continue
                for m in names[0].finditer(code):
                    yield f"{path}:{code.count(chr(10), 0, m.start()) + 1}: {m[0]}: {names[1]}"


def symbol_findings(path, layer, text):
    """The lines of the file that contain names that its layer must not use."""
    code = code_of(text)
    for pattern, layers, those, why in SYMBOLS:
        if layer not in layers and pathlib.PurePosixPath(path).name not in those:
            for m in pattern.finditer(code):
                yield f"{path}:{code.count(chr(10), 0, m.start()) + 1}: {m[0]}: {why}"


def layer_findings(root):
    """Violations of the layers in src/lower, and of SYMBOLS there and in src/loop."""
    files = sorted((root / LOWER).glob("*.?pp")) + sorted((root / LOWER).glob("*.def"))
    names = {f.name.rsplit(".", 1)[0] for f in files}
    if len(files) > 50:  # the repository, not a planted tree
        yield from (f"LAYERS: there is no file {LOWER}{n}" for n in sorted(set(LAYER_OF) - names))
    for file in files:
        path, layer, text = LOWER + file.name, layer_of(file.name), file.read_text(errors="replace")
        if file.name == "lower.cpp":
            layer = "lowering"
        allowed = LAYERS[layer][1] | DRIVERS.get(file.name, set())
        for number, line in enumerate(text.splitlines(), 1):
            m = INCLUDE.match(line)
            if m and m[2].startswith("lower/") and layer_of(m[2][6:]) not in allowed:
                yield f"{path}:{number}: #include of {m[2]}: {layer} may not use {layer_of(m[2][6:])}"
        yield from symbol_findings(path, layer, text)
    for file in sorted((root / "src/loop").rglob("*.?pp")):
        path = file.relative_to(root).as_posix()
        yield from symbol_findings(path, "loop_text" if "/text/" in path else "loop", file.read_text(errors="replace"))


def component_of(path):
    """The component of the file: the one with the longest folder that contains it."""
    found = [(len(folder), component) for component, (folder, _) in COMPONENTS.items() if path.startswith(folder + "/")]
    return max(found)[1] if found else None


def violation(component, path, folder, quoted, target, root):
    """Why this #include line is not allowed, or None."""
    for pattern, owners, name in LIBRARIES:
        if pattern.match(target) and component not in owners:
            return f"only {', '.join(sorted(owners))} may use {name}"
    used = next((r for prefix, r in PREFIXES if target.startswith(prefix)), None)
    if used is None or not (quoted or used == "public" or used == "raijincl"):
        # A name without a folder: a neighbour in the same folder, or a library's header.
        if quoted and ".." in pathlib.PurePosixPath(target).parts:
            return "relative paths hide the component; write the path from src/ or the root"
        return None
    if used == "unknown":
        return "write the path as other components do (lower/lower.hpp, runtime/abi.h, velociraptor/engine.hpp)"
    if quoted and used != "public" and (root / folder / target).exists() and component_of(f"{folder}/{target}") == component:
        return None  # a subfolder of the component that has the name of another component
    if used == "public":
        if component in ("runtime", "device", "device_opencl", "device_cuda") and target not in RUNTIME_PUBLIC:
            return "the runtime knows no IR: only descriptor, status, array, binding and ir/types of the public headers"
        if component == "raijincl":
            return "raijincl stands alone"
        return None
    if used == component:
        return None
    allowed = COMPONENTS[component][1]
    if path in LIBRARY_TABLE[0] and target == LIBRARY_TABLE[1]:
        return None
    if ABI.match(target) and ("abi" in allowed or used in allowed):
        return None
    return None if used in allowed else f"{component} may not use {used}"


def check(root):
    findings = []
    for component, (folder, _) in COMPONENTS.items():
        for file in sorted((root / folder).rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.suffix not in SOURCES or not file.is_file() or component_of(path) != component:
                continue
            for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
                m = INCLUDE.match(line)
                why = m and violation(component, path, file.parent.relative_to(root).as_posix(), m[1] == '"', m[2], root)
                if why:
                    findings.append(f"{path}:{number}: #include of {m[2]}: {why}")
    return findings + list(layer_findings(root)) + list(device_findings(root))


PLANTED = {  # file: (line, whether it must be refused)
    "src/ir/a.cpp": ('#include "text/print.hpp"', True),
    "src/ir/b.cpp": ("#include <velociraptor/ir/nodes.hpp>", False),
    "src/engine/c.cpp": ("#include <llvm/IR/Module.h>", True),
    "src/codegen/llvm/d.cpp": ("#include <llvm/IR/Module.h>", False),
    "src/codegen/llvm/e.cpp": ('#include "runtime/gpu/session.hpp"', True),
    "src/codegen/llvm/f.cpp": ('#include "runtime/abi.h"', False),
    "src/lower/g.cpp": ('  #  include "pipeline/pipeline.hpp"', True),
    "src/lower/emitter.cpp": ('#include "lower/array_value.hpp"', True),
    "src/lower/emitter.hpp": ("bool shared(const View& v);", True),
    "src/loop/exprs.cpp": ('#include "lower/emitter.hpp"', True),
    "src/loop/exprs.hpp": ("ExprP of(const ir::Expr& e);", True),
    "src/loop/walk.cpp": ('#include "loop/analysis/movers.hpp"', True),
    "src/lower/elementwise.cpp": ("ScalarValue of(Lowering& f, Kind k); if (k == ir::Kind::Plus) return;", True),
    "src/lower/complex.cpp": ("if (k == ir::Kind::Index) return;", False),
    "src/lower/last_uses.cpp": ('#include "lower/emitter.hpp"', True),
    "src/lower/affine.hpp": ("bool affine(const ir::Expr& e);", False),
    "src/loop/transform/lanes.cpp": ('#include "lower/index.hpp"', True),
    "src/loop/analysis/movers.cpp": ('#include "loop/walk.hpp"', False),
    "src/loop/analysis/home_state.cpp": ("std::set<ir::SymbolId> known;", True),
    "src/loop/transform/residence.cpp": ("// an ArrayGen is no ir::Expr, says ir::walk_exprs", False),
    "src/loop/text/print.cpp": ('#include "loop/verify/check.hpp"', True),
    "src/loop/text/parse.cpp": ("Slot parse();", True),
    "src/loop/verify/check.cpp": ('#include "loop/text/parse.hpp"', True),
    "src/lower/array.cpp": ('#include "loop/transform/linearise.hpp"', True),
    "src/lower/offload.cpp": ('#include "loop/analysis/element_nest.hpp"', False),
    "src/loop/analysis/loop_work.cpp": ('#include "loop/transform/linearise.hpp"', True),
    "src/loop/transform/parallelise.cpp": ('#include "loop/analysis/loop_work.hpp"', False),
    "src/codegen/opencl/q.cpp": ('#include "loop/transform/lanes.hpp"', True),
    "src/codegen/opencl/r.cpp": ('#include "loop/analysis/lane_access.hpp"', False),
    "src/pipeline/s.cpp": ('#include "loop/transform/lanes.hpp"', False),
    "src/lower/lower.cpp": ('#include "lower/function.hpp"', False),
    "src/lower/lower.hpp": ('#include "lower/function.hpp"', True),
    "src/lower/slice.cpp": ("v.data = f.x.offset(v.data, bytes);", True),
    "src/lower/view.cpp": ("v.data = f.x.offset(v.data, bytes); p = o.offset(i);", False),
    "src/lower/pfor.cpp": ("f.out.emit(Store{data, f.x.at(i, 8), v});", True),
    "src/lower/loop.cpp": ("ExprP e = f.x.load(type, data, at);", True),
    "src/lower/call.cpp": ("ScalarValue v = load(f.out, data, f.x.at(i, 8), elem, false); auto n = store(f.out);", False),
    "runtime/cpu/h.cpp": ("#include <velociraptor/ir/nodes.hpp>", True),
    "runtime/gpu/i.cpp": ("#include <CL/cl.h>", True),
    "runtime/gpu/i2.cpp": ("void run(cl_mem buffer);", True),
    "runtime/gpu/i3.cpp": ('const char* s = "cl_khr_fp64";  // cl_mem', False),
    "runtime/gpu/i4.cpp": ('#include "raijincl/gemm.hpp"', True),
    "runtime/gpu/i5.cpp": ('#include "runtime/device/device.hpp"', False),
    "runtime/gpu/i6.cpp": ('#include "runtime/device/opencl/queue.hpp"', True),
    "runtime/device/opencl/i7.cpp": ("#include <CL/cl.h>", False),
    "runtime/device/opencl/i8.cpp": ('#include "runtime/gpu/session.hpp"', True),
    "runtime/device/cuda/i9.cpp": ("CUresult r = cuInit(0);", False),
    "runtime/device/cuda/i10.cpp": ('#include "runtime/device/opencl/queue.hpp"', True),
    "runtime/device/opencl/i11.cpp": ("void run(CUstream stream);", True),
    "runtime/gpu/i12.cpp": ("int r = cuInit(0);", True),
    "runtime/gpu/i13.cpp": ('#include "runtime/device/cuda/queue.hpp"', True),
    "runtime/cpu/j.cpp": ('#include "engine/state.hpp"', True),
    "include/velociraptor/k.hpp": ('#include "runtime/abi.h"', True),
    "hosts/python/l.cpp": ('#include "engine/state.hpp"', True),
    "hosts/matlab/l2.cpp": ("#include <octave/oct.h>", True),
    "hosts/octave/l3.cpp": ("#include <octave/oct.h>", False),
    "raijincl/m.cpp": ("#include <velociraptor/array.hpp>", True),
    "raijincl/core/m2.cpp": ('#include "support/check.hpp"', True),
    "raijincl/core/m3.cpp": ('#include "runtime/gpu/session.hpp"', True),
    "raijincl/core/m4.cpp": ('#include "raijincl/status.hpp"', False),
    "src/tool/n.cpp": ('#include "engine/state.hpp"', False),
    "src/text/o.cpp": ('#include "../interp/interp.hpp"', True),
    "examples/p.cpp": ("#include <antlr4-runtime.h>", True),
}


if __name__ == "__main__":
    sys.exit(planted.main(__doc__, check, PLANTED, "every #include follows the arrows"))
