// Text that is computed: arrays of bytes of class char. Functions that keep the class work on the bytes.
#include "emit.hpp"
#include "prelude.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace vr::matlab {

using ir::E;

namespace {

bool is_text(const Val& v) { return v.t.cls == Cls::Char && v.t.lost.empty(); }

Val as_bytes(Emitter& em, const Val& v, Pos pos) {
  Val r = chars(em, v, pos);
  r.t.cls = Cls::Uint8;
  return r;
}

/// char (x): characters of the numbers, which have to be whole and fit a byte.
Val characters(Emitter& em, const Val& given, Pos pos) {
  if (given.t.cls == Cls::Char) return given;
  Val v = em.named_value(em.numeric(em.plain(given, pos), pos), "codes");
  if (v.t.complex || v.t.cls == Cls::Logical) em.refuse(pos, "'char' of complex numbers or logical values");
  const int rank = v.t.is_scalar() ? 0 : v.t.rank();
  if (v.t.cls != Cls::Uint8) {
    const E x = em.named({v.t, em.elem(v, Cls::Double, false)}, "code");
    const E fits = em.f->binary(ir::Kind::And, x >= E(0.0), x <= E(127.0));
    em.guard(!em.every(em.f->binary(ir::Kind::And, fits, x == em.lib("floor", {x})), rank),
             "a character outside of 0 to 127");
    v.e = x;
  }
  Type t = v.t.without_constant();
  t.cls = Cls::Char;
  t.mixed = false;
  return {t, em.to_integer(v.e, Cls::Uint8)};
}

/// isspace (s) and the like, by ranges of characters.
Val of_class(Emitter& em, const std::string& ranges, const Val& given, Pos pos) {
  const Val x = em.named_value(em.numeric(given, pos), "letters");
  std::optional<Val> any;
  for (size_t k = 0; k + 1 < ranges.size(); k += 2) {
    const Val one = letters_between(em, x, ranges[k], ranges[k + 1], pos);
    any = any ? logic(em, Op::Or, *any, one, pos) : one;
  }
  return *any;
}

bool is_row(const Val& v) { return is_text(v) && (v.t.is_row() || v.t.is_scalar() || v.t.text); }

/// Concatenates texts, not all of which may be empty.
Val joined_text(Emitter& em, Vals parts, Pos pos) {
  std::string constant;
  const bool known = std::all_of(parts.begin(), parts.end(), [](const Val& v) { return v.t.text.has_value(); });
  for (const Val& v : parts) constant += v.t.text.value_or("");
  if (known) return {Type::string(constant)};
  for (Val& v : parts) v = as_bytes(em, v, pos);
  Val all = em.named_value(join_arrays(em, true, std::move(parts), pos), "text");
  if (constant.empty()) em.guard(em.elements(all) == E(0), "text without characters");
  all.t.cls = Cls::Char;
  return all;
}

/// The text of a number that has to be whole. Width 0: as wide as it is.
Val whole_text(Emitter& em, const Val& given, int width, bool zeros_before, const std::string& name, Pos pos) {
  const Val v = em.plain(given, pos);
  if (!v.t.has_storage() || v.t.cls == Cls::Char || v.t.complex || !v.t.is_scalar())
    em.refuse(pos, "'" + name + "' of what is no real number");
  Vals args{v};
  if (width > 0) {
    args.push_back(em.number(width));
    args.push_back(em.truth(zeros_before));
  }
  return call_version(em, *prelude(width > 0 ? "vr__wide_text" : "vr__whole_text"), std::move(args), 1, pos)[0];
}

/// sprintf with a constant format, %d of whole numbers and %s of text, as many as there are arguments.
Val formatted(Emitter& em, const Vals& args, Pos pos) {
  if (args.empty() || !args[0].t.text) em.refuse(pos, "'sprintf' with a format that is not known");
  const std::string& f = *args[0].t.text;
  Vals parts;
  std::string plain;
  size_t next = 1;
  auto flush = [&] {
    if (!plain.empty()) parts.push_back({Type::string(plain)});
    plain.clear();
  };
  for (size_t k = 0; k < f.size(); ++k) {
    if (f[k] == '\\') em.refuse(pos, "'sprintf' with an escape in its format");
    if (f[k] != '%') {
      plain += f[k];
      continue;
    }
    if (++k < f.size() && f[k] == '%') {
      plain += '%';
      continue;
    }
    const bool zeros_before = k < f.size() && f[k] == '0';
    int width = 0;
    for (; k < f.size() && f[k] >= '0' && f[k] <= '9' && width < 100; ++k) width = width * 10 + (f[k] - '0');
    const char conversion = k < f.size() ? f[k] : ' ';
    if (next >= args.size()) em.refuse(pos, "'sprintf' with fewer arguments than its format has");
    const Val& v = args[next++];
    flush();
    if (conversion == 'd' || conversion == 'i') {
      parts.push_back(whole_text(em, v, width, zeros_before, "%d", pos));
    } else if (conversion == 's' && width == 0 && is_row(v)) {
      parts.push_back(v);
    } else {
      em.refuse(pos, "'sprintf' with another conversion than %d of a number and %s of text");
    }
  }
  flush();
  if (next < args.size() || parts.empty()) em.refuse(pos, "'sprintf' with more arguments than its format has");
  return joined_text(em, std::move(parts), pos);
}

/// strcat: blanks and tabs at the ends of the texts go.
Val joined_trimmed(Emitter& em, Vals parts, Pos pos) {
  for (Val& v : parts) {
    if (!is_row(v)) em.refuse(pos, "'strcat' of what is no text of one row");
    if (v.t.text) {
      std::string s = *v.t.text;
      while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.pop_back();
      if (!s.empty() && static_cast<unsigned char>(s.back()) < 32) em.refuse(pos, "'strcat' of text that ends a line");
      v = {Type::string(s)};
      continue;
    }
    v = em.named_value(v, "text");
    em.guard(em.elements(v) == E(0), "'strcat' of empty text");
    const Val codes = em.named_value(em.numeric(v, pos), "codes");
    const E last = codes.t.is_scalar() ? codes.e : em.f->index(codes.e, {em.elements(codes)});
    em.guard(last <= E(32.0), "'strcat' of text with blanks at its end");
  }
  return joined_text(em, std::move(parts), pos);
}

/// Functions whose result is text, of numbers and text.
bool made(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  // Of constant text these are computed here.
  static const std::set<std::string> folded = {"lower", "upper", "tolower", "toupper", "strtrim"};
  if (!(folded.count(name) && !args.empty() && args[0].t.text))
    if (host_texts(em, name, args, nargout, pos, out)) return true;
  if (name == "sprintf") return out.push_back(formatted(em, args, pos)), true;
  if (name == "strcat" && !args.empty()) return out.push_back(joined_trimmed(em, args, pos)), true;
  if ((name == "num2str" || name == "int2str") && args.size() == 1) {
    if (is_text(args[0]) && name == "num2str") return out.push_back(args[0]), true;
    Val v = args[0];
    if (name == "int2str") {
      Vals one{v}, rounded;
      if (is_text(v) || !v.t.has_storage()) em.refuse(pos, "'int2str' of what is no real number");
      rounded = call(em, "round", std::move(one), 1, pos);
      v = rounded.at(0);
    }
    return out.push_back(whole_text(em, v, 0, false, name, pos)), true;
  }
  if (name == "strtrim" && args.size() == 1 && is_row(args[0]) && !args[0].t.text)
    return out = call_version(em, *prelude("vr__trimmed"), args, 1, pos), true;
  return false;
}

/// ismember of text in a cell array, of cells in a cell array, and of characters in text. False: another form.
bool text_member(Emitter& em, const Vals& args, int nargout, Pos pos, Vals& out) {
  const Val &x = args[0], &set = args[1];
  if (is_text(x) && is_text(set)) {
    // Of equal characters in the set the last is the place, which is left to the interpreter.
    if (nargout > 1) return false;
    Vals codes{em.numeric(x, pos), em.numeric(set, pos)};
    for (Val& v : codes) v = {Type::array(Cls::Double, v.t.ext), em.elem(v, Cls::Double, false)};
    out = call(em, "ismember", std::move(codes), 1, pos);
    return true;
  }
  if (set.t.cls != Cls::Cell && !(set.t.cls == Cls::List && set.parts[0].t.cls == Cls::Char)) return false;
  if (set.t.cls == Cls::Cell)
    for (const Val& p : set.parts)
      if (!is_text(p)) return false;
  auto member = [&](const Val& one) {
    Vals equal = call(em, "strcmp", {set, one}, 1, pos);
    return set.parts.size() == 1 && set.t.cls == Cls::Cell ? equal[0] : call(em, "any", std::move(equal), 1, pos)[0];
  };
  if (is_text(x) && set.t.cls == Cls::Cell && set.t.ext[0] > 1 && set.t.ext[1] > 1) return false;
  if (is_text(x) && nargout < 2) {
    out.push_back(set.t.cls == Cls::Cell && set.parts.empty() ? em.truth(false) : member(x));
    return true;
  }
  if (x.t.cls == Cls::Cell && x.t.ext[0] == 1 && nargout < 2 && !set.parts.empty() &&
      std::all_of(x.parts.begin(), x.parts.end(), is_text) && !x.parts.empty()) {
    Vals each;
    for (const Val& p : x.parts) each.push_back(member(p));
    out.push_back(join_arrays(em, true, std::move(each), pos));
    return true;
  }
  return false;
}

}  // namespace

bool texts(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  if (name == "char" && args.size() == 1) return out.push_back(characters(em, args[0], pos)), true;
  for (const Val& v : args)
    if (!v.t.lost.empty()) return false;
  if (made(em, name, args, nargout, pos, out)) return true;
  if (name == "ismember" && args.size() == 2 && text_member(em, args, nargout, pos, out)) return true;
  const bool join = name == "horzcat" || name == "vertcat";
  // Text behind the first argument is an option.
  if (args.empty() || !(join ? std::any_of(args.begin(), args.end(), is_text) : is_text(args[0]))) return false;
  static const std::map<std::string, std::string> classes = {
      {"isspace", "\t\r  "}, {"isdigit", "09"},    {"isupper", "AZ"},    {"islower", "az"},
      {"isalpha", "AZaz"},   {"isletter", "AZaz"}, {"isalnum", "09AZaz"}};
  if (auto it = classes.find(name); it != classes.end() && args.size() == 1)
    return out.push_back(of_class(em, it->second, args[0], pos)), true;
  // Functions from text to text.
  static const std::set<std::string> keep = {"fliplr",  "flipud",  "flip",      "reshape",   "repmat",  "circshift",
                                             "rot90",   "permute", "sort",      "unique",    "squeeze", "vec",
                                             "horzcat", "vertcat", "transpose", "ctranspose"};
  // Such functions that are not supported.
  static const std::set<std::string> not_done = {
      "cat",     "diag",    "triu", "tril",        "union",    "intersect", "setdiff", "setxor", "resize",   "prepad",
      "postpad", "shift",   "mode", "nth_element", "ismember", "merge",     "ifelse",  "cummax", "cummin",   "sortrows",
      "kron",    "blkdiag", "mean", "median",      "std",      "var",       "range",   "meansq", "quantile", "prctile"};
  if (not_done.count(name)) em.refuse(pos, "'" + name + "' of text");
  if (!keep.count(name)) return false;
  for (size_t k = 0; k < args.size(); ++k) {
    if (join && !is_text(args[k])) em.refuse(pos, "numbers and text in one array");
    if (k == 0 || join) args[k] = as_bytes(em, args[k], pos);
  }
  if (name == "transpose" || name == "ctranspose")
    out.push_back(transpose(em, args[0], false, pos));
  else
    out = call(em, name, std::move(args), nargout, pos);
  if (out.empty()) em.refuse(pos, "'" + name + "' of text");
  out[0].t.cls = Cls::Char;
  return true;
}

}  // namespace vr::matlab
