#include "calls.hpp"

#include "aggregates.hpp"
#include "arrays.hpp"
#include "handles.hpp"
#include "host.hpp"

#include <octave/Range.h>
#include <octave/builtin-defun-decls.h>
#include <octave/interpreter.h>
#include <octave/parse.h>
#include <octave/quit.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace vr::octave_host {

using matlab::Cls;
using matlab::HostCall;
using matlab::Quotes;

namespace {

Recording* innermost = nullptr;

/// The reason why a function of the host leaves the call to the interpreter.
struct Leave : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A function of the host for one module.
struct Bound {
  HostCall call;
  Scopes scopes;  ///< of its handles
};

/// The next argument, of the values that are passed for it, as a value of Octave's.
octave_value next_value(const HostCall::Argument& a, const Scopes& scopes, const std::vector<ir::Type>& types,
                        const vr_value* args, size_t& next) {
  if (a.handle) {
    std::vector<octave_value> captured;
    for (const HostCall::Argument& c : a.parts) captured.push_back(next_value(c, scopes, types, args, next));
    const octave_value h = made_handle(*a.handle, scopes, captured);
    if (!h.is_defined()) throw Leave("a handle whose names refer to other functions elsewhere");
    return h;
  }
  if (a.empty) return octave_value(Matrix());
  if (a.fields) {
    octave_scalar_map m;
    for (size_t k = 0; k < a.parts.size(); ++k)
      m.setfield((*a.fields)[k], next_value(a.parts[k], scopes, types, args, next));
    return octave_value(m);
  }
  if (a.text) return octave_value(*a.text, a.quotes == Quotes::Double ? '"' : '\'');
  std::vector<Value> values;
  const size_t count = leaves(a.info);
  for (size_t k = 0; k < count; ++k, ++next) values.push_back(copied(types[next], args[next]));
  size_t from = 0;
  return whole_result(values, from, a.info);
}

template <class M>
bool is_diagonal(const M& m, bool special) {
  bool any = false;
  for (octave_idx_type j = 0; j < m.columns(); ++j)
    for (octave_idx_type i = 0; i < m.rows(); ++i) {
      const bool zero = m(i, j) == 0.0;
      if (!zero && i != j) return false;
      any = any || !zero;
    }
  return special || (any && m.rows() > 1 && m.columns() > 1);
}
template <class M>
bool is_permutation(const M& m) {
  if (m.rows() != m.columns()) return false;
  for (octave_idx_type j = 0; j < m.columns(); ++j) {
    octave_idx_type ones = 0, across = 0;
    for (octave_idx_type i = 0; i < m.rows(); ++i) {
      if (m(i, j) != 0.0 && m(i, j) != 1.0) return false;
      ones += m(i, j) == 1.0;
      across += m(j, i) == 1.0;
    }
    if (ones != 1 || across != 1) return false;
  }
  return true;
}
bool is_progression(const NDArray& x) {
  const octave_idx_type n = x.numel();
  if (n < 2) return false;
  const double step = x(1) - x(0);
  for (octave_idx_type k = 2; k < n; ++k) {
    const double wanted = x(0) + static_cast<double>(k) * step;
    if (!(std::abs(x(k) - wanted) <= 1e-9 * (std::abs(x(0)) + static_cast<double>(k) * std::abs(step)))) return false;
  }
  return true;
}

std::string shown(octave_value v) {
  std::ostringstream out;
  v.print(out);
  return out.str();
}

/// Whether Octave shows the row `v` as it would show a range with these elements. Its columns are as wide as the
/// range's limit needs, which may be anywhere up to the element that would come next.
bool looks_like_range(const octave_value& v) {
  const NDArray x = v.array_value();
  const octave_idx_type n = x.numel();
  const double step = x(1) - x(0), final = x(n - 1), beyond = final + step * (1 - 1e-9);
  std::vector<double> limits = {final, beyond};
  if ((final < 0 && beyond > 0) || (final > 0 && beyond < 0)) limits.push_back(0);
  const std::string as_matrix = shown(v);
  for (const double limit : limits) {
    const octave::range<double> r(x(0), step, limit);
    if (r.numel() != n) return false;
    for (octave_idx_type k = 0; k < n; ++k)
      if (r.elem(k) != x(k)) return false;
    if (shown(octave_value(r, true)) != as_matrix) return false;
  }
  return true;
}

/// Fails if Octave may hold the value as a range or a diagonal or permutation matrix, which it shows differently.
void check_form(const octave_value& v, bool special) {
  if (v.iscell()) {
    const Cell c = v.cell_value();
    for (octave_idx_type k = 0; k < c.numel(); ++k) check_form(c(k), special);
    return;
  }
  if (v.isstruct()) {
    const octave_scalar_map m = v.scalar_map_value();
    const string_vector names = m.fieldnames();
    for (octave_idx_type k = 0; k < names.numel(); ++k) check_form(m.contents(names(k)), special);
    return;
  }
  if (!v.isfloat() || v.ndims() > 2 || v.numel() < 2) return;
  const ComplexMatrix m = v.complex_matrix_value();
  if (is_diagonal(m, special) || (special && is_permutation(m)))
    throw Leave("output of what may be a diagonal or permutation matrix");
  if (special && v.rows() == 1 && v.is_double_type() && v.isreal() && is_progression(v.array_value()) &&
      !looks_like_range(v))
    throw Leave("output of what may be a range");
}

octave_value formatted(const HostCall& f, const octave_value_list& values) {
  // In a template with single quotes escapes are replaced; of one that was computed nobody knows the quotes.
  if (!f.args[0].text && values(0).string_value().find('\\') != std::string::npos)
    throw Leave("a computed template with a backslash");
  return octave::Fsprintf(values, 1)(0);
}

/// What the function shows without a result, after it has done what it does.
std::string timed(const std::string& function, const octave_value_list& values) {
  const octave_value_list results = octave::feval(function, values, function == "toc" ? 1 : 0);
  if (function == "tic") return "";
  std::ostringstream out;
  out << "Elapsed time is " << results(0).double_value() << " seconds\n";
  return out.str();
}

/// A row of cells with rows of text, as HostCall::lists says.
octave_value_list listed(const HostCall& f, const octave_value& v) {
  if (!v.iscellstr() || v.ndims() > 2 || v.rows() != 1)
    throw Leave("a result of " + f.function + " that is no row of text");
  const Cell cells = v.cell_value();
  std::string all;
  NDArray ends(dim_vector(1, cells.numel())), rows(dim_vector(1, cells.numel()), 1.0);
  for (octave_idx_type k = 0; k < cells.numel(); ++k) {
    if (cells(k).rows() != 1) throw Leave("a text of " + f.function + " that is no row");
    all += cells(k).string_value();
    ends(k) = static_cast<double>(all.size());
  }
  octave_value_list parts;
  charNDArray row(dim_vector(1, static_cast<octave_idx_type>(all.size())));
  std::copy(all.begin(), all.end(), row.fortran_vec());
  parts.append(octave_value(row, '\''));
  parts.append(octave_value(ends));
  parts.append(octave_value(rows));
  return parts;
}

/// What the function prints.
std::string printed(const HostCall& f, const octave_value_list& values) {
  if (f.function == "printf") return formatted(f, values).string_value();
  if (f.function == "puts") return values(0).string_value();
  if (f.function == "tic" || f.function == "toc") return timed(f.function, values);
  check_form(values(0), f.args[0].special);
  std::ostringstream out;
  octave_value v = values(0);
  const bool line = f.function == "display" && v.print_name_tag(out, f.name);
  v.print(out);
  if (line) out << '\n';
  return out.str();
}

octave_value computed(const HostCall& f, const octave_value_list& values) {
  if (f.function == "sprintf") return formatted(f, values);
  if (f.function == "disp") check_form(values(0), f.args[0].special);
  if (f.function.compare(0, 4, "rand") == 0) {
    Recording* recording = Recording::current();
    if (!recording) throw Leave("random numbers outside of a call");
    const octave_value drawn = recording->draw(f.function, values);
    if (!drawn.is_defined()) throw Leave(f.function + " without a result");
    return drawn;
  }
  const octave_value_list results = octave::feval(f.function, values, 1);
  if (results.length() < 1 || !results(0).is_defined()) throw Leave(f.function + " without a result");
  return results(0);
}

/// The results of a function that calls handles. What these print is a part of the call's output.
octave_value_list solved(const HostCall& f, const octave_value_list& values) {
  Recording* recording = Recording::current();
  if (!recording) throw Leave(f.function + " outside of a call");
  Printing printing;
  octave_value_list results = octave::feval(f.function, values, static_cast<int>(f.results.size()));
  if (printing.warned()) throw Leave("a warning of " + f.function);
  recording->text += printing.text();
  if (results.length() < static_cast<octave_idx_type>(f.results.size())) throw Leave(f.function + " without a result");
  return results;
}

/// Passes on result k.
void give(vr_external_call* call, const HostCall& f, size_t k, const octave_value& v, vr_value& out) {
  const ir::Type& type = f.type.outputs()[k];
  const Cls cls = f.results[k].cls;
  if (!v.is_defined()) throw Leave(f.function + " without a result");
  if (f.columns[k] && v.columns() != 1) throw Leave("a result of " + f.function + " that is no column");
  if (v.class_name() != matlab::class_name(cls) || v.iscomplex() || v.ndims() > 2 || v.issparse())
    throw Leave("a result of " + f.function + " of class " + v.class_name());
  if (!type.is_array()) {
    if (v.numel() != 1) throw Leave("a result of " + f.function + " that is no number");
    if (cls == Cls::Uint64)
      out.u64 = v.uint64_scalar_value().value();
    else
      out.f64 = v.double_value();
    return;
  }
  const int64_t extents[] = {v.rows(), v.columns()};
  vr_array* a = call->make(call, static_cast<int32_t>(k), extents);
  if (!a) throw Leave("out of memory");
  const auto n = static_cast<size_t>(v.numel());
  if (n == 0) return;
  if (cls == Cls::Char) {
    const charNDArray c = v.char_array_value();
    std::memcpy(a->data, c.data(), n);
  } else {
    const NDArray x = v.array_value();
    std::memcpy(a->data, x.data(), n * sizeof(double));
  }
}

int32_t invoke(void* data, vr_external_call* call, const vr_value* args, vr_value* results) {
  const Bound& bound = *static_cast<const Bound*>(data);
  const HostCall& f = bound.call;
  try {
    octave_value_list values;
    size_t next = 0;
    const std::vector<ir::Type>& types = f.type.components();
    for (const HostCall::Argument& a : f.args) values.append(next_value(a, bound.scopes, types, args, next));
    if (f.solves) {
      const octave_value_list found = solved(f, values);
      for (size_t k = 0; k < f.results.size(); ++k)
        give(call, f, k, found(static_cast<octave_idx_type>(k)), results[k]);
      return VR_OK;
    }
    if (f.lists) {
      const octave_value_list parts = listed(f, computed(f, values));
      for (size_t k = 0; k < f.results.size(); ++k)
        give(call, f, k, parts(static_cast<octave_idx_type>(k)), results[k]);
      return VR_OK;
    }
    if (!f.prints()) {
      give(call, f, 0, computed(f, values), results[0]);
      return VR_OK;
    }
    Recording* recording = Recording::current();
    if (!recording) throw Leave("output outside of a call");
    const std::string text = printed(f, values);
    if (recording->text.size() + text.size() > kMostOutput) throw Leave("output of more than 64 MiB");
    recording->text += text;
    return VR_OK;
  } catch (const Leave& l) {
    return call->fail(call, 0, l.what());
  } catch (const octave::execution_exception& e) {
    octave::interpreter::the_interpreter()->recover_from_exception();
    return call->fail(call, 0, e.message().c_str());
  } catch (const std::bad_alloc&) {
    return call->fail(call, 0, "out of memory");
  } catch (...) {  // Ctrl-C
    Host::get().keep(std::current_exception());
    return call->fail(call, 0, "interrupted");
  }
}

void done(void* data) { delete static_cast<Bound*>(data); }

}  // namespace

struct Recording::Generators {
  octave_value uniform, normal, exponential, seed;
  bool old = false;  ///< rand ("seed", x) has selected Octave's old generators, which have one state
};

namespace {
octave_value state_of(const char* function, const char* what) {
  return octave::feval(function, octave_value_list(octave_value(what)), 1)(0);
}
void set_state(const char* function, const char* what, const octave_value& state) {
  octave_value_list args;
  args.append(octave_value(what));
  args.append(state);
  octave::feval(function, args, 0);
}
bool equal_states(const octave_value& a, const octave_value& b) {
  const NDArray x = a.array_value(), y = b.array_value();
  return x.numel() == y.numel() && std::equal(x.data(), x.data() + x.numel(), y.data());
}
}  // namespace

octave_value Recording::draw(const std::string& function, const octave_value_list& args) {
  const bool first = !before_;
  if (first) {
    before_ = std::make_shared<Generators>();
    *before_ = {state_of("rand", "state"), state_of("randn", "state"), state_of("rande", "state"),
                state_of("rand", "seed")};
  }
  const octave_value_list results = octave::feval(function, args, 1);
  if (first && results.length() > 0 && results(0).isempty()) {
    before_.reset();  // nothing was drawn, so that nobody knows which generators are in use
  } else if (first) {
    const char* of = function == "randn" ? "randn" : function == "rande" ? "rande" : "rand";
    const octave_value& was = function == "randn"   ? before_->normal
                              : function == "rande" ? before_->exponential
                                                    : before_->uniform;
    before_->old = equal_states(state_of(of, "state"), was);
  }
  return results.length() > 0 ? results(0) : octave_value();
}

void Recording::set_back() {
  if (!before_) return;
  if (before_->old) {
    set_state("rand", "seed", before_->seed);
  } else {
    set_state("rand", "state", before_->uniform);
    set_state("randn", "state", before_->normal);
    set_state("rande", "state", before_->exponential);
  }
  before_.reset();
}

Recording::Recording() : outer_(innermost) { innermost = this; }
Recording::~Recording() {
  if (outer_ && !outer_->before_) outer_->before_ = before_;  // the outer call would draw these numbers again, too
  innermost = outer_;
}
Recording* Recording::current() { return innermost; }

Status bind_host_calls(const Engine& engine, const matlab::Compiled& compiled, const Program& program) {
  for (const HostCall& f : compiled.host_calls) {
    auto bound = std::make_unique<Bound>(Bound{f, {}});
    for (const HostCall::Argument& a : f.args) add_scopes(a, program, bound->scopes);
    Status s = engine.bind(f.external, f.type, invoke, bound.release(), done);
    if (!s.ok()) return s;
  }
  return {};
}

}  // namespace vr::octave_host
