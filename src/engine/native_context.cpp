#include "engine/native_state.hpp"
#include "support/stack.hpp"

namespace vr {

Status engine::NativeState::prepare() {
  if (!function.entry()) return make_error(Code::Unsupported, "the interpreter has no native functions");
  const Options options = function.engine().options();
  if (options.target == Target::OpenCL)
    return make_error(Code::Unsupported, "native calls have no OpenCL device; call the function in the usual way");
  host = &function.host();
  if (host->interrupt) interrupt = host->interrupt;
  threads = thread_count(options);
  stack_limit = vr::stack_limit();
  return {};
}

Result<NativeContext> NativeContext::create(const Function& function) {
  auto state = std::make_shared<engine::NativeState>(function);
  if (Status s = state->prepare(); !s) return s.error();
  return NativeContext(std::move(state));
}
vr_context* NativeContext::get() const { return state_.get(); }
const vr_error* NativeContext::error() const { return state_->fault(); }
void NativeContext::reset() { state_->failed.store(VR_OK); }

}  // namespace vr
