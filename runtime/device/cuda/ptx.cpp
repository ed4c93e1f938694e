#include "runtime/device/cuda/ptx.hpp"

#include "runtime/device/device.hpp"

#include <algorithm>
#include <charconv>

namespace vr::device::cuda {
namespace {

constexpr std::string_view added = "_vr_environment";
constexpr unsigned registers = sizeof(Environment) / 4;

[[noreturn]] void refuse(const std::string& why) {
  throw BuildRefused{{Code::Device, "the PTX of the OpenCL compiler cannot be used with CUDA: " + why}};
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && is_space(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_space(s.back())) s.remove_suffix(1);
  return s;
}

/// The next token of a line: a word that may begin with '.', '%' or '@', a number, or one other character.
std::string_view token(std::string_view& s) {
  s = trimmed(s);
  if (s.empty() || s.starts_with("//")) return s = {};
  size_t end = 1;
  if (is_name(s[0]) || s[0] == '.' || s[0] == '%')
    while (end < s.size() && (is_name(s[end]) || s[end] == '.')) ++end;
  const std::string_view t = s.substr(0, end);
  s.remove_prefix(end);
  return t;
}

size_t number(std::string_view digits) {
  size_t n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (error != std::errc{} || end != digits.data() + digits.size())
    refuse("'" + std::string(digits) + "' is no number");
  return n;
}

/// Bytes of ".u32" and the like; 0: another word.
size_t type_bytes(std::string_view type) {
  if (type.size() < 3 || type[0] != '.' || std::string_view("usbf").find(type[1]) == std::string_view::npos) return 0;
  const std::string_view bits = type.substr(2);
  return bits == "8" ? 1 : bits == "16" ? 2 : bits == "32" ? 4 : bits == "64" ? 8 : 0;
}

/// A line ".param .align 16 .b8 NAME[16]," or ".param .u64 .ptr .global .align 4 NAME".
Parameter parameter(std::string_view line, std::string_view kernel, std::string& name) {
  Parameter p;
  const auto unsupported = [&](const char* what) {
    refuse("kernel '" + std::string(kernel) + "' has " + what + " as a parameter");
  };
  for (std::string_view rest = line, t = token(rest); !t.empty(); t = token(rest)) {
    if (t == ",") {
      if (!token(rest).empty()) refuse("two parameters of kernel '" + std::string(kernel) + "' in one line");
      break;
    }
    if (t == ".param" || t == ".global") continue;
    if (t == ".align") {
      number(token(rest));
    } else if (t == ".ptr") {
      p.pointer = true;
    } else if (t == ".shared" || t == ".const" || t == ".local") {
      unsupported("local or constant memory");
    } else if (t == ".texref" || t == ".samplerref" || t == ".surfref") {
      unsupported("an image or a sampler");
    } else if (t == "[") {
      p.bytes *= number(token(rest));
      if (token(rest) != "]") refuse("a parameter of kernel '" + std::string(kernel) + "': " + std::string(line));
    } else if (t[0] == '.') {
      p.bytes = type_bytes(t);
    } else {
      name = t;
    }
  }
  if (p.bytes == 0 || name.empty()) refuse("a parameter of kernel '" + std::string(kernel) + "': " + std::string(line));
  return p;
}

/// "mov.b32 %r1, %envreg3;" as a load from the parameter. `at`: of "%envreg".
std::string load(std::string_view line, size_t at, std::string_view kernel) {
  const auto unknown = [&] { refuse("an instruction that was not expected: " + std::string(trimmed(line))); };
  constexpr std::string_view before = "%envreg";
  std::string_view rest = line.substr(at + before.size());
  const size_t index = number(token(rest));
  if (index >= registers) refuse("%envreg" + std::to_string(index) + " is not known");
  if (token(rest) != ";" || !token(rest).empty()) unknown();
  size_t move = line.find("mov.");
  if (move == std::string_view::npos || move > at) unknown();
  std::string_view words = line.substr(move, at - move);
  const std::string_view opcode = token(words), to = token(words);
  if ((opcode != "mov.b32" && opcode != "mov.u32") || !to.starts_with('%') || token(words) != "," ||
      !token(words).empty())
    unknown();
  // Before the instruction there may be its predicate.
  return std::string(line.substr(0, move)) + "ld.param.u32 \t" + std::string(to) + ", [" + std::string(kernel) +
         std::string(added) + "+" + std::to_string(4 * index) + "];";
}

/// Calls f.text(line), f.entry(name, line), f.parameter(line), f.last() (before the parenthesis that ends the list) and
/// f.line(line) in the order of the text.
template <class Visitor>
void walk(std::string_view text, Visitor&& f) {
  bool in_list = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!in_list) {
      std::string_view rest = line, t = token(rest);
      while (t == ".visible" || t == ".weak") t = token(rest);
      if (t != ".entry") {
        f.line(line);
        continue;
      }
      const std::string_view name = token(rest);
      if (token(rest) != "(") refuse("the head of a kernel: " + std::string(line));
      f.entry(name, line.substr(0, size_t(rest.data() - line.data())));
      in_list = true;
      line = rest;
    }
    // One parameter on each line; all others are empty.
    const size_t close = line.find(')');
    const std::string_view part = trimmed(line.substr(0, close));
    if (!part.empty()) f.parameter(part);
    if (close == std::string_view::npos) continue;
    in_list = false;
    f.last(line.substr(close));
  }
  if (in_list) refuse("it ends within a list of parameters");
}

struct Rewriter {
  std::string out{rewritten_mark};
  std::string_view kernel;
  bool first = true;
  int depth = 0;  // of braces, in the kernel

  void put(std::string_view line) { (out += line) += '\n'; }
  void entry(std::string_view name, std::string_view line) {
    kernel = name;
    depth = 0;
    first = true;
    put(line);
  }
  void parameter(std::string_view line) {
    std::string name;
    cuda::parameter(line, kernel, name);
    if (line.ends_with(',')) line.remove_suffix(1);
    out += first ? "\t" : ",\n\t";
    out += line;
    first = false;
  }
  void last(std::string_view line) {
    out += first ? "\t" : ",\n\t";
    ((((out += ".param .align 4 .b8 ") += kernel) += added) += "[" + std::to_string(sizeof(Environment))) += "]\n";
    put(line);
  }
  void line(std::string_view l) {
    if (trimmed(l).starts_with("//")) return put(l);
    const size_t at = l.find("%envreg");
    if (at == std::string_view::npos) {
      put(l);
    } else {
      if (kernel.empty() || depth == 0) refuse("a function that is no kernel uses %envreg");
      put(load(l, at, kernel));
    }
    for (const char c : l) {
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (c == '}' && depth == 0) kernel = {};
    }
  }
};

struct Reader {
  std::vector<Entry> found;
  void entry(std::string_view name, std::string_view) { found.push_back({std::string(name), {}}); }
  void parameter(std::string_view line) {
    std::string name;
    const Parameter p = cuda::parameter(line, found.back().name, name);
    if (name != found.back().name + std::string(added)) found.back().parameters.push_back(p);
  }
  void last(std::string_view) {}
  void line(std::string_view) {}
};

}  // namespace

std::string rewrite(std::string_view ptx) {
  while (!ptx.empty() && (ptx.back() == '\0' || ptx.back() == '\n' || is_space(ptx.back()))) ptx.remove_suffix(1);
  // The version stands first, but for comments.
  if (ptx.find(".version") == std::string_view::npos || ptx.find('\0') != std::string_view::npos)
    refuse("it is no PTX text");
  Rewriter r;
  r.out.reserve(ptx.size() + ptx.size() / 8);
  walk(ptx, r);
  return std::move(r.out);
}

std::vector<Entry> entries(std::string_view rewritten) {
  if (!rewritten.starts_with(rewritten_mark)) return {};
  Reader r;
  walk(rewritten, r);
  return std::move(r.found);
}

}  // namespace vr::device::cuda
