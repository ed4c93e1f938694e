// called_type: the typing rules of library functions that the runtime computes, by the letters of library.def.
#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "ir/typing_rules.hpp"

#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace vr::ir::typing {

namespace {

struct Signature {
  const LibFunction& f;
  const std::vector<ExprPtr>& args;
  const Conventions& conv;

  const Type& type(size_t k) const { return args[k]->type; }
  char letter(size_t k) const {
    const size_t optional = f.params.find('?');
    return f.params[k < optional ? k : k + 1];
  }

  /// What is wrong with argument k; "" if it is valid.
  const char* misfit(size_t k) const {
    const Type& t = type(k);
    switch (letter(k)) {
      case 'a':
        return t.complex ? "a real array or number" : "";
      case 'z':
        return "";
      case 'A':
        return t.complex || !t.is_array() ? "a real array" : "";
      case 'Z':
        return t.is_array() ? "" : "an array";
      case 'm':
        return t.is_array() && t.rank >= 2 && (t.rank == 2 || conv.mindims == 1) ? "" : "a matrix";
      case 'M':
        return t.is_array() && t.rank == 2 ? "" : "a matrix";
      case 'Y':
        return t.is_array() && t.rank <= 2 ? "" : "a vector or matrix";
      case 'v':
        return t.complex || !t.is_array() || t.rank > std::max(conv.mindims, 1) ? "a real vector" : "";
      case 'V':
        return !t.is_array() || t.rank > std::max(conv.mindims, 1) ? "a vector" : "";
      case 'w':
        return t.complex || (is_float(t.elem) && conv.mindims == 1) ? "whole numbers" : "";
      case 'k':
        return t.is_scalar() && !t.complex && is_integer(t.elem) ? "" : "a number of an integer type";
      case 'b':
        return t.elem != Elem::Bool ? "a truth value or an array of them" : "";
      case 'i':
      case 's':
        return t.is_scalar() && !t.complex ? "" : "a real scalar";
      case 'x':
        return t.is_scalar() && !t.complex ? "" : "a dimension's number";
    }
    return "of another kind";
  }

  /// Checks that a constant axis is one of the first argument.
  std::optional<Typing> axis(size_t k) const {
    const auto* c = as<IntConst>(args[k]);
    if (!c) return {};
    const int rank = rank_of(type(0));
    const int64_t n = c->value - conv.indexing;
    if (n >= 0 && (n < rank || conv.mindims == 2)) return {};
    return fail(fmt::format("'{}' along dimension {} of an array of rank {}", f.name, c->value, rank), "dimension",
                rank ? fmt::format("dimensions are {} to {}", conv.indexing, rank - 1 + conv.indexing) : "");
  }

  Elem elem(char letter) const {
    const Elem first = type(0).elem;
    const Elem common = args.size() > 1 ? common_elem(first, type(1).elem, conv.promote) : first;
    switch (letter) {
      case 'T':
        return first;
      case 'K':
        return common;
      case 'F':
      case 'R':
      case 'C':
        return floating(first);
      case 'G':
      case 'Q':
        return floating(common);
      case 'S':
        return conv.mindims == 2 ? (first == Elem::Bool ? Elem::Float64 : first) : sum_elem(first);
      case 'I':
        return Elem::Int64;
      case 'B':
        return Elem::Bool;
      default:
        return Elem::Float64;
    }
  }
  bool complex(char letter) const {
    if (letter == 'C') return true;
    if (letter == 'T' || letter == 'F' || letter == 'S') return type(0).complex;
    return (letter == 'K' || letter == 'G') && (type(0).complex || (args.size() > 1 && type(1).complex));
  }

  int rank(std::string_view terms) const {
    int r = 0;
    for (char c : terms) {
      if (c >= '0' && c <= '9') r += c - '0';
      if (c >= 'a' && c <= 'c') r += rank_of(type(static_cast<size_t>(c - 'a')));
      if (c == '-') --r;
      if (c == 'y' && rank_of(type(1)) == 1)
        r += rank_of(type(0)) - 1;
      else if (c == 'm' || c == 'y')
        r += std::max(rank_of(type(0)), rank_of(type(1)));
      if (c == 'x') {
        const size_t optional = f.params.find('x');
        const size_t place = optional - (f.params.find('?') < optional ? 1 : 0);
        const int all = rank_of(type(0));
        r += conv.mindims == 2 ? all : args.size() > place ? all - 1 : 0;
      }
    }
    return r;
  }

  Type result(std::string_view word) const {
    const int r = rank(word.substr(1));
    Layout layout = fresh_layout(conv);
    for (const ExprPtr& a : args)
      if (a->type.is_array()) {
        layout = contiguous(a->type.layout, conv);
        break;
      }
    return shaped(elem(word[0]), complex(word[0]), r > 0 ? std::max(r, conv.mindims) : 0, layout);
  }
};

}  // namespace

Typing called_type(const LibFunction& f, const std::vector<ExprPtr>& args, const Type& stated, const Conventions& c) {
  const Signature s{f, args, c};
  for (size_t k = 0; k < args.size(); ++k)
    if (const char* needed = s.misfit(k); *needed)
      return fail(fmt::format("argument {} of '{}' is {}; {} is needed", k + 1, f.name, s.type(k).text(), needed),
                  "argument-type");
  for (size_t k = 0; k < args.size(); ++k)
    if (s.letter(k) == 'x')
      if (auto bad = s.axis(k)) return *bad;
  std::vector<Type> results;
  for (std::string_view rest = f.results; !rest.empty();) {
    const size_t end = std::min(rest.find(' '), rest.size());
    results.push_back(s.result(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const size_t wanted = stated.is_tuple() ? stated.components().size() : 1;
  if (wanted > results.size())
    return fail(results.size() == 1 ? fmt::format("'{}' has one result, not {}", f.name, wanted)
                                    : fmt::format("'{}' has one to {} results, not {}", f.name, results.size(), wanted),
                "result-count");
  results.resize(wanted);
  return {wanted == 1 ? results[0] : Type::tuple(std::move(results)), {}};
}

}  // namespace vr::ir::typing
