// Expressions under construction: a constructor for each kind of nodes.def, typed by the rules of ir/typing.hpp.
#include "capi/builder.hpp"
#include "ir/typing.hpp"

#include <velociraptor/ir/verify.hpp>
#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace vr::capi {

ir::ExprPtr operand(vr_fn* f, const vr_expr* e, const char* what) {
  if (!e) {
    // After an error, NULL may be the result of the constructor that failed: report no second error.
    if (f->builder->status() == VR_OK) f->error("missing-part", fmt::format("an operand of '{}' is NULL", what));
    return nullptr;
  }
  if (e->fn != f) {
    f->error("wrong-function", fmt::format("an operand of '{}' belongs to function '{}'", what, e->fn->function->name),
             "build it again with this function");
    return nullptr;
  }
  return e->node;
}

bool operands(vr_fn* f, size_t count, vr_expr* const* list, const char* what, std::vector<ir::ExprPtr>* out) {
  if (count > 0 && !list) {
    f->error("missing-part", fmt::format("the list of operands of '{}' is NULL", what));
    return false;
  }
  bool ok = true;
  for (size_t k = 0; k < count; ++k) {
    out->push_back(operand(f, list[k], what));
    ok = ok && out->back();
  }
  return ok;
}

ir::SymbolId variable(vr_fn* f, const vr_expr* e, const char* what) {
  ir::ExprPtr node = operand(f, e, what);
  if (!node) return -1;
  if (const auto* n = ir::as<ir::Name>(node)) return n->id;
  f->error("not-a-variable", fmt::format("'{}' needs a variable", what), "assign the value to a variable first");
  return -1;
}

bool variables(vr_fn* f, size_t count, vr_expr* const* list, const char* what, std::vector<ir::SymbolId>* out) {
  if (count > 0 && !list) {
    f->error("missing-part", fmt::format("the list of variables of '{}' is NULL", what));
    return false;
  }
  bool ok = true;
  for (size_t k = 0; k < count; ++k) {
    out->push_back(variable(f, list[k], what));
    ok = ok && out->back() >= 0;
  }
  return ok;
}

}  // namespace vr::capi

using namespace vr;
using namespace vr::capi;
using namespace vr::ir;

namespace {

/// The sizes of an expression's operands, for the limits. Filled in by the helpers below.
struct Parts {
  int depth = 0;
  size_t size = 0;
  void add(const vr_expr* e) {
    if (!e) return;
    depth = std::max(depth, e->depth);
    size += std::min(e->size, max_nodes);
  }
  void add(size_t count, vr_expr* const* list) {
    for (size_t k = 0; list && k < count; ++k) add(list[k]);
  }
};

enum class Stated {
  Exactly,  ///< the stated type must be one that the node's own converts to
  Element,  ///< ... or the element type of the array that it gives
};

/// Determines the node's type and makes it an expression of the function; null, with an error recorded, if the typing
/// rules reject it. `stated` may be null.
vr_expr* finish(vr_fn* f, std::shared_ptr<Expr> n, const Parts& parts, const vr_type* stated = nullptr,
                Stated how = Stated::Exactly) {
  if (parts.depth >= max_tree_depth || parts.size >= max_nodes) {
    f->error("too-deep",
             fmt::format("an expression is deeper than {} or larger than {} nodes", max_tree_depth, max_nodes),
             "assign parts of it to variables");
    return nullptr;
  }
  const Typing t = natural_type(*n, {&f->builder->module, f->function.get(), f->builder->conventions});
  if (!t.ok()) {
    f->error(t.rule, t.error, t.hint);
    return nullptr;
  }
  n->type = t.type;
  if (stated && !(*unwrap(stated) == t.type)) {
    const Type& s = *unwrap(stated);
    if (converts(t.type, s)) {
      n->type = s;
    } else if (how == Stated::Exactly || !s.is_scalar() || !t.type.is_array()) {
      f->error("stated-type",
               fmt::format("'{}' states {}, but it gives {}", kind_word(n->kind), s.text(), t.type.text()),
               "convert with 'cast'");
      return nullptr;
    }
  }
  return &f->exprs.emplace_back(vr_expr{std::move(n), f, parts.depth + 1, parts.size + 1});
}

Type type_or_null(const vr_type* t) { return t ? *unwrap(t) : Type::null(); }

template <class N>
vr_expr* binary(vr_fn* f, const vr_expr* a, const vr_expr* b) {
  return expression(f, [&]() -> vr_expr* {
    Parts p;
    p.add(a), p.add(b);
    const char* word = kind_word(N::static_kind);
    ExprPtr l = operand(f, a, word), r = operand(f, b, word);
    return l && r ? finish(f, std::make_shared<N>(Type::null(), std::move(l), std::move(r)), p) : nullptr;
  });
}

template <class N>
vr_expr* unary(vr_fn* f, const vr_expr* a) {
  return expression(f, [&]() -> vr_expr* {
    Parts p;
    p.add(a);
    ExprPtr x = operand(f, a, kind_word(N::static_kind));
    return x ? finish(f, std::make_shared<N>(Type::null(), std::move(x)), p) : nullptr;
  });
}

/// Nodes that are a list of operands and something before it.
template <class N, class... A>
vr_expr* listed(vr_fn* f, size_t count, vr_expr* const* list, const vr_type* stated, Stated how, A&&... before) {
  return expression(f, [&]() -> vr_expr* {
    Parts p;
    p.add(count, list);
    std::vector<ExprPtr> nodes;
    if (!operands(f, count, list, kind_word(N::static_kind), &nodes)) return nullptr;
    return finish(f, std::make_shared<N>(type_or_null(stated), std::forward<A>(before)..., std::move(nodes)), p, stated,
                  how);
  });
}

/// Nodes that refer to one variable.
template <class N, class... A>
vr_expr* of_variable(vr_fn* f, const vr_expr* v, A... after) {
  return expression(f, [&]() -> vr_expr* {
    const SymbolId id = variable(f, v, kind_word(N::static_kind));
    return id < 0 ? nullptr : finish(f, std::make_shared<N>(Type::null(), id, after...), {});
  });
}

vr_expr* missing(vr_fn* f, const char* what) {
  f->error("missing-part", fmt::format("{} is NULL", what));
  return nullptr;
}

bool read_choice(vr_fn* f, int32_t choice, const char* what, std::optional<bool>* out) {
  if (choice == VR_YES || choice == VR_NO) *out = choice == VR_YES;
  if (choice >= VR_NO && choice <= VR_YES) return true;
  f->error("attribute-value", fmt::format("'{}' is {}; it is VR_UNSTATED, VR_YES or VR_NO", what, choice));
  return false;
}

bool read_subscripts(vr_fn* f, size_t count, const vr_subscript* list, const char* what, Parts* parts,
                     std::vector<Subscript>* out) {
  if (count > 0 && !list) return missing(f, "the list of subscripts") != nullptr;
  constexpr int32_t both = VR_SUBSCRIPT_GROW | VR_SUBSCRIPT_NO_GROW;
  for (size_t k = 0; k < count; ++k) {
    const int32_t flags = list[k].flags;
    parts->add(list[k].value);
    Subscript s;
    s.value = operand(f, list[k].value, what);
    if (!s.value) return false;
    if (flags < 0 || flags >= 2 * VR_SUBSCRIPT_NO_GROW || (flags & both) == both) {
      f->error("attribute-value", fmt::format("subscript {} of '{}' has the flags {}", k + 1, what, flags));
      return false;
    }
    s.minbounds = !(flags & VR_SUBSCRIPT_NO_LOWER_CHECK);
    s.maxbounds = !(flags & VR_SUBSCRIPT_NO_UPPER_CHECK);
    s.negative = (flags & VR_SUBSCRIPT_NEGATIVE) != 0;
    if (flags & both) s.grow = (flags & VR_SUBSCRIPT_GROW) != 0;
    out->push_back(std::move(s));
  }
  return true;
}

static_assert(int(AllocFunc::Zeros) == VR_ALLOC_ZEROS && int(AllocFunc::Ones) == VR_ALLOC_ONES &&
              int(AllocFunc::Empty) == VR_ALLOC_EMPTY);
static_assert(int(AtomicOp::Cas) == VR_ATOMIC_CAS && int(AtomicOp::Add) == VR_ATOMIC_ADD &&
              int(AtomicOp::Sub) == VR_ATOMIC_SUB && int(AtomicOp::Min) == VR_ATOMIC_MIN &&
              int(AtomicOp::Max) == VR_ATOMIC_MAX && int(AtomicOp::And) == VR_ATOMIC_AND &&
              int(AtomicOp::Or) == VR_ATOMIC_OR && int(AtomicOp::Swap) == VR_ATOMIC_SWAP);

}  // namespace

extern "C" {

const vr_type* vr_expr_type(const vr_expr* e) { return e ? wrap(&e->node->type) : nullptr; }
int32_t vr_expr_symbol(const vr_expr* e) {
  const auto* n = e ? as<Name>(e->node) : nullptr;
  return n ? n->id : -1;
}
const vr_node* vr_expr_node(const vr_expr* e) { return e ? wrap(e->node.get()) : nullptr; }

vr_expr* vr_expr_plus(vr_fn* f, const vr_expr* a, const vr_expr* b) { return binary<Plus>(f, a, b); }
vr_expr* vr_expr_minus(vr_fn* f, const vr_expr* a, const vr_expr* b) { return binary<Minus>(f, a, b); }
vr_expr* vr_expr_mult(vr_fn* f, const vr_expr* a, const vr_expr* b) { return binary<Mult>(f, a, b); }
vr_expr* vr_expr_div(vr_fn* f, const vr_expr* a, const vr_expr* b) { return binary<Div>(f, a, b); }
vr_expr* vr_expr_lt(vr_fn* f, const vr_expr* a, const vr_expr* b) { return binary<Lt>(f, a, b); }
vr_expr* vr_expr_leq(vr_fn* f, const vr_expr* a, const vr_expr* b) { return binary<Leq>(f, a, b); }
vr_expr* vr_expr_gt(vr_fn* f, const vr_expr* a, const vr_expr* b) { return binary<Gt>(f, a, b); }
vr_expr* vr_expr_geq(vr_fn* f, const vr_expr* a, const vr_expr* b) { return binary<Geq>(f, a, b); }
vr_expr* vr_expr_eq(vr_fn* f, const vr_expr* a, const vr_expr* b) { return binary<Eq>(f, a, b); }
vr_expr* vr_expr_neq(vr_fn* f, const vr_expr* a, const vr_expr* b) { return binary<Neq>(f, a, b); }
vr_expr* vr_expr_and(vr_fn* f, const vr_expr* a, const vr_expr* b) { return binary<And>(f, a, b); }
vr_expr* vr_expr_or(vr_fn* f, const vr_expr* a, const vr_expr* b) { return binary<Or>(f, a, b); }

vr_expr* vr_expr_binary(vr_fn* f, int32_t kind, const vr_expr* a, const vr_expr* b) {
  using Constructor = vr_expr* (*)(vr_fn*, const vr_expr*, const vr_expr*);
  static constexpr Constructor in_order[] = {vr_expr_plus, vr_expr_minus, vr_expr_mult, vr_expr_div,
                                             vr_expr_lt,   vr_expr_leq,   vr_expr_gt,   vr_expr_geq,
                                             vr_expr_eq,   vr_expr_neq,   vr_expr_and,  vr_expr_or};
  static_assert(VR_KIND_OR - VR_KIND_PLUS + 1 == std::size(in_order));
  if (kind >= VR_KIND_PLUS && kind <= VR_KIND_OR) return in_order[kind - VR_KIND_PLUS](f, a, b);
  return expression(f, [&]() -> vr_expr* {
    f->error("type-mismatch", fmt::format("kind {} is no operator of two operands", kind));
    return nullptr;
  });
}

vr_expr* vr_expr_not(vr_fn* f, const vr_expr* a) { return unary<Not>(f, a); }
vr_expr* vr_expr_negate(vr_fn* f, const vr_expr* a) { return unary<Negate>(f, a); }
vr_expr* vr_expr_cast(vr_fn* f, const vr_expr* a, const vr_type* to) {
  return expression(f, [&]() -> vr_expr* {
    if (!to) return f->builder->status() == VR_OK ? missing(f, "the type of a cast") : nullptr;
    Parts p;
    p.add(a);
    ExprPtr x = operand(f, a, "cast");
    return x ? finish(f, std::make_shared<Cast>(*unwrap(to), std::move(x)), p, to, Stated::Element) : nullptr;
  });
}

vr_expr* vr_expr_name(vr_fn* f, int32_t id) {
  return expression(f, [&] { return finish(f, std::make_shared<Name>(Type::null(), id), {}); });
}
vr_expr* vr_expr_int_const(vr_fn* f, int64_t value, const vr_type* type) {
  return expression(f, [&] { return finish(f, std::make_shared<IntConst>(type_or_null(type), value), {}, type); });
}
vr_expr* vr_expr_float_const(vr_fn* f, double value, const vr_type* type) {
  return expression(f, [&] { return finish(f, std::make_shared<FloatConst>(type_or_null(type), value), {}, type); });
}
vr_expr* vr_expr_complex_const(vr_fn* f, double re, double im, const vr_type* type) {
  return expression(f, [&] { return finish(f, std::make_shared<ComplexConst>(type_or_null(type), re, im), {}, type); });
}

vr_expr* vr_expr_index(vr_fn* f, const vr_expr* array, size_t count, vr_expr* const* subscripts) {
  return expression(f, [&]() -> vr_expr* {
    if (count > 0 && !subscripts) return missing(f, "the list of subscripts");
    std::vector<vr_subscript> plain;
    for (size_t k = 0; k < count; ++k) plain.push_back({subscripts[k], 0, 0});
    return vr_expr_index_with(f, array, count, plain.data(), VR_UNSTATED, VR_UNSTATED);
  });
}
vr_expr* vr_expr_index_with(vr_fn* f, const vr_expr* array, size_t count, const vr_subscript* subscripts,
                            int32_t copyslice, int32_t flatten) {
  return expression(f, [&]() -> vr_expr* {
    Parts p;
    std::vector<Subscript> list;
    const SymbolId id = variable(f, array, "index");
    if (id < 0 || !read_subscripts(f, count, subscripts, "index", &p, &list)) return nullptr;
    auto n = std::make_shared<Index>(Type::null(), id, std::move(list));
    if (!read_choice(f, copyslice, "copyslice", &n->copyslice)) return nullptr;
    if (!read_choice(f, flatten, "flatten", &n->flatten)) return nullptr;
    return finish(f, std::move(n), p);
  });
}

vr_expr* vr_expr_fncall(vr_fn* f, const char* function, size_t count, vr_expr* const* arguments) {
  return expression(f, [&]() -> vr_expr* {
    if (!function) return missing(f, "the name of a function");
    return listed<FnCall>(f, count, arguments, nullptr, Stated::Exactly, std::string(function));
  });
}
vr_expr* vr_expr_fnhandle(vr_fn* f, const char* function, const vr_type* type) {
  return expression(f, [&]() -> vr_expr* {
    if (!function) return missing(f, "the name of a function");
    return finish(f, std::make_shared<FnHandle>(type_or_null(type), function), {}, type);
  });
}
vr_expr* vr_expr_libcall(vr_fn* f, const char* function, size_t count, vr_expr* const* arguments, const vr_type* type) {
  return expression(f, [&]() -> vr_expr* {
    if (!function) return missing(f, "the name of a function");
    return listed<LibCall>(f, count, arguments, type, Stated::Element, std::string(function));
  });
}
vr_expr* vr_expr_alloc(vr_fn* f, int32_t what, const vr_type* type, size_t count, vr_expr* const* extents) {
  return expression(f, [&]() -> vr_expr* {
    if (!type) return f->builder->status() == VR_OK ? missing(f, "the type of an allocation") : nullptr;
    if (what < VR_ALLOC_ZEROS || what > VR_ALLOC_EMPTY) {
      f->error("attribute-value", fmt::format("{} is no VR_ALLOC_...", what));
      return nullptr;
    }
    return listed<Alloc>(f, count, extents, type, Stated::Element, static_cast<AllocFunc>(what));
  });
}

vr_expr* vr_expr_dim(vr_fn* f, const vr_expr* array, int32_t dimension) {
  return of_variable<Dim>(f, array, dimension);
}
vr_expr* vr_expr_dimvec(vr_fn* f, const vr_expr* array) { return of_variable<DimVec>(f, array); }
vr_expr* vr_expr_tuple(vr_fn* f, size_t count, vr_expr* const* elements) {
  return listed<TupleExpr>(f, count, elements, nullptr, Stated::Exactly);
}
vr_expr* vr_expr_tuple_index(vr_fn* f, const vr_expr* tuple, int32_t index) {
  return of_variable<TupleIndex>(f, tuple, index);
}
vr_expr* vr_expr_complex(vr_fn* f, const vr_expr* re, const vr_expr* im) { return binary<ComplexExpr>(f, re, im); }
vr_expr* vr_expr_real(vr_fn* f, const vr_expr* variable) { return of_variable<RealExpr>(f, variable); }
vr_expr* vr_expr_imag(vr_fn* f, const vr_expr* variable) { return of_variable<ImagExpr>(f, variable); }

vr_expr* vr_expr_range(vr_fn* f, int32_t exclude, const vr_expr* start, const vr_expr* step, const vr_expr* stop) {
  return expression(f, [&]() -> vr_expr* {
    Parts p;
    auto n = std::make_shared<Range>(Type::null(), std::nullopt, nullptr, nullptr, nullptr);
    if (!read_choice(f, exclude, "exclude", &n->exclude)) return nullptr;
    const std::pair<const vr_expr*, ExprPtr*> ends[] = {{start, &n->start}, {step, &n->step}, {stop, &n->stop}};
    for (const auto& [e, to] : ends) {
      p.add(e);
      if (e && !(*to = operand(f, e, "range"))) return nullptr;
    }
    return finish(f, std::move(n), p);
  });
}
vr_expr* vr_expr_domain(vr_fn* f, size_t count, vr_expr* const* ranges) {
  return listed<Domain>(f, count, ranges, nullptr, Stated::Exactly);
}

vr_expr* vr_expr_xchange(vr_fn* f, int32_t op, const vr_expr* array, size_t count, const vr_subscript* subscripts,
                         size_t argument_count, vr_expr* const* arguments) {
  return expression(f, [&]() -> vr_expr* {
    if (op < VR_ATOMIC_CAS || op > VR_ATOMIC_SWAP) {
      f->error("attribute-value", fmt::format("{} is no VR_ATOMIC_...", op));
      return nullptr;
    }
    Parts p;
    p.add(argument_count, arguments);
    std::vector<Subscript> list;
    std::vector<ExprPtr> args;
    const SymbolId id = variable(f, array, "xchange");
    if (id < 0 || !read_subscripts(f, count, subscripts, "xchange", &p, &list)) return nullptr;
    if (!operands(f, argument_count, arguments, "xchange", &args)) return nullptr;
    return finish(
        f, std::make_shared<Xchange>(Type::null(), static_cast<AtomicOp>(op), id, std::move(list), std::move(args)), p);
  });
}

vr_expr* vr_expr_as(vr_fn* f, const vr_expr* e, const vr_type* type) {
  return expression(f, [&]() -> vr_expr* {
    if (!type) return f->builder->status() == VR_OK ? missing(f, "the type to state") : nullptr;
    ExprPtr x = operand(f, e, "as");
    if (!x) return nullptr;
    const Type& to = *unwrap(type);
    if (!converts(x->type, to)) {
      f->error("stated-type", fmt::format("{} stated as {}", x->type.text(), to.text()), "convert with 'cast'");
      return nullptr;
    }
    ExprPtr copy = visit(*x, [&](const auto& n) -> ExprPtr {
      auto same = std::make_shared<std::decay_t<decltype(n)>>(n);
      same->type = to;
      return same;
    });
    return &f->exprs.emplace_back(vr_expr{std::move(copy), f, e->depth, e->size});
  });
}

}  // extern "C"
