// data_flow: propagates facts through a function's statements, forward or backward, to the fixed point.
//
// VRIR's control flow is structured, so that facts are propagated along the tree: no graph of basic blocks is built. A
// loop keeps the facts at its head from one visit to the next, so that the bodies of nested loops are visited about as
// often as they are deep, not 2^depth times (for facts that are sets with gen and kill, as in all analyses here).
//
// A problem defines what facts are and how a statement changes them:
//   using State = ...;                       copyable
//   State nothing();                         the facts at unreachable points; joining them changes nothing
//   bool join(State& into, const State& s);  facts from two paths; true if `into` changed
//   void transfer(int number, Part part, State& s);
//                                            one step of a statement. The last visit of each step is with the facts of
//                                            the fixed point, so a problem notes its results here, overwriting older
//                                            ones
//   void leave_iteration(int number, const State& around, State& s);
//                                            the end of an iteration of a pfor: private variables lose their values
//                                            there. Forward:
//                                            `around` holds before the loop, s at the iteration's end. Backward: s is
//                                            what holds after the iteration and becomes what holds at its end
// and, for forward problems, optionally:
//   bool widen(State& into, const State& s, int joins);
//                                            replaces join at a loop head after a few joins (`joins`: how many): facts
//                                            that could grow without end must stop growing here
//   bool runs(int number);                   whether a counted loop has at least one iteration for certain, so that
//                                            facts from before it do not hold after it
//   void assume(int number, bool taken, State& s);  the condition of an if or while was true (taken) or false
// At a return, a backward analysis starts with the state given to run.
#pragma once
#include "analysis/statements.hpp"

namespace vr::analysis {

enum class Part : uint8_t {
  Whole,    ///< of assignments, calls and returns: their only part
  Test,     ///< of if and while: the condition; of while before every iteration
  Domain,   ///< of for and pfor: the domain, once before the loop
  Iterate,  ///< of for and pfor: the variables get their values, before every iteration
};

namespace detail {

template <class Problem>
class Flow {
 public:
  using State = typename Problem::State;
  Flow(Problem& p, const Statements& s) : p_(p), s_(s), heads_(static_cast<size_t>(s.count())) {}

 protected:
  struct Loop {
    State leave;  ///< forward: joined by breaks; backward: what holds after the loop
    State next;   ///< forward: joined by continues; backward: what holds at an iteration's end
  };
  struct Head {
    bool visited = false;
    int joins = 0;
    State state;
  };
  Head& head(int number) { return heads_[static_cast<size_t>(number)]; }
  /// Joins `now` to the state that the loop kept from its last visit, and returns the result.
  State& enter(int number, const State& now) {
    Head& h = head(number);
    if (!h.visited) {
      h.visited = true;
      h.state = now;
    } else {
      meet(number, now);
    }
    return h.state;
  }
  bool meet(int number, const State& now) {
    Head& h = head(number);
    if constexpr (requires { p_.widen(h.state, now, h.joins); }) {
      constexpr int patience = 2;
      if (++h.joins > patience) return p_.widen(h.state, now, h.joins);
    }
    return p_.join(h.state, now);
  }
  void assume(int number, bool taken, State& s) {
    if constexpr (requires { p_.assume(number, taken, s); }) p_.assume(number, taken, s);
  }
  Problem& p_;
  const Statements& s_;
  std::vector<Loop> loops_;

 private:
  std::vector<Head> heads_;
};

template <class Problem>
class Forward : Flow<Problem> {
  using Base = Flow<Problem>;
  using Base::loops_;
  using Base::p_;
  using Base::s_;

 public:
  using State = typename Problem::State;
  using Base::Base;
  void list(const std::vector<int>& numbers, State& s) {
    for (int k : numbers) statement(k, s);
  }

 private:
  void statement(int n, State& s) {
    const StatementPlace& at = s_.at(n);
    switch (at.stmt->kind) {
      case ir::Kind::StmtList:
        return list(at.body, s);
      case ir::Kind::If: {
        p_.transfer(n, Part::Test, s);
        State other = s;
        Base::assume(n, true, s);
        Base::assume(n, false, other);
        list(at.body, s);
        list(at.others, other);
        p_.join(s, other);
        return;
      }
      case ir::Kind::For:
      case ir::Kind::PFor:
        p_.transfer(n, Part::Domain, s);
        return loop(n, at, s);
      case ir::Kind::While:
        return loop(n, at, s);
      case ir::Kind::Break:
        p_.join(loops_.back().leave, s);
        s = p_.nothing();
        return;
      case ir::Kind::Continue:
        p_.join(loops_.back().next, s);
        s = p_.nothing();
        return;
      case ir::Kind::Return:
      case ir::Kind::Raise:
        p_.transfer(n, Part::Whole, s);
        s = p_.nothing();
        return;
      default:
        return p_.transfer(n, Part::Whole, s);
    }
  }
  void loop(int n, const StatementPlace& at, State& s) {
    const bool tests = at.stmt->kind == ir::Kind::While;
    State& head = Base::enter(n, s);
    State exit;
    for (bool changed = true; changed;) {
      State b = head;
      p_.transfer(n, tests ? Part::Test : Part::Iterate, b);
      if (tests) {
        exit = b;
        Base::assume(n, false, exit);
        Base::assume(n, true, b);
      }
      loops_.push_back({p_.nothing(), p_.nothing()});
      list(at.body, b);
      const typename Base::Loop loop = std::move(loops_.back());
      loops_.pop_back();
      p_.join(b, loop.next);
      if (at.stmt->kind == ir::Kind::PFor) p_.leave_iteration(n, s, b);
      changed = Base::meet(n, b);
      if (changed) continue;
      if (!tests) {
        exit = head;
        if constexpr (requires { p_.runs(n); })
          if (p_.runs(n)) exit = std::move(b);
      }
      p_.join(exit, loop.leave);
    }
    s = std::move(exit);
  }
};

template <class Problem>
class Backward : Flow<Problem> {
  using Base = Flow<Problem>;
  using Base::loops_;
  using Base::p_;
  using Base::s_;

 public:
  using State = typename Problem::State;
  Backward(Problem& p, const Statements& s, State at_return) : Base(p, s), at_return_(std::move(at_return)) {}
  void list(const std::vector<int>& numbers, State& s) {
    for (size_t k = numbers.size(); k-- > 0;) statement(numbers[k], s);
  }

 private:
  void statement(int n, State& s) {
    const StatementPlace& at = s_.at(n);
    switch (at.stmt->kind) {
      case ir::Kind::StmtList:
        return list(at.body, s);
      case ir::Kind::If: {
        State other = s;
        list(at.body, s);
        list(at.others, other);
        p_.join(s, other);
        return p_.transfer(n, Part::Test, s);
      }
      case ir::Kind::For:
      case ir::Kind::PFor:
        loop(n, at, s);
        return p_.transfer(n, Part::Domain, s);
      case ir::Kind::While:
        return loop(n, at, s);
      case ir::Kind::Break:
        s = loops_.back().leave;
        return;
      case ir::Kind::Continue:
        s = loops_.back().next;
        return;
      case ir::Kind::Raise:
        s = p_.nothing();
        return p_.transfer(n, Part::Whole, s);
      case ir::Kind::Return:
        s = at_return_;
        return p_.transfer(n, Part::Whole, s);
      default:
        return p_.transfer(n, Part::Whole, s);
    }
  }
  void loop(int n, const StatementPlace& at, State& s) {
    // The head of a counted loop is the point where the domain either has another point or ends: what holds after the
    // loop holds there, too. A while loop tests there.
    const bool tests = at.stmt->kind == ir::Kind::While;
    State& head = Base::enter(n, tests ? p_.nothing() : s);
    for (bool changed = true; changed;) {
      State b = head;
      if (at.stmt->kind == ir::Kind::PFor) p_.leave_iteration(n, s, b);
      loops_.push_back({s, b});
      list(at.body, b);
      loops_.pop_back();
      if (tests) p_.join(b, s);
      p_.transfer(n, tests ? Part::Test : Part::Iterate, b);
      changed = p_.join(head, b);
    }
    s = head;
  }
  State at_return_;
};

}  // namespace detail

/// Propagates `entry` from the first statement on; the result holds where control runs off the end.
template <class Problem>
typename Problem::State flow_forward(Problem& p, const Statements& s, typename Problem::State entry) {
  detail::Forward<Problem>(p, s).list(s.top(), entry);
  return entry;
}

/// Propagates `at_end` from the end, and from each return, to the first statement; the result holds before it.
template <class Problem>
typename Problem::State flow_backward(Problem& p, const Statements& s, typename Problem::State at_end) {
  detail::Backward<Problem>(p, s, at_end).list(s.top(), at_end);
  return at_end;
}

}  // namespace vr::analysis
