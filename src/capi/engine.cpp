// Engines, modules, functions.
#include "capi/handles.hpp"

#include <fmt/format.h>

using namespace vr;
using namespace vr::capi;

vr_module::vr_module(EnginePtr e, Module m)
    : engine(std::move(e)), module(std::move(m)), remarks(module.remarks()) {
  refresh();
}

void vr_module::refresh() {
  report = module.report();
  const CompileInfo i = module.compile_info();
  info = {i.parse_ms,  i.verify_ms, i.passes_ms,  i.lower_ms,
          i.codegen_ms, i.opencl_ms, i.total_ms(), i.background_ms};
}

namespace {

static_assert(int(Module::Dump::LlvmIr) == VR_DUMP_LLVM_IR && int(Module::Dump::Assembly) == VR_DUMP_ASSEMBLY &&
              int(Module::Dump::OpenCl) == VR_DUMP_OPENCL);

Status finish_load(const vr_engine* engine, Result<Module> loaded, vr_module** out) {
  if (!loaded) return loaded.error();
  *out = new vr_module(engine->state, std::move(*loaded));
  return {};
}

Result<LoadOptions> load_options(int32_t dialect, int32_t target) {
  LoadOptions own;
  if (dialect != VR_OF_ENGINE) {
    if (dialect != VR_DIALECT_VRIR && dialect != VR_DIALECT_MCLAB)
      return usage(fmt::format("{} is no VR_DIALECT_...", dialect));
    own.dialect = static_cast<ir::Dialect>(dialect);
  }
  if (target != VR_OF_ENGINE) {
    if (target < VR_TARGET_INTERP || target > VR_TARGET_OPENCL)
      return usage(fmt::format("{} is no VR_TARGET_...", target));
    own.target = static_cast<Target>(target);
  }
  return own;
}

}  // namespace

extern "C" {

vr_status vr_engine_create(const vr_options* options, const vr_host* host, vr_engine** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    std::unique_ptr<const Host> own;
    if (host) {
      auto made = make_host(host);
      if (!made) return made.error();
      own = std::move(*made);
    }
    auto engine = Engine::create(options ? options->options : Options{}, own ? own->binding : builtin_binding());
    if (!engine) return engine.error();
    std::string device = engine->device_name();
    EnginePtr state(new EngineState{std::move(own), std::move(*engine), std::move(device)});
    *out = new vr_engine{std::move(state)};
    return {};
  });
}
vr_status vr_engine_bind(const vr_engine* engine, const char* name, const vr_type* type, vr_external function,
                         void* data, void (*done)(void* data), vr_failure** failure) {
  return border(failure, [&]() -> Status {
    if (!engine || !name || !type) {
      if (done) done(data);
      return null_argument(!engine ? "engine" : !name ? "name" : "type");
    }
    return engine->state->engine.bind(name, *unwrap(type), function, data, done);
  });
}
void vr_engine_free(vr_engine* engine) { delete engine; }
const char* vr_engine_device_name(const vr_engine* engine) { return engine ? engine->state->device.c_str() : ""; }

vr_status vr_module_load_text(const vr_engine* engine, const char* text, size_t length, const char* file,
                              vr_module** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!engine) return null_argument("engine");
    if (!text) return null_argument("text");
    return finish_load(engine, engine->state->engine.load(view_of(text, length), file ? file : "<text>"), out);
  });
}
vr_status vr_module_load_file(const vr_engine* engine, const char* path, vr_module** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!engine) return null_argument("engine");
    if (!path) return null_argument("path");
    return finish_load(engine, engine->state->engine.load_file(path), out);
  });
}
vr_status vr_module_load_tree(const vr_engine* engine, const vr_tree* tree, vr_module** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!engine) return null_argument("engine");
    if (!tree) return null_argument("tree");
    return finish_load(engine, engine->state->engine.load(tree->module), out);
  });
}
vr_status vr_module_load_text_as(const vr_engine* engine, const char* text, size_t length, const char* file,
                                 int32_t dialect, int32_t target, vr_module** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!engine) return null_argument("engine");
    if (!text) return null_argument("text");
    auto own = load_options(dialect, target);
    if (!own) return own.error();
    return finish_load(engine, engine->state->engine.load(view_of(text, length), file ? file : "<text>", *own), out);
  });
}
vr_status vr_module_load_tree_as(const vr_engine* engine, const vr_tree* tree, int32_t dialect, int32_t target,
                                 vr_module** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!engine) return null_argument("engine");
    if (!tree) return null_argument("tree");
    auto own = load_options(dialect, target);
    if (!own) return own.error();
    return finish_load(engine, engine->state->engine.load(tree->module, *own), out);
  });
}
void vr_module_free(vr_module* module) { delete module; }

const char* vr_module_name(const vr_module* m) { return m ? m->module.name().c_str() : ""; }
size_t vr_module_function_count(const vr_module* m) { return m ? m->module.ir().functions.size() : 0; }
const char* vr_module_function_name(const vr_module* m, size_t k) {
  return k < vr_module_function_count(m) ? m->module.ir().functions[k]->name.c_str() : "";
}
vr_status vr_module_function(const vr_module* module, const char* name, vr_function** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!module) return null_argument("module");
    if (!name) return null_argument("name");
    auto f = module->module.function(name);
    if (!f) return f.error();
    *out = new vr_function{module->engine, std::move(*f)};
    return {};
  });
}
vr_status vr_module_tree(const vr_module* module, vr_tree** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!module) return null_argument("module");
    // The tree keeps the module (and its code) alive, because the C++ API returns it only by reference.
    auto keep = std::make_shared<const Module>(module->module);
    *out = new vr_tree{ir::ModulePtr(keep, &keep->ir())};
    return {};
  });
}
const vr_diagnostics* vr_module_remarks(const vr_module* m) { return m ? &m->remarks : nullptr; }
size_t vr_module_report_count(const vr_module* m) { return m ? m->report.size() : 0; }
const char* vr_module_report_line(const vr_module* m, size_t k) {
  return k < vr_module_report_count(m) ? m->report[k].c_str() : "";
}
vr_status vr_module_regions(const vr_module* module, char** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!module) return null_argument("module");
    std::string text;
    for (const RegionInfo& r : module->module.regions()) text += r.text() + "\n";
    *out = copy_text(text);
    return {};
  });
}
int32_t vr_module_optimised(const vr_module* m) { return m && m->module.optimised(); }
vr_status vr_module_wait(vr_module* module, vr_failure** failure) {
  return border(failure, [&]() -> Status {
    if (!module) return null_argument("module");
    module->module.wait();
    module->refresh();
    return {};
  });
}
const vr_compile_info* vr_module_compile_info(const vr_module* m) { return m ? &m->info : nullptr; }
vr_status vr_module_dump(const vr_module* module, int32_t what, char** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!module) return null_argument("module");
    if (what < VR_DUMP_LLVM_IR || what > VR_DUMP_OPENCL) return usage(fmt::format("{} is no VR_DUMP_...", what));
    auto text = module->module.dump(static_cast<Module::Dump>(what));
    if (!text) return text.error();
    *out = copy_text(*text);
    return {};
  });
}

void vr_function_free(vr_function* function) { delete function; }
const char* vr_function_name(const vr_function* f) { return f ? f->function.name().c_str() : ""; }
const vr_type* vr_function_type(const vr_function* f) { return f ? wrap(&f->function.type()) : nullptr; }
size_t vr_function_parameter_count(const vr_function* f) { return f ? f->function.type().components().size() : 0; }
size_t vr_function_result_count(const vr_function* f) {
  size_t n = 0;
  if (f)
    for (const ir::Type& t : f->function.type().outputs()) n += !t.is_void();
  return n;
}
vr_entry vr_function_entry(const vr_function* f) { return f ? f->function.entry() : nullptr; }

}  // extern "C"
