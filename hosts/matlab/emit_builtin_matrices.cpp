// Builtins on matrices that the runtime computes: factorisations, singular values, eigenvalues.
#include "emit.hpp"

#include <algorithm>

namespace vr::matlab {

using ir::E;

namespace {

ir::Type held(Cls cls, bool complex) { return ir::Type::array(*elem_of(cls), 2, ir::Layout::ColMajor, complex); }

/// A matrix of a floating class, in a variable. If it is empty, or if it must be finite (`finite`) and
/// is not, the code bails out, because Octave reports special errors.
Val matrix_of(Emitter& em, const std::string& name, const Val& given, bool finite, Pos pos) {
  Val v = em.numeric(em.plain(given, pos), pos);
  if (!is_floating(v.t.cls) || v.t.rank() > 2) em.refuse(pos, "'" + name + "' of this");
  Type t = v.t.without_constant();
  const E x = em.named({v.t, em.as_array({v.t, em.elem(v, v.t.cls, v.t.complex)}, 2)}, "matrix");
  em.guard(em.lib("numel", {x}) == E(0), "'" + name + "' of nothing");
  if (finite) {
    const E fine = em.every(em.lib("isfinite", {x}), 2);
    em.guard(!fine, "'" + name + "' of what is not finite");
  }
  return {t, x};
}

/// The results of a call that has several, in variables.
std::vector<E> several_of(Emitter& em, const char* name, std::vector<E> args, const std::vector<ir::Type>& types) {
  std::vector<E> targets;
  for (const ir::Type& t : types) targets.push_back(em.temp(name, t));
  em.f->assign(targets, em.f->lib(name, std::move(args), ir::Type::tuple(types)));
  return targets;
}

/// A diagonal matrix.
E diagonal(Emitter& em, const E& rows, const E& columns, const E& values, Cls cls, bool complex) {
  const E d = em.temp("diagonal", held(cls, complex));
  em.f->assign(d, em.f->zeros(held(cls, complex), {rows, columns}));
  const E n = em.lib("numel", {values}), step = rows + E(1);
  em.f->assign(em.f->index(d, {ir::range_to(E(1), step, (n - E(1)) * step + E(1))}), values);
  return d;
}

bool economy(Emitter& em, const std::string& name, const Vals& args, Pos pos) {
  if (args.size() < 2) return false;
  const Type& t = args[1].t;
  if (!(t.text && *t.text == "econ") && !(t.number && *t.number == 0))
    em.refuse(pos, "'" + name + "' with this argument");
  return true;
}

void cholesky(Emitter& em, Vals& args, int nargout, Pos pos, Vals& out) {
  bool upper = true;
  if (args.size() > 1) {
    if (!args[1].t.text || (*args[1].t.text != "upper" && *args[1].t.text != "lower") || nargout > 1)
      em.refuse(pos, "'chol' with this argument");
    upper = *args[1].t.text == "upper";
  }
  const Val a = matrix_of(em, "chol", args[0], true, pos);
  out.push_back(em.value(Type::array(a.t.cls, a.t.ext, a.t.complex), em.f->lib("cholesky", {a.e, E(upper)})));
}

void lu(Emitter& em, Vals& args, int nargout, Pos pos, Vals& out) {
  if (nargout < 2) em.refuse(pos, "'lu' with one result", "ask for L and U");
  const Val a = matrix_of(em, "lu", args[0], true, pos);
  const ir::Type t = held(a.t.cls, a.t.complex),
                 places = ir::Type::array(ir::Elem::Int64, 2, ir::Layout::ColMajor, false);
  const std::vector<E> r = several_of(em, "lu", {a.e}, {t, t, places});
  E lower = r[0];
  if (nargout == 2) {  // its rows where A has them
    const std::vector<E> back = several_of(em, "sort", {r[2]}, {places, places});
    lower = em.f->index(r[0], {back[1], ir::all()});
  }
  out.push_back(em.value(Type::array(a.t.cls, {a.t.ext[0], kAny}, a.t.complex), lower));
  out.push_back(em.value(Type::array(a.t.cls, {kAny, a.t.ext[1]}, a.t.complex), r[1]));
  if (nargout < 3) return;
  const E m = em.lib("numel", {r[2]});
  const E numbers = em.lib("reshape", {em.lib("colon", {E(1), m}), E(1), m});
  out.push_back(em.value(Type::array(Cls::Double, {a.t.ext[0], a.t.ext[0]}),
                         em.f->cast(r[2] == numbers, held(Cls::Double, false))));
}

void qr(Emitter& em, Vals& args, int nargout, Pos pos, Vals& out) {
  if (nargout != 2) em.refuse(pos, "'qr' with this number of results", "ask for Q and R");
  const bool small = economy(em, "qr", args, pos);
  const Val a = matrix_of(em, "qr", args[0], true, pos);
  const ir::Type t = held(a.t.cls, a.t.complex);
  const std::vector<E> r = several_of(em, "qr", {a.e, E(!small)}, {t, t});
  out.push_back(em.value(Type::array(a.t.cls, {a.t.ext[0], small ? kAny : a.t.ext[0]}, a.t.complex), r[0]));
  out.push_back(em.value(Type::array(a.t.cls, {small ? kAny : a.t.ext[0], a.t.ext[1]}, a.t.complex), r[1]));
}

void svd(Emitter& em, Vals& args, int nargout, Pos pos, Vals& out) {
  const bool small = economy(em, "svd", args, pos);
  if (nargout == 2) em.refuse(pos, "'svd' with two results");
  const Val a = matrix_of(em, "svd", args[0], true, pos);
  if (nargout < 2) return out.push_back(em.value(Type::array(a.t.cls, {kAny, 1}), em.f->lib("svdvals", {a.e})));
  const ir::Type t = held(a.t.cls, a.t.complex);
  const std::vector<E> r = several_of(em, "svd", {a.e, E(!small)}, {t, held(a.t.cls, false), t});
  const int64_t m = small ? kAny : a.t.ext[0], n = small ? kAny : a.t.ext[1];
  const E least = em.lib("numel", {r[1]});
  const E rows = small ? least : em.extent(a, 1), columns = small ? least : em.extent(a, 2);
  const E v = a.t.complex ? em.lib("conj", {r[2]}) : r[2];
  out.push_back(em.value(Type::array(a.t.cls, {a.t.ext[0], m}, a.t.complex), r[0]));
  out.push_back(em.value(Type::array(a.t.cls, {m, n}), diagonal(em, rows, columns, r[1], a.t.cls, false)));
  out.push_back(em.value(Type::array(a.t.cls, {a.t.ext[1], n}, a.t.complex), em.lib("trans", {v})));
}

void eig(Emitter& em, Vals& args, int nargout, Pos pos, Vals& out) {
  const Val a = matrix_of(em, "eig", args[0], true, pos);
  const bool real = !em.program.signature.complex && !a.t.complex;
  const ir::Type numbers = held(a.t.cls, true);
  if (real) {
    // Octave narrows both results by themselves. A real matrix with real eigenvalues has real eigenvectors.
    std::vector<E> r;
    if (nargout < 2) {
      r = {em.temp("eigenvalues", numbers)};
      em.f->assign(r[0], em.f->lib("eigvals", {a.e}));
    } else {
      r = several_of(em, "eig", {a.e}, {numbers, numbers});
    }
    const E imaginary = em.lib("imag", {r[0]});
    em.guard(em.some(imaginary != em.f->float_const(0, imaginary.type().element()), 2), "complex eigenvalues");
    const E values = em.named({Type::array(a.t.cls, {kAny, 1}), em.lib("real", {r[0]})}, "eigenvalues");
    if (nargout < 2) return out.push_back(em.value(Type::array(a.t.cls, {a.t.ext[0], 1}), values));
    const E n = em.extent(a, 1);
    out.push_back(em.value(Type::array(a.t.cls, a.t.ext), em.lib("real", {r[1]})));
    return out.push_back(em.value(Type::array(a.t.cls, a.t.ext), diagonal(em, n, n, values, a.t.cls, false)));
  }
  if (nargout < 2)
    return out.push_back(em.value(Type::array(a.t.cls, {a.t.ext[0], 1}, true), em.f->lib("eigvals", {a.e})));
  const std::vector<E> r = several_of(em, "eig", {a.e}, {numbers, numbers});
  const E n = em.extent(a, 1);
  out.push_back(em.value(Type::array(a.t.cls, a.t.ext, true), r[1]));
  out.push_back(em.value(Type::array(a.t.cls, a.t.ext, true), diagonal(em, n, n, r[0], a.t.cls, true)));
}

/// One result that is a number or a matrix.
void single(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  if (nargout > 1) em.refuse(pos, "'" + name + "' with several results");
  const Val a = matrix_of(em, name, args[0], name != "det", pos);
  if (name == "det") return out.push_back(em.value(Type::scalar(a.t.cls, a.t.complex), em.f->lib("det", {a.e})));
  if (name == "cond") {
    if (args.size() > 1 && !(args[1].t.number && *args[1].t.number == 2)) {
      if (host_texts(em, name, args, 1, pos, out)) return;
      em.refuse(pos, "'cond' of this kind");
    }
    return out.push_back(em.value(Type::scalar(a.t.cls), em.f->lib("cond", {a.e})));
  }
  if (name == "rank") {
    std::vector<E> list{a.e};
    if (args.size() > 1) {
      const Val tolerance = em.numeric(em.plain(args[1], pos), pos);
      if (!tolerance.t.is_scalar() || tolerance.t.complex) em.refuse(pos, "'rank' with this tolerance");
      list.push_back(em.elem(tolerance, Cls::Double, false));
    }
    return out.push_back({Type::scalar(Cls::Double), em.f->cast(em.f->lib("matrix_rank", list), ir::f64())});
  }
  std::vector<int64_t> ext = a.t.ext;
  if (name == "pinv") std::swap(ext[0], ext[1]);
  out.push_back(em.value(Type::array(a.t.cls, ext, a.t.complex), em.f->lib(name, {a.e})));
}

void kronecker(Emitter& em, Vals& args, int nargout, Pos pos, Vals& out) {
  Val v[2] = {em.numeric(em.plain(args[0], pos), pos), em.numeric(em.plain(args[1], pos), pos)};
  for (const Val& x : v)
    if (!is_floating(x.t.cls) || x.t.rank() > 2 || nargout > 1) em.refuse(pos, "'kron' of these");
  const Cls cls = v[0].t.cls == Cls::Single || v[1].t.cls == Cls::Single ? Cls::Single : Cls::Double;
  const bool complex = v[0].t.complex || v[1].t.complex;
  std::vector<E> list;
  std::vector<int64_t> ext{kAny, kAny};
  for (size_t k = 0; k < 2; ++k) {
    list.push_back(em.named({v[k].t, em.as_array({v[k].t, em.elem(v[k], cls, complex)}, 2)}, "x"));
    const int64_t a = v[0].t.ext[k], b = v[1].t.ext[k];
    if (a >= 0 && b >= 0) ext[k] = a * b;
  }
  out.push_back(em.value(Type::array(cls, ext, complex), em.f->lib("kron", list)));
}

}  // namespace

bool matrices(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  struct Row {
    const char* name;
    size_t least, most;
    int results;
    void (*compile)(Emitter&, Vals&, int, Pos, Vals&);
  };
  static constexpr Row rows[] = {
      {"chol", 1, 2, 1, cholesky}, {"lu", 1, 1, 3, lu},          {"qr", 1, 2, 2, qr},        {"svd", 1, 2, 3, svd},
      {"eig", 1, 1, 2, eig},       {"kron", 2, 2, 1, kronecker}, {"det", 1, 1, 1, nullptr},  {"cond", 1, 2, 1, nullptr},
      {"rank", 1, 2, 1, nullptr},  {"pinv", 1, 1, 1, nullptr},   {"expm", 1, 1, 1, nullptr},
  };
  const Row* row = std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return name == r.name; });
  if (row == std::end(rows)) return false;
  if (args.size() < row->least || args.size() > row->most || nargout > row->results)
    em.refuse(pos, "'" + name + "' with these arguments and results");
  if (row->compile)
    row->compile(em, args, nargout, pos, out);
  else
    single(em, name, args, nargout, pos, out);
  return true;
}

}  // namespace vr::matlab
