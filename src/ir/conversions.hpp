// The conversions that expressions state, as expressions of their own.
#pragma once
#include <velociraptor/ir/nodes.hpp>

namespace vr::ir {

/// The verified module under a convention of promotion (Conventions::promote) as one under the usual one: operands that
/// meet in another type than common_elem gives by itself are cast to it. The same module where there are none.
ModulePtr promoted(const ModulePtr& module, const Conventions& conventions);

/// The verified module, promoted(), with a `cast` wherever a node states another element type than it gives by itself, and with the
/// node below it stating its natural type; a module without such nodes comes back as it is. Passes and lowering work on
/// what this gives, so that what looks for a certain node (a variable, an element, a call, a product) meets it only
/// where its value is wanted as it is: a conversion cannot be overlooked. What is left as written: operations that are
/// another one when they state another type (a quotient of integers stated as a float), reductions and scans (the
/// interpreter and lowering take their stated type), layouts (which say how something is made or handed on), and calls
/// that give several results (whoever takes these apart converts them).
ModulePtr explicit_conversions(const ModulePtr& module, const Conventions& conventions);

/// Whether a call gives what it states: false where results that are taken apart still have to be converted.
bool states_its_own(const Type& stated, const Type& natural);

}  // namespace vr::ir
