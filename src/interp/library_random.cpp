// Random numbers of counter-based streams, element by element.
#include "interp/arithmetic.hpp"
#include "interp/elementwise.hpp"
#include "interp/library.hpp"
#include "ir/library.hpp"
#include "support/random_streams.hpp"

#include <fmt/format.h>

#include <optional>

namespace vr::interp {

namespace {

Scalar draw(const ir::LibFunction& fn, const std::vector<Scalar>& args) {
  random::Numbers numbers;
  const random::Draws<random::Numbers> draws(numbers);
  auto word = [&](size_t k) { return static_cast<uint64_t>(convert(args[k], Elem::UInt64, false).re.i); };
  const uint64_t key = word(0), n = word(1);
  switch (fn.id) {
    case ir::Lib::RandomBits:
      return Scalar::integer(static_cast<int64_t>(draws.bits(key, n)), Elem::UInt64);
    case ir::Lib::RandomUniform:
      return Scalar::real(draws.uniform(key, n));
    case ir::Lib::RandomInteger:
      if (args[2].re.i == 0 || (args[2].re.i < 0 && !ir::is_unsigned(args[2].elem)))
        fail(Code::Size, fmt::format("{}: the count must be at least 1", fn.name));
      return Scalar::integer(static_cast<int64_t>(draws.integer(key, n, word(2))));
    case ir::Lib::RandomNormal:
      return Scalar::real(draws.normal(key, n));
    case ir::Lib::RandomExponential:
      return Scalar::real(draws.exponential(key, n));
    case ir::Lib::RandomGamma:
      return Scalar::real(draws.gamma(key, n, args[2].real_part()));
    default:
      fail(Code::Unsupported, fmt::format("the interpreter has no '{}'", fn.name));
  }
}

}  // namespace

Datum library_random(const LibraryCall& c) {
  const ir::BroadcastMode mode = c.conv().broadcast;
  std::optional<Extents> extents;
  for (const Datum& d : c.args)
    if (const ArrayRef* a = d.array()) extents = extents ? broadcast(*extents, a->extents(), mode) : a->extents();
  std::vector<Scalar> values(c.args.size());
  auto at = [&](const Extents* i) {
    Extents place;
    for (size_t k = 0; k < values.size(); ++k) {
      if (const Scalar* s = c.args[k].scalar()) {
        values[k] = *s;
        continue;
      }
      broadcast_index(*i, c.args[k].array()->array.extents(), mode, place);
      values[k] = c.args[k].array()->at(place);
    }
    return draw(c.fn, values);
  };
  if (!extents) return at(nullptr);
  const Elem e = c.fn.elem == ir::LibElem::Float64 ? Elem::Float64 : c.fn.elem == ir::LibElem::UInt64 ? Elem::UInt64 : Elem::Int64;
  ArrayRef r = make_array(c.ctx, e, false, *extents, c.layout());
  for_each_index(*extents, Order::Row, [&](const Extents& i) { r.put(i, at(&i)); });
  return r;
}

}  // namespace vr::interp
