// natural_type: the rules for expression nodes (tables in typing.hpp). Library functions: typing_library.cpp.
#include "ir/typing.hpp"

#include "ir/library.hpp"
#include "ir/overflow.hpp"
#include "ir/typing_rules.hpp"

#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace vr::ir {

Layout fresh_layout(const Conventions& c) {
  return c.broadcast == BroadcastMode::Leading ? Layout::ColMajor : Layout::RowMajor;
}

namespace typing {

Typing fail(std::string message, std::string rule, std::string hint) {
  return {Type::null(), std::move(message), std::move(rule), std::move(hint)};
}

Layout contiguous(Layout l, const Conventions& c) { return l == Layout::Strided ? fresh_layout(c) : l; }

Type shaped(Elem e, bool complex, int rank, Layout layout) {
  if (complex) e = computed_elem(e);  // narrow floats have no complex numbers
  return rank == 0 ? Type::scalar(e, complex) : Type::array(e, rank, layout, complex);
}

Type with_elem(const Type& shape, Elem e, bool complex, const Conventions& c) {
  return shaped(e, complex, shape.is_array() ? shape.rank : 0, contiguous(shape.layout, c));
}

int rank_of(const Type& t) { return t.is_array() ? t.rank : 0; }

Elem arithmetic(Elem e) { return e == Elem::Bool ? Elem::Int32 : e; }
Elem floating(Elem e) { return is_float(e) ? e : Elem::Float64; }

Type vector_type(Elem e, bool complex, const Conventions& c) { return shaped(e, complex, c.mindims, fresh_layout(c)); }

Typing elementwise(const Type& a, const Type& b, const Conventions& c, const char* what, bool real_only) {
  for (const Type* t : {&a, &b}) {
    if (!t->is_numeric()) return fail(fmt::format("operand of '{}' is {}, not a number or array", what, t->text()));
    if (real_only && t->complex)
      return fail(fmt::format("'{}' has no meaning for {}", what, t->text()), "type-mismatch",
                  "take 'real', 'imag' or 'abs' of it first");
  }
  if (c.broadcast == BroadcastMode::None && a.is_array() && b.is_array() && a.rank != b.rank)
    return fail(
        fmt::format("operands of '{}' have ranks {} and {}, and the module does not broadcast", what, a.rank, b.rank),
        "rank");
  return {common_type(a, b, c), {}};
}

}  // namespace typing

using namespace typing;

Type common_type(const Type& a, const Type& b, const Conventions& c) {
  int rank = std::max(rank_of(a), rank_of(b));
  Layout layout = fresh_layout(c);
  if (a.is_array() && b.is_array()) {
    if (a.layout == b.layout) layout = contiguous(a.layout, c);
  } else if (a.is_array() || b.is_array()) {
    layout = contiguous(a.is_array() ? a.layout : b.layout, c);
  }
  return shaped(common_elem(a.elem, b.elem, c.promote), a.complex || b.complex, rank, layout);
}

Type common_type(const Type& a, const Type& b) { return common_type(a, b, Conventions::numpy()); }

bool converts(const Type& from, const Type& to) {
  if (from.kind != to.kind) return false;
  switch (to.kind) {
    case TypeKind::Null:
    case TypeKind::Void:
      return true;
    case TypeKind::Array:
      if (from.rank != to.rank) return false;
      [[fallthrough]];
    case TypeKind::Scalar:
      return !from.complex || to.complex;
    case TypeKind::Domain:
    case TypeKind::Tuple: {
      const auto &a = from.components(), &b = to.components();
      return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), converts);
    }
    case TypeKind::Function:
      return from == to;
  }
  return false;
}

void NameIndex::set_module(const Module& m) {
  functions->clear();
  for (const FunctionPtr& f : m.functions)
    if (f) functions->emplace(f->name, f.get());  // the first function of that name, as Module::find returns
}
void NameIndex::set_function(const Function& f) {
  handles.clear();
  for (const Symbol& s : f.symbols.all())
    if (s.type.is_function()) handles.emplace(s.name, &s);
}

Callee find_callee(const std::string& name, const TypingScope& scope) {
  Callee c;
  if (scope.names) {
    if (auto h = scope.names->handles.find(name); h != scope.names->handles.end())
      c.variable = h->second;
    else if (auto f = scope.names->functions->find(name); f != scope.names->functions->end())
      c.function = f->second;
    else
      c.library = find_library(name);
    return c;
  }
  if (scope.function)
    for (const Symbol& s : scope.function->symbols.all())
      if (s.type.is_function() && s.name == name) {
        c.variable = &s;
        return c;
      }
  if (scope.module && (c.function = scope.module->find(name))) return c;
  c.library = find_library(name);
  return c;
}

namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t next = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = row[j];
      row[j] = next;
    }
  }
  return row[b.size()];
}

struct Rules {
  const TypingScope& scope;
  const Conventions& conv = scope.conventions;

  const Symbol* symbol(SymbolId id) const { return scope.function ? scope.function->symbols.find(id) : nullptr; }
  static Typing no_symbol(SymbolId id) {
    return fail(fmt::format("there is no variable with id {}", id), "unknown-id", "add it to the symbol table");
  }

  template <Kind K>
  Typing operator()(const Binary<K>& e) const {
    const Type &a = e.lhs->type, &b = e.rhs->type;
    constexpr bool ordering = K == Kind::Lt || K == Kind::Leq || K == Kind::Gt || K == Kind::Geq;
    constexpr bool logic = K == Kind::And || K == Kind::Or;
    constexpr bool arith = K == Kind::Plus || K == Kind::Minus || K == Kind::Mult || K == Kind::Div;
    Typing t = elementwise(a, b, conv, kind_word(K), ordering || logic);
    if (!t.ok()) return t;
    if constexpr (arith)
      t.type.elem = arithmetic(t.type.elem);
    else
      t.type = with_elem(t.type, Elem::Bool, false, conv);
    return t;
  }

  Typing operator()(const Not& e) const {
    const Type& a = e.operand->type;
    if (!a.is_numeric() || a.complex) return fail(fmt::format("operand of 'not' is {}", a.text()));
    return {with_elem(a, Elem::Bool, false, conv), {}};
  }
  Typing operator()(const Negate& e) const {
    const Type& a = e.operand->type;
    if (!a.is_numeric()) return fail(fmt::format("operand of 'negate' is {}, not a number or array", a.text()));
    return {with_elem(a, arithmetic(a.elem), a.complex, conv), {}};
  }
  Typing operator()(const Cast& e) const {
    const Type& a = e.operand->type;
    if (!a.is_numeric()) return fail(fmt::format("operand of 'cast' is {}, not a number or array", a.text()));
    if (!e.type.is_numeric()) return fail(fmt::format("a cast to {} has no meaning", e.type.text()));
    return {with_elem(a, e.type.elem, e.type.complex, conv), {}};
  }

  Typing operator()(const Name& e) const {
    const Symbol* s = symbol(e.id);
    return s ? Typing{s->type, {}} : no_symbol(e.id);
  }
  Typing operator()(const IntConst& e) const { return {e.type.is_scalar() ? e.type : Type::scalar(Elem::Int64), {}}; }
  Typing operator()(const FloatConst& e) const {
    return {e.type.is_scalar() ? e.type : Type::scalar(Elem::Float64), {}};
  }
  Typing operator()(const ComplexConst& e) const {
    return {e.type.is_scalar() && e.type.complex ? e.type : Type::scalar(Elem::Float64, true), {}};
  }

  Typing operator()(const Index& e) const {
    const Symbol* s = symbol(e.array);
    if (!s) return no_symbol(e.array);
    const Type& a = s->type;
    if (!a.is_array()) return fail(fmt::format("'{}' is subscripted but is {}", s->name, a.text()), "not-an-array");
    return subscripted(s->name, a, e.subscripts, e.flatten.value_or(conv.flatten),
                       e.copyslice.value_or(conv.slices == SliceMode::Copy));
  }

  Typing subscripted(const std::string& name, const Type& a, const std::vector<Subscript>& subscripts, bool flatten,
                     bool copy) const {
    const int d = static_cast<int>(subscripts.size()), rank = a.rank;
    if (d == 0) return fail(fmt::format("'{}' has no subscript", name), "subscript-count");
    int ranges = 0, arrays = 0, gathered = 0, last = 0;
    const Type* gather = nullptr;
    for (int k = 0; k < d; ++k) {
      if (!subscripts[k].value)
        return fail(fmt::format("subscript {} of '{}' is missing", k + 1, name), "subscript-type");
      const Expr& v = *subscripts[k].value;
      if (v.kind == Kind::Range || v.type.is_domain()) {
        if (v.type.is_domain() && v.type.rank != 1)
          return fail(fmt::format("subscript {} of '{}' is {}, not a range", k + 1, name, v.type.text()),
                      "subscript-type");
        ++ranges;
        last = k + 1;
      } else if (v.type.is_numeric() && !v.type.complex) {
        if (!v.type.is_array()) continue;
        ++arrays;
        gathered += v.type.rank;
        gather = &v.type;
        last = k + 1;
      } else {
        return fail(fmt::format("subscript {} of '{}' is {}; a real scalar, a range or a real array is needed", k + 1,
                                name, v.type.text()),
                    "subscript-type");
      }
    }
    // NumPy's A[mask]: the mask is a subscript for all dimensions.
    const bool mask = d == 1 && gather && gather->elem == Elem::Bool && gather->rank == rank;
    if (d > rank)
      return fail(fmt::format("{} subscripts for '{}', which has {} dimension{}", d, name, rank, rank == 1 ? "" : "s"),
                  "subscript-count");
    const Layout own = contiguous(a.layout, conv);
    if (ranges + arrays == 0 && (d == rank || flatten)) return {a.element(), {}};
    int out;
    if (conv.mindims == 2) {
      if (d < rank && !flatten) last = rank;
      out = std::max(2, last);
      if (d == 1 && gather) out = std::max<int>(2, gather->elem == Elem::Bool ? 2 : gather->rank);
    } else if (mask) {
      out = 1;
    } else {
      if (arrays > 1)
        return fail(fmt::format("'{}' has {} array subscripts; one is possible", name, arrays), "subscript-type",
                    "index with one array after the other");
      out = ranges + gathered + (flatten ? 0 : rank - d);
    }
    if (out > 16) return fail(fmt::format("the result would have rank {}", out), "rank");
    const bool view = !copy && arrays == 0;
    return {Type::array(a.elem, out, view ? Layout::Strided : own, a.complex), {}};
  }

  Typing operator()(const FnCall& e) const {
    Callee c = find_callee(e.callee, scope);
    if (c.library) return library_type(e.callee, e.args, e.type, conv);
    const Type* f = c.variable ? &c.variable->type : c.function ? &c.function->type : nullptr;
    if (!f) {
      std::string near = nearest_name(e.callee, scope);
      return fail(fmt::format("there is no function '{}'", e.callee), "unknown-function",
                  near.empty() ? "" : fmt::format("did you mean '{}'?", near));
    }
    const auto& params = f->components();
    if (params.size() != e.args.size())
      return fail(fmt::format("'{}' takes {} argument{}, but got {}", e.callee, params.size(),
                              params.size() == 1 ? "" : "s", e.args.size()),
                  "arity");
    for (size_t k = 0; k < params.size(); ++k)
      if (!converts(e.args[k]->type, params[k]) || tuple_overflow(conv, e.args[k]->type, params[k]))
        return fail(fmt::format("argument {} of '{}' is {} where {} is expected", k + 1, e.callee,
                                e.args[k]->type.text(), params[k].text()),
                    "argument-type");
    const auto& outs = f->outputs();
    return {outs.empty() ? Type::void_() : outs.size() == 1 ? outs[0] : Type::tuple(outs), {}};
  }
  Typing operator()(const FnHandle& e) const {
    Callee c = find_callee(e.callee, scope);
    if (c.variable) return {c.variable->type, {}};
    if (c.function) return {c.function->type, {}};
    if (c.library) {
      const LibFunction* f = c.library;
      size_t n = e.type.components().size();
      if (e.type.is_function() && n >= f->min_args && n <= f->max_args) return {e.type, {}};
      return fail(fmt::format("a handle of the library's '{}' must state a function type of {} to {} arguments",
                              e.callee, f->min_args, f->max_args),
                  "handle-type");
    }
    std::string near = nearest_name(e.callee, scope);
    return fail(fmt::format("there is no function '{}'", e.callee), "unknown-function",
                near.empty() ? "" : fmt::format("did you mean '{}'?", near));
  }
  Typing operator()(const LibCall& e) const { return library_type(e.func, e.args, e.type, conv); }
  Typing operator()(const Alloc& e) const {
    return library_type(library(library_of(e.func)).name, e.args, e.type, conv);
  }

  Typing operator()(const Dim& e) const {
    const Symbol* s = symbol(e.array);
    if (!s) return no_symbol(e.array);
    if (!s->type.is_array())
      return fail(fmt::format("'dim' of '{}', which is {}", s->name, s->type.text()), "not-an-array");
    int k = e.dim - conv.indexing;
    if (k < 0 || k >= s->type.rank)
      return fail(fmt::format("'{}' has no dimension {}", s->name, e.dim), "dimension",
                  fmt::format("its dimensions are {} to {}", conv.indexing, s->type.rank - 1 + conv.indexing));
    return {Type::scalar(Elem::Int64), {}};
  }
  Typing operator()(const DimVec& e) const {
    const Symbol* s = symbol(e.array);
    if (!s) return no_symbol(e.array);
    if (!s->type.is_array())
      return fail(fmt::format("'dimvec' of '{}', which is {}", s->name, s->type.text()), "not-an-array");
    return {vector_type(Elem::Int64, false, conv), {}};
  }
  Typing operator()(const TupleExpr& e) const {
    std::vector<Type> types;
    for (const ExprPtr& x : e.elems) {
      if (x->type.is_void()) return fail("an element of the tuple has no value", "void-value");
      types.push_back(x->type);
    }
    return {Type::tuple(std::move(types)), {}};
  }
  Typing operator()(const TupleIndex& e) const {
    const Symbol* s = symbol(e.tuple);
    if (!s) return no_symbol(e.tuple);
    if (!s->type.is_tuple())
      return fail(fmt::format("'{}' is {}, not a tuple", s->name, s->type.text()), "not-a-tuple");
    int k = e.index - conv.indexing;
    int n = static_cast<int>(s->type.components().size());
    if (k < 0 || k >= n)
      return fail(fmt::format("'{}' has no element {}", s->name, e.index), "tuple-index",
                  fmt::format("its elements are {} to {}", conv.indexing, n - 1 + conv.indexing));
    return {s->type.components()[static_cast<size_t>(k)], {}};
  }
  Typing operator()(const ComplexExpr& e) const {
    Typing t = elementwise(e.re->type, e.im->type, conv, "complex", true);
    if (t.ok()) t.type = with_elem(t.type, t.type.elem, true, conv);
    return t;
  }
  Typing part(SymbolId id, Lib what) const {
    const Symbol* s = symbol(id);
    if (!s) return no_symbol(id);
    if (!s->type.is_numeric()) return fail(fmt::format("'{}' of '{}', which is {}", library(what).name, s->name, s->type.text()));
    return {with_elem(s->type, s->type.elem, false, conv), {}};
  }
  Typing operator()(const RealExpr& e) const { return part(e.id, Lib::Real); }
  Typing operator()(const ImagExpr& e) const { return part(e.id, Lib::Imag); }

  Typing operator()(const Range& e) const {
    std::optional<Elem> elem;
    for (const ExprPtr* p : {&e.start, &e.step, &e.stop}) {
      if (!*p) continue;
      const Type& t = (*p)->type;
      if (!t.is_scalar() || t.complex)
        return fail(fmt::format("a part of the range is {}; a real scalar is needed", t.text()), "range-type");
      const Elem part = computed_elem(arithmetic(t.elem));
      elem = elem ? common_elem(*elem, part, conv.promote) : part;
    }
    return {Type::domain({Type::scalar(elem.value_or(Elem::Int64))}), {}};
  }
  Typing operator()(const Domain& e) const {
    std::vector<Type> dims;
    for (const ExprPtr& x : e.ranges) {
      Type t = x->type;
      if (const auto* r = as<Range>(x); r && t.is_null()) {
        Typing inner = (*this)(*r);
        if (!inner.ok()) return inner;
        t = inner.type;
      }
      if (!t.is_domain() || t.rank != 1)
        return fail(fmt::format("a dimension of the domain is {}, not a range", t.text()), "range-type");
      dims.push_back(t.components()[0]);
    }
    if (dims.empty() || dims.size() > 16)
      return fail(fmt::format("a domain has 1 to 16 dimensions, not {}", dims.size()), "rank");
    return {Type::domain(std::move(dims)), {}};
  }

  Typing operator()(const Xchange& e) const {
    const Symbol* s = symbol(e.array);
    if (!s) return no_symbol(e.array);
    const Type& a = s->type;
    if (!a.is_array()) return fail(fmt::format("'xchange' on '{}', which is {}", s->name, a.text()), "not-an-array");
    if (elem_bytes(a.elem) < 4 || a.complex)
      return fail(fmt::format("'xchange' on '{}', which is {}", s->name, a.text()), "xchange-type",
                  "its elements must be real numbers of 4 or 8 bytes: int32, int64, uint32, uint64, float32 or float64");
    if ((e.op == AtomicOp::And || e.op == AtomicOp::Or) && is_float(a.elem))
      return fail(fmt::format("'{}' has no meaning for {}", atomic_op_name(e.op), elem_name(a.elem)), "xchange-type");
    for (const Subscript& x : e.subscripts)
      if (!x.value || x.value->kind == Kind::Range || !x.value->type.is_scalar())
        return fail("'xchange' works on one element: every subscript must be a scalar", "xchange-subscript");
    Typing t = subscripted(s->name, a, e.subscripts, conv.flatten, true);
    if (!t.ok()) return t;
    if (!t.type.is_scalar())
      return fail(fmt::format("'xchange' works on one element: '{}' has rank {} and {} subscript{}", s->name, a.rank,
                              e.subscripts.size(), e.subscripts.size() == 1 ? "" : "s"),
                  "xchange-subscript");
    size_t need = e.op == AtomicOp::Cas ? 2 : 1;
    if (e.args.size() != need)
      return fail(fmt::format("'xchange :op {}' takes {} argument{}, but got {}", atomic_op_name(e.op), need,
                              need == 1 ? "" : "s (expected, desired)", e.args.size()),
                  "arity");
    for (const ExprPtr& x : e.args)
      if (!converts(x->type, t.type))
        return fail(fmt::format("an argument of 'xchange' is {} where {} is expected", x->type.text(), t.type.text()),
                    "argument-type");
    return t;
  }
};

}  // namespace

std::string nearest_name(const std::string& name, const TypingScope& scope) {
  std::string best;
  size_t best_distance = std::max<size_t>(1, name.size() / 3) + 1;
  auto consider = [&](std::string_view candidate) {
    size_t d = edit_distance(name, candidate);
    if (d < best_distance) {
      best_distance = d;
      best = candidate;
    }
  };
  if (name.size() > 64 || (scope.names && scope.names->suggestions-- <= 0)) return best;
  if (scope.function)
    for (const Symbol& s : scope.function->symbols.all())
      if (s.type.is_function() && s.name.size() <= 64) consider(s.name);
  if (scope.module)
    for (const FunctionPtr& f : scope.module->functions)
      if (f->name.size() <= 64) consider(f->name);
  for (const LibFunction& f : all_library()) consider(f.name);
  return best;
}

Typing natural_type(const Expr& e, const TypingScope& scope) { return visit(e, Rules{scope}); }

bool is_operator(Kind k) {
  switch (k) {
    case Kind::Plus:
    case Kind::Minus:
    case Kind::Mult:
    case Kind::Lt:
    case Kind::Leq:
    case Kind::Gt:
    case Kind::Geq:
    case Kind::Eq:
    case Kind::Neq:
    case Kind::And:
    case Kind::Or:
    case Kind::Not:
    case Kind::Negate:
      return true;
    default:
      return false;
  }
}

}  // namespace vr::ir
