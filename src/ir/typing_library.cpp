// library_type: the typing rules of the standard library (second table in typing.hpp), driven by the library's table.
#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "ir/typing_rules.hpp"

#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace vr::ir {

using namespace typing;

namespace {

struct Call {
  const LibFunction& f;
  const std::vector<ExprPtr>& args;
  const Type& stated;
  const Conventions& conv;

  const Type& type(size_t k) const { return args[k]->type; }
  bool matlab() const { return conv.mindims == 2; }
  bool refuses(const Type& t) const { return t.complex && f.complex == LibComplex::Refused; }
  bool gives_complex(const Type& t) const { return t.complex && f.complex == LibComplex::Kept; }

  Typing wrong(size_t k, const char* expected) const {
    return fail(fmt::format("argument {} of '{}' is {}; {} is needed", k + 1, f.name, type(k).text(), expected),
                "argument-type");
  }
  Typing no_complex(size_t k) const {
    return fail(fmt::format("'{}' has no meaning for {}", f.name, type(k).text()), "argument-type",
                "take 'real', 'imag' or 'abs' of it first");
  }
  /// Every argument, beginning with `from`, is a real scalar.
  std::optional<Typing> sizes(size_t from) const {
    for (size_t k = from; k < args.size(); ++k)
      if (!type(k).is_scalar() || type(k).complex) return wrong(k, "a real scalar");
    return {};
  }
  /// The optional axis argument k: a real scalar, in range when it is a constant.
  std::optional<Typing> axis(size_t k, int rank) const {
    if (args.size() <= k) return {};
    if (!type(k).is_scalar() || type(k).complex) return wrong(k, "a dimension's number");
    const auto* c = as<IntConst>(args[k]);
    // MATLAB allows dimensions after the last one; their extent is 1.
    if (c && (c->value < conv.indexing || (!matlab() && c->value >= rank + conv.indexing)))
      return fail(fmt::format("'{}' along dimension {} of an array of rank {}", f.name, c->value, rank), "dimension",
                  fmt::format("dimensions are {} to {}", conv.indexing, rank - 1 + conv.indexing));
    return {};
  }

  Elem sum_elem(Elem e) const {
    if (matlab()) return e == Elem::Bool ? Elem::Float64 : e;
    return ir::sum_elem(e);
  }
  /// The element type of the result if the operands' common type is `e`.
  Elem result_elem(Elem e) const {
    switch (f.elem) {
      case LibElem::Same:
        return e;
      case LibElem::Floating:
        return floating(e);
      case LibElem::Arithmetic:
      case LibElem::Integer:
      case LibElem::StatedFloat:
        return arithmetic(e);
      case LibElem::Sum:
        return sum_elem(e);
      case LibElem::Bool:
        return Elem::Bool;
      case LibElem::Int64:
        return Elem::Int64;
      case LibElem::UInt64:
        return Elem::UInt64;
      case LibElem::Float64:
        return Elem::Float64;
      case LibElem::Stated:
        return stated.is_numeric() ? stated.elem : Elem::Float64;
    }
    return e;
  }

  // ---- elementwise
  Typing map() const {
    if (f.sort == LibSort::Random) return random();
    if (args.size() == 2) return arith();
    if (args.size() == 3) return select();
    const Type& a = type(0);
    if (refuses(a)) return no_complex(0);
    if (f.elem == LibElem::Integer && is_float(a.elem)) return wrong(0, "an integer");
    return {with_elem(a, result_elem(a.elem), gives_complex(a), conv), {}};
  }
  Typing arith() const {
    for (size_t k = 0; f.elem == LibElem::Integer && k < 2; ++k)
      if (is_float(type(k).elem) || type(k).complex) return wrong(k, "an integer");
    Typing t = elementwise(type(0), type(1), conv, std::string(f.name).c_str(), f.complex == LibComplex::Refused);
    if (f.elem == LibElem::Integer && t.ok() && is_float(t.type.elem))
      return fail(fmt::format("arguments of '{}' are {} and {}, which have no integer type in common", f.name,
                              type(0).text(), type(1).text()),
                  "argument-type", "cast one of them");
    if (t.ok()) t.type.elem = result_elem(t.type.elem);
    return t;
  }

  Typing select() const {
    if (type(0).complex) return no_complex(0);
    const std::string what(f.name);
    Typing values = elementwise(type(1), type(2), conv, what.c_str(), false);
    if (!values.ok()) return values;
    Typing t = elementwise(type(0), values.type, conv, what.c_str(), false);
    if (!t.ok()) return t;
    t.type.elem = values.type.elem;
    t.type.complex = values.type.complex;
    return t;
  }

  Typing random() const {
    // Key, counter and counts are integers; only the parameter of a floating-point distribution may be a float.
    const size_t whole = f.elem == LibElem::Float64 ? 2 : args.size();
    Typing t{type(0), {}};
    for (size_t k = 0; k < args.size(); ++k) {
      if (type(k).complex) return no_complex(k);
      if (k < whole && !is_integer(type(k).elem)) return wrong(k, "an integer");
      // Only the shapes are combined, not the element types.
      const Type a = with_elem(t.type, Elem::Float64, false, conv), b = with_elem(type(k), Elem::Float64, false, conv);
      t = k == 0 ? Typing{a, {}} : elementwise(a, b, conv, std::string(f.name).c_str(), true);
      if (!t.ok()) return t;
    }
    return {with_elem(t.type, result_elem(Elem::Float64), false, conv), {}};
  }

  // ---- linear algebra
  Typing norm() const {
    if (type(0).is_array() && type(0).rank > 2) return wrong(0, "a vector or matrix");
    if (auto bad = sizes(1)) return *bad;
    return {Type::scalar(result_elem(type(0).elem)), {}};
  }
  Typing transposed() const {
    const Type& a = type(0);
    if (a.is_array() && a.rank > 2) return wrong(0, "a vector or matrix");
    return {with_elem(a, result_elem(a.elem), a.complex, conv), {}};
  }
  /// Checks that arrays have rank 1 or 2; `instead` is the function for numbers, for the message.
  std::optional<Typing> matrices(const char* instead) const {
    for (size_t k : {0, 1}) {
      if (!type(k).is_array())
        return fail(
            fmt::format("argument {} of '{}' is {}; a vector or matrix is needed", k + 1, f.name, type(k).text()),
            "argument-type", instead);
      if (type(k).rank > 2) return wrong(k, "a vector or matrix");
    }
    return {};
  }
  Typing product_of_rank(int rank) const {
    const Type c = common_type(type(0), type(1), conv);
    return {shaped(result_elem(c.elem), c.complex, rank, c.layout), {}};
  }
  Typing product() const {
    if (auto bad = matrices("scale with 'libmult'")) return *bad;
    return product_of_rank(type(0).rank + type(1).rank - 2);
  }
  Typing of_vectors(int rank) const {
    if (auto bad = matrices("")) return *bad;
    const bool left = type(0).rank != 1;
    if (!matlab() && (left || type(1).rank != 1)) return wrong(left ? 0 : 1, "a vector");
    return product_of_rank(rank);
  }
  Typing quotient(size_t divisor) const {
    if (auto bad = matrices("divide with 'libdiv'")) return *bad;
    if (type(divisor).rank != 2) return wrong(divisor, "a matrix");
    return product_of_rank(type(1 - divisor).rank);
  }

  // ---- reductions
  Typing reduce() const {
    const Type& a = type(0);
    if (refuses(a)) return no_complex(0);
    int rank = 0;
    if (a.is_array()) {
      if (auto bad = axis(1, a.rank)) return *bad;
      rank = matlab() ? a.rank : args.size() > 1 ? a.rank - 1 : 0;
    } else if (args.size() > 1 && !matlab()) {
      return wrong(0, "an array, when there is an axis,");
    }
    return {shaped(result_elem(a.elem), gives_complex(a), rank, contiguous(a.layout, conv)), {}};
  }
  Typing scan() const {
    const Type& a = type(0);
    if (auto bad = axis(1, rank_of(a))) return *bad;
    const Elem e = result_elem(a.elem);
    if (!matlab() && a.is_array() && args.size() == 1) return {vector_type(e, a.complex, conv), {}};
    return {with_elem(a, e, a.complex, conv), {}};
  }

  // ---- shape
  Typing joined(int least_rank) const {
    Type c = type(0);
    int rank = least_rank;
    for (size_t k = 0; k < args.size(); ++k) {
      c = common_type(c, type(k), conv);
      rank = std::max(rank, rank_of(type(k)));
    }
    return {Type::array(c.elem, rank, contiguous(c.layout, conv), c.complex), {}};
  }
  Typing extents() const {
    const Elem e = result_elem(type(0).elem);
    if (args.size() == 1) return {vector_type(e, false, conv), {}};
    if (auto bad = axis(1, std::max(1, rank_of(type(0))))) return *bad;
    return {Type::scalar(e), {}};
  }
  Typing reshaped() const {
    const Type& a = type(0);
    return made_of(a.elem, a.complex, 1, contiguous(a.is_array() ? a.layout : fresh_layout(conv), conv));
  }
  /// An array whose extents are the arguments beginning with `from`: n scalars, or one vector and the stated rank.
  Typing made_of(Elem e, bool complex, size_t from, Layout layout) const {
    int rank = static_cast<int>(args.size() - from);
    if (rank == 1 && type(from).is_array()) {
      if (type(from).complex) return wrong(from, "a real vector of extents");
      rank = stated.is_array() ? stated.rank : conv.mindims;
    } else if (auto bad = sizes(from)) {
      return *bad;
    }
    if (rank > 16) return fail(fmt::format("'{}' to rank {}", f.name, rank), "rank", "arrays have 1 to 16 dimensions");
    return {Type::array(e, std::max(rank, conv.mindims), layout, complex), {}};
  }

  // ---- new arrays
  Typing progression() const {
    if (auto bad = sizes(0)) return *bad;
    return vector_over(args.size());
  }
  Typing linspace() const {
    for (size_t k = 0; k < args.size(); ++k)
      if (!type(k).is_scalar()) return *sizes(0);
    return vector_over(2);
  }
  /// A vector of the common type of the first `ends` arguments.
  Typing vector_over(size_t ends) const {
    Elem e = arithmetic(type(0).elem);
    for (size_t k = 1; k < ends; ++k) e = common_elem(e, arithmetic(type(k).elem), conv.promote);
    return {vector_type(result_elem(e), type(0).complex || type(1).complex, conv), {}};
  }
  bool stated_complex() const { return stated.is_numeric() && stated.complex; }
  Layout stated_layout() const { return stated.is_array() ? contiguous(stated.layout, conv) : fresh_layout(conv); }
  Typing identity() const {
    if (auto bad = sizes(0)) return *bad;
    return {Type::array(result_elem(Elem::Float64), 2, stated_layout(), stated_complex()), {}};
  }
  Typing filled() const { return made_of(result_elem(Elem::Float64), stated_complex(), 0, stated_layout()); }

  // ---- several results
  size_t results() const { return stated.is_tuple() ? stated.components().size() : 1; }
  Typing sorted() const {
    const Type& a = type(0);
    if (auto bad = axis(1, rank_of(a))) return *bad;
    if (refuses(a)) return no_complex(0);
    const Type values = with_elem(a, result_elem(a.elem), false, conv), where = with_elem(a, Elem::Int64, false, conv);
    if (results() == 1) return {values, {}};
    if (results() == 2) return {Type::tuple({values, where}), {}};
    return fail(fmt::format("'{}' has one or two results, not {}", f.name, results()), "result-count");
  }
  Typing found() const {
    const Type& a = type(0);
    const Type positions = vector_type(result_elem(a.elem), false, conv);
    if (results() == 1) return {positions, {}};
    if (results() > 3)
      return fail(fmt::format("'{}' has one to three results, not {}", f.name, results()), "result-count");
    std::vector<Type> parts(2, positions);
    if (results() == 3) parts.push_back(vector_type(a.elem, a.complex, conv));
    return {Type::tuple(std::move(parts)), {}};
  }

  Typing typed() const {
    const Type& a = type(0);
    switch (f.rule) {
      case LibRule::Elementwise:
        return map();
      case LibRule::Product:
        return product();
      case LibRule::LeftQuotient:
        return quotient(0);
      case LibRule::RightQuotient:
        return quotient(1);
      case LibRule::Transposed:
        return transposed();
      case LibRule::Inner:
        return of_vectors(0);
      case LibRule::Norm:
        return norm();
      case LibRule::Outer:
        return of_vectors(2);
      case LibRule::Reduced:
        return reduce();
      case LibRule::Scanned:
        return scan();
      case LibRule::Count:
        return {Type::scalar(result_elem(a.elem)), {}};
      case LibRule::Sizes:
        return extents();
      case LibRule::Reshaped:
        return reshaped();
      case LibRule::Element:
        return {a.element(), {}};
      case LibRule::SideBySide:
        return joined(conv.mindims);
      case LibRule::Stacked:
        return joined(std::max<int>(conv.mindims, 2));
      case LibRule::Progression:
        return progression();
      case LibRule::Linspace:
        return linspace();
      case LibRule::Identity:
        return identity();
      case LibRule::Filled:
        return filled();
      case LibRule::Copied:
        return {with_elem(a, result_elem(a.elem), a.complex, conv), {}};
      case LibRule::Sorted:
        return sorted();
      case LibRule::Found:
        return found();
      case LibRule::Called:
        return called_type(f, args, stated, conv);
    }
    return fail(fmt::format("the library has no function '{}'", f.name), "unknown-function");
  }
};

}  // namespace

Typing library_type(std::string_view func, const std::vector<ExprPtr>& args, const Type& stated,
                    const Conventions& conventions) {
  const LibFunction* f = find_library(func);
  if (!f) {
    std::string near = nearest_name(std::string(func), {});
    return fail(fmt::format("the library has no function '{}'", func), "unknown-function",
                near.empty() ? "" : fmt::format("did you mean '{}'?", near));
  }
  if (args.size() < f->min_args || args.size() > f->max_args) {
    std::string count =
        f->min_args == f->max_args ? fmt::format("{}", f->min_args) : fmt::format("{} to {}", f->min_args, f->max_args);
    return fail(fmt::format("'{}' takes {} argument{}, but got {}", func, count, count == "1" ? "" : "s", args.size()),
                "arity");
  }
  Call call{*f, args, stated, conventions};
  for (size_t k = 0; k < args.size(); ++k)
    if (!args[k]->type.is_numeric()) return call.wrong(k, "a number or array");
  return call.typed();
}

}  // namespace vr::ir
