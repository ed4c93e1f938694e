// Pipelines: callbacks of C as stages and source of a vr::Pipeline.
#include "capi/handles.hpp"

#include <velociraptor/pipeline.hpp>

#include <fmt/format.h>

using namespace vr;
using namespace vr::capi;

struct vr_pipeline {
  std::vector<PipelineStage> stages;
};
struct vr_pipeline_run {
  PipelineRun run;
};

namespace {

using Values = Pipeline::Values;
constexpr size_t why_bytes = 256;

/// Data that a callback makes: references to arrays are released unless they are taken.
class Made {
 public:
  explicit Made(size_t count) : data_(count, vr_datum_none()) {}
  ~Made() { vr_datum_release(data_.data(), data_.size()); }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  vr_datum* data() { return data_.data(); }
  Result<Values> take() {
    Values values;
    for (size_t k = 0; k < data_.size(); ++k) {
      vr_datum& d = data_[k];
      if (d.kind == VR_DATUM_SCALAR && is_elem(d.elem))
        values.push_back(Value::scalar(elem_of(d.elem), complex_of(d.elem), d.as.scalar));
      else if (d.kind == VR_DATUM_ARRAY && d.as.array)
        values.push_back(Value(Array::adopt(unwrap(std::exchange(d, vr_datum_none()).as.array))));
      else
        return usage(fmt::format("value {} of the callback is neither a number nor an array", k + 1));
    }
    return values;
  }

 private:
  std::vector<vr_datum> data_;
};

Error failed(vr_status code, const char* why) {
  const bool known = std::string_view(vr_status_name(code)) != "UNKNOWN" && code != VR_OK;
  return make_error(known ? static_cast<Code>(code) : Code::Host,
                    *why ? why : fmt::format("the callback returned {}", code));
}

PipelineStage::Host host_stage(vr_pipeline_stage stage, size_t result_count, void* data) {
  return [=](Values values) -> Result<Values> {
    Made in(values.size()), out(result_count);
    for (size_t k = 0; k < values.size(); ++k) in.data()[k] = to_datum(values[k]);
    char why[why_bytes] = "";
    const vr_status s = stage(data, values.size(), in.data(), result_count, out.data(), why);
    why[why_bytes - 1] = 0;
    if (s != VR_OK) return failed(s, why);
    return out.take();
  };
}

Pipeline::Source host_source(vr_pipeline_source source, size_t value_count, void* data) {
  return [=]() -> Result<std::optional<Values>> {
    Made out(value_count);
    int32_t more = 0;
    char why[why_bytes] = "";
    const vr_status s = source(data, value_count, out.data(), &more, why);
    why[why_bytes - 1] = 0;
    if (s != VR_OK) return failed(s, why);
    if (!more) return std::optional<Values>();
    auto values = out.take();
    if (!values) return values.error();
    return std::optional(std::move(*values));
  };
}

}  // namespace

extern "C" {

vr_status vr_pipeline_create(vr_pipeline** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    *out = new vr_pipeline;
    return {};
  });
}
void vr_pipeline_free(vr_pipeline* pipeline) { delete pipeline; }

vr_status vr_pipeline_add_function(vr_pipeline* pipeline, const vr_function* function, vr_failure** failure) {
  return border(failure, [&]() -> Status {
    if (!pipeline) return null_argument("pipeline");
    if (!function) return null_argument("function");
    if (function->engine->host)
      return make_error(Code::Unsupported, fmt::format("'{}' works on arrays of host '{}'; pipelines are for the "
                                                       "built-in arrays",
                                                       function->function.name(), function->engine->host->name));
    pipeline->stages.emplace_back(function->function);
    return {};
  });
}
vr_status vr_pipeline_add_stage(vr_pipeline* pipeline, const char* name, size_t result_count, vr_pipeline_stage stage,
                                void* data, vr_failure** failure) {
  return border(failure, [&]() -> Status {
    if (!pipeline) return null_argument("pipeline");
    if (!name) return null_argument("name");
    if (!stage) return null_argument("stage");
    pipeline->stages.emplace_back(name, host_stage(stage, result_count, data));
    return {};
  });
}

vr_status vr_pipeline_start(const vr_pipeline* pipeline, size_t value_count, vr_pipeline_source source, void* data,
                            int32_t in_flight, vr_pipeline_run** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!pipeline) return null_argument("pipeline");
    if (!source) return null_argument("source");
    auto made = Pipeline::create(pipeline->stages);
    if (!made) return made.error();
    auto run = made->start(host_source(source, value_count, data), in_flight);
    if (!run) return run.error();
    *out = new vr_pipeline_run{std::move(*run)};
    return {};
  });
}

vr_status vr_pipeline_next(vr_pipeline_run* run, size_t room, vr_datum* values, size_t* count, int32_t* more,
                           vr_failure** failure) {
  for (size_t k = 0; values && k < room; ++k) values[k] = vr_datum_none();
  if (count) *count = 0;
  if (more) *more = 0;
  return border(failure, [&]() -> Status {
    if (!run) return null_argument("run");
    if (!values && room > 0) return null_argument("values");
    if (!count) return null_argument("count");
    if (!more) return null_argument("more");
    auto item = run->run.next();
    if (!item) return item.error();
    if (!*item) return {};
    const Values& made = **item;
    if (made.size() > room)
      return usage(fmt::format("the item has {} values, but the caller provides space for {}", made.size(), room));
    for (size_t k = 0; k < made.size(); ++k) values[k] = to_datum(made[k]);
    *count = made.size();
    *more = 1;
    return {};
  });
}

int32_t vr_pipeline_failed_stage(const vr_pipeline_run* run) {
  return run && run->run.failure() ? run->run.failure()->stage : -1;
}
int64_t vr_pipeline_failed_item(const vr_pipeline_run* run) {
  return run && run->run.failure() ? run->run.failure()->item : -1;
}
void vr_pipeline_stop(vr_pipeline_run* run) {
  if (run) run->run.stop();
}
void vr_pipeline_run_free(vr_pipeline_run* run) { delete run; }

}  // extern "C"
