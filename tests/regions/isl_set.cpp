#include "regions/isl_set.hpp"

#include <isl/ctx.h>
#include <isl/options.h>

#include <cstdlib>
#include <stdexcept>

namespace vr::test {
namespace {

isl_ctx* context() {
  static isl_ctx* const ctx = [] {
    isl_ctx* c = isl_ctx_alloc();
    isl_options_set_on_error(c, ISL_ON_ERROR_ABORT);
    return c;
  }();
  return ctx;
}

}  // namespace

IslSet::IslSet(const std::string& text) : IslSet(isl_set_read_from_str(context(), text.c_str())) {}

IslSet IslSet::of(const gpu::Lmad& box) {
  std::string vars = "r", sum = std::to_string(box.base) + " + r", bounds = "0 <= r < " + std::to_string(box.run);
  for (int32_t k = 0; k < box.rank; ++k) {
    const gpu::LmadDim d = box.dim[size_t(k)];
    const std::string i = "i" + std::to_string(k);
    vars += ", " + i;
    sum += " + " + std::to_string(d.stride) + i;
    bounds += " and 0 <= " + i + " < " + std::to_string(d.extent);
  }
  return IslSet("{ [a] : exists (" + vars + " : a = " + sum + " and " + bounds + ") }");
}

IslSet IslSet::of(const gpu::Region& region) {
  IslSet all = none();
  for (const gpu::Lmad& box : region) all = all | of(box);
  return all;
}

IslSet IslSet::operator|(const IslSet& o) const { return IslSet(isl_set_union(copy(), o.copy())); }
IslSet IslSet::operator&(const IslSet& o) const { return IslSet(isl_set_intersect(copy(), o.copy())); }
IslSet IslSet::operator-(const IslSet& o) const { return IslSet(isl_set_subtract(copy(), o.copy())); }
bool IslSet::operator==(const IslSet& o) const { return isl_set_is_equal(set_.get(), o.set_.get()) == isl_bool_true; }
bool IslSet::contains(const IslSet& o) const { return isl_set_is_subset(o.set_.get(), set_.get()) == isl_bool_true; }
bool IslSet::empty() const { return isl_set_is_empty(set_.get()) == isl_bool_true; }
std::string IslSet::text() const {
  char* s = isl_set_to_str(set_.get());
  std::string r = s;
  std::free(s);
  return r;
}

bool is_injective(const std::string& text) {
  isl_map* map = isl_map_read_from_str(context(), text.c_str());
  const bool r = isl_map_is_injective(map) == isl_bool_true;
  isl_map_free(map);
  return r;
}

std::string text(const gpu::Lmad& box) {
  std::string s = std::to_string(box.base) + "+" + std::to_string(box.run);
  for (int32_t k = 0; k < box.rank; ++k)
    s += " [" + std::to_string(box.dim[size_t(k)].extent) + " by " + std::to_string(box.dim[size_t(k)].stride) + "]";
  return s;
}
std::string text(const gpu::Region& region) {
  std::string s = "{";
  for (const gpu::Lmad& box : region) s += " " + text(box) + ";";
  return s + " }";
}

}  // namespace vr::test
