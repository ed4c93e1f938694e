#include "analysis/region_detection.hpp"

#include "analysis/region_rules.hpp"
#include "ir/falls_through.hpp"
#include "ir/sharing.hpp"

#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace vr::analysis {

using namespace ir;

namespace {

CriticalSets united(CriticalSets a, const CriticalSets& b) {
  a.shape.insert(b.shape.begin(), b.shape.end());
  a.value.insert(b.value.begin(), b.value.end());
  return a;
}
bool includes(const CriticalSets& a, const CriticalSets& b) {
  return std::includes(a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end()) &&
         std::includes(a.value.begin(), a.value.end(), b.value.begin(), b.value.end());
}

class Finder {
 public:
  Finder(const Function& f, const Conventions& c, RegionDetection& out)
      : out_(out), statements_(out.statements), rules_(f, c), sharing_(f) {
    const int count = statements_.count();
    out.before.resize(static_cast<size_t>(count));
    out.region.assign(static_cast<size_t>(count), -1);
    refused_.resize(static_cast<size_t>(count));
    for (int k = count; k-- > 0;) {
      const StatementPlace& at = statements_.at(k);
      char& refused = refused_[static_cast<size_t>(k)];
      refused = refused || rules_.refused(*at.stmt);
      const bool leaves = at.stmt->kind == Kind::Return;
      if ((refused || leaves) && at.parent >= 0) refused_[static_cast<size_t>(at.parent)] = 1;
    }
  }

  void run() {
    search({});
    std::sort(found_.begin(), found_.end(), [&](const Pir& a, const Pir& b) { return number(a) < number(b); });
    out_.gave_up = work_left_ < 0;
    for (Pir& p : found_) {
      Body statements;
      const std::vector<int>& list = statements_.list(p.list);
      for (int k = p.first; k <= p.last; ++k)
        statements.push_back(StmtPtr(StmtPtr{}, statements_.at(list[static_cast<size_t>(k)]).stmt));
      if (out_.gave_up || !interesting(statements)) continue;
      for (int k = p.first; k <= p.last; ++k) mark(list[static_cast<size_t>(k)]);
      out_.regions.push_back(std::move(p));
    }
    for (size_t k = 0; k < out_.before.size(); ++k)
      if (out_.region[k] < 0) out_.before[k] = {};
    std::erase_if(out_.at_end, [&](const auto& l) {
      return l.first.parent < 0 || out_.region[static_cast<size_t>(l.first.parent)] < 0;
    });
  }

 private:
  int number(const Pir& p) const { return statements_.list(p.list)[static_cast<size_t>(p.first)]; }
  void mark(int n) {
    out_.region[static_cast<size_t>(n)] = static_cast<int>(out_.regions.size());
    for (bool others : {false, true})
      for (int k : statements_.list({n, others})) mark(k);
  }

  /// FindPIR on a list that may contain several regions: records them, and those inside statements that join none.
  void search(StatementList at) {
    const std::vector<int>& list = statements_.list(at);
    int last = -1;  // of the region that is being built
    CriticalSets sets;
    auto close = [&](int first) {
      if (last >= 0) found_.push_back({at, first, last, sets});
      last = -1;
      sets = {};
    };
    for (int k = static_cast<int>(list.size()); k-- > 0;) {
      const int n = list[static_cast<size_t>(k)];
      const StatementPlace& place = statements_.at(n);
      const bool compound =
          place.stmt->kind != Kind::Assign && place.stmt->kind != Kind::ExprStmt && place.stmt->kind != Kind::Raise;
      // Control must return from a region's call at the region's end: statements that end the function stay outside.
      const bool ends = place.stmt->kind != Kind::Return && !falls_through(*place.stmt);
      bool joins = place.stmt->kind == Kind::Return ? last < 0 && returns(n, sets) : !ends && statement(n, sets);
      if (!joins) {
        const bool had_some = last >= 0;
        close(k + 1);
        if (compound && had_some && !ends) joins = place.stmt->kind == Kind::Return ? returns(n, sets) : statement(n, sets);
      }
      if (joins) {
        if (last < 0) last = k;
        out_.before[static_cast<size_t>(n)] = sets;
      } else {
        search_inside(n);
      }
    }
    close(0);
  }
  void search_inside(int n) {
    const Stmt& s = *statements_.at(n).stmt;
    auto* block = as<StmtList>(&s);
    if (s.kind == Kind::PFor || (block && block->on_gpu)) return;
    for (bool others : {true, false})
      if (!statements_.list({n, others}).empty()) search({n, others});
  }

  /// FindPIR on a list that must be part of one region: transforms the sets at its end to those at its start.
  bool covers(StatementList at, CriticalSets& sets) {
    const std::vector<int>& list = statements_.list(at);
    out_.at_end[at] = sets;
    for (size_t k = list.size(); k-- > 0;) {
      if (!statement(list[k], sets)) return false;
      out_.before[static_cast<size_t>(list[k])] = sets;
    }
    return true;
  }

  /// Transforms the sets after a statement to those before it. False: the statement cannot be part of the region; the
  /// sets are unchanged.
  bool statement(int n, CriticalSets& sets) {
    if (refused_[static_cast<size_t>(n)] || work_left_ < 0) return false;
    work_left_ -= 1 + static_cast<long>(sets.shape.size() + sets.value.size());
    const Stmt& s = *statements_.at(n).stmt;
    switch (s.kind) {
      case Kind::Assign:
        return rules_.assign(static_cast<const Assign&>(s), loops_, sets);
      case Kind::ExprStmt:
        return evaluate(static_cast<const ExprStmt&>(s).expr, sets);
      case Kind::Raise: {
        CriticalSets now = sets;
        for (const ExprPtr& e : static_cast<const Raise&>(s).args)
          if (!evaluate(e, now)) return false;
        sets = std::move(now);
        return true;
      }
      case Kind::StmtList: {
        CriticalSets now = sets;
        if (!covers({n, false}, now)) return false;
        sets = std::move(now);
        return true;
      }
      case Kind::If:
        return if_(n, static_cast<const If&>(s), sets);
      case Kind::For:
      case Kind::PFor:
      case Kind::While:
        return loop(n, s, sets);
      case Kind::Break:
      case Kind::Continue:
        if (exits_.empty()) return false;
        sets = s.kind == Kind::Break ? *exits_.back().leave : *exits_.back().next;
        return true;
      default:
        return false;
    }
  }
  bool evaluate(const ExprPtr& e, CriticalSets& sets) {
    CriticalSets now = sets;
    if (!rules_.evaluate(e, loops_, now)) return false;
    sets = std::move(now);
    return true;
  }
  bool returns(int n, CriticalSets& sets) {
    if (rules_.refused(*statements_.at(n).stmt)) return false;
    for (const ExprPtr& e : static_cast<const Return&>(*statements_.at(n).stmt).exprs)
      if (!evaluate(e, sets)) return false;
    return true;
  }

  bool if_(int n, const If& s, CriticalSets& sets) {
    CriticalSets yes = sets, no = sets;
    if (!covers({n, false}, yes) || !covers({n, true}, no)) return false;
    CriticalSets now = united(std::move(yes), no);
    if ((rules_.redefines(s.then_body, sets) || rules_.redefines(s.else_body, sets)) &&
        !rules_.determined(*s.test, now))
      return false;
    if (!rules_.evaluate(s.test, loops_, now)) return false;
    sets = std::move(now);
    return true;
  }

  /// TestLoop (algorithm 1), and the rule for the sets before the loop.
  bool loop(int n, const Stmt& s, CriticalSets& sets) {
    RegionLoop frame{&s, false};
    std::set<SymbolId> own, privates;
    CriticalSets bounds;
    auto counted = [&](const std::vector<SymbolId>& vars, const ExprPtr& domain) {
      own.insert(vars.begin(), vars.end());
      return rules_.domain(domain, loops_, bounds, frame.affine);
    };
    if (auto* l = as<For>(&s); l && !counted(l->itervars, l->domain)) return false;
    if (auto* l = as<PFor>(&s)) {
      if (!counted(l->itervars, l->domain)) return false;
      const std::vector<SymbolId> list = sharing_.of(*l).privates;
      privates.insert(list.begin(), list.end());
    }
    const CriticalSets after = sets;
    CriticalSets begin, end = forget(after, privates);
    // If the loop was analysed before with a subset of `after`, the sets found then hold for the same point now.
    Kept& kept = kept_[n];
    if (kept.depth == loops_.size() && includes(after, kept.after)) end = united(std::move(end), kept.end);
    loops_.push_back(frame);
    bool joins = false;
    while (true) {
      begin = end;
      exits_.push_back({&after, &end});
      joins = covers({n, false}, begin);
      exits_.pop_back();
      if (auto* w = as<While>(&s)) joins = joins && rules_.evaluate(w->test, loops_, begin);
      if (!joins) break;
      for (SymbolId id : own) joins = joins && (!begin.value.erase(id) || frame.affine);
      begin = forget(std::move(begin), privates);
      for (SymbolId id : begin.value) joins = joins && !rules_.assigned(s).count(id);
      CriticalSets next = united(end, begin);
      if (!joins || next == end) break;
      end = std::move(next);
    }
    loops_.pop_back();
    if (!joins) return false;
    kept = {loops_.size(), after, end};
    sets = united(united(after, begin), bounds);
    return true;
  }
  static CriticalSets forget(CriticalSets s, const std::set<SymbolId>& variables) {
    for (SymbolId id : variables) {
      s.shape.erase(id);
      s.value.erase(id);
    }
    return s;
  }

  struct Exits {
    const CriticalSets *leave, *next;  ///< after the loop; at the end of an iteration
  };
  struct Kept {
    size_t depth = ~size_t{0};
    CriticalSets after, end;
  };
  RegionDetection& out_;
  const Statements& statements_;
  RegionRules rules_;
  SharingAnalysis sharing_;
  std::vector<char> refused_;  ///< including nested statements
  RegionRules::Loops loops_;   ///< loops of the current region around the statement
  std::vector<Exits> exits_;   ///< of the same loops
  std::map<int, Kept> kept_;
  std::vector<Pir> found_;
  long work_left_ = 4'000'000;  ///< bounds the work: elements of sets that may still be processed
};

}  // namespace

RegionDetection region_detection(const Function& f, const Conventions& conventions) {
  RegionDetection r{Statements(f.body), {}, {}, {}, {}, false};
  Finder(f, conventions, r).run();
  return r;
}

std::string RegionDetection::text(const Function& f) const {
  if (gave_up) return "too many critical variables at too many statements\n";
  auto list = [&](const char* title, const std::set<SymbolId>& ids) {
    std::string s = title;
    for (SymbolId id : ids) s += " " + variable_text(f, id);
    return ids.empty() ? s + " -" : s;
  };
  auto critical = [&](const CriticalSets& s) { return list("shapes", s.shape) + list("; values", s.value); };
  std::string out;
  for (size_t k = 0; k < regions.size(); ++k) {
    const Pir& p = regions[k];
    const std::vector<int>& l = statements.list(p.list);
    out += fmt::format("region {}: {} to {}, {}\n", k, l[static_cast<size_t>(p.first)], l[static_cast<size_t>(p.last)],
                       critical(p.entry));
  }
  if (regions.empty()) return "no regions\n";
  return out + list_statements(
                   f, statements,
                   [&](int n) {
                     const int r = region[static_cast<size_t>(n)];
                     return r < 0 ? "" : fmt::format("{}: {}", r, critical(before[static_cast<size_t>(n)]));
                   },
                   [&](StatementList l) {
                     auto it = at_end.find(l);
                     if (it == at_end.end()) return std::string();
                     return fmt::format("{}: {}", region[static_cast<size_t>(l.parent)], critical(it->second));
                   });
}

}  // namespace vr::analysis
