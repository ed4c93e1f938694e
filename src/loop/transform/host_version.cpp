#include "loop/transform/host_version.hpp"

#include "loop/walk.hpp"

namespace vr::lower {

namespace {

/// The kernel; or, if its groups share memory, the one whose iterations it runs, with its parameters.
Function with_own_loops(const Module& m, const Function& kernel) {
  if (kernel.group == 0) return kernel;
  Function plain = *m.functions[static_cast<size_t>(kernel.tile_of.kernel)];
  plain.name = kernel.name;
  for (size_t p = plain.params.size(); p < kernel.params.size(); ++p) {
    Param added;
    added.var = static_cast<VarId>(plain.vars.size());
    plain.vars.push_back(kernel.vars[static_cast<size_t>(kernel.params[p].var)]);
    plain.params.push_back(added);
  }
  return plain;
}

class HostVersion {
 public:
  HostVersion(Module& m, Exprs& x, int32_t kernel, SiteId launch, bool parallel)
      : m_(m),
        x_(x),
        kernel_(with_own_loops(m, *m.functions[size_t(kernel)])),
        own_counts_(m.functions[size_t(kernel)]->group != 0 ? m.functions[size_t(kernel)]->tile_of.count
                                                            : TileOf().count),
        launch_(launch),
        parallel_(parallel) {}

  int32_t run() {
    const int32_t id = add_function(m_, Function::Kind::Entry, kernel_.name + "_on_host", kernel_.source_name);
    Function& entry = *m_.functions[static_cast<size_t>(id)];
    copy_to(entry);
    entry.params = kernel_.params;
    for (VarId count : counts_) entry.params.push_back({count, none, none, false});
    const size_t slowest = kernel_.dims.size() - 1;
    if (!kernel_.folds.empty())
      fold(entry);
    else if (parallel_)
      share(entry, slowest);
    else
      entry.body.push_back(points(slowest, x_.int_const(0), count(slowest)));
    return id;
  }

 private:
  /// Variables keep their ids; those for the counts are appended.
  void copy_to(Function& to) {
    to.vars = kernel_.vars;
    to.arrays = kernel_.arrays;
    to.fast_math = kernel_.fast_math;
    to.place = kernel_.place;
    counts_.clear();
    for (VarId d : kernel_.dims) {
      counts_.push_back(static_cast<VarId>(to.vars.size()));
      to.vars.push_back({kernel_.vars[static_cast<size_t>(d)].name + ".count", Scalar::Int64});
    }
  }
  ExprP count(size_t d) {
    const int32_t own = own_counts_[d];
    return x_.var(own != none ? kernel_.params[static_cast<size_t>(own)].var : counts_[d], Scalar::Int64);
  }

  /// The loops over [lo, hi) of dimension d and over all faster dimensions, with the body.
  Stmt points(size_t d, ExprP lo, ExprP hi) {
    CountedLoop loop{kernel_.dims[d], lo, hi, {}};
    loop.site = launch_;
    if (d == 0)
      loop.body = kernel_.body;
    else
      loop.body.push_back(points(d - 1, x_.int_const(0), count(d - 1)));
    return {std::move(loop), kernel_.place};
  }

  void share(Function& entry, size_t slowest) {
    const int32_t id = add_function(m_, Function::Kind::Task, kernel_.name + "_task", kernel_.source_name);
    Function& task = *m_.functions[static_cast<size_t>(id)];
    copy_to(task);
    ParallelFor all{id, x_.int_const(0), count(slowest), {}, launch_};
    auto capture = [&](VarId v) {
      if (v == none) return;
      task.params.push_back({v, none, none, false});
      all.captures.push_back(v);
    };
    for (const Param& p : entry.params) {
      capture(p.var);
      capture(p.im);
      if (p.array == none) continue;
      const ArrayVars& a = task.arrays[static_cast<size_t>(p.array)];
      capture(a.data);
      for (const auto* fields : {&a.extent, &a.stride})
        for (VarId v : *fields) capture(v);
    }
    auto range = [&](VarId& v, const char* name) {
      v = static_cast<VarId>(task.vars.size());
      task.vars.push_back({name, Scalar::Int64});
      return x_.var(v, Scalar::Int64);
    };
    const ExprP lo = range(task.lo_var, "lo"), hi = range(task.hi_var, "hi");
    task.body.push_back(points(slowest, lo, hi));
    entry.body.push_back({std::move(all), kernel_.place});
  }

  void fold(Function& entry) {
    for (const Fold& f : kernel_.folds) entry.body.push_back({SetVar{f.var, f.neutral}, kernel_.place});
    const size_t slowest = kernel_.dims.size() - 1;
    entry.body.push_back(points(slowest, x_.int_const(0), count(slowest)));
    const ArrayVars partial = entry.arrays[static_cast<size_t>(kernel_.folds[0].partial)];
    const auto group = static_cast<VarId>(entry.vars.size());
    entry.vars.push_back({"group", Scalar::Int64});
    const ExprP g = x_.var(group, Scalar::Int64);
    CountedLoop rows{group, x_.int_const(0), x_.var(partial.extent[0], Scalar::Int64), {}};
    const auto bytes = static_cast<int64_t>(kernel_.folds.size()) * 8;
    int64_t column = 0;
    for (const Fold& f : kernel_.folds) {
      const ExprP mine = x_.var(f.var, entry.vars[static_cast<size_t>(f.var)].type);
      rows.body.push_back({Store{x_.var(partial.data, Scalar::Ptr), x_.part(x_.at(g, bytes), column),
                                 x_.select(x_.eq(g, x_.int_const(0)), mine, f.neutral)},
                           kernel_.place});
      column += 8;
    }
    entry.body.push_back({std::move(rows), kernel_.place});
  }

  Module& m_;
  Exprs& x_;
  const Function kernel_;  // a copy, because adding functions to the module invalidates references
  /// Where the launch counts work-items of whole groups: the parameters with the numbers of iterations; else `none`.
  const std::array<int32_t, 3> own_counts_;
  const SiteId launch_;
  const bool parallel_;
  std::vector<VarId> counts_;
};

/// The site of each kernel's launch; with several launches that of the first.
void find_launches(const Block& b, std::map<int32_t, SiteId>& sites) {
  for (const Stmt& s : b) {
    if (auto* l = std::get_if<Launch>(&s.node)) sites.emplace(l->kernel, l->site);
    for (const Block* p : parts(s)) find_launches(*p, sites);
  }
}

}  // namespace

void host_version(Module& m, const PassOptions& options) {
  Exprs x(m);
  std::map<int32_t, SiteId> launches;
  for (const auto& f : m.functions) find_launches(f->body, launches);
  for (size_t k = 0; k < m.functions.size(); ++k)
    if (m.functions[k]->kind == Function::Kind::Kernel && m.functions[k]->on_host == none && m.functions[k]->form_of == none) {
      const auto launch = launches.find(static_cast<int32_t>(k));
      const SiteId site = launch == launches.end() ? none : launch->second;
      const int32_t host = HostVersion(m, x, static_cast<int32_t>(k), site, options.parallel).run();
      m.functions[k]->on_host = host;
    }
  // All versions of a kernel do the same work and share one CPU function.
  for (const auto& f : m.functions)
    if (f->form_of != none && f->on_host == none) f->on_host = m.functions[static_cast<size_t>(f->form_of)]->on_host;
}

}  // namespace vr::lower
