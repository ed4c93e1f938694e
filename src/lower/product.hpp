// Matrix products and quotients by the BLAS and LAPACK (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

ArrayGen quotient(Lowering& f, const ir::LibCall& c, int where);
ArrayGen product(Lowering& f, const ir::LibCall& c, int where);
bool add_product(Lowering& f, Slot& to, const ir::ExprPtr& value, int where);

}  // namespace vr::lower
