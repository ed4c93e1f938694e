// Library functions that the runtime implements, generated from their argument letters in src/ir/library.def.
#include "generator.hpp"

#include "ir/library.hpp"
#include "ir/typing.hpp"

#include <algorithm>

namespace vr::smith {

namespace {

size_t count_of(std::string_view results) { return static_cast<size_t>(std::count(results.begin(), results.end(), ' ')) + 1; }

}  // namespace

ExprPtr FunctionGen::called_argument(char letter, Elem e, std::vector<int>& ranks) {
  auto of = [&](bool complex, Shape s) {
    ranks.push_back(static_cast<int>(s.size()));
    return array(e, complex, s, 1);
  };
  auto vector = [&] {
    const int64_t n = rng.pick(m_.sizes);
    return m_.conv.mindims == 2 ? rng.chance(50) ? Shape{1, n} : Shape{n, 1} : Shape{n};
  };
  auto matrix = [&] {
    const int64_t n = rng.pick(m_.sizes);
    return Shape{n, rng.chance(70) ? n : rng.pick(m_.sizes)};
  };
  const bool complex = rng.chance(20);
  switch (letter) {
    case 'a':
    case 'z':
      if (rng.chance(80)) return of(letter == 'z' && complex, random_shape());
      ranks.push_back(0);
      return rng.chance(50) ? float_const(0.5) : scalar(e, letter == 'z' && complex, 1);
    case 'A':
    case 'Z':
      return of(letter == 'Z' && complex, random_shape());
    case 'v':
      return of(false, vector());
    case 'V':
      return of(complex, vector());
    case 'm':
    case 'M':
      return of(complex, matrix());
    case 'Y':
      return of(complex, rng.chance(50) ? vector() : matrix());
    case 'w':
      ranks.push_back(1);
      return array(Elem::Int64, false, vector(), 1);
    case 'b':
      ranks.push_back(0);
      return boolean(1);
    case 'x': {
      const int axes = std::max(ranks.empty() ? 1 : ranks[0], m_.conv.mindims);
      ranks.push_back(0);
      return int_const(m_.base() + rng.below(axes));
    }
    case 's':
      ranks.push_back(0);
      return rng.chance(50) ? float_const(0.25) : scalar(Elem::Float64, false, 1);
    default:
      ranks.push_back(0);
      return rng.chance(50) ? int_const(rng.range(0, 3)) : bounded(4, 1);
  }
}

void FunctionGen::called_statement(ir::Body& out) {
  if (!entry_ || parallel_ || nesting_ > 1) throw Retry{};  // the results are not exact
  std::vector<const ir::LibFunction*> called;
  for (const ir::LibFunction& f : ir::all_library())
    if (f.sort == ir::LibSort::Called) called.push_back(&f);
  const ir::LibFunction& f = *rng.pick(called);
  const Elem e = random_elem();
  std::vector<ExprPtr> args;
  std::vector<int> ranks;
  bool optional = false;
  for (char letter : f.params) {
    if (letter == '?')
      optional = true;
    else if (optional && rng.chance(50))
      break;
    else
      args.push_back(called_argument(letter, e, ranks));
  }
  const size_t wanted = 1 + static_cast<size_t>(rng.below(static_cast<int64_t>(count_of(f.results))));
  const Type stated = wanted == 1 ? Type::null() : Type::tuple(std::vector<Type>(wanted, Type::null()));
  const ExprPtr call = lib(std::string(f.name), std::move(args), stated);
  std::vector<ExprPtr> targets;
  for (const Type& t : wanted == 1 ? std::vector{call->type} : call->type.components()) {
    Variable& v = add(t, "c");
    v.exact = false;
    v.group = ++groups_;
    targets.push_back(name(v));
  }
  out.push_back(located(std::make_shared<ir::Assign>(std::move(targets), call)));
}

}  // namespace vr::smith
