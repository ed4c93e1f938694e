"""Conan recipe of Velociraptor: the shared library, its headers and the tool vrir.

    conan create packaging/conan --build=missing        from a checkout (docs/packaging.md)

LLVM, the ANTLR runtime (the generated parser needs that of version 4.9), LAPACKE, OpenCL and libmd are packages of the
system: ConanCenter has none of them, or not in this version.
"""
from pathlib import Path
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load
from conan.tools.system.package_manager import Apt

required_conan_version = ">=2.0"


class VelociraptorConan(ConanFile):
    name = "velociraptor"
    description = "Embeddable JIT compiler toolkit for array languages"
    license = "Apache-2.0"
    topics = ("compiler", "jit", "arrays", "opencl")
    package_type = "shared-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"with_opencl": [True, False], "with_boehm": [True, False]}
    default_options = {"with_opencl": True, "with_boehm": True}

    def set_version(self):
        text = load(self, Path(self.recipe_folder, "../../CMakeLists.txt"))
        self.version = re.search(r"project\(Velociraptor VERSION ([0-9.]+)", text)[1]

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("Velociraptor runs on Linux only")

    def requirements(self):
        # Private: no header of the package includes theirs.
        for reference in ("fmt/10.2.1", "nlohmann_json/3.11.3", "cli11/2.4.2", "onetbb/2021.12.0"):
            self.requires(reference, headers=False, visible=False, **({} if "tbb" in reference or "fmt" in reference else {"libs": False}))

    def system_requirements(self):
        packages = ["llvm-19-dev", "libantlr4-runtime-dev", "uuid-dev", "libopenblas-dev", "liblapacke-dev", "libmd-dev", "pkg-config"]
        if self.options.with_opencl:
            packages += ["ocl-icd-opencl-dev", "opencl-headers"]
        if self.options.with_boehm:
            packages.append("libgc-dev")
        Apt(self).install(packages, check=True)

    def export_sources(self):
        root = Path(self.recipe_folder, "../..")
        for pattern in ("CMakeLists.txt", "LICENSE", "NOTICE", "sbom.spdx.json", "cmake/*", "include/*", "raijincl/*", "runtime/*", "src/*",
                        "third_party/*", "vrir-grammar/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        tc = CMakeToolchain(self)
        for name in ("TESTS", "BENCH", "EXAMPLES", "PYTHON", "MATLAB", "OCTAVE"):
            tc.cache_variables[f"VR_BUILD_{name}"] = False
        tc.cache_variables["VR_WITH_GLPK"] = False  # under the GPL
        tc.cache_variables["VR_WITH_OPENCL"] = bool(self.options.with_opencl)
        tc.cache_variables["VR_WITH_BOEHM"] = bool(self.options.with_boehm)
        tc.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        for name in ("LICENSE", "NOTICE"):
            copy(self, name, self.source_folder, Path(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["velociraptor"]
        self.cpp_info.set_property("cmake_file_name", "Velociraptor")
        self.cpp_info.set_property("cmake_target_name", "Velociraptor::velociraptor")
        self.cpp_info.set_property("pkg_config_name", "velociraptor")
