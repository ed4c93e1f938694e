// Builtins that query shapes and classes, and builtins that make or rearrange arrays.
#include "emit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

namespace vr::matlab {

using ir::E;
using ir::Kind;

namespace {
Type logical() { return Type::scalar(Cls::Logical); }
}  // namespace

// size(A): a row, without trailing extents of 1 after the second.
Val size_vector(Emitter& em, const Val& v, Pos pos) {
  (void)pos;
  Type t = Type::array(Cls::Double, {1, v.t.rank()});
  if (v.t.rank() > 2 && v.t.ext.back() < 0)
    em.guard(em.extent(v, v.t.rank()) == E(1), "an array whose last extent is 1");
  std::vector<E> parts;
  for (int k = 1; k <= v.t.rank(); ++k) parts.push_back(em.f->cast(em.extent(v, k), ir::f64()));
  Val size = em.value(t, em.f->lib("horzcat", parts));
  size.t.sizes = v.t.ext;
  return size;
}

namespace {
/// isequal of structures and cell arrays of known length: the fields in any order, and all parts.
Val equal_aggregates(Emitter& em, const Val& a, const Val& b, Pos pos) {
  for (const Val* v : {&a, &b})
    if (v->t.cls == Cls::List || v->t.cls == Cls::Structs || v->t.cls == Cls::Handle)
      em.refuse(pos, "'isequal' of " +
                         (v->t.is_aggregate() ? aggregate_name(v->t) + " of unknown length" : "a function handle"));
  if (a.t.cls != b.t.cls || a.t.ext != b.t.ext || a.parts.size() != b.parts.size()) return em.truth(false);
  Val all = em.truth(true);
  for (size_t k = 0; k < a.parts.size(); ++k) {
    size_t other = k;
    if (a.t.cls == Cls::Struct) {
      const auto it = std::find(b.t.fields.begin(), b.t.fields.end(), a.t.fields[k]);
      if (it == b.t.fields.end()) return em.truth(false);
      other = static_cast<size_t>(it - b.t.fields.begin());
    }
    const Val &x = a.parts[k], &y = b.parts[other];
    const Val equal =
        x.t.is_aggregate() || y.t.is_aggregate() ? equal_aggregates(em, x, y, pos) : equal_arrays(em, x, y, pos);
    if (equal.t.number == 0.0) return em.truth(false);
    if (!equal.t.number) all = all.t.number ? equal : logic(em, Op::And, all, equal, pos);
  }
  return all;
}
}  // namespace

Val equal_arrays(Emitter& em, const Val& left, const Val& right, Pos pos) {
  if (left.t.is_aggregate() || right.t.is_aggregate()) return equal_aggregates(em, left, right, pos);
  if (left.t.text && right.t.text) return em.truth(left.t.text == right.t.text);
  Val a = em.named_value(em.numeric(left, pos), "x"), b = em.named_value(em.numeric(right, pos), "y");
  const size_t rank = std::max(a.t.ext.size(), b.t.ext.size());
  if (a.t.is_scalar() && b.t.is_scalar()) return compare(em, Op::Eq, a, b, pos);
  std::optional<E> same;
  for (size_t k = 0; k < rank; ++k) {
    const int64_t x = k < a.t.ext.size() ? a.t.ext[k] : 1, y = k < b.t.ext.size() ? b.t.ext[k] : 1;
    if (x >= 0 && y >= 0) {
      if (x != y) return em.truth(false);
      continue;
    }
    if ((x == 1 && y == kNotOne) || (y == 1 && x == kNotOne)) return em.truth(false);
    E eq = em.extent(a, static_cast<int>(k) + 1) == em.extent(b, static_cast<int>(k) + 1);
    same = same ? em.f->binary(Kind::And, *same, eq) : eq;
  }
  E r = em.temp("equal", ir::boolean());
  auto compared = [&] {
    const Val c = compare(em, Op::Eq, a, b, pos);
    em.f->assign(r, em.every(c.e, c.e.type().is_array() ? c.e.type().rank : 0));
  };
  if (!same) {
    compared();
  } else {
    em.f->assign(r, E(false));
    em.f->if_(*same, compared);
  }
  return {logical(), r};
}

namespace {
std::string lower(std::string s) {
  for (char& c : s) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return s;
}
std::string upper(std::string s) {
  for (char& c : s) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  return s;
}
std::string trimmed(std::string s) {
  const std::string blank(" \t\n\v\f\r\0", 7);
  const size_t first = s.find_first_not_of(blank);
  return first == s.npos ? "" : s.substr(first, s.find_last_not_of(blank) - first + 1);
}
/// The characters x, with `by` added to those for which `test` holds: changes the case of letters.
Val other_case(Emitter& em, const Val& v, bool to_lower, Pos pos) {
  const Val x = em.named_value(em.numeric(v, pos), "letters");
  const Val letter = letters_between(em, x, to_lower ? 'A' : 'a', to_lower ? 'Z' : 'z', pos);
  const Val moved = binary(em, Op::Times, letter, em.number(to_lower ? 32 : -32), pos);
  Val r = binary(em, Op::Plus, x, moved, pos);
  r.e = em.to_integer(r.e, Cls::Uint8);
  r.t.cls = Cls::Char;
  return r;
}

/// strcmp() of text that is computed. Octave has a rule of its own for texts without characters.
Val equal_text(Emitter& em, Vals& args, bool any_case, Pos pos) {
  for (Val& v : args) {
    if (any_case) v = other_case(em, chars(em, v, pos), true, pos);
    if (v.t.text) continue;
    v = em.named_value(v, "text");
    em.guard(em.elements(v) == E(0), "a comparison of empty text");
  }
  return equal_arrays(em, args[0], args[1], pos);
}

}  // namespace

Val letters_between(Emitter& em, const Val& x, char from, char to, Pos pos) {
  return logic(em, Op::And, compare(em, Op::Ge, x, em.number(from), pos), compare(em, Op::Le, x, em.number(to), pos),
               pos);
}

bool queries(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  auto need = [&](size_t least, size_t most) {
    if (args.size() < least || args.size() > most)
      em.refuse(pos, "'" + name + "' with " + std::to_string(args.size()) + " arguments");
  };
  auto yes = [&](bool b) { out.push_back(em.truth(b)); };
  auto exactly = [&] {
    if (args[0].t.mixed) em.refuse(pos, "a class that is double on one way and logical on another");
    return args[0].t.cls;
  };
  // ---- about the class
  static const std::map<std::string, bool (*)(Cls)> classes = {
      {"isnumeric", [](Cls c) { return is_floating(c) || is_integer(c); }},
      {"isfloat", [](Cls c) { return is_floating(c); }},
      {"isinteger", [](Cls c) { return is_integer(c); }},
      {"islogical", [](Cls c) { return c == Cls::Logical; }},
      {"isbool", [](Cls c) { return c == Cls::Logical; }},
      {"ischar", [](Cls c) { return c == Cls::Char; }},
      {"iscell", [](Cls c) { return c == Cls::Cell; }},
      {"isstruct", [](Cls c) { return c == Cls::Struct; }},
      {"isobject", [](Cls) { return false; }},
      {"issparse", [](Cls) { return false; }},
      {"is_function_handle", [](Cls c) { return c == Cls::Handle; }}};
  if (auto it = classes.find(name); it != classes.end()) {
    need(1, 1);
    if (!args[0].t.lost.empty()) em.refuse(pos, args[0].t.lost);
    yes(it->second(exactly()));
    return true;
  }
  if (name == "class") {
    need(1, 1);
    out.push_back({Type::string(class_name(exactly()))});
    return true;
  }
  if (name == "isa") {
    need(2, 2);
    if (!args[1].t.text) em.refuse(pos, "isa() with a class that is not known");
    const std::string& c = *args[1].t.text;
    const Cls cls = exactly();
    yes(c == class_name(cls) || (c == "numeric" && (is_floating(cls) || is_integer(cls))) ||
        (c == "float" && is_floating(cls)) || (c == "integer" && is_integer(cls)));
    return true;
  }
  if (name == "strcmp" || name == "strcmpi") {
    need(2, 2);
    if (!args[0].t.lost.empty() || !args[1].t.lost.empty()) em.refuse(pos, "text that is not known");
    if (args[0].t.cls != Cls::Char || args[1].t.cls != Cls::Char) return yes(false), true;
    if (!args[0].t.text || !args[1].t.text) return out.push_back(equal_text(em, args, name == "strcmpi", pos)), true;
    std::string a = *args[0].t.text, b = *args[1].t.text;
    yes(name == "strcmpi" ? lower(a) == lower(b) : a == b);
    return true;
  }
  if (name == "strncmp" || name == "strncmpi") {
    need(3, 3);
    const Type &a = args[0].t, &b = args[1].t;
    if (!a.lost.empty() || !b.lost.empty()) em.refuse(pos, "text that is not known");
    const auto n = args[2].t.number;
    if (!n || !(*n >= 1) || *n != std::floor(*n)) em.refuse(pos, "a number of characters that is not known");
    if (a.cls != Cls::Char || b.cls != Cls::Char) return yes(false), true;
    if (!a.text || !b.text) em.refuse(pos, "'" + name + "' of text that is computed");
    const auto k = static_cast<size_t>(std::min(*n, 1e9));
    const bool known = a.text->size() >= k && b.text->size() >= k;
    auto part = [&](const std::string& s) { return name == "strncmpi" ? lower(s.substr(0, k)) : s.substr(0, k); };
    yes(known && part(*a.text) == part(*b.text));
    return true;
  }
  static const std::map<std::string, std::string (*)(std::string)> of_text = {
      {"lower", lower}, {"tolower", lower}, {"upper", upper}, {"toupper", upper}, {"strtrim", trimmed}};
  if (auto it = of_text.find(name); it != of_text.end()) {
    need(1, 1);
    if (!args[0].t.lost.empty()) em.refuse(pos, args[0].t.lost);
    if (args[0].t.cls == Cls::Char && !args[0].t.text && name != "strtrim")
      return out.push_back(other_case(em, args[0], name == "lower" || name == "tolower", pos)), true;
    if (!args[0].t.text) em.refuse(pos, "'" + name + "' of what is no constant text");
    const std::string text = it->second(*args[0].t.text);
    if (text.empty() && !args[0].t.text->empty()) em.refuse(pos, "empty text of blanks");
    out.push_back({Type::string(text)});
    return true;
  }
  if (name == "isreal" || name == "iscomplex") {
    need(1, 1);
    const Type& t = args[0].t;
    if (!t.lost.empty()) em.refuse(pos, t.lost);
    if (t.kept_complex) em.refuse(pos, "'" + name + "' of what complex() made");
    if (!t.complex) return yes((name == "isreal") == (t.cls != Cls::Handle && !t.is_aggregate())), true;
    // Complex values whose imaginary parts are all zero are real.
    E imaginary = em.lib("imag", {args[0].e});
    E some_there = em.some(imaginary != em.f->float_const(0, imaginary.type().element()), t.is_scalar() ? 0 : t.rank());
    out.push_back({logical(), name == "iscomplex" ? some_there : !some_there});
    return true;
  }
  // ---- about the shape
  static const std::set<std::string> shapes = {"size",     "numel",  "length",     "ndims",    "isempty",  "isscalar",
                                               "isvector", "isrow",  "iscolumn",   "ismatrix", "issquare", "rows",
                                               "columns",  "isnull", "size_equal", "isequal"};
  if (!shapes.count(name)) return false;
  if (args.empty()) em.refuse(pos, "'" + name + "' without arguments");
  for (Val& v : args)
    if (!v.t.lost.empty()) em.refuse(pos, v.t.lost);
  if (name == "isequal") {
    need(2, 16);
    Val all = equal_arrays(em, args[0], args[1], pos);
    for (size_t k = 2; k < args.size(); ++k)
      all = logic(em, Op::And, all, equal_arrays(em, args[0], args[k], pos), pos);
    out.push_back(all);
    return true;
  }
  if (name == "size_equal") {
    std::optional<E> same;
    for (Val& v : args)
      v = v.t.has_storage() || v.t.text ? em.named_value(stored(em, v, pos), "of")
                                        : (em.refuse(pos, "'size_equal' of what is no array"), v);
    for (size_t i = 1; i < args.size(); ++i)
      for (int k = 0; k < std::max(args[0].t.rank(), args[i].t.rank()); ++k) {
        auto extent = [&](const Val& v) { return k < v.t.rank() ? v.t.ext[static_cast<size_t>(k)] : int64_t{1}; };
        const int64_t x = extent(args[0]), y = extent(args[i]);
        if ((x >= 0 && y >= 0 && x != y) || (x == 1 && y == kNotOne) || (x == kNotOne && y == 1))
          return yes(false), true;
        if (x >= 0 && x == y) continue;
        const E one = em.extent(args[0], k + 1) == em.extent(args[i], k + 1);
        same = same ? em.f->binary(Kind::And, *same, one) : one;
      }
    if (same)
      out.push_back({logical(), *same});
    else
      yes(true);
    return true;
  }
  if (args[0].t.has_storage()) args[0] = em.named_value(stored(em, args[0], pos), "of");
  const Val& v = args[0];
  const Type& t = v.t;
  auto one = [&](int k) -> Val {
    const int64_t n = k <= t.rank() ? t.ext[k - 1] : 1;
    return n >= 0 ? em.number(static_cast<double>(n)) : em.whole(em.extent(v, k));
  };
  auto is_one = [&](int k) -> Val {
    const int64_t n = k <= t.rank() ? t.ext[k - 1] : 1;
    if (n >= 0 || n == kNotOne) return em.truth(n == 1);
    return {logical(), em.extent(v, k) == E(1)};
  };
  if (name == "size") {
    need(1, 2);
    if (args.size() == 2) {
      if (!args[1].t.is_scalar()) em.refuse(pos, "size() of several dimensions");
      if (args[1].t.number) {
        out.push_back(one(axis(em, args[1], pos)));
        return true;
      }
      E k = em.named({Type::scalar(Cls::Double), em.real(em.numeric(args[1], pos))}, "dimension");
      em.guard(!em.f->binary(Kind::And, k >= E(1.0), k <= E(static_cast<double>(t.rank()))),
               "size() along a dimension past the last");
      out.push_back(em.whole(t.is_scalar() ? E(1) : em.lib("size", {v.e, k})));
      return true;
    }
    if (nargout <= 1) {
      out.push_back(size_vector(em, v, pos));
      return true;
    }
    for (int k = 1; k <= nargout; ++k) {
      Val n = one(k);
      // The last result is the product of the remaining extents.
      for (int rest = k + 1; k == nargout && rest <= t.rank(); ++rest) n = binary(em, Op::Times, n, one(rest), pos);
      out.push_back(n);
    }
    return true;
  }
  need(1, 1);
  if (name == "rows" || name == "columns") {
    out.push_back(one(name == "rows" ? 1 : 2));
  } else if (name == "numel") {
    out.push_back(t.count() >= 0 ? em.number(static_cast<double>(t.count())) : em.whole(em.elements(v)));
  } else if (name == "length") {
    if (t.count() >= 0)
      out.push_back(
          em.number(t.count() == 0 ? 0.0 : static_cast<double>(*std::max_element(t.ext.begin(), t.ext.end()))));
    else
      out.push_back(em.whole(em.lib("length", {v.e})));
  } else if (name == "ndims") {
    if (t.rank() > 2 && t.ext.back() < 0) em.guard(em.extent(v, t.rank()) == E(1), "an array whose last extent is 1");
    out.push_back(em.number(t.rank()));
  } else if (name == "isempty" || name == "isnull") {
    if (t.count() >= 0)
      yes(t.count() == 0);
    else
      out.push_back({logical(), em.elements(v) == E(0)});
  } else if (name == "isscalar") {
    if (t.count() >= 0)
      yes(t.is_scalar());
    else if (std::count(t.ext.begin(), t.ext.end(), kNotOne))
      yes(false);
    else
      out.push_back({logical(), em.elements(v) == E(1)});
  } else if (name == "isrow" || name == "iscolumn") {
    if (t.rank() > 2) em.refuse(pos, "'" + name + "' of an array of more than two dimensions");
    out.push_back(is_one(name == "isrow" ? 1 : 2));
  } else if (name == "isvector") {
    if (t.rank() > 2) em.refuse(pos, "'isvector' of an array of more than two dimensions");
    // Octave: 1 x n or n x 1, also of no elements.
    const Val r = is_one(1), c = is_one(2);
    if (r.t.number && c.t.number)
      yes(*r.t.number != 0 || *c.t.number != 0);
    else if ((r.t.number && *r.t.number != 0) || (c.t.number && *c.t.number != 0))
      yes(true);
    else
      out.push_back({logical(), em.f->binary(Kind::Or, r.e, c.e)});
  } else if (name == "ismatrix") {
    yes(t.rank() == 2);
    if (t.rank() > 2) em.refuse(pos, "'ismatrix' of an array of more than two dimensions");
  } else if (name == "issquare") {
    if (t.rank() > 2) em.refuse(pos, "'issquare' of an array of more than two dimensions");
    if (t.count() >= 0)
      yes(t.ext[0] == t.ext[1]);
    else
      out.push_back({logical(), em.extent(v, 1) == em.extent(v, 2)});
  } else {
    return false;
  }
  return true;
}

// ---------------------------------------------------------------- new arrays

// zeros, ones and the like: sizes as numbers, or as one vector; a class at the end.
Val filled(Emitter& em, double v, Cls cls, Vals& args, Pos pos) {
  if (!args.empty() && args.back().t.text) {
    const std::optional<Cls> named = class_named(*args.back().t.text);
    if (!named || !elem_of(*named) || *named == Cls::Char)
      em.refuse(pos, "an array of class '" + *args.back().t.text + "'");
    if (cls == Cls::Logical) em.refuse(pos, "a class for an array of logical values");
    cls = *named;
    args.pop_back();
  }
  const ir::Type scalar = ir::Type::scalar(*elem_of(cls));
  auto fill = [&](const std::vector<int64_t>& ext, const std::vector<E>& sizes) {
    const ir::Type t = ir::Type::array(scalar.elem, static_cast<int>(ext.size()), ir::Layout::ColMajor);
    E a = v == 0 ? em.f->zeros(t, sizes) : em.f->ones(t, sizes);
    if (v != 0 && v != 1) a = a * em.f->float_const(v, scalar);
    Type type = Type::array(cls, ext);
    return em.value(type, a);
  };
  if (args.empty()) {
    if (cls == Cls::Logical) return em.truth(v != 0);
    if (cls == Cls::Double) return em.number(v);
    return {Type::scalar(cls), ir::is_float(scalar.elem) ? em.f->float_const(v, scalar)
                                                         : em.f->int_const(static_cast<int64_t>(v), scalar)};
  }
  std::vector<Val> sizes;
  std::vector<int64_t> known;
  if (args.size() == 1 && !args[0].t.is_scalar()) {
    const Val list = em.named_value(em.numeric(args[0], pos), "sizes");
    const int64_t n = list.t.count();
    if (n < 2 || n > 16) em.refuse(pos, "a vector of sizes whose length is not known");
    for (int64_t k = 1; k <= n; ++k)
      sizes.push_back({Type::scalar(list.t.cls), em.f->index(list.e, {E(static_cast<long>(k))})});
    known = list.t.sizes;
  } else {
    for (const Val& a : args) sizes.push_back(em.scalar_number(a, pos, "a size"));
    if (sizes.size() == 1) sizes.push_back(sizes[0] = em.named_value(sizes[0], "size"));
  }
  std::vector<int64_t> ext;
  std::vector<E> list;
  for (const Val& s : sizes) {
    if (s.t.number) {
      const double n = *s.t.number;
      if (n != std::floor(n) || n > 1e15) em.refuse(pos, "a size that is no whole number");
      ext.push_back(std::max<int64_t>(0, static_cast<int64_t>(n)));
      list.push_back(E(static_cast<long>(ext.back())));
    } else {
      ext.push_back(known.empty() ? kAny : known[ext.size()]);
      list.push_back(s.e);
    }
  }
  while (ext.size() > 2 && ext.back() == 1) {
    ext.pop_back();
    list.pop_back();
  }
  return fill(ext, list);
}

bool makers(Emitter& em, const std::string& name, Vals& args, Pos pos, Vals& out) {
  static const std::map<std::string, std::pair<double, Cls>> fills = {
      {"zeros", {0, Cls::Double}},
      {"ones", {1, Cls::Double}},
      {"Inf", {std::numeric_limits<double>::infinity(), Cls::Double}},
      {"inf", {std::numeric_limits<double>::infinity(), Cls::Double}},
      {"NaN", {std::numeric_limits<double>::quiet_NaN(), Cls::Double}},
      {"nan", {std::numeric_limits<double>::quiet_NaN(), Cls::Double}},
      {"pi", {3.14159265358979323846, Cls::Double}},
      {"true", {1, Cls::Logical}},
      {"false", {0, Cls::Logical}}};
  if (auto it = fills.find(name); it != fills.end()) {
    if (!args.empty() && args.back().t.text && *args.back().t.text == "like") em.refuse(pos, "'like'");
    out.push_back(filled(em, it->second.first, it->second.second, args, pos));
    return true;
  }
  if (name == "eye") {
    Cls cls = Cls::Double;
    if (!args.empty() && args.back().t.text) {
      if (*args.back().t.text != "single" && *args.back().t.text != "double") em.refuse(pos, "eye() of this class");
      if (*args.back().t.text == "single") cls = Cls::Single;
      args.pop_back();
    }
    if (args.empty()) return out.push_back(em.number(1)), true;
    std::vector<int64_t> ext;
    std::vector<E> list;
    if (args.size() == 1 && !args[0].t.is_scalar()) {
      const Val v = em.named_value(em.numeric(args[0], pos), "sizes");
      if (v.t.count() != 2) em.refuse(pos, "a vector of sizes whose length is not known");
      ext = {kAny, kAny};
      list = {em.f->index(v.e, {E(1)}), em.f->index(v.e, {E(2)})};
    } else {
      if (args.size() > 2) em.refuse(pos, "eye() of more than two dimensions");
      for (Val& a : args) a = em.scalar_number(a, pos, "a size");
      if (args.size() == 1) args.push_back(args[0] = em.named_value(args[0], "size"));
      for (const Val& a : args) {
        ext.push_back(a.t.number ? std::max<int64_t>(0, static_cast<int64_t>(*a.t.number)) : kAny);
        list.push_back(a.t.number ? E(static_cast<long>(ext.back())) : a.e);
      }
    }
    out.push_back(em.value(Type::array(cls, ext),
                           em.f->lib("eye", list, ir::Type::array(*elem_of(cls), 2, ir::Layout::ColMajor))));
    return true;
  }
  if (name == "linspace") {
    if (args.size() < 2 || args.size() > 3) em.refuse(pos, "'linspace' with these arguments");
    for (Val& a : args) a = em.scalar_number(a, pos, "a bound");
    const Cls cls = args[0].t.cls == Cls::Single || args[1].t.cls == Cls::Single ? Cls::Single : Cls::Double;
    E a = em.named({Type::scalar(cls), em.elem(args[0], cls, false)}, "from"),
      b = em.named({Type::scalar(cls), em.elem(args[1], cls, false)}, "to");
    em.guard(!em.lib("isfinite", {b - a}), "linspace() without a finite distance");
    int64_t n = args.size() == 2 ? 100 : kAny;
    E count = E(100);
    if (args.size() == 3) {
      if (args[2].t.number) {
        if (*args[2].t.number != std::floor(*args[2].t.number)) em.refuse(pos, "linspace() of a fraction of points");
        n = std::max<int64_t>(0, static_cast<int64_t>(*args[2].t.number));
        count = E(static_cast<long>(n));
      } else {
        count = args[2].e;
      }
    }
    out.push_back(em.value(Type::array(cls, {1, n}), em.lib("linspace", {a, b, count})));
    return true;
  }
  if (name == "colon") {
    if (args.size() < 2 || args.size() > 3) em.refuse(pos, "'colon' with these arguments");
    em.refuse(pos, "colon() as a function", "write a:b");
  }
  return false;
}

// ---------------------------------------------------------------- other shapes

namespace {

/// cat (3, a, b, ...): slices of matrices of the same size.
Val stack_arrays(Emitter& em, int along, Vals parts, Pos pos) {
  if (along > 3) em.refuse(pos, "'cat' along a dimension after the third");
  const Joined joint = joined(em, parts, pos);
  const Cls cls = joint.cls;
  const bool complex = joint.complex;
  for (const Val& v : parts)
    if (v.t.rank() > 3 || v.t.is_empty() || v.t.kept_complex)
      em.refuse(pos, "'cat' of these along the third dimension");
  if (complex && !is_floating(cls)) em.refuse(pos, "'cat' of complex numbers and integers");
  std::vector<int64_t> ext = {parts[0].t.ext[0], parts[0].t.ext[1], 0};
  std::vector<E> arrays;
  E slices = E(0);
  for (Val& v : parts) {
    const E x = joint.element(em, v);
    arrays.push_back(em.named({v.t, em.as_array({v.t, x}, 3)}, "slice"));
    em.guard(em.lib("numel", {arrays.back()}) == E(0), "'cat' of nothing");
    for (int k = 1; k <= 2 && arrays.size() > 1; ++k)
      em.guard(em.f->dim(arrays.back(), k) != em.f->dim(arrays[0], k), "'cat' of arrays of different sizes");
    const int64_t n = v.t.rank() < 3 ? 1 : v.t.ext[2];
    ext[2] = ext[2] < 0 || n < 0 ? kAny : ext[2] + n;
    slices = slices + em.f->dim(arrays.back(), 3);
  }
  const E all = em.temp("stack", ir::Type::array(*elem_of(cls), 3, ir::Layout::ColMajor, complex));
  em.f->assign(all, em.f->zeros(all.type(), {em.f->dim(arrays[0], 1), em.f->dim(arrays[0], 2), slices}));
  E at = E(0);
  for (const E& x : arrays) {
    const E next = at + em.f->dim(x, 3);
    em.f->assign(em.f->index(all, {ir::all(), ir::all(), ir::range_to(at + E(1), next)}), x);
    at = next;
  }
  return em.value(Type::array(cls, ext, complex), all);
}

}  // namespace

bool shapes(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  (void)nargout;
  if (name == "reshape") {
    if (args.size() < 2) em.refuse(pos, "'reshape' with one argument");
    Val v = em.named_value(em.numeric(em.plain(args[0], pos), pos), "from");
    std::vector<Val> sizes;
    int hole = -1;
    if (args.size() == 2) {
      const Val list = em.named_value(em.numeric(args[1], pos), "sizes");
      const int64_t n = list.t.count();
      if (n < 2 || n > 16) em.refuse(pos, "a vector of sizes whose length is not known");
      for (int64_t k = 1; k <= n; ++k)
        sizes.push_back({Type::scalar(list.t.cls), em.f->index(list.e, {E(static_cast<long>(k))})});
    } else {
      for (size_t k = 1; k < args.size(); ++k) {
        if (args[k].t.is_empty()) {
          if (hole >= 0) em.refuse(pos, "'reshape' with two empty sizes");
          hole = static_cast<int>(k) - 1;
          sizes.push_back(em.number(1));
        } else {
          sizes.push_back(em.scalar_number(args[k], pos, "a size"));
        }
      }
    }
    std::vector<int64_t> ext;
    std::vector<E> list;
    E known = E(1);
    for (Val& s : sizes) {
      if (s.t.number) {
        if (*s.t.number != std::floor(*s.t.number) || *s.t.number < 0 || *s.t.number > 1e15)
          em.refuse(pos, "a size that is no natural number");
        ext.push_back(static_cast<int64_t>(*s.t.number));
        list.push_back(E(static_cast<long>(ext.back())));
      } else {
        ext.push_back(kAny);
        if (s.whole()) {
          list.push_back(s.e);
        } else {
          E x = em.named({Type::scalar(Cls::Double), em.real(s)}, "size");
          em.guard(
              !em.f->binary(Kind::And, x == em.lib("floor", {x}), em.f->binary(Kind::And, x >= E(0.0), x <= E(1e15))),
              "a size that is no natural number");
          list.push_back(em.f->cast(x, ir::i64()));
        }
      }
      known = known * list.back();
    }
    if (hole >= 0) {
      E rest = em.named({Type::scalar(Cls::Double), known}, "known");
      em.guard(rest == E(0), "'reshape' of nothing");
      E n = em.temp("rest", ir::i64());
      em.f->assign(n, em.f->binary(Kind::Div, em.elements(v), rest).as(ir::i64()));
      list[hole] = n;
      ext[hole] = kAny;
    }
    Type t = Type::array(v.t.cls, ext, v.t.complex);
    std::vector<E> from{v.e};
    from.insert(from.end(), list.begin(), list.end());
    // A number has one element; else the library compares.
    E r = em.lib("reshape", from);
    if (v.t.is_scalar()) {
      E all = E(1);
      for (const E& e : list) all = all * e;
      em.guard(all != E(1), "'reshape' of a number");
    }
    t.ext = ext;
    while (t.ext.size() > 2 && t.ext.back() == 1) t.ext.pop_back();
    out.push_back(em.value(t, r));
    return true;
  }
  if (name == "full" && args.size() == 1) {
    out.push_back(em.numeric(em.plain(args[0], pos), pos));
    return true;
  }
  if (name == "horzcat" || name == "vertcat") {
    out.push_back(join_arrays(em, name == "horzcat", args, pos));
    return true;
  }
  if (name == "cat" && args.size() >= 2) {
    const int along = axis(em, args[0], pos);
    Vals rest(args.begin() + 1, args.end());
    out.push_back(along > 2 ? stack_arrays(em, along, rest, pos) : join_arrays(em, along == 2, rest, pos));
    return true;
  }
  if (name == "repmat") {
    if (args.size() != 3 && args.size() != 2) em.refuse(pos, "'repmat' with these arguments");
    Val v = em.numeric(em.plain(args[0], pos), pos);
    if (v.t.rank() > 2) em.refuse(pos, "'repmat' of an array of more than two dimensions");
    Val times[2];
    if (args.size() == 3) {
      times[0] = em.scalar_number(args[1], pos, "a count"), times[1] = em.scalar_number(args[2], pos, "a count");
    } else if (args[1].t.is_scalar()) {
      times[0] = times[1] = em.named_value(args[1], "count");
    } else {
      const Val list = em.named_value(em.numeric(args[1], pos), "counts");
      if (list.t.count() != 2) em.refuse(pos, "a vector of counts whose length is not two");
      for (int k = 0; k < 2; ++k) times[k] = {Type::scalar(list.t.cls), em.f->index(list.e, {E(k + 1)})};
    }
    E array = em.temp("tile", ir::Type::array(*elem_of(v.t.cls), 2, ir::Layout::ColMajor, v.t.complex));
    em.f->assign(array, em.as_array({v.t, em.elem(v, v.t.cls, v.t.complex)}, 2));
    std::vector<int64_t> ext;
    std::vector<E> lists;
    for (int k = 0; k < 2; ++k) {
      E n = em.f->dim(array, k + 1);
      E count = times[k].whole() ? times[k].e : em.f->cast(em.lib("max2", {em.real(times[k]), E(0.0)}), ir::i64());
      if (!times[k].whole() && !times[k].t.number) {
        E x = em.named({Type::scalar(Cls::Double), em.real(times[k])}, "count");
        em.guard(x != em.lib("floor", {x}), "a count with a fraction");
      }
      em.guard(n == E(0), "'repmat' of nothing");
      E run = em.lib("colon", {E(0), n * count - E(1)});
      lists.push_back(em.lib("mod", {run, n}) + E(1));
      ext.push_back(v.t.ext[k] >= 0 && times[k].t.number
                        ? v.t.ext[k] * std::max<int64_t>(0, static_cast<int64_t>(*times[k].t.number))
                        : kAny);
    }
    out.push_back(em.value(Type::array(v.t.cls, ext, v.t.complex), em.f->index(array, lists)));
    return true;
  }
  if (name == "fliplr" || name == "flipud" || name == "flip") {
    if (args.empty() || args.size() > 2) em.refuse(pos, "'" + name + "' with these arguments");
    Val v = em.named_value(em.numeric(em.plain(args[0], pos), pos), "from");
    if (v.t.is_scalar()) return out.push_back(v), true;
    int along = name == "fliplr" ? 2 : 1;
    if (name == "flip") {
      if (args.size() == 2)
        along = axis(em, args[1], pos);
      else if (v.t.is_row())
        along = 2;
      else if (v.t.ext[0] == kAny)
        em.refuse(pos, "'flip' of what may be a row");
      if (along > v.t.rank()) return out.push_back(v), true;
    }
    std::vector<E> list(static_cast<size_t>(v.t.rank()), ir::all());
    list[static_cast<size_t>(along) - 1] = ir::range_to(em.extent(v, along), E(-1), E(1));
    out.push_back(em.value(v.t.without_constant(), em.f->index(v.e, list)));
    return true;
  }
  if (name == "diff") {
    // Others are in the prelude.
    if (args.size() != 1 || (!args[0].t.is_row() && !args[0].t.is_column())) return false;
    Val v = em.named_value(em.numeric(em.plain(args[0], pos), pos), "from");
    if (v.t.cls == Cls::Logical) em.refuse(pos, "'diff' of this class");
    if (v.t.is_scalar()) return out.push_back(join_arrays(em, true, {}, pos)), true;
    E n = em.extent(v, v.t.is_row() ? 2 : 1);
    em.guard(n < E(2), "'diff' of fewer than two elements");
    Type t = v.t.without_constant();
    int64_t& along = t.ext[v.t.is_row() ? 1 : 0];
    along = along > 0 ? along - 1 : kAny;
    E later = em.f->index(v.e, {ir::range_to(E(2), n)}), sooner = em.f->index(v.e, {ir::range_to(E(1), n - E(1))});
    out.push_back(elementwise(em, Kind::Minus, {t, later}, {t, sooner}, pos));
    return true;
  }
  return false;
}

}  // namespace vr::matlab
