// Outlined parts of functions: their outputs.
#include "emit.hpp"
#include "part.hpp"

namespace vr::matlab {

using ir::E;

namespace {

/// True while the variable of a loop is the empty range of a loop that never ran: a variable that no program can name.
std::string empty_mark(const std::string& variable) { return variable + "#empty"; }

void loop_variables(const Body& b, std::set<std::string>& names) {
  for (const StmtPtr& s : b) {
    if (s->kind == StmtKind::For && s->targets[0]->kind == ExprKind::Name) names.insert(s->targets[0]->text);
    for (const Body& inner : s->bodies) loop_variables(inner, names);
  }
}

E zero_of(Emitter& em, const Type& t) {
  const ir::Type s = storage(t);
  if (s.is_array()) return em.f->zeros(s, std::vector<E>(static_cast<size_t>(s.rank), E(0)));
  if (t.complex) return em.f->complex_const(0, 0, s.element());
  return em.elem(em.number(0), t.cls, false);
}

double state_number(PartState s) { return static_cast<double>(static_cast<int>(s)); }

}  // namespace

void begin_part(Emitter& em) {
  std::set<std::string> names;
  loop_variables(em.version.function->body, names);
  for (const std::string& name : names) em.set(empty_mark(name), em.truth(false));
}

// After a loop over a range that never ran, its variable is undefined here; Octave leaves an empty range in it. After
// a parallel loop only shared variables are defined.
void after_loop(Emitter& em, const std::string& variable) {
  if (!em.version.function->part || em.parallel > 0) return;
  auto it = em.env.find(variable);
  const bool known = it != em.env.end() && !it->second.maybe;
  if (known || it == em.env.end()) return em.set(empty_mark(variable), em.truth(!known));
  em.set(empty_mark(variable), {Type::scalar(Cls::Logical), !em.flag(variable)});
}

namespace {

/// The state of a variable that is assigned on some paths only; assigns a placeholder on the others.
Val state_of(Emitter& em, const Var& var, const std::string& name) {
  E state = em.temp("state", ir::f64());
  em.f->assign(state, E(state_number(PartState::Assigned)));
  em.f->if_(!em.flag(name), [&] {
    em.f->assign(state, E(state_number(PartState::Untouched)));
    if (var.slot) em.f->assign(*var.slot, zero_of(em, var.t));
  });
  return {Type::scalar(Cls::Double), state};
}

Val or_empty_range(Emitter& em, const Val& state, const std::string& name, bool maybe) {
  const Val empty = em.read(empty_mark(name), em.here);
  E s = em.temp("state", ir::f64());
  em.f->assign(s, em.real(state));
  E test = maybe ? em.f->binary(ir::Kind::And, empty.e, !em.flag(name)) : empty.e;
  em.f->if_(test, [&] { em.f->assign(s, E(state_number(PartState::EmptyRange))); });
  return {Type::scalar(Cls::Double), s};
}

/// Output k of the part: its value and its state.
void give_output(Emitter& em, const std::string& name, size_t k, std::vector<E>& values) {
  Version& version = em.version;
  auto it = em.env.find(name);
  const bool there = it != em.env.end(), maybe = there && it->second.maybe;
  Val state = em.number(state_number(there ? PartState::Assigned : PartState::Untouched));
  if (there) {
    it->second.maybe = false;
    const Val v = em.read(name, em.here);
    it->second.maybe = maybe;
    if (maybe) state = state_of(em, it->second, name);
    if (version.unknown.erase(k)) {
      version.results[k].reset();
      em.program.changed_here();
    }
    em.give(k, name, v, values);
  } else {
    if (!version.results[k]) {
      version.results[k] = Type::scalar(Cls::Double);
      version.unknown.insert(k);
      em.program.changed_here();
    }
    if (version.results[k]->has_storage()) values.push_back(zero_of(em, *version.results[k]));
  }
  if ((maybe || !there) && em.env.count(empty_mark(name))) state = or_empty_range(em, state, name, maybe);
  em.give(k + 1, name, state, values);
}

}  // namespace

void return_part(Emitter& em, bool early) {
  std::vector<E> values;
  em.give(0, "return", em.number(early), values);
  const std::vector<std::string>& outputs = em.version.function->outputs;
  for (size_t i = 0; i < outputs.size(); ++i) give_output(em, outputs[i], 1 + 2 * i, values);
  em.f->return_(values);
  em.alive = false;
}

}  // namespace vr::matlab
