#include "interp/interp.hpp"

#include "interp/machine.hpp"
#include "ir/conversions.hpp"
#include "ir/narrow_floats.hpp"

#include <fmt/format.h>

#include <set>

namespace vr::interp {

namespace {

Datum from_argument(const Value& v, Layout wanted) {
  if (v.array())
    return ArrayRef{v.array(), std::make_shared<Storage>(nullptr, 0, true),
                    v.array().contiguous(wanted) ? wanted : Layout::Strided};
  if (v.is_scalar()) return from_value(v);
  fail(Code::Type, "an argument is neither a number nor a vr::Array");
}

Result<std::vector<Value>> to_results(Context& ctx, std::vector<Datum> results) {
  std::vector<Value> values;
  std::set<const Storage*> seen;
  for (Datum& d : results) {
    if (const Scalar* s = d.scalar()) {
      values.push_back(to_value(*s));
    } else if (const ArrayRef* a = d.array()) {
      // Under value semantics a result shares no storage with an argument or another result.
      const bool copies = ctx.conv.assign == ir::AssignMode::Copy;
      const bool fresh = seen.insert(a->storage.get()).second && !a->storage->foreign;
      const Layout layout = d.type().layout;
      values.emplace_back(copies && !fresh ? copy_array(ctx, *a, a->elem(), a->complex(), layout).array : a->array);
    } else {
      fail(Code::Unsupported, fmt::format("a result is {}, which cannot be handed to the caller", d.kind_text()));
    }
  }
  return values;
}

Error to_error(ErrorRecord r) {
  Error e = make_error(r.code, "");
  e.record = std::move(r);
  return e;
}

}  // namespace

/// A module with the default conventions in which no operation computes with narrow floats.
static Result<std::vector<Value>> run_promoted(const ir::Module& m, const ir::Conventions& conventions,
                                               const std::string& function, std::span<const Value> args,
                                               const InterpOptions& options) {
  const ir::Function* f = m.find(function);
  if (!f) return make_error(Code::NotFound, fmt::format("the module has no function '{}'", function));
  Machine machine(m, conventions, options);
  try {
    std::vector<Datum> values;
    for (const Value& v : args) {
      const size_t k = values.size();
      values.push_back(from_argument(v, k < f->args.size() ? f->symbols.at(f->args[k]).type.layout : Layout::Strided));
    }
    return to_results(machine.context(), machine.call(*f, std::move(values)));
  } catch (Fault& fault) {
    if (fault.record.function.empty()) fault.record.function = function;
    return to_error(std::move(fault.record));
  } catch (const std::exception&) {
    // bad_alloc, or a length_error: a size that no vector can have
    ErrorRecord r;
    r.code = Code::OutOfMemory;
    r.function = function;
    r.message = "no memory";
    return to_error(std::move(r));
  }
}

Result<std::vector<Value>> run(const ir::Module& m, const ir::Conventions& conventions, const std::string& function,
                               std::span<const Value> args, const InterpOptions& options) {
  ir::Conventions usual = conventions;
  usual.promote = ir::Promote::Vrir;
  usual.overflow = ir::OverflowMode::Wrap;
  const bool changes = conventions.promote != usual.promote || conventions.overflow != usual.overflow;
  if (!changes && !ir::has_narrow_floats(m)) return run_promoted(m, usual, function, args, options);
  return run_promoted(*ir::promoted(std::make_shared<ir::Module>(m), conventions), usual, function, args, options);
}

}  // namespace vr::interp
