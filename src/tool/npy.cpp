#include "tool/npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <optional>

namespace vr::tool {

static_assert(std::endian::native == std::endian::little, "npy.cpp copies little-endian elements as they are");

namespace {

constexpr std::string_view magic{"\x93NUMPY", 6};

bool has_complex(Elem elem) { return ir::is_float(elem) && !ir::is_narrow_float(elem); }

/// NumPy's type string without the byte order; empty: NumPy has no such type (complex integers, bfloat16).
std::string dtype_text(Elem elem, bool complex) {
  if (!complex) return ir::elem_info(elem).numpy;
  return has_complex(elem) ? fmt::format("c{}", 2 * ir::elem_bytes(elem)) : "";
}

struct Dtype {
  Elem elem;
  bool complex;
};
std::optional<Dtype> dtype_of(std::string_view text) {
  for (const ir::ElemInfo& e : ir::elem_table)
    for (bool complex : {false, true})
      if (!text.empty() && text == dtype_text(e.elem, complex)) return Dtype{e.elem, complex};
  return {};
}

/// All supported element types, by NumPy's names.
std::string dtype_names() {
  std::string names;
  for (bool complex : {false, true})
    for (const ir::ElemInfo& e : ir::elem_table)
      if (complex ? has_complex(e.elem) : *e.numpy != 0)
        names += (names.empty() ? "" : ", ") + (complex ? fmt::format("complex{}", 16 * e.bytes) : e.name);
  return names;
}

std::string_view trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\n')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\n')) s.remove_suffix(1);
  return s;
}

/// Text after `'key':` in the header's dict literal; empty when the key is missing.
std::string_view after_key(std::string_view header, std::string_view key) {
  const size_t at = header.find(fmt::format("'{}'", key));
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + key.size() + 2);
  const size_t colon = rest.find(':');
  return colon == std::string_view::npos ? std::string_view{} : trim(rest.substr(colon + 1));
}

std::optional<std::vector<int64_t>> parse_shape(std::string_view text) {
  if (text.empty() || text[0] != '(') return {};
  const size_t end = text.find(')');
  if (end == std::string_view::npos) return {};
  std::vector<int64_t> shape;
  std::string_view inner = trim(text.substr(1, end - 1));
  while (!inner.empty()) {
    const size_t comma = inner.find(',');
    const std::string_view item = trim(inner.substr(0, comma));
    int64_t n = 0;
    auto [p, ec] = std::from_chars(item.data(), item.data() + item.size(), n);
    if (ec != std::errc() || p != item.data() + item.size() || n < 0) return {};
    shape.push_back(n);
    inner = comma == std::string_view::npos ? std::string_view{} : trim(inner.substr(comma + 1));
  }
  return shape;
}

}  // namespace

Result<Array> read_npy(std::string_view bytes, const std::string& name, bool* is_scalar) {
  auto bad = [&](std::string why) { return make_error(Code::Type, fmt::format("{}: error: {}", name, why)); };
  if (bytes.size() < 10 || bytes.substr(0, 6) != magic) return bad("not a .npy file (no NUMPY magic)");
  const int major = static_cast<unsigned char>(bytes[6]);
  if (major < 1 || major > 3) return bad(fmt::format(".npy format version {} is not known", major));
  const size_t prefix = major == 1 ? 10 : 12;
  if (bytes.size() < prefix) return bad("the header is cut off");
  size_t length = 0;
  for (size_t k = 0; k < prefix - 8; ++k) length |= size_t(static_cast<unsigned char>(bytes[8 + k])) << (8 * k);
  if (length > bytes.size() - prefix) return bad("the header is cut off");
  const std::string_view header = bytes.substr(prefix, length);
  const std::string_view payload = bytes.substr(prefix + length);

  const std::string_view descr = after_key(header, "descr");
  const std::string_view order = after_key(header, "fortran_order");
  const auto shape = parse_shape(after_key(header, "shape"));
  if (descr.size() < 5 || descr[0] != '\'' || order.empty() || !shape) {
    return bad("the header does not describe a plain array");
  }
  const size_t quote = descr.find('\'', 1);
  const std::string_view type = quote == std::string_view::npos ? std::string_view{} : descr.substr(1, quote - 1);
  if (type.empty() || type[0] == '>')
    return bad(fmt::format("element type '{}' is big endian; save it as little endian", type));
  const auto dtype = dtype_of(type.substr(1));
  if (!dtype) return bad(fmt::format("element type '{}' is not one of {}", type, dtype_names()));
  if (shape->size() > VR_MAX_RANK)
    return bad(fmt::format("{} dimensions; at most {} are possible", shape->size(), VR_MAX_RANK));
  const bool fortran = order.substr(0, 4) == "True";

  *is_scalar = shape->empty();
  std::vector<int64_t> extents = *is_scalar ? std::vector<int64_t>{1} : *shape;
  // Compares the size with that of the file before allocating memory: a header may state any size.
  const size_t element = size_t(ir::elem_bytes(dtype->elem)) * (dtype->complex ? 2 : 1);
  size_t wanted = element;
  for (int64_t n : extents) {
    if (__builtin_mul_overflow(wanted, size_t(n), &wanted)) return bad("the header's shape is too large");
  }
  if (payload.size() < wanted)
    return bad(fmt::format("{} bytes of elements, the shape needs {}", payload.size(), wanted));
  auto array = Array::empty(dtype->elem, extents, fortran ? Layout::ColMajor : Layout::RowMajor, dtype->complex);
  if (!array) return bad(array.error().text());
  if (wanted > 0) std::memcpy(array->data(), payload.data(), wanted);
  if (dtype->elem == Elem::Bool) {  // Bools in memory must be 0 or 1.
    for (size_t k = 0; k < wanted; ++k) array->data_as<uint8_t>()[k] = array->data_as<uint8_t>()[k] != 0;
  }
  return std::move(*array);
}

Result<std::string> write_npy(const Array& a, bool as_scalar) {
  const std::string dtype = dtype_text(a.elem(), a.complex());
  if (dtype.empty())
    return make_error(Code::Unsupported,
                      fmt::format(".npy has no element type for complex {}", ir::elem_name(a.elem())));
  const bool fortran = a.contiguous(Layout::ColMajor) && !a.contiguous(Layout::RowMajor);
  Array packed = a;
  if (!fortran && !a.contiguous(Layout::RowMajor)) {
    auto copy = a.copy(Layout::RowMajor);
    if (!copy) return copy.error();
    packed = std::move(*copy);
  }
  std::string shape;
  if (!as_scalar) {
    for (int64_t n : a.extents()) shape += fmt::format("{}, ", n);
    if (a.rank() > 1)
      shape.resize(shape.size() - 2);
    else
      shape.resize(shape.size() - 1);  // "(3,)"
  }
  std::string header =
      fmt::format("{{'descr': '{}{}', 'fortran_order': {}, 'shape': ({}), }}", ir::elem_bytes(a.elem()) == 1 ? '|' : '<',
                  dtype, fortran ? "True" : "False", shape);
  const size_t total = (10 + header.size() + 1 + 63) / 64 * 64;  // NumPy aligns the elements to 64 bytes
  header.append(total - 10 - header.size() - 1, ' ');
  header += '\n';
  std::string bytes(magic);
  bytes += '\x01';
  bytes += '\x00';
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  const size_t payload = size_t(packed.size()) * size_t(packed.element_bytes());
  if (payload > 0) bytes.append(static_cast<const char*>(packed.data()), payload);
  return bytes;
}

}  // namespace vr::tool
