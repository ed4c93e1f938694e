// Creates the inputs as arrays in memory: dense, with gaps, with negative strides, shared.
#include "program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace vr::smith {

namespace {

int64_t count(const Shape& s) {
  int64_t n = 1;
  for (int64_t e : s) n *= e;
  return n;
}

bool advance(Shape& at, const Shape& extents) {
  for (size_t k = extents.size(); k-- > 0;) {
    if (++at[k] < extents[k]) return true;
    at[k] = 0;
  }
  return false;
}

/// Fills `a` with the input's elements; elements that overlap in memory are stored several times.
Array filled(Array a, const Input& in) {
  if (count(in.extents) == 0) return in.read_only ? a.read_only_view() : a;
  Shape at(in.extents.size(), 0);
  const size_t bytes = static_cast<size_t>(a.element_bytes());
  const uint8_t* from = in.bytes.data();
  do {
    std::memcpy(a.at(at), from, bytes);
    from += bytes;
  } while (advance(at, in.extents));
  return in.read_only ? a.read_only_view() : a;
}

/// room: allocate for an array that is one step longer along the first dimension.
Array make_array(const Input& in, bool room) {
  const Layout storage =
      in.type.layout == Layout::Strided ? (in.column ? Layout::ColMajor : Layout::RowMajor) : in.type.layout;
  Shape whole = in.extents;
  if (in.window >= 0) {
    auto line = Array::zeros(in.type.elem, Shape{whole[0] * in.window + whole[1]}, Layout::RowMajor, in.type.complex);
    if (!line) std::abort();
    const int64_t width = line->element_bytes();
    return filled(line->view(line->data(), in.extents, Shape{in.window * width, width}), in);
  }
  if (room) ++whole[0];
  for (size_t k = 0; k < in.steps.size(); ++k) whole[k] *= std::abs(in.steps[k]);
  auto made = Array::zeros(in.type.elem, whole, storage, in.type.complex);
  if (!made) std::abort();  // a bug of the generator: inputs are small
  Array a = *made;
  if (!in.steps.empty() || room) {
    char* start = static_cast<char*>(a.data());
    Shape strides(in.extents.size());
    for (size_t k = 0; k < strides.size(); ++k) {
      const int64_t stride = a.strides()[k];
      const int step = in.steps.empty() ? 1 : in.steps[k];
      strides[k] = stride * step;
      if (step < 0 && in.extents[k] > 0) start += stride * (whole[k] - 1);
    }
    a = a.view(start, in.extents, strides);
  }
  return filled(a, in);
}

/// The same elements shifted by one step along the first dimension, where the array is long enough.
Array next_to(const Array& a, bool read_only) {
  const Shape extents(a.extents().begin(), a.extents().end()), strides(a.strides().begin(), a.strides().end());
  const Array next = a.view(static_cast<char*>(a.data()) + strides[0], extents, strides);
  return read_only ? next.read_only_view() : next;
}

}  // namespace

std::vector<Value> make_inputs(const std::vector<Input>& inputs) {
  std::vector<Value> values;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const Input& in = inputs[k];
    if (!in.type.is_array())
      values.push_back(Value::scalar(in.type.elem, in.type.complex, in.scalar));
    else if (in.same_as >= 0)
      values.push_back(values[static_cast<size_t>(in.same_as)]);
    else if (in.follows >= 0)
      values.emplace_back(next_to(values[static_cast<size_t>(in.follows)].array(), in.read_only));
    else
      values.emplace_back(make_array(in, std::any_of(inputs.begin(), inputs.end(), [&](const Input& x) {
                                       return x.follows == static_cast<int>(k);
                                     })));
  }
  return values;
}

std::string describe_inputs(const std::vector<Input>& inputs) {
  std::string text;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const Input& in = inputs[k];
    text += fmt::format("input {}: {}", k + 1, in.type.text());
    if (in.type.is_array()) {
      text += fmt::format(" {}", in.extents);
      if (!in.steps.empty()) text += fmt::format(" steps {} of {} storage", in.steps, in.column ? "column" : "row");
      if (in.same_as >= 0) text += fmt::format(" the same as input {}", in.same_as + 1);
      if (in.read_only) text += " read-only";
      if (in.follows >= 0) text += fmt::format(" input {} one step further on", in.follows + 1);
      if (in.window >= 0) text += fmt::format(" rows {} elements after one another", in.window);
    }
    const size_t width = static_cast<size_t>(ir::elem_bytes(in.type.elem)), parts = in.type.complex ? 2 : 1;
    const uint8_t* p = in.type.is_array() ? in.bytes.data() : reinterpret_cast<const uint8_t*>(&in.scalar);
    const size_t n = in.same_as >= 0 || in.follows >= 0 ? 0 : in.type.is_array() ? in.bytes.size() / width : parts;
    for (size_t i = 0; i < n && i < 64; ++i, p += width) {
      text += i == 0 ? " = " : parts == 2 && i % 2 ? "|" : " ";
      text += ir::visit_elem(in.type.elem, [&](auto tag) {
        typename decltype(tag)::type v;
        std::memcpy(&v, p, sizeof v);
        return fmt::format("{}", v);
      });
    }
    text += '\n';
  }
  return text;
}

}  // namespace vr::smith
