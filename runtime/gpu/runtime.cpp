#include "runtime/gpu/runtime.hpp"

#include "runtime/cpu/owner.hpp"
#include "runtime/gpu/storage.hpp"

#include <map>

namespace vr::gpu {
namespace {

/// Host memory whose addresses identify elements regardless of where their newest values are: an array of bytes. For
/// arrays allocated on the device it is a block of the pool that is not accessed before the elements are copied back.
struct Storage {
  vr_array bytes = {};
  bool submitted = false;
  Session* session = nullptr;
  vr_context* context = nullptr;
  ~Storage() {
    if (bytes.owner) session->release(context, bytes.owner);
  }
  Span span() const { return storage_span(bytes); }
};

/// Variables that share elements. Several groups share a storage as long as their elements are equal; before a write
/// the groups are separated, and the one that is `home` keeps the storage (submitted arrays stay in the caller's
/// memory).
struct Group {
  std::shared_ptr<Storage> storage;
  bool home = true;
  int variables = 0;
};

struct Variable {
  std::shared_ptr<Group> group;
  vr_array shape = {};
};

struct Registered {
  const vr_kernel* kernel;
  std::vector<VarId> arrays;
};

void set_bytes(vr_array& a, Span span) {
  a.data = reinterpret_cast<void*>(span.lo);
  a.elem = VR_BOOL;
  a.rank = 1;
  a.extent[0] = int64_t(span.bytes());
  a.stride[0] = 1;
}

Error no_variable(VarId var) { return make_error(Code::Usage, "no array variable " + std::to_string(var)); }

}  // namespace

struct Runtime::State {
  Session& session;
  vr_context context;
  std::map<VarId, Variable> variables;
  std::vector<Registered> kernels;
  explicit State(Session& s) : session(s) { context.gpu = &s; }

  Status status(int32_t code) const {
    if (code == VR_OK && context.failed.load() == 0) return {};
    Error e = make_error(Code(context.error.code), context.error.message);
    e.record = ErrorRecord::from(context.error);
    return e;
  }
  Status usable() const { return status(VR_OK); }

  Variable* find(VarId var) {
    auto it = variables.find(var);
    return it == variables.end() ? nullptr : &it->second;
  }
  std::shared_ptr<Storage> make_storage(int64_t bytes) {
    auto s = std::make_shared<Storage>();
    s->session = &session;
    s->context = &context;
    s->bytes.owner = runtime::make_engine_owner(std::max<int64_t>(bytes, 1), false);
    if (!s->bytes.owner) return nullptr;
    const auto start = reinterpret_cast<uintptr_t>(s->bytes.owner->storage);
    set_bytes(s->bytes, {start, start + uintptr_t(bytes)});
    return s;
  }
  /// `shape` is a copy: the argument may be that of the variable that is released here.
  void set(VarId var, std::shared_ptr<Group> group, vr_array shape) {
    ++group->variables;
    forget(var);
    variables[var] = {std::move(group), shape};
  }
  /// The variable is removed; its elements stay in the storage of variables that share them, or in the caller's memory.
  void forget(VarId var) {
    auto it = variables.find(var);
    if (it == variables.end()) return;
    --it->second.group->variables;
    variables.erase(it);
  }

  /// The group's elements move to `to`, which has the same bytes.
  void move(Group& group, const std::shared_ptr<Storage>& to) {
    const uintptr_t from = group.storage->span().lo, start = to->span().lo;
    for (auto& [id, v] : variables) {
      if (v.group.get() != &group) continue;
      v.shape.data = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(v.shape.data) - from + start);
      v.shape.owner = to->bytes.owner;
      v.shape.flags = 0;  // the caller's memory may be read-only, the copy is not
    }
    group.storage = to;
  }
  Result<std::shared_ptr<Storage>> clone(const Storage& from) {
    auto to = make_storage(from.bytes.extent[0]);
    if (!to) return make_error(Code::OutOfMemory, "no memory for the copy of an array");
    if (Status s = status(session.copy(&context, &from.bytes, &to->bytes)); !s) return s.error();
    return to;
  }
  /// To be called before the variable's elements are written. READ_ONLY: they belong to a read-only array of the
  /// caller.
  Status own_to_write(VarId id, const Variable& v) {
    if (v.group->home && (v.shape.flags & VR_ARRAY_READ_ONLY))
      return make_error(Code::ReadOnly, "variable " + std::to_string(id) + " is read-only and cannot be stored to");
    return own(*v.group);
  }
  /// Copy-on-write: afterwards no other group shares the group's storage.
  Status own(Group& group) {
    if (group.storage.use_count() == 1 && (group.home || !group.storage->submitted)) {
      group.home = true;
      return {};
    }
    auto made = clone(*group.storage);
    if (!made) return made.error();
    if (!group.home) {
      move(group, *made);
      group.home = true;
      return {};
    }
    // The other groups move to another storage together.
    const std::shared_ptr<Storage> here = group.storage;
    bool home = true;
    for (auto& [id, v] : variables) {
      Group& other = *v.group;
      if (&other == &group || other.storage != here) continue;
      move(other, *made);
      other.home = std::exchange(home, false);
    }
    return {};
  }
};

Result<std::unique_ptr<Runtime>> Runtime::open(Session& session) {
  auto state = std::make_unique<State>(session);
  if (Status s = state->status(session.section_begin(&state->context)); !s) return s.error();
  return std::unique_ptr<Runtime>(new Runtime(std::move(state)));
}

Runtime::Runtime(std::unique_ptr<State> state) : state_(std::move(state)) {}

Runtime::~Runtime() {
  state_->variables.clear();
  state_->session.abandon(&state_->context);
}

Status Runtime::submit(VarId var, const vr_array& array) {
  State& s = *state_;
  if (Status ok = s.usable(); !ok) return ok;
  if (array.rank < 1 || array.rank > VR_MAX_RANK) return make_error(Code::Usage, "an array of no possible rank");
  vr_array shape = array;
  shape.owner = nullptr;
  const Span span = storage_span(array);
  // Arrays that overlap share their common elements.
  std::shared_ptr<Group> group;
  for (auto& [id, v] : s.variables) {
    const Span there = v.group->storage->span();
    if (!v.group->home || v.group == group || !there.overlaps(span)) continue;
    if (group)
      return make_error(Code::Usage, "variable " + std::to_string(var) + " overlaps two arrays that were apart");
    group = v.group;
  }
  if (group) {
    const Span there = group->storage->span();
    set_bytes(group->storage->bytes, {std::min(there.lo, span.lo), std::max(there.hi, span.hi)});
  } else {
    group = std::make_shared<Group>();
    group->storage = std::make_shared<Storage>();
    set_bytes(group->storage->bytes, span);
    group->storage->submitted = true;
    group->storage->session = &s.session;
    group->storage->context = &s.context;
  }
  s.set(var, std::move(group), shape);
  return {};
}

Status Runtime::allocate(VarId var, int32_t elem, const std::vector<int64_t>& extents, int32_t layout) {
  State& s = *state_;
  if (Status ok = s.usable(); !ok) return ok;
  const bool known = element_bytes(elem) != 0;
  if (!known || extents.empty() || extents.size() > VR_MAX_RANK)
    return make_error(Code::Usage, "an array of no possible element type or rank");
  int64_t bytes = element_bytes(elem);
  for (int64_t n : extents)
    if (n < 0 || __builtin_mul_overflow(bytes, n, &bytes))
      return make_error(Code::Size, "an array of no possible size");
  auto group = std::make_shared<Group>();
  group->storage = s.make_storage(bytes);
  if (!group->storage) return make_error(Code::OutOfMemory, "no memory for an array");
  vr_array shape = {};
  shape.data = group->storage->bytes.data;
  shape.owner = group->storage->bytes.owner;
  runtime::describe(&shape, elem, int32_t(extents.size()), extents.data(), layout == VR_COLMAJOR);
  s.set(var, std::move(group), shape);
  return {};
}

Status Runtime::slice(VarId var, VarId from, const std::vector<Subrange>& ranges) {
  State& s = *state_;
  if (Status ok = s.usable(); !ok) return ok;
  const Variable* v = s.find(from);
  if (!v) return no_variable(from);
  if (ranges.size() != size_t(v->shape.rank)) return make_error(Code::Usage, "a slice has a range of each dimension");
  vr_array shape = v->shape;
  char* data = static_cast<char*>(shape.data);
  for (size_t d = 0; d < ranges.size(); ++d) {
    const Subrange& r = ranges[d];
    const int64_t last = r.start + (r.count - 1) * r.step, extent = v->shape.extent[d];
    if (r.step == 0 || r.count < 0 || (r.count > 0 && (r.start < 0 || r.start >= extent || last < 0 || last >= extent)))
      return make_error(Code::Usage,
                        "a slice beyond dimension " + std::to_string(d) + " of variable " + std::to_string(from));
    if (r.count > 0) data += r.start * shape.stride[d];
    shape.extent[d] = r.count;
    shape.stride[d] *= r.step;
  }
  shape.data = data;
  s.set(var, v->group, shape);
  return {};
}

Status Runtime::copy(VarId var, VarId from) {
  State& s = *state_;
  if (Status ok = s.usable(); !ok) return ok;
  const Variable* v = s.find(from);
  if (!v) return no_variable(from);
  auto group = std::make_shared<Group>();
  group->storage = v->group->storage;
  group->home = false;
  s.set(var, std::move(group), v->shape);
  return {};
}

Status Runtime::mark_dead(VarId var) {
  State& s = *state_;
  if (Status ok = s.usable(); !ok) return ok;
  const Variable* v = s.find(var);
  if (!v) return no_variable(var);
  const std::shared_ptr<Group> group = v->group;
  if (group->variables == 1 && group->home && group->storage->submitted) {
    // The caller may free the memory: copies that still share it need storage of their own.
    if (Status ok = s.own(*group); !ok) return ok;
    if (Status ok = s.status(s.session.mark_dead(&s.context, &group->storage->bytes)); !ok) return ok;
  }
  s.forget(var);
  return {};
}

Result<KernelId> Runtime::register_kernel(const vr_kernel& kernel, std::vector<VarId> arrays) {
  size_t wanted = 0;
  for (int32_t p = 0; p < kernel.param_count; ++p) wanted += kernel.params[p].kind == VR_PARAM_ARRAY;
  if (arrays.size() != wanted)
    return make_error(Code::Usage, "kernel '" + std::string(kernel.name) + "' takes " + std::to_string(wanted) +
                                       " arrays, not " + std::to_string(arrays.size()));
  if (Status ok = state_->session.prepare(kernel.source, kernel.options ? kernel.options : ""); !ok) return ok.error();
  state_->kernels.push_back({&kernel, std::move(arrays)});
  return KernelId(state_->kernels.size()) - 1;
}

Result<EventId> Runtime::call(KernelId id, const std::vector<int64_t>& counts, const std::vector<vr_value>& scalars) {
  State& s = *state_;
  if (Status ok = s.usable(); !ok) return ok.error();
  if (id < 0 || size_t(id) >= s.kernels.size()) return make_error(Code::Usage, "no kernel " + std::to_string(id));
  const auto& [kernel, arrays] = s.kernels[size_t(id)];
  auto wrong = [&](const char* what) {
    return make_error(Code::Usage, "kernel '" + std::string(kernel->name) + "' has another number of " + what);
  };
  if (counts.size() != size_t(kernel->dims)) return wrong("dimensions");
  if (scalars.size() + arrays.size() != size_t(kernel->param_count)) return wrong("scalar parameters");
  // First separate the groups that are written (copy-on-write), because that changes the storage of other variables.
  size_t next = 0;
  for (int32_t p = 0; p < kernel->param_count; ++p) {
    const vr_kernel_param& param = kernel->params[p];
    if (param.kind != VR_PARAM_ARRAY) continue;
    const VarId var = arrays[next++];
    const Variable* v = s.find(var);
    if (!v) return no_variable(var);
    if (v->shape.elem != param.elem || v->shape.rank != param.rank)
      return make_error(Code::Usage, "variable " + std::to_string(var) +
                                         " is no array of the type and rank that kernel '" + kernel->name + "' takes");
    if (!param.written) continue;
    if (Status ok = s.own_to_write(var, *v); !ok) return ok.error();
  }
  std::vector<vr_value> args;
  auto array = arrays.begin();
  auto scalar = scalars.begin();
  for (int32_t p = 0; p < kernel->param_count; ++p) {
    if (kernel->params[p].kind != VR_PARAM_ARRAY) {
      args.push_back(*scalar++);
      continue;
    }
    vr_value a = {};
    a.array = &s.find(*array++)->shape;
    args.push_back(a);
  }
  EventId event = no_event;
  if (Status ok = s.status(s.session.launch(&s.context, nullptr, kernel, counts.data(), args.data(), &event)); !ok)
    return ok.error();
  return event;
}

Status Runtime::wait_all() {
  State& s = *state_;
  if (Status ok = s.usable(); !ok) return ok;
  return s.status(s.session.wait_all(&s.context));
}

Result<vr_array> Runtime::wait_for_variable(VarId var, bool write) {
  State& s = *state_;
  if (Status ok = s.usable(); !ok) return ok.error();
  const Variable* v = s.find(var);
  if (!v) return no_variable(var);
  if (write)
    if (Status ok = s.own_to_write(var, *v); !ok) return ok.error();
  if (Status ok = s.status(s.session.need_host(&s.context, &v->shape, write)); !ok) return ok.error();
  vr_array here = v->shape;
  here.owner = nullptr;
  return here;
}

Status Runtime::wait_for_event(EventId event) {
  State& s = *state_;
  if (Status ok = s.usable(); !ok) return ok;
  return s.status(s.session.wait(&s.context, event));
}

}  // namespace vr::gpu
