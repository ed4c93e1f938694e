// Modules, functions, variables, and the helpers that build nodes.
#include "generator.hpp"

#include <velociraptor/ir/verify.hpp>
#include <velociraptor/ir/visit.hpp>

#include <cmath>
#include <cstring>
#include <limits>

namespace vr::smith {

namespace {
bool all_allowed = false;
}
bool allowed(Known) { return all_allowed; }
void allow_all() { all_allowed = true; }

int64_t count(const Shape& s) {
  int64_t n = 1;
  for (int64_t e : s) n *= e;
  return n;
}

// ---------------------------------------------------------------- nodes

ExprPtr FunctionGen::typed(const std::shared_ptr<ir::Expr>& node) {
  ir::TypingScope scope{&m_.module, &fn_, m_.conv, nullptr};
  ir::Typing t = ir::natural_type(*node, scope);
  if (!t.ok()) throw Retry{};
  node->type = t.type;
  return node;
}

ExprPtr FunctionGen::restate(const ExprPtr& e, Type t) {
  return ir::visit(*e, [&](const auto& n) -> ExprPtr {
    auto copy = std::make_shared<std::decay_t<decltype(n)>>(n);
    copy->type = std::move(t);
    return copy;
  });
}

ExprPtr FunctionGen::binary(Kind k, ExprPtr a, ExprPtr b) {
  switch (k) {
#define CASE(K) \
  case Kind::K: \
    return make<ir::K>(std::move(a), std::move(b));
    CASE(Plus)
    CASE(Minus)
    CASE(Mult)
    CASE(Div)
    CASE(Lt)
    CASE(Leq)
    CASE(Gt)
    CASE(Geq)
    CASE(Eq)
    CASE(Neq)
    CASE(And) CASE(Or)
#undef CASE
        default : throw Retry{};
  }
}

ExprPtr FunctionGen::lib(const std::string& name, std::vector<ExprPtr> args, const Type& stated) {
  const bool by_name = rng.chance(15);
  std::shared_ptr<ir::Expr> node;
  if (by_name)
    node = std::make_shared<ir::FnCall>(stated, name, std::move(args));
  else
    node = std::make_shared<ir::LibCall>(stated, name, std::move(args));
  return typed(node);
}

ExprPtr FunctionGen::name(const Variable& v) { return std::make_shared<ir::Name>(v.type, v.id); }
ExprPtr FunctionGen::int_const(int64_t v, Elem e) { return std::make_shared<ir::IntConst>(Type::scalar(e), v); }
ExprPtr FunctionGen::float_const(double v, Elem e) { return std::make_shared<ir::FloatConst>(Type::scalar(e), v); }

ExprPtr FunctionGen::to(ExprPtr e, Elem elem, bool complex) {
  if (complex && ir::is_narrow_float(elem)) throw Retry{};  // no such type exists
  if (!e->type.is_numeric()) throw Retry{};
  if (e->type.elem == elem && e->type.complex == complex) return e;
  Type t = e->type;
  t.elem = elem;
  t.complex = complex;
  if (e->type.complex && !complex) {
    if (rng.chance(50)) return to(lib(rng.chance(50) ? "real" : "imag", {e}), elem, false);
    return std::make_shared<ir::Cast>(t, e);
  }
  if (t.is_array() && t.layout == Layout::Strided) t.layout = ir::fresh_layout(m_.conv);
  // A power with a stated float type is another function. A name cannot state another type than its variable's.
  const std::string* called = nullptr;
  if (auto* c = ir::as<ir::LibCall>(e)) called = &c->func;
  if (auto* c = ir::as<ir::FnCall>(e)) called = &c->callee;
  const bool keeps = called && *called == "pow";
  if (e->kind == Kind::Name || keeps || rng.chance(50)) return std::make_shared<ir::Cast>(t, e);
  return restate(e, t);
}

// ---------------------------------------------------------------- variables

Variable& FunctionGen::add(const Type& t, const char* stem) {
  auto v = std::make_unique<Variable>();
  std::string label = stem + std::to_string(fn_.symbols.all().size());
  v->id = fn_.symbols.fresh(label, t);
  v->type = t;
  vars_.push_back(std::move(v));
  return *vars_.back();
}

std::vector<Variable*> FunctionGen::where(const std::function<bool(const Variable&)>& f) {
  std::vector<Variable*> out;
  for (auto& v : vars_)
    if (!v->hidden && f(*v)) out.push_back(v.get());
  return out;
}
Variable* FunctionGen::any(const std::function<bool(const Variable&)>& f) {
  auto all = where(f);
  return all.empty() ? nullptr : rng.pick(all);
}

bool FunctionGen::readable(const Variable& v) const {
  if (!v.exact) return false;
  if (!parallel_ || !v.type.is_array()) return true;
  return !parallel_->banned.count(v.group);
}

Elem FunctionGen::random_elem(bool with_bool) {
  switch (rng.weighted({with_bool ? 10 : 0, 18, 25, 17, 30, 24, 8})) {
    case 0:
      return Elem::Bool;
    case 1:
      return Elem::Int32;
    case 2:
      return Elem::Int64;
    case 3:
      return Elem::Float32;
    case 4:
      return Elem::Float64;
    case 5:
      return rng.pick({Elem::Int8, Elem::Int16, Elem::UInt8, Elem::UInt16, Elem::UInt32, Elem::UInt64});
    default:
      return rng.pick({Elem::Float16, Elem::BFloat16});
  }
}
Type FunctionGen::random_scalar_type() {
  const bool complex = rng.chance(12);
  Elem e = random_elem(!complex);
  if (complex && (ir::is_narrow_float(e) || (!ir::is_float(e) && rng.chance(70)))) e = Elem::Float64;
  if (complex && rng.chance(6)) e = Elem::Bool;
  return Type::scalar(e, complex);
}
Shape FunctionGen::random_shape(int max_rank) {
  const int low = m_.matlab() ? 2 : 1;
  int rank = low + static_cast<int>(rng.weighted({60, 30, 8}));
  if (m_.matlab()) rank = 2 + static_cast<int>(rng.weighted({90, 10}));
  rank = std::max(low, std::min(rank, max_rank));
  Shape s;
  for (int k = 0; k < rank; ++k) s.push_back(rng.chance(8) ? 1 : rng.pick(m_.sizes));
  if (m_.matlab() && rank == 2 && rng.chance(45)) s[static_cast<size_t>(rng.below(2))] = 1;
  while (count(s) > 400) s[static_cast<size_t>(rng.below(rank))] = 2;
  return s;
}
Layout FunctionGen::random_layout() {
  const Layout own = ir::fresh_layout(m_.conv);
  const Layout other = own == Layout::RowMajor ? Layout::ColMajor : Layout::RowMajor;
  switch (rng.weighted({60, 15, 25})) {
    case 0:
      return own;
    case 1:
      return other;
    default:
      return Layout::Strided;
  }
}

// ---------------------------------------------------------------- functions

FunctionGen::FunctionGen(ModuleContext& m, std::string name, bool entry, bool for_handles)
    : m_(m), rng(m.rng), entry_(entry), for_handles_(for_handles) {
  fn_.name = std::move(name);
  info_.name = fn_.name;
}

namespace {

void put(std::vector<uint8_t>& out, Elem e, Random& rng, bool wild) {
  auto append = [&](auto v) {
    const auto* p = reinterpret_cast<const uint8_t*>(&v);
    out.insert(out.end(), p, p + sizeof v);
  };
  auto integer = [&]() -> int64_t {
    if (wild && rng.chance(12))
      return rng.pick<int64_t>({std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(),
                                std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max(), -1, 0,
                                int64_t{1} << 53, -(int64_t{1} << 33)});
    return rng.chance(80) ? rng.range(-9, 20) : rng.range(-100000, 100000);
  };
  auto real = [&]() -> double {
    if (wild && rng.chance(15))
      return rng.pick<double>({std::nan(""), std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity(), -0.0, 0.0, 1e300, -1e-310, 3e9, -1e19, 1e38,
                               1e-40, 0x1p31, 0x1p63, -0x1p63});
    if (rng.chance(50)) return static_cast<double>(rng.range(-8, 8)) * 0.5;
    return (rng.uniform() - 0.5) * 20;
  };
  ir::visit_elem(e, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (tag.kind == ir::ElemKind::Logical)
      append(static_cast<T>(rng.below(2)));
    else if constexpr (tag.kind == ir::ElemKind::Floating)
      append(static_cast<T>(real()));
    else
      append(static_cast<T>(integer()));
  });
}

Input random_input(const Type& t, const std::optional<Shape>& shape, Random& rng, bool wild) {
  Input in;
  in.type = t;
  const int parts = t.complex ? 2 : 1;
  if (t.is_scalar()) {
    std::vector<uint8_t> bytes;
    for (int k = 0; k < parts; ++k) put(bytes, t.elem, rng, wild);
    std::memcpy(&in.scalar, bytes.data(), bytes.size());
    return in;
  }
  in.extents = *shape;
  for (int64_t k = 0; k < count(in.extents) * parts; ++k) put(in.bytes, t.elem, rng, wild);
  if (t.layout == Layout::Strided) {
    in.column = rng.chance(40);
    if (rng.chance(60))
      for (size_t k = 0; k < in.extents.size(); ++k) in.steps.push_back(rng.pick({1, 1, 2, -1, 3, -2}));
  }
  return in;
}

}  // namespace

FunctionInfo FunctionGen::run(std::vector<Input>* inputs) {
  // Parameters.
  std::vector<Type> ins, outs;
  auto parameter = [&](const Type& t, std::optional<Shape> shape) -> Variable& {
    Variable& v = add(t, t.is_array() ? "a" : t.is_function() ? "g" : "p");
    v.shape = shape;
    fn_.args.push_back(v.id);
    info_.params.push_back({t, shape});
    ins.push_back(t);
    return v;
  };
  const bool recursive = !entry_ && !for_handles_ && rng.chance(18);
  if (recursive) {
    info_.depth_param = 0;
    depth_ = &parameter(Type::scalar(Elem::Int64), {});
    depth_->constant = true;
  }
  const int64_t scalars = for_handles_ ? 0 : rng.range(entry_ ? 1 : 0, 2);
  const int64_t arrays = for_handles_ ? 0 : rng.range(entry_ ? 1 : 0, entry_ ? 3 : 2);
  if (for_handles_) parameter(Type::scalar(Elem::Float64), {});
  for (int64_t k = 0; k < scalars; ++k) parameter(random_scalar_type(), {});
  for (int64_t k = 0; k < arrays; ++k) {
    const Shape s = random_shape();
    const Type t = random_scalar_type();
    Variable& v = parameter(Type::array(t.elem, static_cast<int>(s.size()), random_layout(), t.complex), s);
    // Under value semantics a store copies an argument first, so the same array may be passed twice.
    v.window = entry_ && m_.copies() && v.type.rank == 2 && v.type.layout == Layout::Strided && ir::is_float(t.elem) &&
               !ir::is_narrow_float(t.elem) && !t.complex && count(s) > 0 && rng.chance(50);
    if (v.window) v.exact = false, v.constant = true;
  }
  if (!entry_ && !for_handles_ && rng.chance(15)) parameter(random_aggregate(), {});
  if (!entry_ && !for_handles_ && rng.chance(10)) {
    Type f64 = Type::scalar(Elem::Float64);
    parameter(Type::function({f64}, {f64}), {});
  }
  // Results.
  for (int64_t k = for_handles_ ? 1 : rng.range(entry_ ? 1 : 0, entry_ ? 4 : 3); k > 0; --k) {
    ResultInfo r;
    const Type t = for_handles_ ? Type::scalar(Elem::Float64) : random_scalar_type();
    r.type = t;
    if (!for_handles_ && rng.chance(entry_ ? 60 : 40)) {
      r.shape = random_shape();
      r.type = Type::array(t.elem, static_cast<int>(r.shape->size()), random_layout(), t.complex);
    }
    if (entry_ && rng.chance(15) && ir::is_float(r.type.elem)) {
      r.exact = false;
      r.type.complex = false;
    }
    info_.results.push_back(r);
    outs.push_back(r.type);
  }
  if (!entry_ && !for_handles_ && rng.chance(12)) {
    // Usually of a type that the function takes, so that the value can be passed on.
    Variable* same =
        rng.chance(60) ? any([](const Variable& x) { return x.type.is_tuple() || x.type.is_domain(); }) : nullptr;
    info_.results.assign(1, {});
    info_.results[0].type = same ? same->type : random_aggregate();
    outs = {info_.results[0].type};
  }
  fn_.type = Type::function(ins, outs);
  info_.type = fn_.type;
  if (m_.locations && rng.chance(50)) fn_.loc = "fn:" + fn_.name + ":1";

  // Variables: numbers and arrays that keep their extents, initialised at the start (some numbers keep the value zero).
  ir::Body out;
  for (int64_t k = rng.range(2, 4); k > 0; --k) {
    Variable& v = add(random_scalar_type(), "x");
    if (rng.chance(75)) assign(out, name(v), to(scalar_leaf(v.type.elem, v.type.complex), v.type.elem, v.type.complex));
  }
  for (int64_t k = rng.range(0, 2); k > 0; --k) {
    const Shape s = random_shape();
    const Type t = random_scalar_type();
    Variable& v = add(Type::array(t.elem, static_cast<int>(s.size()), random_layout(), t.complex), "v");
    v.group = rng.chance(30) ? 0 : ++groups_;
    v.hidden = true;
    try {
      ExprPtr value = array(t.elem, t.complex, s, 1);
      v.shape = s;
      assign_variable(out, v, value);
    } catch (const Retry&) {
      continue;  // stays out of scope
    }
    v.hidden = false;
  }
  const int share = entry_ ? m_.budget : std::min(m_.budget, static_cast<int>(rng.range(2, 6)));
  ir::Body more = body(share);
  out.insert(out.end(), more.begin(), more.end());
  out.push_back(return_statement());
  fn_.body = std::move(out);
  auto made = std::make_shared<const ir::Function>(fn_);
  m_.module.functions.push_back(made);
  // Functions that a kernel may call: scalar arguments and results, no arrays created.
  for (const auto& v : vars_)
    if (!v->exact) info_.inexact.insert(v->id);
  info_.plain = info_.depth_param < 0 && !info_.has_pfor;
  for (const Parameter& x : info_.params) info_.plain = info_.plain && x.type.is_scalar();
  ir::walk_exprs(made->body, [&](const ir::Expr& e) {
    if (!e.type.is_scalar()) info_.plain = false;
    if (auto* c = ir::as<ir::FnCall>(&e))
      for (const FunctionInfo& f : m_.functions)
        if (f.name == c->callee && !f.plain) info_.plain = false;
  });

  if (inputs) {
    for (size_t k = 0; k < info_.params.size(); ++k) {
      const Parameter& p = info_.params[k];
      Input in = random_input(p.type, p.shape, rng, m_.wild);
      const Variable& v = *vars_[k];
      if (v.window) {
        in.steps.clear();
        in.window = static_cast<int>(rng.below((*p.shape)[1]));
        for (size_t at = 0; at < in.bytes.size(); at += static_cast<size_t>(ir::elem_bytes(p.type.elem))) {
          const double x = 0.5 * static_cast<double>(rng.range(1, 12));
          const auto y = static_cast<float>(x);
          if (p.type.elem == Elem::Float32)
            std::memcpy(&in.bytes[at], &y, sizeof y);
          else
            std::memcpy(&in.bytes[at], &x, sizeof x);
        }
        inputs->push_back(std::move(in));
        continue;
      }
      // The same array twice, like f(a, a) in NumPy.
      for (size_t j = 0; j < k && p.type.is_array(); ++j)
        if (info_.params[j].type == p.type && info_.params[j].shape == p.shape && rng.chance(40)) {
          in.same_as = (*inputs)[j].same_as >= 0 ? (*inputs)[j].same_as : static_cast<int>(j);
          // Or overlapping views, like f(a[:-1], a[1:]) in NumPy.
          if (p.type.layout == Layout::Strided && !(*inputs)[j].overlaps() && rng.chance(50)) {
            in.follows = in.same_as;
            in.same_as = -1;
            if ((*inputs)[static_cast<size_t>(in.follows)].overlaps()) in.follows = -1;
          }
          break;
        }
      inputs->push_back(std::move(in));
    }
  }
  return info_;
}

// ---------------------------------------------------------------- modules

namespace {

void conventions(ModuleContext& m) {
  Random& rng = m.rng;
  ir::ConventionAttrs& a = m.attrs;
  const size_t kind = rng.weighted({45, 30, 25});
  if (kind == 0) {
    if (rng.chance(20)) a.indexing = 1;
    if (rng.chance(30)) a.fast_math = 0;
  } else if (kind == 1) {
    const ir::Conventions ml = ir::Conventions::matlab();
    a.indexing = ml.indexing, a.exclude = ml.exclude, a.flatten = ml.flatten, a.grow = ml.grow, a.assign = ml.assign;
    a.slices = ml.slices, a.nan = ml.nan, a.mindims = ml.mindims, a.fast_math = ml.fast_math,
    a.broadcast = ml.broadcast;
  } else {
    a.indexing = static_cast<int>(rng.below(2));
    a.exclude = rng.chance(50);
    a.flatten = rng.chance(40);
    a.grow = rng.chance(40);
    a.assign = rng.chance(50) ? ir::AssignMode::Copy : ir::AssignMode::Share;
    a.slices = rng.chance(50) ? ir::SliceMode::Copy : ir::SliceMode::View;
    a.nan = rng.chance(50) ? ir::NanMode::Omit : ir::NanMode::Propagate;
    a.mindims = rng.chance(35) ? 2 : 1;
    a.broadcast = rng.pick({ir::BroadcastMode::Trailing, ir::BroadcastMode::Leading, ir::BroadcastMode::None});
    if (rng.chance(50)) a.fast_math = 0;
  }
  m.conv = a.resolve(ir::Conventions::numpy());
}

/// Statements that contain an operation on arrays, which can itself fail, not only its operands.
std::set<std::string> array_places(const ir::Module& module) {
  std::set<std::string> places;
  for (const ir::FunctionPtr& f : module.functions)
    ir::walk_stmts(f->body, [&](const ir::Stmt& s) {
      bool computes = false;
      const auto look = [&](const ir::Expr& e) {
        computes |= e.type.is_array() && e.kind != ir::Kind::Name && e.kind != ir::Kind::Index;
      };
      ir::for_each_child(s, {[&](const ir::ExprPtr& e) { ir::walk_exprs(e, look); }, [](const ir::StmtPtr&) {}});
      if (computes && !s.loc.empty()) places.insert(s.loc);
    });
  return places;
}

}  // namespace

Program generate(uint64_t seed, const GeneratorOptions& options, std::vector<Diagnostic>* faults) {
  ModuleContext m(seed * 0x2545f4914f6cdd1d + 0x9e3779b9);
  Random& rng = m.rng;
  conventions(m);
  for (int k = 0; k < 3; ++k) m.sizes.push_back(rng.pick<int64_t>({0, 1, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 17, 33}));
  if (rng.chance(5)) m.sizes = {1};
  m.wild = rng.chance(40);
  m.clumsy = rng.chance(25);
  m.sections = rng.chance(options.gpu_share);
  m.locations = m.sections || rng.chance(70);
  m.module.name = "s" + std::to_string(seed);
  m.module.attrs = m.attrs;
  m.budget = static_cast<int>(rng.range(5, 16));

  Program p;
  p.seed = seed;
  if (rng.chance(20)) m.functions.push_back(FunctionGen(m, "h", false, true).run(nullptr));
  const int64_t helpers = static_cast<int64_t>(rng.weighted({35, 40, 25}));
  for (int64_t k = 0; k < helpers; ++k) {
    FunctionGen f(m, "f" + std::to_string(k), false);
    m.functions.push_back(f.run(nullptr));
  }
  FunctionGen f(m, "main", true);
  const FunctionInfo info = f.run(&p.inputs);
  for (const ResultInfo& r : info.results) p.exact.push_back(r.exact);
  p.parallel_places = m.parallel_places;
  p.has_section = m.has_section;
  p.unchecked = m.unchecked;
  if (rng.chance(8)) m.module.attrs.memory = ir::MemoryMode::Boehm;
  // Sections check before a loop whether its arrays are writable; other code checks at the store.
  for (Input& in : p.inputs)
    in.read_only = in.type.is_array() && !p.has_section && rng.chance(m.conv.assign == ir::AssignMode::Copy ? 30 : 6);
  if (rng.chance(35)) {
    m.functions.push_back(info);
    restate_types(m.module, m.functions, rng);
  }
  auto module = std::make_shared<ir::Module>(m.module);
  *faults = ir::verify(*module);
  p.array_places = array_places(*module);
  p.module = std::move(module);
  return p;
}

}  // namespace vr::smith
