#include "loop/byte_range.hpp"

namespace vr::lower {

ByteRange byte_range(Writer& out, ExprP data, const std::vector<ExprP>& extent, const std::vector<ExprP>& stride,
                     int64_t bytes) {
  ExprP zero = out.x.int_const(0), low = zero, high = out.x.int_const(bytes);
  for (size_t k = 0; k < extent.size(); ++k) {
    const bool rising = stride[k]->kind == Expr::Kind::IntConst && stride[k]->ival >= 0;
    ExprP last = out.x.max(out.x.sub(extent[k], out.x.int_const(1)), zero);
    ExprP span = out.keep(out.x.mul(last, stride[k]), "span");
    if (!rising) low = out.x.add(low, out.x.min(span, zero));
    high = out.x.add(high, rising ? span : out.x.max(span, zero));
  }
  return {out.temp(out.x.offset(data, low), "low"), out.temp(out.x.offset(data, high), "high")};
}

ExprP disjoint(Writer& out, const ByteRange& a, const ByteRange& b) {
  return out.x.either(out.x.le(a.second, b.first), out.x.le(b.second, a.first));
}

}  // namespace vr::lower
