#include "loop/text/parse_stmts.hpp"

#include "loop/runtime_table.hpp"

#include <fmt/format.h>

#include <utility>

namespace vr::lower {

Block StmtParser::block() {
  Block b;
  while (!in_.accept("}")) {
    if (in_.end()) in_.wrong("'}' is expected");
    statement(b);
  }
  return b;
}

Block StmtParser::braces() {
  in_.expect("{");
  return block();
}

void StmtParser::statement(Block& b) {
  if (in_.accept("load")) {
    in_.expect("vector");
    LoadVector n{{names_.var()}, nullptr, nullptr};
    while (in_.accept(",")) n.vars.push_back(names_.var());
    in_.expect("=");
    scalar(in_);
    const ParsedPlace p = exprs_.place();
    n.base = p.base, n.offset = p.offset;
    b.push_back({std::move(n)});
  } else if (in_.accept("store")) {
    const bool vector = in_.accept("vector");
    scalar(in_);
    const ParsedPlace p = exprs_.place();
    in_.expect("=");
    if (!vector) return b.push_back({Store{p.base, p.offset, expr(), p.alias_set}});
    StoreVector n{{expr()}, p.base, p.offset};
    while (in_.accept(",")) n.values.push_back(expr());
    b.push_back({std::move(n)});
  } else if (in_.accept("fence")) {
    b.push_back({Fence{}});
  } else if (in_.accept("barrier")) {
    b.push_back({Barrier{in_.accept("global")}});
  } else if (in_.accept("row")) {
    row_statement(b);
  } else if (in_.accept("alias")) {
    in_.expect("group");
    b.push_back({AliasGroup{static_cast<int32_t>(in_.integer())}});
  } else if (in_.accept("if")) {
    If n{nullptr, {}, {}, in_.accept("unlikely")};
    n.cond = expr();
    n.then_body = braces();
    if (in_.accept("else")) n.else_body = braces();
    b.push_back({std::move(n)});
  } else if (in_.accept("for")) {
    b.push_back({counted_loop()});
  } else if (in_.accept("loop")) {
    Loop n{{}, none, in_.accept("brief")};
    n.site = maybe_site();
    n.body = braces();
    b.push_back({std::move(n)});
  } else if (in_.accept("solo")) {
    b.push_back({Solo{braces()}});
  } else if (in_.accept("poll")) {
    b.push_back({Poll{site()}});
  } else if (in_.accept("break")) {
    b.push_back({Break{}});
  } else if (in_.accept("continue")) {
    b.push_back({Continue{}});
  } else if (in_.accept("exit")) {
    b.push_back({Exit{}});
  } else if (in_.accept("fail")) {
    b.push_back({fail()});
  } else if (in_.accept("call")) {
    b.push_back({function_call({})});
  } else if (in_.accept("parallel")) {
    b.push_back({parallel_for()});
  } else if (in_.accept("launch")) {
    b.push_back({launch()});
  } else if (in_.is_call()) {
    runtime_call(b, none);
  } else {
    assignment(b);
  }
}

void StmtParser::row_statement(Block& b) {
  const auto elements = [&](const char* direction, auto node) {
    node.row = names_.row();
    in_.expect(direction);
    node.first = expr();
    in_.expect("count");
    node.count = expr();
    b.push_back({node});
  };
  if (in_.accept("load")) return elements("from", RowLoad{});
  if (in_.accept("store")) return elements("to", RowStore{});
  if (in_.accept("wait")) {
    RowWait n{{names_.row()}};
    while (in_.accept(",")) n.rows.push_back(names_.row());
    return b.push_back({std::move(n)});
  }
  RowAt n{names_.row(), nullptr, nullptr};
  in_.expect("at");
  scalar(in_);
  const ParsedPlace p = exprs_.place();
  n.base = p.base, n.offset = p.offset;
  if (in_.accept("step")) n.step = expr();
  b.push_back({n});
}

CountedLoop StmtParser::counted_loop() {
  CountedLoop n{names_.var(), nullptr, nullptr, {}};
  in_.expect("in");
  in_.expect("[");
  n.lo = expr();
  in_.expect(",");
  n.hi = expr();
  in_.expect(")");
  n.independent = in_.accept("independent");
  n.fallback = in_.accept("fallback");
  n.across = in_.accept("across");
  n.element = in_.accept("element");
  n.chunks = in_.accept("chunks");
  n.version = in_.accept("version");
  n.parallel = in_.accept("parallel");
  if (in_.accept("disjoint")) {
    Disjoint d{expr(), {}};
    in_.expect("[");
    in_.list("]", [&] {
      const VarId data = names_.var();
      d.sets[data] = static_cast<int32_t>(in_.integer());
      return data;
    });
    n.disjoint = std::make_shared<Disjoint>(std::move(d));
  }
  Reduction reduction;
  if (in_.accept("reduce")) {
    in_.expect("[");
    in_.list("]", [&] {
      reduction.vars.push_back(names_.var());
      in_.expect("with");
      reduction.others.push_back(names_.var());
      in_.expect("from");
      reduction.start.push_back(expr());
      return reduction.vars.back();
    });
  }
  if (in_.accept("unroll")) n.unroll = static_cast<int32_t>(in_.integer());
  if (in_.accept("spread")) {
    n.spread = true;
    n.own = names_.vars();
  }
  n.site = maybe_site();
  n.body = braces();
  if (!reduction.vars.empty()) {
    in_.expect("join");
    reduction.join = braces();
    n.reduction = std::make_shared<Reduction>(std::move(reduction));
  }
  return n;
}

Fail StmtParser::fail() {
  const std::string code = in_.name();
  int number = -1;
  for (int k = 0; k < 64 && number < 0; ++k)
    if (code == code_name(static_cast<Code>(k))) number = k;
  if (number < 0) in_.was_wrong(fmt::format("'{}' is no error code", code));
  Fail n{site(), number};
  if (in_.accept("index")) n.index = expr();
  if (in_.accept("extent")) n.extent = expr();
  n.stay = in_.accept("stay");
  return n;
}

ParallelFor StmtParser::parallel_for() {
  in_.expect("for");
  in_.expect("[");
  ParallelFor n{none, expr(), nullptr, {}};
  in_.expect(",");
  n.hi = expr();
  in_.expect(")");
  n.task = names_.function();
  in_.expect("(");
  for (const Operand& o : names_.operands(")")) n.captures.push_back(o.var);
  n.site = maybe_site();
  return n;
}

Launch StmtParser::launch() {
  Launch n{names_.function(), {}, {}, none};
  in_.expect("over");
  in_.expect("[");
  n.counts = in_.list("]", [&] { return expr(); });
  in_.expect("(");
  n.args = names_.operands(")");
  n.site = site();
  n.plain = in_.accept("plain");
  return n;
}

void StmtParser::assignment(Block& b) {
  std::vector<Operand> to{names_.operand()};
  while (in_.accept(",")) to.push_back(names_.operand());
  in_.expect("=");
  if (in_.accept("call")) return b.push_back({function_call(std::move(to))});
  const VarId v = to[0].var;
  if (to.size() != 1 || v == none || to[0].im != none) in_.wrong("one scalar variable is assigned");
  if (in_.accept("atomic")) {
    b.push_back({atomic(v)});
  } else if (in_.accept("scratch")) {
    in_.expect("of");
    b.push_back({Scratch{v, in_.integer()}});
    in_.expect("bytes");
  } else if (in_.accept("address")) {
    in_.expect("of");
    b.push_back({TakeAddress{v, names_.function()}});
  } else if (in_.is_call() && !scalar_named(in_)) {
    runtime_call(b, v);
  } else {
    b.push_back({SetVar{v, expr()}});
  }
}

Atomic StmtParser::atomic(VarId result) {
  Atomic n{ir::AtomicOp::Add, result, nullptr, nullptr, nullptr};
  const std::string op = in_.name();
  bool found = false;
  for (int k = 0; k <= static_cast<int>(ir::AtomicOp::Swap) && !found; ++k) {
    n.op = static_cast<ir::AtomicOp>(k);
    found = op == ir::atomic_op_name(n.op);
  }
  if (!found) in_.was_wrong(fmt::format("'{}' is no atomic operation", op));
  scalar(in_);
  const ParsedPlace p = exprs_.place();
  n.base = p.base;
  n.offset = p.offset;
  in_.expect("with");
  n.value = expr();
  if (in_.accept(",")) n.expected = std::exchange(n.value, expr());
  return n;
}

/// A runtime function or, with a result, an expression that begins with a function.
void StmtParser::runtime_call(Block& b, VarId result) {
  Call n{none, {}, result, false};
  for (int32_t k = 0; k < runtime_count; ++k)
    if (in_.is(runtime_table[k].symbol)) n.fn = k;
  if (n.fn == none) {
    if (result == none) in_.wrong("no function of the runtime");
    b.push_back({SetVar{result, expr()}});
    return;
  }
  in_.take();
  in_.expect("(");
  n.args = in_.list(")", [&] { return argument(); });
  n.checked = in_.accept("checked");
  b.push_back({std::move(n)});
}

Arg StmtParser::argument() {
  Arg a{Arg::Kind::Scalar};
  if (in_.is("site")) {
    a.kind = Arg::Kind::Site;
    a.site = site();
  } else if (in_.accept("text")) {
    a.kind = Arg::Kind::Text;
    a.text = in_.quoted();
  } else if (in_.accept("[")) {
    a.kind = Arg::Kind::Int64s;
    a.values = in_.list("]", [&] { return expr(); });
  } else if (in_.is("array") || in_.is("out") || in_.is("inout")) {
    const std::string way = in_.take();
    a.kind = Arg::Kind::Array;
    a.out = way != "array";
    a.in = way != "out";
    a.array = names_.array();
  } else {
    a.value = expr();
  }
  return a;
}

CallFunction StmtParser::function_call(std::vector<Operand> results) {
  CallFunction n{none, none, {}, std::move(results)};
  if (in_.accept("*"))
    n.handle = names_.var();
  else
    n.callee = names_.function();
  in_.expect("(");
  n.args = names_.operands(")");
  return n;
}

SiteId StmtParser::maybe_site() { return in_.is("site") ? site() : none; }

SiteId StmtParser::site() {
  in_.expect("site");
  return static_cast<SiteId>(in_.integer());
}

}  // namespace vr::lower
