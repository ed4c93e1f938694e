// Calls of the host's functions.
#include "interp/elementwise.hpp"
#include "interp/machine.hpp"

#include "runtime/cpu/external.hpp"

#include <fmt/format.h>

#include <cstring>

namespace vr::interp {

namespace {

struct ExternalNumber {
  alignas(16) unsigned char bytes[16] = {};
};

}  // namespace

std::vector<Datum> Machine::call_external(const ir::Function& f, std::vector<Datum> args) {
  const auto& types = f.type.components();
  std::vector<ir::Type> outs;
  for (const ir::Type& t : f.type.outputs())
    if (!t.is_void()) outs.push_back(t);
  if (args.size() != types.size())
    fail(Code::Type, fmt::format("'{}' takes {} arguments, but got {}", f.name, types.size(), args.size()));
  const runtime::External* external = externals_ ? externals_->find(f.name) : nullptr;
  ErrorRecord r;
  r.code = Code::Host;
  // In compiled code the host function has a function of its own.
  r.function = f.name;
  r.loc = !f.loc.empty()   ? f.loc
          : f.pos.line > 0 ? Place{module_.file, f.pos.line, f.pos.column}.text()
                           : std::string();
  if (!external) {
    r.message = fmt::format("the host has no function '{}'", f.name);
    throw Fault{std::move(r)};
  }
  std::vector<ExternalNumber> numbers(args.size() + outs.size());
  std::vector<vr_array> in(args.size()), out(outs.size());
  std::vector<const vr_array*> in_pointers;
  std::vector<vr_array*> out_pointers;
  std::vector<ArrayRef> made(outs.size());
  for (size_t k = 0; k < args.size(); ++k) {
    args[k] = coerce(ctx_, std::move(args[k]), types[k]);
    if (const ArrayRef* a = args[k].array()) {
      in[k] = a->array.descriptor();
      if (ctx_.conv.assign == ir::AssignMode::Copy) in[k].flags |= VR_ARRAY_READ_ONLY;
    } else {
      const Scalar v = convert(scalar_of(args[k], "an argument"), types[k]);
      store(numbers[k].bytes, v);
      in[k].data = numbers[k].bytes;
      in[k].elem = static_cast<int32_t>(v.elem) | (v.complex ? VR_COMPLEX : 0);
    }
    in_pointers.push_back(&in[k]);
  }
  for (size_t k = 0; k < outs.size(); ++k) {
    out[k].elem = static_cast<int32_t>(outs[k].elem) | (outs[k].complex ? VR_COMPLEX : 0);
    out[k].rank = outs[k].is_array() ? outs[k].rank : 0;
    out[k].data = numbers[args.size() + k].bytes;
    out_pointers.push_back(&out[k]);
  }
  std::optional<Fault> cannot;
  const auto make = [&](int32_t k, const int64_t* extents) {
    const auto at = static_cast<size_t>(k);
    if (out[at].rank == 0) return true;
    try {
      made[at] = make_array(ctx_, outs[at].elem, outs[at].complex, Extents(extents, extents + outs[at].rank),
                            contiguous_layout(ctx_, outs[at].layout));
      out[at] = made[at].array.descriptor();
    } catch (Fault& fault) {
      cannot = std::move(fault);
      return false;
    }
    return true;
  };
  runtime::ExternalFault fault;
  // The interpreter runs while the host's lock is held.
  if (!runtime::call_external(nullptr, *external, f.name, in_pointers, out_pointers, make, fault)) {
    r.message = fault.message;
    r.raised = fault.raised;
    if (cannot) {
      r.code = cannot->record.code;
      r.message = cannot->record.message;
    }
    throw Fault{std::move(r)};
  }
  std::vector<Datum> results;
  for (size_t k = 0; k < outs.size(); ++k) {
    if (outs[k].is_array())
      results.push_back(std::move(made[k]));
    else
      results.push_back(load(out[k].data, outs[k].elem, outs[k].complex));
  }
  return results;
}

}  // namespace vr::interp
