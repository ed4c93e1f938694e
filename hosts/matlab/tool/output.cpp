#include "output.hpp"

#include "values.hpp"

#include <memory>
#include <vector>

namespace vr::matlab {

namespace {

std::string& listing() {
  static std::string lines;
  return lines;
}

std::string quoted(const std::string& s, Quotes quotes) {
  const char mark = quotes == Quotes::Double ? '"' : '\'';
  std::string out(1, mark);
  for (char c : s) out += c == '\n' ? std::string("\\n") : c == '\t' ? std::string("\\t") : std::string(1, c);
  return out + mark;
}

Value value_of(const ir::Type& type, const vr_value& v) {
  if (!type.is_array()) return Value::scalar(type.elem, type.complex, v);
  const vr_array& a = *v.array;
  const std::span<const int64_t> extents(a.extent, static_cast<size_t>(a.rank));
  const std::span<const int64_t> strides(a.stride, static_cast<size_t>(a.rank));
  return Value(Array::borrow_const(a.data, type.elem, type.complex, extents, strides));
}

/// The next argument; a structure or cell array as its parts in braces.
std::string argument_text(const ResultInfo& info, const std::vector<ir::Type>& types, const vr_value* args,
                          size_t& next) {
  if (info.cls < Cls::Cell) {
    const size_t k = next++;
    return text(result(value_of(types[k], args[k]), info));
  }
  std::string s;
  for (size_t k = 0; k < info.parts.size(); ++k)
    s += (k ? ", " : "") + (k < info.fields.size() ? info.fields[k] + " " : "") +
         argument_text(info.parts[k], types, args, next);
  return "{" + s + "}";
}

std::string host_argument(const HostCall::Argument& a, const std::vector<ir::Type>& types, const vr_value* args,
                          size_t& next) {
  if (a.empty) return "[]";
  if (a.text) return quoted(*a.text, a.quotes);
  if (!a.handle && !a.fields) return argument_text(a.info, types, args, next);
  const std::vector<std::string>& names = a.fields ? *a.fields : a.handle->captured;
  std::string s;
  for (size_t k = 0; k < a.parts.size(); ++k)
    s += (k ? ", " : "") + names[k] + " " + host_argument(a.parts[k], types, args, next);
  if (a.fields) return "{" + s + "}";
  return (a.handle->text.empty() ? "@" + *a.handle->names.begin() : a.handle->text) + (s.empty() ? "" : " {" + s + "}");
}

int32_t list(void* data, vr_external_call* call, const vr_value* args, vr_value*) {
  try {
    const HostCall& f = *static_cast<const HostCall*>(data);
    std::string line = f.function + (f.name.empty() ? "" : " " + f.name);
    size_t next = 0;
    for (const HostCall::Argument& a : f.args)
      line += (&a == f.args.data() ? " " : ", ") + host_argument(a, f.type.components(), args, next);
    listing() += line + "\n";
    return VR_OK;
  } catch (const std::exception& e) {
    return call->fail(call, 0, e.what());
  }
}

void done(void* data) { delete static_cast<HostCall*>(data); }

}  // namespace

Status bind_listing(const Engine& engine, const Compiled& compiled) {
  for (const HostCall& f : compiled.host_calls) {
    Status s = engine.bind(f.external, f.type, list, std::make_unique<HostCall>(f).release(), done);
    if (!s.ok()) return s;
  }
  return {};
}

std::string take_listing() {
  std::string lines;
  std::swap(lines, listing());
  return lines;
}

}  // namespace vr::matlab
