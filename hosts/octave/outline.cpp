#include "outline.hpp"

#include "part.hpp"
#include "tree.hpp"

#include <octave/bp-table.h>
#include <octave/interpreter.h>
#include <octave/ov-usr-fcn.h>
#include <octave/pager.h>
#include <octave/parse.h>
#include <octave/pt-all.h>
#include <octave/pt-eval.h>
#include <octave/stack-frame.h>

namespace vr::octave_host {

bool PartsRun::on_ = false;
int64_t PartsRun::answered_ = 0;

namespace {

constexpr const char* kEntry = "vr_part";

/// Counts how often names occur.
class Mentions : public octave::tree_walker {
 public:
  std::map<std::string, int> names;
  void visit_identifier(octave::tree_identifier& id) override { ++names[id.name()]; }
};

void outline_list(octave::tree_statement_list* list, const std::shared_ptr<const Outlined>& function);

/// The outermost loops in a command.
void outline_command(octave::tree_command& c, const std::shared_ptr<const Outlined>& function) {
  if (auto* i = dynamic_cast<octave::tree_if_command*>(&c)) {
    for (octave::tree_if_clause* clause : *i->cmd_list()) outline_list(clause->commands(), function);
  } else if (auto* s = dynamic_cast<octave::tree_switch_command*>(&c)) {
    if (s->case_list())
      for (octave::tree_switch_case* one : *s->case_list()) outline_list(one->commands(), function);
  } else if (auto* t = dynamic_cast<octave::tree_try_catch_command*>(&c)) {
    outline_list(t->body(), function);
    outline_list(t->cleanup(), function);
  } else if (auto* u = dynamic_cast<octave::tree_unwind_protect_command*>(&c)) {
    outline_list(u->body(), function);
    outline_list(u->cleanup(), function);
  } else if (auto* f = dynamic_cast<octave::tree_complex_for_command*>(&c)) {
    outline_list(f->body(), function);
  }
}

octave::tree_statement_list* body_of(octave::tree_command& loop) {
  if (auto* f = dynamic_cast<octave::tree_simple_for_command*>(&loop)) return f->body();
  if (auto* w = dynamic_cast<octave::tree_while_command*>(&loop)) return w->body();
  return nullptr;
}

void outline_list(octave::tree_statement_list* list, const std::shared_ptr<const Outlined>& function) {
  if (!list) return;
  for (octave::tree_statement* s : *list) {
    octave::tree_command* c = s->is_command() ? s->command() : nullptr;
    if (!c || dynamic_cast<OutlinedLoop*>(c)) continue;
    if (dynamic_cast<octave::tree_simple_for_command*>(c) || dynamic_cast<octave::tree_while_command*>(c))
      s->set_command(new OutlinedLoop(c, function));
    else
      outline_command(*c, function);
  }
}

/// The value of the variable of a loop without iterations: an empty range.
octave_value empty_range(matlab::Cls cls) {
  const octave_value empty(Matrix(1, 0));
  return cls == matlab::Cls::Double ? empty : octave::feval(matlab::class_name(cls), ovl(empty), 1)(0);
}

}  // namespace

OutlinedLoop::OutlinedLoop(octave::tree_command* loop, const std::shared_ptr<const Outlined>& function)
    : tree_command(loop->line(), loop->column()), loop_(loop), function_(function) {
  if (loop->is_breakpoint()) set_breakpoint(loop->bp_cond());
}

void OutlinedLoop::accept(octave::tree_walker& walker) {
  auto* evaluator = dynamic_cast<octave::tree_evaluator*>(&walker);
  if (evaluator) {
    const bool debugging = evaluator->get_bp_table().have_breakpoints() || evaluator->dbstep_flag() != 0;
    if (PartsRun::on() && !debugging && Host::get().settings().enabled && run_compiled(*evaluator)) return;
    return loop_->accept(walker);
  }
  // Other walkers visit the original loop. Breakpoints set in it have no effect on the interpreter, which visits this
  // command.
  loop_->accept(walker);
  if (loop_->is_breakpoint())
    set_breakpoint(loop_->bp_cond());
  else
    delete_breakpoint();
}

void OutlinedLoop::prepare() {
  prepared_ = true;
  Translated t;
  body_ = translate_loop(*loop_, t);
  const matlab::Uses uses = matlab::uses_of(body_);
  why_ = matlab::outside_of_parts(uses);
  names_ = t.names;
  // Variables that are used only by the iterations of parallel loops are not assigned by the part.
  Mentions inside;
  loop_->accept(inside);
  auto symbol = [&](const std::string& name) { return function_->scope.lookup_symbol(name); };
  for (const std::string& name : uses.reads) {
    const octave::symbol_record s = symbol(name);
    if (!s) continue;  // not a variable of this function
    reads_.push_back(name);
    read_symbols_.push_back(s);
  }
  for (const std::string& name : uses.writes) {
    auto all = function_->mentions.find(name);
    const bool elsewhere = all == function_->mentions.end() || all->second != inside.names[name];
    if (uses.temporaries.count(name) && !elsewhere) continue;
    writes_.push_back(name);
    write_symbols_.push_back(symbol(name));
  }
}

std::shared_ptr<Version> OutlinedLoop::compile(const Key& key, const octave_value_list& args) {
  const std::string place = std::to_string(line()) + ":" + std::to_string(column());
  std::vector<std::string> params;
  std::set<std::string> variables;
  std::string shown = "loop at " + place;
  const char* separator = "; ";
  for (size_t k = 0, n = 0; k < reads_.size(); ++k) {
    if (key.rest[k] != '+') continue;
    params.push_back(reads_[k]);
    variables.insert(reads_[k]);
    Key one;
    octave_value v = args(static_cast<octave_idx_type>(n));
    one.codes = {0, key.codes[++n]};
    shown += separator + reads_[k] + " " + described(one, octave_value_list(v));
    separator = ", ";
  }
  auto v = versions_.add(key, octave_value(), Host::get().use(function_->shown, shown));
  Program program(octave::interpreter::the_interpreter()->get_symbol_table());
  std::string why = why_;
  if (why.empty()) {
    const matlab::FunctionPtr part =
        matlab::part_function(kEntry, function_->file, {line(), column()}, params, writes_, body_);
    matlab::Signature signature;
    signature.octave = signature.output = signature.text = true;
    const std::set<std::string> assigned(writes_.begin(), writes_.end());
    std::set<std::string> texts;
    bool fine = program.add_part(part, names_, assigned, variables, function_->scope) &&
                types_of(key, args, program, signature.args, texts, why);
    if (fine && program.calls_by_name()) fine = program.add_names(texts, function_->scope);
    v->meanings = program.user_functions();
    if (fine && load(*v, program.unit(), kEntry, signature, program, why)) return v;
    if (why.empty()) why = program.why();
  }
  v->use->reason = why;
  return v;
}

bool OutlinedLoop::run_compiled(octave::tree_evaluator& evaluator) {
  if (!prepared_) prepare();
  std::shared_ptr<octave::stack_frame> frame = evaluator.get_current_stack_frame();
  Key key;
  key.codes.push_back(0);
  octave_value_list args;
  std::string refused;
  for (size_t k = 0; k < reads_.size(); ++k) {
    octave_value v = frame->varval(read_symbols_[k]);
    key.rest += v.is_defined() ? '+' : '-';
    if (!v.is_defined()) continue;
    args.append(v);
  }
  for (octave_idx_type k = 0; refused.empty() && k < args.length(); ++k)
    if (!add_to_key(key, args(k))) refused = "a variable of type '" + args(k).type_name() + "'";
  for (const octave::symbol_record& s : write_symbols_)
    if (s && frame->is_global(s)) refused = "a global variable '" + s.name() + "'";
  std::shared_ptr<Version> v;
  if (refused.empty()) v = versions_.find(key, nullptr);
  if (!v && refused.empty() && versions_.full()) refused = versions_.limit();
  if (!refused.empty()) {
    auto use = Host::get().use(function_->shown, "loop at " + std::to_string(line()) + ":" + std::to_string(column()));
    use->state = "refused";
    use->reason = refused;
    ++use->interpreted;
    outline_inner();
    return false;
  }
  if (!v) v = compile(key, args);
  const Attempt a = run(*v, args);
  if (a.answered) {
    PartsRun::count();
    octave_stdout << a.output;
    leave(evaluator, *frame, *v, a.results);
    return true;
  }
  if (!v->native || v->given_up) outline_inner();
  return false;
}

void OutlinedLoop::leave(octave::tree_evaluator& evaluator, octave::stack_frame& frame, const Version& v,
                         const octave_value_list& results) const {
  auto put = [&](size_t k, const octave_value& value) {
    // The frame has a slot for `ans` only if the function mentions it.
    if (write_symbols_[k])
      frame.assign(write_symbols_[k], value);
    else
      evaluator.assign(writes_[k], value);
  };
  for (size_t k = 0; k < writes_.size(); ++k) {
    const auto at = static_cast<octave_idx_type>(1 + 2 * k);
    switch (static_cast<matlab::PartState>(results(at + 1).int_value())) {
      case matlab::PartState::Untouched:
        break;
      case matlab::PartState::Assigned:
        put(k, results(at));
        break;
      case matlab::PartState::EmptyRange:
        put(k, empty_range(v.compiled.results[static_cast<size_t>(at)].cls));
        break;
    }
  }
  if (results(0).double_value() != 0) evaluator.returning(1);
}

void OutlinedLoop::outline_inner() {
  if (inner_outlined_) return;
  inner_outlined_ = true;
  outline_list(body_of(*loop_), function_);
}

void outline(octave_user_function& f, const std::string& shown) {
  if (f.is_special_expr() || f.is_nested_function() || f.is_parent_function()) return;
  auto function = std::make_shared<Outlined>();
  function->shown = shown;
  const std::string file = f.fcn_file_name();
  function->file = file.empty() ? f.name() : file.substr(file.find_last_of('/') + 1);
  function->scope = f.scope();
  Mentions all;
  if (f.body()) f.body()->accept(all);
  function->mentions = std::move(all.names);
  if (f.parameter_list())
    for (octave::tree_decl_elt* p : *f.parameter_list()) ++function->mentions[p->name()];
  if (f.return_list())
    for (octave::tree_decl_elt* p : *f.return_list()) ++function->mentions[p->name()];
  outline_list(f.body(), function);
  if (f.is_subfunction()) return;
  for (auto& [name, sub] : f.subfunctions())
    if (octave_user_function* s = user_function(sub)) outline(*s, shown + ">" + name);
}

}  // namespace vr::octave_host
