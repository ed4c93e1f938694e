#include "data.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace vr::ahead_of_time {

namespace {

/// The memory of the arrays of a call.
struct Block {
  char* begin;
  char* end;
};

/// The range of bytes that the elements occupy; nullopt for an empty array.
Block range(const Array& a) {
  char *low = static_cast<char*>(a.data()), *high = low;
  for (int k = 0; k < a.rank(); ++k) {
    const int64_t way = (a.extent(k) - 1) * a.strides()[static_cast<size_t>(k)];
    (way < 0 ? low : high) += way;
  }
  return {low, high + a.element_bytes()};
}

/// The ranges of all arrays, sorted by address and merged, so that each byte is listed once.
std::vector<Block> blocks_of(const std::vector<Value>& inputs) {
  std::vector<Block> all;
  for (const Value& v : inputs)
    if (v.array() && v.array().size() > 0) all.push_back(range(v.array()));
  std::sort(all.begin(), all.end(), [](const Block& a, const Block& b) { return a.begin < b.begin; });
  std::vector<Block> joined;
  for (const Block& b : all) {
    if (!joined.empty() && b.begin < joined.back().end)
      joined.back().end = std::max(joined.back().end, b.end);
    else
      joined.push_back(b);
  }
  return joined;
}

struct Writer {
  std::string bytes;
  void raw(const void* p, size_t n) { bytes.append(static_cast<const char*>(p), n); }
  void number(int64_t v) { raw(&v, sizeof v); }
};

struct Reader {
  std::string_view bytes;
  bool complete = true;
  const char* raw(size_t n) {
    if (bytes.size() < n) complete = false;
    if (!complete) return nullptr;
    const char* p = bytes.data();
    bytes.remove_prefix(n);
    return p;
  }
  void read(void* to, size_t n) {
    if (const char* p = raw(n)) std::memcpy(to, p, n);
  }
  int64_t number() {
    int64_t v = 0;
    read(&v, sizeof v);
    return v;
  }
};

std::optional<Value> read_result(Reader& r, const ir::Type& t) {
  if (t.is_scalar()) {
    vr_value v = {};
    r.read(&v, sizeof v);
    return Value::scalar(t.elem, t.complex, v);
  }
  std::vector<int64_t> extents(static_cast<size_t>(t.rank));
  for (int64_t& e : extents) e = r.number();
  if (!r.complete) return std::nullopt;
  auto a = Array::empty(t.elem, extents, Layout::RowMajor, t.complex);
  if (!a) return std::nullopt;
  r.read(a->data(), static_cast<size_t>(a->size()) * static_cast<size_t>(a->element_bytes()));
  return Value(*a);
}

}  // namespace

std::vector<ir::Type> results_of(const ir::Function& f) {
  const auto& outs = f.type.outputs();
  if (outs.size() == 1 && outs[0].is_void()) return {};
  return {outs.begin(), outs.end()};
}

std::string encode(const std::vector<Value>& inputs) {
  Writer w;
  const std::vector<Block> blocks = blocks_of(inputs);
  w.number(static_cast<int64_t>(blocks.size()));
  for (const Block& b : blocks) {
    w.number(b.end - b.begin);
    w.number(static_cast<int64_t>(reinterpret_cast<uintptr_t>(b.begin) % 64));
    w.raw(b.begin, static_cast<size_t>(b.end - b.begin));
  }
  for (const Value& v : inputs) {
    w.number(v.array() ? 1 : 0);
    if (!v.array()) {
      w.raw(&v.raw(), sizeof(vr_value));
      continue;
    }
    const vr_array a = v.array().descriptor();
    char* const data = static_cast<char*>(a.data);
    const auto block =
        std::find_if(blocks.begin(), blocks.end(), [&](const Block& b) { return data >= b.begin && data < b.end; });
    const bool empty = v.array().size() == 0 || block == blocks.end();
    w.number(empty ? -1 : block - blocks.begin());
    w.number(empty ? 0 : data - block->begin);
    for (const int32_t field : {a.elem, a.rank, a.flags}) w.number(field);
    for (int32_t k = 0; k < a.rank; ++k) w.number(a.extent[k]);
    for (int32_t k = 0; k < a.rank; ++k) w.number(a.stride[k]);
  }
  Writer whole;
  whole.number(static_cast<int64_t>(w.bytes.size()));
  return whole.bytes + w.bytes;
}

bool decode(std::string_view& bytes, const ir::Function& f, std::vector<Value>& inputs,
            Result<std::vector<Value>>& answer) {
  Reader r{bytes};
  const auto status = static_cast<int32_t>(r.number());
  std::vector<Value> results;
  vr_error error = {};
  if (status != VR_OK) {
    r.read(&error, sizeof error);
  } else {
    for (const ir::Type& t : results_of(f)) {
      auto v = read_result(r, t);
      if (!v) return false;
      results.push_back(std::move(*v));
    }
  }
  std::vector<std::pair<Block, const char*>> stored;
  for (const Block& b : blocks_of(inputs)) stored.emplace_back(b, r.raw(static_cast<size_t>(b.end - b.begin)));
  if (!r.complete) return false;
  for (const auto& [block, from] : stored) std::memcpy(block.begin, from, static_cast<size_t>(block.end - block.begin));
  bytes = r.bytes;
  if (status == VR_OK) {
    answer = std::move(results);
    return true;
  }
  Error e = make_error(static_cast<Code>(status), "");
  e.record = ErrorRecord::from(error);
  answer = std::move(e);
  return true;
}

}  // namespace vr::ahead_of_time
