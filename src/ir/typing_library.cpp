// library_type: the typing rules of the standard library (second table in typing.hpp), a function for each sort.
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
  std::string_view name;
  const std::vector<ExprPtr>& args;
  const Type& stated;
  const Conventions& conv;

  const Type& type(size_t k) const { return args[k]->type; }
  bool matlab() const { return conv.mindims == 2; }
  bool is(std::string_view n) const { return name == n; }
  bool is_one_of(std::initializer_list<std::string_view> names) const {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  Typing wrong(size_t k, const char* expected) const {
    return fail(fmt::format("argument {} of '{}' is {}; {} is needed", k + 1, name, type(k).text(), expected),
                "argument-type");
  }
  Typing no_complex(size_t k) const {
    return fail(fmt::format("'{}' has no meaning for {}", name, type(k).text()), "argument-type",
                "take 'real', 'imag' or 'abs' of it first");
  }
  /// Every argument from `from` on is a real scalar.
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
    // MATLAB allows dimensions past the last, of extent 1.
    if (c && (c->value < conv.indexing || (!matlab() && c->value >= rank + conv.indexing)))
      return fail(fmt::format("'{}' along dimension {} of an array of rank {}", name, c->value, rank), "dimension",
                  fmt::format("dimensions are {} to {}", conv.indexing, rank - 1 + conv.indexing));
    return {};
  }

  // ---- elementwise
  Typing float_map() const {
    const Type& a = type(0);
    if (a.complex && is("erf")) return no_complex(0);
    return {with_elem(a, floating(a.elem), a.complex, conv), {}};
  }
  Typing same_map() const {
    const Type& a = type(0);
    if (a.complex && is_one_of({"floor", "ceil", "round", "fix"})) return no_complex(0);
    return {with_elem(a, a.elem, a.complex && !is("abs"), conv), {}};
  }
  Typing real_part() const {
    const Type& a = type(0);
    return {with_elem(a, is("angle") ? floating(a.elem) : a.elem, false, conv), {}};
  }
  Typing arith() const {
    const bool bits = is_one_of({"bitand", "bitor", "bitxor"});
    for (size_t k = 0; bits && k < 2; ++k)
      if (is_float(type(k).elem) || type(k).complex) return wrong(k, "an integer");
    bool real_only = is_one_of({"atan2", "hypot", "min2", "max2", "mod", "rem"});
    Typing t = elementwise(type(0), type(1), conv, std::string(name).c_str(), real_only);
    if (!t.ok()) return t;
    t.type.elem = is_one_of({"atan2", "hypot"}) ? floating(t.type.elem) : arithmetic(t.type.elem);
    return t;
  }

  Typing select() const {
    if (type(0).complex) return no_complex(0);
    Typing values = elementwise(type(1), type(2), conv, "where", false);
    if (!values.ok()) return values;
    Typing t = elementwise(type(0), values.type, conv, "where", false);
    if (!t.ok()) return t;
    t.type.elem = values.type.elem;
    t.type.complex = values.type.complex;
    return t;
  }

  // ---- linear algebra
  Typing product(int rank) const {
    Type c = common_type(type(0), type(1), conv);
    return {shaped(arithmetic(c.elem), c.complex, rank, c.layout), {}};
  }
  Typing matrix() const {
    const Type& a = type(0);
    if (is("norm")) {
      if (a.is_array() && a.rank > 2) return wrong(0, "a vector or matrix");
      if (auto bad = sizes(1)) return *bad;
      return {Type::scalar(floating(a.elem)), {}};
    }
    if (is("trans")) {
      if (a.is_array() && a.rank > 2) return wrong(0, "a vector or matrix");
      return {with_elem(a, a.elem, a.complex, conv), {}};
    }
    const int ra = rank_of(a), rb = rank_of(type(1));
    for (size_t k : {0, 1}) {
      if (!type(k).is_array())
        return fail(fmt::format("argument {} of '{}' is {}; a vector or matrix is needed", k + 1, name, type(k).text()),
                    "argument-type",
                    is("mmult")                ? "scale with 'libmult'"
                    : is("dot") || is("outer") ? ""
                                               : "divide with 'libdiv'");
      if (type(k).rank > 2) return wrong(k, "a vector or matrix");
    }
    if (is("dot") || is("outer")) {
      if (!matlab() && (ra != 1 || rb != 1)) return wrong(ra != 1 ? 0 : 1, "a vector");
      return product(is("dot") ? 0 : 2);
    }
    if (is("mmult")) return product(ra + rb - 2);
    if (is("mldiv") ? ra != 2 : rb != 2) return wrong(is("mldiv") ? 0 : 1, "a matrix");
    Typing t = product(is("mldiv") ? rb : ra);
    t.type.elem = floating(t.type.elem);
    return t;
  }

  // ---- reductions
  Elem sum_elem(Elem e) const {
    if (matlab()) return e == Elem::Bool ? Elem::Float64 : e;
    return e < Elem::Int64 ? Elem::Int64 : e;
  }
  Typing reduce() const {
    const Type& a = type(0);
    if (a.complex && is_one_of({"min", "max", "any", "all", "argmin", "argmax"})) return no_complex(0);
    Elem e = a.elem;
    if (is("sum") || is("prod")) e = sum_elem(e);
    if (is("mean")) e = floating(e);
    if (is("any") || is("all")) e = Elem::Bool;
    if (is("argmin") || is("argmax")) e = Elem::Int64;
    int rank = 0;
    if (a.is_array()) {
      if (auto bad = axis(1, a.rank)) return *bad;
      rank = matlab() ? a.rank : args.size() > 1 ? a.rank - 1 : 0;
    } else if (args.size() > 1 && !matlab()) {
      return wrong(0, "an array, when there is an axis,");
    }
    return {shaped(e, a.complex, rank, contiguous(a.layout, conv)), {}};
  }
  Typing scan() const {
    const Type& a = type(0);
    if (auto bad = axis(1, rank_of(a))) return *bad;
    Elem e = sum_elem(a.elem);
    if (!matlab() && a.is_array() && args.size() == 1) return {vector_type(e, a.complex, conv), {}};
    return {with_elem(a, e, a.complex, conv), {}};
  }

  // ---- shape
  Typing joined() const {
    Type c = type(0);
    int rank = conv.mindims;
    if (is("vertcat")) rank = std::max(rank, 2);
    for (size_t k = 0; k < args.size(); ++k) {
      c = common_type(c, type(k), conv);
      rank = std::max(rank, rank_of(type(k)));
    }
    return {Type::array(c.elem, rank, contiguous(c.layout, conv), c.complex), {}};
  }
  Typing shape() const {
    const Type& a = type(0);
    if (is("horzcat") || is("vertcat")) return joined();
    if (is("scalar")) return {a.element(), {}};
    if (is("numel") || is("length") || is("ndims")) return {Type::scalar(Elem::Int64), {}};
    if (is("size") || is("dimvec")) {
      if (args.size() == 1) return {vector_type(Elem::Int64, false, conv), {}};
      if (auto bad = axis(1, std::max(1, rank_of(a)))) return *bad;
      return {Type::scalar(Elem::Int64), {}};
    }
    return made_of(a.elem, a.complex, 1, contiguous(a.is_array() ? a.layout : fresh_layout(conv), conv));  // reshape
  }
  /// Array whose extents are the arguments from `from` on: n scalars, or one vector and the stated rank.
  Typing made_of(Elem e, bool complex, size_t from, Layout layout) const {
    int rank = static_cast<int>(args.size() - from);
    if (rank == 1 && type(from).is_array()) {
      if (type(from).complex) return wrong(from, "a real vector of extents");
      rank = stated.is_array() ? stated.rank : conv.mindims;
    } else if (auto bad = sizes(from)) {
      return *bad;
    }
    if (rank > 16) return fail(fmt::format("'{}' to rank {}", name, rank), "rank", "arrays have 1 to 16 dimensions");
    return {Type::array(e, std::max(rank, conv.mindims), layout, complex), {}};
  }

  // ---- new arrays
  Typing make() const {
    if (is("colon") || is("range") || is("linspace")) {
      if (auto bad = sizes(0)) {
        if (!is("linspace")) return *bad;
        for (size_t k = 0; k < args.size(); ++k)
          if (!type(k).is_scalar()) return *bad;
      }
      Elem e = arithmetic(type(0).elem);
      bool complex = type(0).complex || type(1).complex;
      for (size_t k = 1; k < (is("linspace") ? 2 : args.size()); ++k) e = common_elem(e, arithmetic(type(k).elem));
      return {vector_type(is("linspace") ? floating(e) : e, complex, conv), {}};
    }
    Elem e = stated.is_numeric() ? stated.elem : Elem::Float64;
    bool complex = stated.is_numeric() && stated.complex;
    Layout layout = stated.is_array() ? contiguous(stated.layout, conv) : fresh_layout(conv);
    if (is("eye")) {
      if (auto bad = sizes(0)) return *bad;
      return {Type::array(e, 2, layout, complex), {}};
    }
    return made_of(e, complex, 0, layout);
  }

  Typing other() const {
    const Type& a = type(0);
    if (is("copy")) return {with_elem(a, a.elem, a.complex, conv), {}};
    const size_t results = stated.is_tuple() ? stated.components().size() : 1;
    Type positions = vector_type(Elem::Int64, false, conv);
    if (is("sort")) {
      if (auto bad = axis(1, rank_of(a))) return *bad;
      if (a.complex) return no_complex(0);
      Type sorted = with_elem(a, a.elem, false, conv);
      Type where = with_elem(a, Elem::Int64, false, conv);
      if (results == 1) return {sorted, {}};
      if (results == 2) return {Type::tuple({sorted, where}), {}};
      return fail(fmt::format("'sort' has one or two results, not {}", results), "result-count");
    }
    if (results == 1) return {positions, {}};  // find
    if (results > 3) return fail(fmt::format("'find' has one to three results, not {}", results), "result-count");
    std::vector<Type> parts(2, positions);
    if (results == 3) parts.push_back(vector_type(a.elem, a.complex, conv));
    return {Type::tuple(std::move(parts)), {}};
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
    return fail(fmt::format("'{}' takes {} argument{}, here are {}", func, count, count == "1" ? "" : "s", args.size()),
                "arity");
  }
  Call call{func, args, stated, conventions};
  for (size_t k = 0; k < args.size(); ++k)
    if (!args[k]->type.is_numeric()) return call.wrong(k, "a number or array");
  switch (f->sort) {
    case LibSort::FloatMap:
      return call.float_map();
    case LibSort::SameMap:
      return call.same_map();
    case LibSort::RealPart:
      return call.real_part();
    case LibSort::Test:
      return {with_elem(args[0]->type, Elem::Bool, false, conventions), {}};
    case LibSort::Arith:
      return call.arith();
    case LibSort::Select:
      return call.select();
    case LibSort::Matrix:
      return call.matrix();
    case LibSort::Reduce:
      return call.reduce();
    case LibSort::Scan:
      return call.scan();
    case LibSort::Shape:
      return call.shape();
    case LibSort::Make:
      return call.make();
    case LibSort::Other:
      return call.other();
  }
  return fail(fmt::format("the library has no function '{}'", func), "unknown-function");
}

}  // namespace vr::ir
