#include "ir/typing.hpp"

#include <velociraptor/ir/builder.hpp>
#include <velociraptor/ir/verify.hpp>
#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace vr::ir {

namespace {

// The placeholder for an erroneous expression: it has no type, and expressions that use it report no further errors.
ExprPtr faulty() { return std::make_shared<IntConst>(Type::null(), 0); }

bool is_faulty(const ExprPtr& e) { return !e || (e->type.is_null() && e->kind != Kind::Range); }

}  // namespace

struct ModuleBuilder::State {
  Module module;
  Conventions conventions;
  std::vector<std::unique_ptr<FunctionBuilder>> builders;
  std::vector<std::shared_ptr<Function>> functions;
  std::vector<Diagnostic> errors;
};

struct FunctionBuilder::State {
  std::shared_ptr<Function> function;
  const Module* module = nullptr;
  Conventions conventions;
  std::vector<Diagnostic>* errors = nullptr;
  std::vector<Body> blocks{1};  ///< the blocks around the next statement, innermost last
  std::string loc;              ///< of the next statement

  void error(std::string rule, std::string message, std::string hint = {}) {
    Diagnostic d;
    d.path = fmt::format("function {}", function->name);
    for (const Body& b : blocks) d.path += fmt::format("/{}", b.size());
    d.rule = std::move(rule);
    d.message = std::move(message);
    d.hint = std::move(hint);
    errors->push_back(std::move(d));
  }
  TypingScope scope() const { return {module, function.get(), conventions}; }

  /// The node with its natural type, or the erroneous expression.
  E finish(std::shared_ptr<Expr> n, FunctionBuilder* self) {
    bool bad = false;
    for_each_child(*n, {[&](const ExprPtr& c) { bad = bad || is_faulty(c); }, {}});
    if (bad) return E(faulty(), self);
    Typing t = natural_type(*n, scope());
    if (!t.ok()) {
      error(t.rule, t.error, t.hint);
      return E(faulty(), self);
    }
    n->type = t.type;
    return E(std::move(n), self);
  }
  template <class N, class... A>
  E make(FunctionBuilder* self, Type stated, A&&... args) {
    return finish(std::make_shared<N>(std::move(stated), std::forward<A>(args)...), self);
  }

  SymbolId variable(const E& e, const char* what) {
    if (e.id() < 0 && e.ok())
      error("not-a-variable", fmt::format("'{}' needs a variable", what), "assign the value to a local first");
    return e.id();
  }
  void add(std::shared_ptr<Stmt> s) { add(std::move(s), loc); }
  /// Adds a statement with a body: `at` is its location, which differs from the current one if its body called at().
  void add(std::shared_ptr<Stmt> s, const std::string& at) {
    s->loc = at;
    blocks.back().push_back(std::move(s));
  }
  Body inside(const Block& body) {
    const size_t outer = blocks.size();
    blocks.emplace_back();
    try {
      if (body) body();
    } catch (...) {  // an exception of the caller's function for the block: discards the statements that it appended
      blocks.resize(outer);
      throw;
    }
    Body b = std::move(blocks.back());
    blocks.pop_back();
    return b;
  }
  static std::vector<ExprPtr> nodes(const std::vector<E>& list) {
    std::vector<ExprPtr> out;
    for (const E& e : list) out.push_back(e.node());
    return out;
  }
};

// ---------------------------------------------------------------- E

E::E(long v) : E(std::make_shared<IntConst>(Type::scalar(Elem::Int64), v)) {}
E::E(double v) : E(std::make_shared<FloatConst>(Type::scalar(Elem::Float64), v)) {}
E::E(float v) : E(std::make_shared<FloatConst>(Type::scalar(Elem::Float32), static_cast<double>(v))) {}
E::E(bool v) : E(std::make_shared<IntConst>(Type::scalar(Elem::Bool), int64_t{v})) {}

SymbolId E::id() const {
  const auto* n = ir::as<Name>(node_);
  return n ? n->id : -1;
}
bool E::ok() const { return !is_faulty(node_); }

E E::index(const std::vector<E>& subscripts) const {
  if (owner_) return owner_->index(*this, subscripts);
  return E(faulty());
}

E E::as(const Type& type) const {
  if (!ok()) return *this;
  if (!converts(node_->type, type)) {
    if (owner_)
      owner_->state_->error("stated-type", fmt::format("{} stated as {}", node_->type.text(), type.text()),
                            "convert with 'cast'");
    return E(faulty(), owner_);
  }
  return E(visit(*node_,
                 [&](const auto& n) -> ExprPtr {
                   auto copy = std::make_shared<std::decay_t<decltype(n)>>(n);
                   copy->type = type;
                   return copy;
                 }),
           owner_);
}

namespace {

template <class N>
ExprPtr typed(ExprPtr a, ExprPtr b) {
  auto n = std::make_shared<N>(Type::null(), std::move(a), std::move(b));
  Typing t = natural_type(*n, {});
  if (!t.ok()) return faulty();
  n->type = t.type;
  return n;
}

// Operators use the builder of the operand that has one; two constants make a constant expression.
E combine(Kind op, const E& a, const E& b) {
  if (FunctionBuilder* owner = a.owner() ? a.owner() : b.owner()) return owner->binary(op, a, b);
  switch (op) {
#define VR_OPERATOR(K) \
  case Kind::K:        \
    return E(typed<K>(a.node(), b.node()));
    VR_OPERATOR(Plus)
    VR_OPERATOR(Minus) VR_OPERATOR(Mult) VR_OPERATOR(Div) VR_OPERATOR(Lt) VR_OPERATOR(Leq) VR_OPERATOR(Gt)
        VR_OPERATOR(Geq) VR_OPERATOR(Eq) VR_OPERATOR(Neq) VR_OPERATOR(And) VR_OPERATOR(Or)
#undef VR_OPERATOR
            default : return E(faulty());
  }
}

E make_range(bool exclude, ExprPtr start, ExprPtr step, ExprPtr stop, FunctionBuilder* owner) {
  for (const ExprPtr* p : {&start, &step, &stop})
    if (*p && is_faulty(*p)) return E(faulty(), owner);
  auto r = std::make_shared<Range>(Type::null(), exclude, std::move(start), std::move(step), std::move(stop));
  Typing t = natural_type(*r, {});
  if (t.ok()) r->type = t.type;  // otherwise the loop or subscript that uses it reports the error
  return E(std::move(r), owner);
}

FunctionBuilder* owner_of(std::initializer_list<const E*> list) {
  for (const E* e : list)
    if (e->owner()) return e->owner();
  return nullptr;
}

}  // namespace

E operator+(const E& a, const E& b) { return combine(Kind::Plus, a, b); }
E operator-(const E& a, const E& b) { return combine(Kind::Minus, a, b); }
E operator*(const E& a, const E& b) { return combine(Kind::Mult, a, b); }
E operator/(const E& a, const E& b) { return combine(Kind::Div, a, b); }
E operator<(const E& a, const E& b) { return combine(Kind::Lt, a, b); }
E operator<=(const E& a, const E& b) { return combine(Kind::Leq, a, b); }
E operator>(const E& a, const E& b) { return combine(Kind::Gt, a, b); }
E operator>=(const E& a, const E& b) { return combine(Kind::Geq, a, b); }
E operator==(const E& a, const E& b) { return combine(Kind::Eq, a, b); }
E operator!=(const E& a, const E& b) { return combine(Kind::Neq, a, b); }
E operator&&(const E& a, const E& b) { return combine(Kind::And, a, b); }
E operator||(const E& a, const E& b) { return combine(Kind::Or, a, b); }

namespace {
template <class N>
E unary(const E& a) {
  auto n = std::make_shared<N>(Type::null(), a.node());
  Typing t = natural_type(*n, {});
  if (!t.ok()) return E(faulty());
  n->type = t.type;
  return E(std::move(n));
}
}  // namespace
E operator!(const E& a) { return a.owner() ? a.owner()->not_(a) : unary<Not>(a); }
E operator-(const E& a) { return a.owner() ? a.owner()->negate(a) : unary<Negate>(a); }

E range(const E& start, const E& stop) {
  return make_range(true, start.node(), nullptr, stop.node(), owner_of({&start, &stop}));
}
E range(const E& start, const E& step, const E& stop) {
  return make_range(true, start.node(), step.node(), stop.node(), owner_of({&start, &step, &stop}));
}
E range_to(const E& start, const E& stop) {
  return make_range(false, start.node(), nullptr, stop.node(), owner_of({&start, &stop}));
}
E range_to(const E& start, const E& step, const E& stop) {
  return make_range(false, start.node(), step.node(), stop.node(), owner_of({&start, &step, &stop}));
}
E all() {
  auto r = std::make_shared<Range>(Type::null(), std::nullopt, nullptr, nullptr, nullptr);
  r->type = Type::domain({i64()});
  return E(std::move(r));
}

// ---------------------------------------------------------------- expressions

FunctionBuilder::FunctionBuilder(std::unique_ptr<State> state) : state_(std::move(state)) {}
FunctionBuilder::~FunctionBuilder() = default;
const std::string& FunctionBuilder::function_name() const { return state_->function->name; }

E FunctionBuilder::arg(const std::string& name, const Type& type) {
  E e = local(name, type);
  Function& f = *state_->function;
  f.args.push_back(e.id());
  std::vector<Type> ins = f.type.components();
  ins.push_back(type);
  f.type = Type::function(std::move(ins), f.type.outputs());
  return e;
}
E FunctionBuilder::local(const std::string& name, const Type& type) {
  return this->name(state_->function->symbols.fresh(name, type));
}
E FunctionBuilder::name(SymbolId id) { return state_->make<Name>(this, Type::null(), id); }

E FunctionBuilder::binary(Kind op, const E& a, const E& b) {
  switch (op) {
#define VR_OPERATOR(K) \
  case Kind::K:        \
    return state_->make<K>(this, Type::null(), a.node(), b.node());
    VR_OPERATOR(Plus)
    VR_OPERATOR(Minus) VR_OPERATOR(Mult) VR_OPERATOR(Div) VR_OPERATOR(Lt) VR_OPERATOR(Leq) VR_OPERATOR(Gt)
        VR_OPERATOR(Geq) VR_OPERATOR(Eq) VR_OPERATOR(Neq) VR_OPERATOR(And) VR_OPERATOR(Or)
#undef VR_OPERATOR
            default : state_->error("type-mismatch", fmt::format("'{}' is no operator of two operands", kind_word(op)));
    return E(faulty(), this);
  }
}
E FunctionBuilder::negate(const E& a) { return state_->make<Negate>(this, Type::null(), a.node()); }
E FunctionBuilder::not_(const E& a) { return state_->make<Not>(this, Type::null(), a.node()); }
E FunctionBuilder::cast(const E& a, const Type& to) {
  E c = state_->make<Cast>(this, to, a.node());
  return c.ok() && to.is_array() ? c.as(to) : c;
}
E FunctionBuilder::int_const(int64_t v, const Type& type) { return state_->make<IntConst>(this, type, v); }
E FunctionBuilder::float_const(double v, const Type& type) { return state_->make<FloatConst>(this, type, v); }
E FunctionBuilder::complex_const(double re, double im, const Type& type) {
  return state_->make<ComplexConst>(this, type, re, im);
}

E FunctionBuilder::index(const E& array, const std::vector<E>& subscripts) {
  std::vector<Subscript> list;
  for (const E& s : subscripts) list.push_back({s.node(), true, true, false, {}});
  return index(array, std::move(list));
}
E FunctionBuilder::index(const E& array, std::vector<Subscript> subscripts, std::optional<bool> copyslice,
                         std::optional<bool> flatten) {
  SymbolId id = state_->variable(array, "index");
  if (id < 0) return E(faulty(), this);
  auto n = std::make_shared<Index>(Type::null(), id, std::move(subscripts));
  n->copyslice = copyslice;
  n->flatten = flatten;
  return state_->finish(std::move(n), this);
}
E FunctionBuilder::call(const std::string& function, const std::vector<E>& args) {
  return state_->make<FnCall>(this, Type::null(), function, State::nodes(args));
}
E FunctionBuilder::handle(const std::string& function) { return state_->make<FnHandle>(this, Type::null(), function); }
E FunctionBuilder::lib(const std::string& function, const std::vector<E>& args) {
  return lib(function, args, Type::null());
}
E FunctionBuilder::lib(const std::string& function, const std::vector<E>& args, const Type& stated) {
  return state_->make<LibCall>(this, stated, function, State::nodes(args));
}
E FunctionBuilder::zeros(const Type& elem, const std::vector<E>& extents) {
  return state_->make<Alloc>(this, elem, AllocFunc::Zeros, State::nodes(extents));
}
E FunctionBuilder::ones(const Type& elem, const std::vector<E>& extents) {
  return state_->make<Alloc>(this, elem, AllocFunc::Ones, State::nodes(extents));
}
E FunctionBuilder::empty(const Type& elem, const std::vector<E>& extents) {
  return state_->make<Alloc>(this, elem, AllocFunc::Empty, State::nodes(extents));
}
E FunctionBuilder::dim(const E& array, int32_t dimension) {
  SymbolId id = state_->variable(array, "dim");
  return id < 0 ? E(faulty(), this) : state_->make<Dim>(this, Type::null(), id, dimension);
}
E FunctionBuilder::dimvec(const E& array) {
  SymbolId id = state_->variable(array, "dimvec");
  return id < 0 ? E(faulty(), this) : state_->make<DimVec>(this, Type::null(), id);
}
E FunctionBuilder::tuple(const std::vector<E>& elems) {
  return state_->make<TupleExpr>(this, Type::null(), State::nodes(elems));
}
E FunctionBuilder::tuple_index(const E& tuple, int32_t index) {
  SymbolId id = state_->variable(tuple, "tupleindex");
  return id < 0 ? E(faulty(), this) : state_->make<TupleIndex>(this, Type::null(), id, index);
}
E FunctionBuilder::complex(const E& re, const E& im) {
  return state_->make<ComplexExpr>(this, Type::null(), re.node(), im.node());
}
E FunctionBuilder::real(const E& variable) {
  SymbolId id = state_->variable(variable, "real");
  return id < 0 ? E(faulty(), this) : state_->make<RealExpr>(this, Type::null(), id);
}
E FunctionBuilder::imag(const E& variable) {
  SymbolId id = state_->variable(variable, "imag");
  return id < 0 ? E(faulty(), this) : state_->make<ImagExpr>(this, Type::null(), id);
}
E FunctionBuilder::domain(const std::vector<E>& ranges) {
  return state_->make<Domain>(this, Type::null(), State::nodes(ranges));
}
E FunctionBuilder::xchange(AtomicOp op, const E& array, const std::vector<E>& subscripts, const std::vector<E>& args) {
  SymbolId id = state_->variable(array, "xchange");
  if (id < 0) return E(faulty(), this);
  std::vector<Subscript> list;
  for (const E& s : subscripts) list.push_back({s.node(), true, true, false, {}});
  return state_->make<Xchange>(this, Type::null(), op, id, std::move(list), State::nodes(args));
}

// ---------------------------------------------------------------- statements

void FunctionBuilder::assign(const E& target, const E& value) { assign(std::vector<E>{target}, value); }
void FunctionBuilder::assign(const std::vector<E>& targets, const E& value) {
  state_->add(std::make_shared<Assign>(State::nodes(targets), value.node()));
}
void FunctionBuilder::expr(const E& e) { state_->add(std::make_shared<ExprStmt>(e.node())); }

void FunctionBuilder::for_(const E& variable, const E& from, const E& to, const Block& body) {
  for_(std::vector<E>{variable}, {range(from, to)}, body);
}
void FunctionBuilder::for_(const E& variable, const E& range, const Block& body) {
  for_(std::vector<E>{variable}, {range}, body);
}
void FunctionBuilder::for_(const std::vector<E>& variables, const std::vector<E>& ranges, const Block& body) {
  std::vector<SymbolId> ids;
  for (const E& v : variables) ids.push_back(state_->variable(v, "forstmt"));
  E d = domain(ranges);
  const std::string loc = state_->loc;
  state_->add(std::make_shared<For>(std::move(ids), d.node(), state_->inside(body)), loc);
}
void FunctionBuilder::pfor(const E& variable, const E& from, const E& to, const Block& body) {
  pfor(std::vector<E>{variable}, std::vector<E>{range(from, to)}, body);
}
void FunctionBuilder::pfor(const std::vector<E>& variables, const std::vector<E>& ranges, const Block& body) {
  std::vector<SymbolId> ids;
  for (const E& v : variables) ids.push_back(state_->variable(v, "pforstmt"));
  E d = domain(ranges);
  const std::string loc = state_->loc;
  state_->add(std::make_shared<PFor>(std::move(ids), d.node(), std::nullopt, state_->inside(body)), loc);
}
void FunctionBuilder::pfor(const std::vector<E>& variables, const std::vector<E>& ranges, const std::vector<E>& shared,
                           const Block& body) {
  std::vector<SymbolId> ids, shared_ids;
  for (const E& v : variables) ids.push_back(state_->variable(v, "pforstmt"));
  for (const E& v : shared) shared_ids.push_back(state_->variable(v, "shared"));
  E d = domain(ranges);
  const std::string loc = state_->loc;
  state_->add(std::make_shared<PFor>(std::move(ids), d.node(), std::move(shared_ids), state_->inside(body)), loc);
}
void FunctionBuilder::while_(const E& test, const Block& body) {
  const std::string loc = state_->loc;
  state_->add(std::make_shared<While>(test.node(), state_->inside(body)), loc);
}
void FunctionBuilder::if_(const E& test, const Block& then_body, const Block& else_body) {
  const std::string loc = state_->loc;
  Body a = state_->inside(then_body), b = state_->inside(else_body);
  state_->add(std::make_shared<If>(test.node(), std::move(a), std::move(b)), loc);
}
void FunctionBuilder::block(const Block& body) {
  const std::string loc = state_->loc;
  state_->add(std::make_shared<StmtList>(false, state_->inside(body)), loc);
}
void FunctionBuilder::gpu(const Block& body) {
  const std::string loc = state_->loc;
  state_->add(std::make_shared<StmtList>(true, state_->inside(body)), loc);
}
void FunctionBuilder::break_() { state_->add(std::make_shared<Break>()); }
void FunctionBuilder::continue_() { state_->add(std::make_shared<Continue>()); }
void FunctionBuilder::return_(const std::vector<E>& values) {
  state_->add(std::make_shared<Return>(State::nodes(values)));
}
void FunctionBuilder::raise(int32_t code, const std::string& text, const std::vector<E>& numbers) {
  state_->add(std::make_shared<Raise>(code, text, State::nodes(numbers)));
}
void FunctionBuilder::at(const std::string& loc) { state_->loc = loc; }
Body FunctionBuilder::apart(const Block& body) { return state_->inside(body); }
void FunctionBuilder::append(const Body& statements) {
  Body& to = state_->blocks.back();
  to.insert(to.end(), statements.begin(), statements.end());
}

// ---------------------------------------------------------------- modules

ModuleBuilder::ModuleBuilder(std::string name, ConventionAttrs attrs, const Conventions& host)
    : state_(std::make_unique<State>()) {
  state_->module.name = std::move(name);
  state_->module.attrs = attrs;
  state_->conventions = attrs.resolve(host);
}
ModuleBuilder::~ModuleBuilder() = default;

void ModuleBuilder::external(const std::string& name, std::vector<Type> parameters, std::vector<Type> results,
                             bool parallel) {
  auto f = std::make_shared<Function>();
  f->name = name;
  f->type = Type::function(std::move(parameters), std::move(results));
  f->external = External{parallel};
  state_->module.functions.push_back(std::move(f));
}
FunctionBuilder& ModuleBuilder::function(const std::string& name, std::vector<Type> results) {
  auto f = std::make_shared<Function>();
  f->name = name;
  f->type = Type::function({}, std::move(results));
  state_->module.functions.push_back(f);
  auto s = std::make_unique<FunctionBuilder::State>();
  s->function = f;
  s->module = &state_->module;
  s->conventions = state_->conventions;
  s->errors = &state_->errors;
  state_->functions.push_back(std::move(f));
  state_->builders.push_back(std::unique_ptr<FunctionBuilder>(new FunctionBuilder(std::move(s))));
  return *state_->builders.back();
}

Result<ModulePtr> ModuleBuilder::finish() {
  for (size_t k = 0; k < state_->functions.size(); ++k)
    state_->functions[k]->body = std::move(state_->builders[k]->state_->blocks.front());
  auto module = std::make_shared<Module>(state_->module);
  std::vector<Diagnostic> faults = std::move(state_->errors);
  // Erroneous expressions have no type; verify would only report the error again.
  if (faults.empty()) faults = verify(*module, state_->conventions);
  if (!faults.empty()) return Error{Code::Verify, "", std::move(faults), {}};
  return ModulePtr(std::move(module));
}

}  // namespace vr::ir
