// The short syntax: what it omits, what it prints, and the messages for wrong texts.
#include "text_helpers.hpp"

#include <random>

namespace vr::text::test {
namespace {

/// The text that a short text prints as.
std::string again(const std::string& text) {
  auto m = parse_as(text);
  EXPECT_TRUE(m.ok()) << m.error().text() << "\n" << text;
  if (!m.ok()) return "";
  expect_short_round_trip(**m);
  return ir::print_short(**m);
}
std::string fault(const std::string& text) {
  auto m = parse_as(text);
  if (m.ok()) return "";
  EXPECT_EQ(m.error().diagnostics.size(), 1u);
  const Diagnostic& d = m.error().diagnostics[0];
  EXPECT_EQ(d.rule, "syntax");
  return std::to_string(d.place.line) + ":" + std::to_string(d.place.column) + ": " + d.message +
         (d.hint.empty() ? "" : " | " + d.hint);
}
std::string body(const std::string& lines) {
  return "def f(x: float64[:], n: int64, z: complex float64, t: tuple(int64, bool)):\n" + lines;
}

TEST(Short, PrintsWhatItReads) {
  for (const char* lines : {
           "    pass\n",
           "    a = n + 1\n    b = a < 2 and not (a == 3 or false)\n",
           "    a = -n - -1 - (n - 1) * 2 / (n / 3)\n    b = -(1)\n    c = -(n + 1)\n    d = --n\n",
           "    a = (n / 2 : float64)\n    b = (n : int32) + 1i32\n    c = 2.5f32 + 1e+30 + inf + -nan + nan(0x12)\n",
           "    a = 18446744073709551615u64\n    b = -9223372036854775808\n    c = 3bool\n    d = true\n    e = (inf : "
           "float32)\n",
           "    a = complex(1.0, -2.5)\n    b = complex((1.0), 2.0)\n    c = complex(n, 2.0)\n    d = z.real + z.imag "
           "+ real(z)\n",
           "    a = x[n]\n    b = x[n negative]\n    c = x[1:n]\n    d = x[:]\n    e = x[::2]\n    g = x[n:]\n    h = "
           "x[1:n:2 unchecked | copy]\n",
           "    x[n grow] = 1.0\n    x[n nolower nogrow] = x[n noupper negative | view flatten]\n",
           "    x[1:<=n] = x[(range(n) : domain(int64))] + x[:<n:2] + x[range(start=1, exclude=false)]\n",
           "    a = x.shape[0]\n    b = x.shape\n    c = t.item[1]\n",
           "    a = zeros(n)\n    b = ones(int32, n, n)\n    c = empty(complex float64, n)\n    d = float32(x)\n    e "
           "= cast(complex float64, n)\n",
           "    a = sum(x)\n    b = fn.sum(x)\n    c = lib.range(0, n)\n    d = &f\n    unknown(x)\n",
           "    var a: int64, b: float64\n    a, b = f(x)\n",
           "    for i in range(n):\n        for j, k, l in range(1, <n), range(n, <=0, -2), range(stop=<n, step=2):\n  "
           "          pass\n",
           "    for i over range(<n):\n        break\n",
           "    pfor i in range(n) shared (x):\n        x[i] = 0.0\n    pfor i in range(x.shape[0]) shared ():\n       "
           " continue\n",
           "    while n > 0 @ \"a.py:1:2\":\n        n = n - 1 @ \"a.py:2:3\"\n",
           "    if n > 0:\n        pass\n    elif n < 0 @ \"f:1:1\":\n        return\n    else:\n        raise -3, "
           "\"no {}\", n\n",
           "    with gpu():\n        block @ \"f:1:1\":\n            f(x, n, z, t)\n",
           "    a = atomic.cas(x[n], 1.0, 2.0)\n    atomic.add(x[0], 1.0)\n",
           "    a#9 = n\n    b = a\n    \"in\" = b\n    \"a b\"#30 = \"in\"\n",
       }) {
    EXPECT_EQ(again(body(lines)), body(lines));
  }
}

TEST(Short, ModuleLine) {
  EXPECT_EQ(again("module m numpy\n"), "module m numpy\n");
  EXPECT_EQ(again("module m matlab grow=false fastmath=afn+nsz overflow=fault vrir=1\n"),
            "module m vrir=1 matlab grow=false overflow=fault fastmath=nsz+afn\n");
  EXPECT_EQ(again("module \"\" indexing=1\n"), "module \"\" indexing=1\n");
  EXPECT_EQ(again("def f():\n    pass\n"), "def f():\n    pass\n");
}

TEST(Short, FunctionsAndExterns) {
  const char* text =
      "extern today() -> int64\n\n"
      "extern price(int64, float64[:]) -> (float64, bool) parallel @ \"p.py:1:1\"\n\n"
      "def g(h: fn(float64) -> float64, x: strided float32[:,:]) -> (int64, tuple(bool, void)) @ \"g.py:1:1\":\n"
      "    return f(today(), h(1.0))\n\n"
      "def f(a: int64, b: float64) -> int64:\n"
      "    return a\n";
  EXPECT_EQ(again(text), text);
}

// A call before the definition of the function knows its type.
TEST(Short, TypesOfCallsFollowFromFunctionsBelow) {
  auto m = parse_as("def f() -> float32:\n    a = g()\n    return a\ndef g() -> float32:\n    return 1.0f32\n");
  ASSERT_TRUE(m.ok()) << m.error().text();
  EXPECT_EQ((*m)->functions[0]->symbols.at(0).type, ir::Type::scalar(ir::Elem::Float32));
}

TEST(Short, LayoutOfNewArraysIsTheModules) {
  auto m = parse_as("module m matlab\ndef f(x: float64[:,:]):\n    a = x + 1.0\n");
  ASSERT_TRUE(m.ok()) << m.error().text();
  EXPECT_EQ((*m)->functions[0]->symbols.at(1).type, ir::Type::array(ir::Elem::Float64, 2, ir::Layout::ColMajor));
}

TEST(Short, SourceLocationsAreThoseOfTheTokens) {
  auto m = parse_as("; comment\ndef f(n: int64):\n    a = (n +\n      abs(n))\n");
  ASSERT_TRUE(m.ok()) << m.error().text();
  const auto* s = ir::as<ir::Assign>((*m)->functions[0]->body.at(0));
  EXPECT_EQ(std::pair((*m)->functions[0]->pos.line, (*m)->functions[0]->pos.column), std::pair(2, 1));
  EXPECT_EQ(std::pair(s->pos.line, s->pos.column), std::pair(3, 5));
  EXPECT_EQ(std::pair(s->value->pos.line, s->value->pos.column), std::pair(3, 12));
  EXPECT_EQ(std::pair(ir::as<ir::Plus>(s->value)->rhs->pos.line, ir::as<ir::Plus>(s->value)->rhs->pos.column),
            std::pair(4, 7));
}

TEST(Short, Errors) {
  const std::pair<std::string, const char*> cases[] = {
      {"module m grw=true\n",
       "1:10: unknown convention 'grw' | known are vrir, indexing, exclude, flatten, grow, assign, slices, nan, "
       "memory, mindims, broadcast, promote, overflow, fastmath"},
      {"module m grow=1\n", "1:15: unknown value of 'grow' | known are false, true"},
      {"module m numby\n", "1:10: unknown conventions 'numby' | write numpy, matlab or KEY=VALUE"},
      {"module m grow=true numpy\n", "1:20: 'numpy' must precede other conventions"},
      {"module m vrir=2\n", "1:15: version 2 of VRIR is not known | this is version 1"},
      {"module m\nx = 1\n", "2:1: expected 'def' or 'extern', found 'x'"},
      {"def f()\n    pass\n", "1:8: expected ':' before the block, found the end of the line"},
      {"def f():\n", "2:1: expected an indented block ('pass' if it is empty), found the end of the text"},
      {"def f(x):\n    pass\n", "1:8: expected ':' and the type of the argument, found ')'"},
      {"def f(x: float):\n    pass\n", "1:10: expected a type, found 'float'"},
      {"def f(x: strided float64):\n    pass\n",
       "1:10: a layout is stated, but the type is no array | an array's type is T[:], T[:,:], ..."},
      {"def for():\n    pass\n",
       "1:5: expected the name of the function, found the keyword 'for' | a name that is a keyword is written in "
       "double quotes"},
      {"def f(x: int64, x#0: int64):\n    pass\n", "1:17: variable 0 is declared already: it is 'x'"},
      {body("    y\n"), "2:5: the variable 'y' is not known here | declare it with 'var', or assign to it first"},
      {body("    y = y\n"), "2:9: the variable 'y' is not known here | declare it with 'var', or assign to it first"},
      {body("    y = nothing()\n"),
       "2:5: the type of 'y' does not follow from its first value | declare it with 'var'"},
      {body("    n = 1 < 2 < 3\n"),
       "2:15: '<' after another comparison | put parentheses around one of them, or write 'and'"},
      {body("    n = (1\n"), "2:9: the bracket is not closed"},
      {body("    n = 1)\n"), "2:10: ')' closes nothing"},
      {body("    n = 1 +\n"), "2:12: expected an expression, found the end of the line"},
      {body("    n = 1 2\n"), "2:11: expected the end of the statement, found '2'"},
      {body("    n = 1x9\n"),
       "2:9: unknown suffix 'x9' of a number | suffixes are bool, i8 to i64, u8 to u64, f16, bf16, f32 and f64"},
      {body("    n = 9223372036854775808\n"),
       "2:9: '9223372036854775808' is out of range | integers are those of int64, and with the suffix u64 those of "
       "uint64"},
      {body("    n = (9223372036854775808 : int64)\n"), "2:32: the integer does not fit into int64"},
      {body("    n = 1e999\n"), "2:9: '1e999' is too large for float64 | write inf for infinity"},
      {body("    n = nan(0x0)\n"), "2:13: the payload of a NaN must be from 0x1 to 0xfffffffffffff"},
      {body("    n = 1\n  n = 2\n"), "3:3: the indentation of this line is that of no line above it"},
      {body("    n = 1\n      n = 2\n"), "3:7: this line is indented more than the one above it"},
      {body("\tn = 1\n"), "2:1: a tab in the indentation of a line | indent with spaces"},
      {body("    n = \"a\n"), "2:9: the string does not end on its line"},
      {body("    n = $\n"), "2:9: unexpected character '$'"},
      {body("    else:\n        pass\n"), "2:5: 'else' without an 'if' above it"},
      {body("    n = 1\n    var y: int64\n"),
       "3:5: 'var' after a statement | variables are declared at the beginning of a function"},
      {body("    n = range(1, 2, stop=3)\n"), "2:9: a part of 'range' is given twice"},
      {body("    n = range(by=3)\n"), "2:15: 'range' has no part 'by' | its parts are start, stop, step and exclude"},
      {body("    n = range(<1, 2)\n"), "2:9: '<' or '<=' goes before the stop of a range"},
      {body("    n = range(1, 2, <3)\n"), "2:21: '<' goes before the stop of a range"},
      {body("    n = range(<1, exclude=true)\n"), "2:9: 'exclude' is given twice"},
      {body("    n = x[1:<]\n"), "2:14: expected the stop of the range, found ']'"},
      {body("    n = x[]\n"), "2:11: expected a subscript, found ']'"},
      {body("    n = x[1 | fast]\n"), "2:15: expected copy, view, flatten, noflatten or ']', found 'fast'"},
      {body("    n = x.size\n"), "2:11: expected shape, item, real or imag, found 'size'"},
      {body("    n = n#4\n"), "2:9: variable 4 is not known here | declare it with 'var', or assign to it first"},
      {body("    n = x#1\n"), "2:9: variable 1 is 'n', not 'x'"},
      {body("    n = atomic.mul(x[0], 1.0)\n"),
       "2:16: expected an atomic operation (cas, add, sub, min, max, and, or, swap), found 'mul'"},
      {body("    n#7 = 1\n    n = 2\n"), "3:5: several variables are named 'n' | write n#ID"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(fault(text), message) << text;
}

TEST(Short, Limits) {
  auto deep = [](const std::string& open, const std::string& close, int n) {
    std::string s = "    n = ";
    for (int k = 0; k < n; ++k) s += open;
    s += "n";
    for (int k = 0; k < n; ++k) s += close;
    return body(s + "\n");
  };
  EXPECT_EQ(fault(deep("-", "", 400)), "");
  EXPECT_NE(fault(deep("-", "", 100000)).find("nested more than 500 deep"), std::string::npos);
  EXPECT_NE(fault(deep("(", ")", 100000)).find("nested more than 500 deep"), std::string::npos);
  EXPECT_NE(fault(deep("n + ", "", 100000)).find("nested more than 500 deep"), std::string::npos);
  EXPECT_NE(fault(deep("sum(", ")", 100000)).find("nested more than 500 deep"), std::string::npos);
  std::string blocks = "def f():\n", chain = "def f(n: int64):\n    if n:\n        pass\n";
  for (int k = 1; k < 2000; ++k) blocks += std::string(static_cast<size_t>(k), ' ') + "block:\n";
  for (int k = 0; k < 2000; ++k) chain += "    elif n:\n        pass\n";
  EXPECT_NE(fault(blocks), "");
  EXPECT_NE(fault(chain).find("nested more than 500 deep"), std::string::npos);
  ir::ParseOptions o;
  o.max_nodes = 10;
  EXPECT_FALSE(ir::parse(body("    n = 1 + 1 + 1 + 1 + 1 + 1\n"), o).ok());
  o.max_symbols = 3;
  EXPECT_FALSE(ir::parse(body("    n = 1\n"), o).ok());
}

// Random edits of texts: an error with a location, or a module that survives a round trip; never a crash.
TEST(Short, RandomEdits) {
  std::mt19937 random(7);
  std::vector<std::string> texts;
  for (const char* name : {"bench/programs/fdtd.vrir", "bench/programs/nbody.vrir", "bench/programs/spmv.vrir",
                           "bench/gpu/stencil5.vrir", "examples/capr.vrir"}) {
    auto m = parse_as(read_file(std::string(VR_SOURCE_DIR) + "/" + name));
    ASSERT_TRUE(m.ok());
    texts.push_back(ir::print_short(**m));
  }
  const char* pieces[] = {"(",
                          ")",
                          "[",
                          "]",
                          ":",
                          ",",
                          "=",
                          "#",
                          ".",
                          "-",
                          "\n",
                          "    ",
                          "\"",
                          "range",
                          "not ",
                          "1",
                          "1.5f32",
                          "@",
                          "|",
                          "complex(",
                          "for ",
                          " in ",
                          "x",
                          " : int64",
                          "domain(",
                          "atomic.add(",
                          "if 1:\n",
                          "\xff",
                          "18446744073709551615u64"};
  for (int k = 0; k < 4000; ++k) {
    std::string text = texts[random() % texts.size()];
    for (uint32_t edits = 1 + random() % 3; edits > 0; --edits) {
      const size_t at = random() % text.size(), length = std::min<size_t>(random() % 12, text.size() - at);
      switch (random() % 3) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, pieces[random() % std::size(pieces)]);
          break;
        default:
          text.insert(random() % text.size(), text.substr(at, length));
      }
    }
    auto m = parse_as(text);
    if (m.ok()) {
      expect_short_round_trip(**m);
    } else {
      ASSERT_FALSE(m.error().diagnostics.empty()) << text;
      EXPECT_GT(m.error().diagnostics[0].place.line, 0) << text;
    }
    if (HasFailure()) FAIL() << text;
  }
}

}  // namespace
}  // namespace vr::text::test
