#include "aot/parts.hpp"

#include "ir/library.hpp"
#include "loop/runtime_table.hpp"
#include "loop/walk.hpp"
#include "support/own_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string_view>

namespace vr::aot {

namespace {

struct Part {
  const char* name;
  std::string_view needs;
};
constexpr Part all_parts[] = {
#define VR_PART(name, needs) {#name, #needs},
#include "runtime/parts.def"
};

/// Null: the function is in the core part.
const char* part_of(lower::rt::Fn fn) {
  switch (fn) {
#define VR_PART_FN(Fn, part) \
  case lower::rt::Fn:        \
    return #part;
#include "runtime/parts.def"
    default:
      return nullptr;
  }
}

struct LibraryPart {
  ir::Lib id;
  const char* part;
};
constexpr LibraryPart library_parts[] = {
#define VR_PART_LIB(Id, part) {ir::Lib::Id, #part},
#include "runtime/parts.def"
};
constexpr const char* part_of(ir::Lib id) {
  for (const LibraryPart& p : library_parts)
    if (p.id == id) return p.part;
  return nullptr;
}
#define VR_LIB(...)
#define VR_LIB_CALLED(Id, ...) static_assert(part_of(ir::Lib::Id), "a row of runtime/parts.def is missing");
#include "ir/library.def"

constexpr const char* library_names[] = {
#define VR_LIB(Id, name, ...) name,
#define VR_LIB_CALLED(Id, name, ...) name,
#include "ir/library.def"
};

bool there(const std::filesystem::path& folder, const std::string& library, bool shared) {
  std::error_code ignored;
  return std::filesystem::exists(folder / (library + ".so"), ignored) ||
         (!shared && std::filesystem::exists(folder / (library + ".a"), ignored));
}

/// Whether the ELF file is for that architecture, one of other_architecture().
bool is_for(const std::filesystem::path& file, const std::string& architecture) {
  constexpr unsigned char x86_64 = 62, aarch64 = 183;  // e_machine
  unsigned char head[20] = {};
  std::ifstream(file, std::ios::binary).read(reinterpret_cast<char*>(head), sizeof head);
  return head[18] == (architecture == "aarch64" ? aarch64 : x86_64);
}

/// Something that the code needs: which part, and for what, worded for an error message.
struct Need {
  const char* part;
  std::string what;
};

/// The function that the statement calls, if it is not in the core. Part "": a function that the runtime of built
/// libraries lacks.
std::vector<Need> needs_of(const lower::Stmt& s) {
  const char* kernels = "kernels of accelerated sections";
  if (std::holds_alternative<lower::Launch>(s.node)) return {{"opencl", kernels}};
  const auto* call = std::get_if<lower::Call>(&s.node);
  if (!call) return {};
  const auto fn = static_cast<lower::rt::Fn>(call->fn);
  const std::string symbol = lower::runtime_table[fn].symbol;
  if (fn == lower::rt::External) return {{"", "functions of the host"}};
  std::vector<Need> needs;
  if (symbol.starts_with("vr_gpu_")) needs.push_back({"opencl", kernels});
  if (fn == lower::rt::Library) {
    const auto id = static_cast<size_t>(call->args[1].value->ival);
    needs.push_back({part_of(static_cast<ir::Lib>(id)), library_names[id]});
  }
  if (const char* part = part_of(fn)) needs.push_back({part, symbol});
  return needs;
}

}  // namespace

Result<Runtime> find_runtime(const BuildOptions& options, const std::string& architecture, bool shared) {
  Runtime found;
  found.architecture = architecture;
  if (!options.runtime.empty()) {
    if (!there(options.runtime, "libvrrt", shared))
      return make_error(Code::NotFound,
                        fmt::format("{}: there is no libvrrt in this folder", options.runtime.string()));
    if (shared && !architecture.empty() && !is_for(options.runtime / "libvrrt.so", architecture))
      return make_error(Code::NotFound, fmt::format("{}: libvrrt.so in this folder is not for {}",
                                                    options.runtime.string(), architecture));
    found.folder = options.runtime;
  } else {
    const std::filesystem::path own = own_folder();
    const std::string other = architecture.empty() ? "" : architecture + "-linux-gnu";
    for (const char* way : {".", "../lib", "../" VR_LIBDIR})
      if (found.folder.empty() && there(own / way / other, "libvrrt", shared))
        found.folder = (own / way / other).lexically_normal();
    if (found.folder.empty() && !architecture.empty())
      return make_error(Code::NotFound,
                        fmt::format("the runtime of built libraries for {} (libvrrt{}) is not installed in {}; "
                                    "-DVR_RUNTIME_TARGETS={} builds it, --runtime says where it is",
                                    architecture, shared ? ".so" : "",
                                    (own / "../lib" / other).lexically_normal().string(), architecture));
    if (found.folder.empty())
      return make_error(Code::NotFound,
                        fmt::format("the runtime of built libraries (libvrrt{}) is not installed beside {}",
                                    shared ? ".so" : "", own.string()));
  }
  for (const Part& p : all_parts) {
    const bool wanted =
        !options.parts || std::find(options.parts->begin(), options.parts->end(), p.name) != options.parts->end();
    if (wanted && there(found.folder, std::string("libvrrt_") + p.name, shared)) found.parts.push_back(p.name);
  }
  std::vector<std::string> names;
  for (const Part& p : all_parts) names.push_back(p.name);
  for (const std::string& wanted : options.parts.value_or(std::vector<std::string>()))
    if (std::find(names.begin(), names.end(), wanted) == names.end())
      return make_error(Code::Usage,
                        fmt::format("'{}' is no part of the runtime; there are {}", wanted, fmt::join(names, ", ")));
  return found;
}

Result<std::vector<std::string>> needed_parts(const lower::Module& m, bool parallel, const Runtime& runtime) {
  std::set<std::string_view> needed;
  std::optional<Error> missing;
  auto add = [&](const std::string& function, const char* part, const std::string& what) {
    if (missing) return;
    if (!*part) {
      missing = make_error(Code::Unsupported,
                           fmt::format("function '{}' needs {}, which built libraries cannot have", function, what));
      return;
    }
    for (std::string_view p = part; p != "core";) {
      if (std::find(runtime.parts.begin(), runtime.parts.end(), p) == runtime.parts.end()) {
        missing = make_error(
            Code::Unsupported,
            fmt::format(
                "function '{}' needs {}, of the part '{}' of the runtime, which is not allowed (--parts) or not in {}",
                function, what, part, runtime.folder.string()));
        return;
      }
      needed.insert(p);
      p = std::find_if(std::begin(all_parts), std::end(all_parts), [&](const Part& q) { return q.name == p; })->needs;
    }
  };
  for (const auto& f : m.functions) {
    auto look = [&](const lower::Stmt& s) {
      for (const Need& need : needs_of(s)) add(f->source_name, need.part, need.what);
      if (parallel && std::holds_alternative<lower::ParallelFor>(s.node)) add(f->source_name, "threads", "threads");
      return false;
    };
    lower::any_statement(f->body, look);
    lower::any_statement(f->cleanup, look);
  }
  if (missing) return *missing;
  std::vector<std::string> ordered;
  for (auto p = std::rbegin(all_parts); p != std::rend(all_parts); ++p)
    if (needed.contains(p->name)) ordered.push_back(p->name);
  return ordered;
}

}  // namespace vr::aot
