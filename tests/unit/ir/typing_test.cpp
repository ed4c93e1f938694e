// The typing tables of src/ir/typing.hpp, a line each.
#include "ir/typing.hpp"

#include "ir/library.hpp"

#include <velociraptor/ir/nodes.hpp>

#include <gtest/gtest.h>

namespace vr::ir {
namespace {

Type S(Elem e) { return Type::scalar(e); }
Type R(Elem e, int rank, Layout l = Layout::RowMajor) { return Type::array(e, rank, l); }
Type M(Elem e, int rank) { return Type::array(e, rank, Layout::ColMajor); }
Type cx(Type t) {
  t.complex = true;
  return t;
}
constexpr auto B = Elem::Bool;
constexpr auto I = Elem::Int32;
constexpr auto L = Elem::Int64;
constexpr auto F = Elem::Float32;
constexpr auto D = Elem::Float64;

ExprPtr value(const Type& t) { return std::make_shared<IntConst>(t, 1); }

struct OperatorCase {
  Type a, b, sum, compared;
};

TEST(Typing, OperatorsOnElements) {
  const OperatorCase table[] = {
      {S(B), S(B), S(I), S(B)},
      {S(B), S(I), S(I), S(B)},
      {S(I), S(L), S(L), S(B)},
      {S(L), S(F), S(D), S(B)},
      {S(I), S(F), S(F), S(B)},
      {S(F), S(D), S(D), S(B)},
      {R(D, 2), S(I), R(D, 2), R(B, 2)},
      {S(D), R(I, 1), R(D, 1), R(B, 1)},
      {R(L, 1), R(F, 3), R(D, 3), R(B, 3)},
      {R(D, 2, Layout::Strided), S(D), R(D, 2), R(B, 2)},
      {M(D, 2), M(D, 2), M(D, 2), M(B, 2)},
      {M(D, 2), R(D, 2), R(D, 2), R(B, 2)},
  };
  TypingScope scope;
  for (const auto& c : table) {
    for (bool swap : {false, true}) {
      ExprPtr a = value(swap ? c.b : c.a), b = value(swap ? c.a : c.b);
      EXPECT_EQ(natural_type(Plus(Type::null(), a, b), scope).type.text(), c.sum.text());
      EXPECT_EQ(natural_type(Lt(Type::null(), a, b), scope).type.text(), c.compared.text());
    }
  }
  EXPECT_EQ(natural_type(Mult(Type::null(), value(cx(S(F))), value(S(D))), scope).type, cx(S(D)));
  EXPECT_EQ(natural_type(Eq(Type::null(), value(cx(S(D))), value(S(D))), scope).type, S(B));
  EXPECT_FALSE(natural_type(Lt(Type::null(), value(cx(S(D))), value(S(D))), scope).ok());
  EXPECT_EQ(natural_type(Negate(Type::null(), value(S(B))), scope).type, S(I));
}

TEST(Typing, NoBroadcastNeedsEqualRanks) {
  TypingScope scope;
  scope.conventions.broadcast = BroadcastMode::None;
  EXPECT_FALSE(natural_type(Plus(Type::null(), value(R(D, 1)), value(R(D, 2))), scope).ok());
  EXPECT_TRUE(natural_type(Plus(Type::null(), value(R(D, 2)), value(S(D))), scope).ok());
}

struct IndexCase {
  const char* what;
  int source_rank;
  std::vector<ExprPtr> subscripts;
  Type numpy, matlab;  ///< Null: refused
};

TEST(Typing, Index) {
  auto range = [] { return std::make_shared<Range>(Type::null(), std::nullopt, nullptr, nullptr, nullptr); };
  ExprPtr s = value(S(L)), r = range(), list = value(R(L, 1)), matrix = value(R(L, 2)), mask = value(R(B, 2));
  auto view = [](int rank) { return R(D, rank, Layout::Strided); };
  const IndexCase table[] = {
      {"element", 2, {s, s}, S(D), S(D)},
      {"row", 2, {s, r}, view(1), M(D, 2)},
      {"column", 2, {r, s}, view(1), M(D, 2)},
      {"block", 2, {r, r}, view(2), M(D, 2)},
      {"fewer subscripts", 2, {s}, view(1), S(D)},
      {"one range of a matrix", 2, {r}, view(2), M(D, 2)},
      {"gather", 1, {list}, R(D, 1), M(D, 2)},
      {"gather by a matrix", 1, {matrix}, R(D, 2), M(D, 2)},
      {"mask", 2, {mask}, R(D, 1), M(D, 2)},
      {"gather and range", 2, {list, r}, R(D, 2), M(D, 2)},
      {"two lists", 2, {list, list}, Type::null(), M(D, 2)},
      {"plane of a cube", 3, {r, r, s}, view(2), M(D, 2)},
      {"line of a cube", 3, {s, s, r}, view(1), M(D, 3)},
      {"too many", 1, {s, s}, Type::null(), Type::null()},
  };
  for (const auto& c : table) {
    for (bool matlab : {false, true}) {
      Function f;
      const int rank = matlab ? std::max(c.source_rank, 2) : c.source_rank;
      if (matlab && std::string(c.what) == "too many") continue;  // a MATLAB vector has two dimensions
      SymbolId id = f.symbols.fresh("A", matlab ? M(D, rank) : R(D, rank));
      TypingScope scope{nullptr, &f, matlab ? Conventions::matlab() : Conventions::numpy()};
      std::vector<Subscript> subs;
      for (const ExprPtr& e : c.subscripts) subs.push_back({e, true, true, false, {}});
      Typing t = natural_type(Index(Type::null(), id, subs), scope);
      const Type& expected = matlab ? c.matlab : c.numpy;
      EXPECT_EQ(t.ok(), !expected.is_null()) << c.what << ": " << t.error;
      if (t.ok()) {
        EXPECT_EQ(t.type.text(), expected.text()) << c.what << (matlab ? " matlab" : " numpy");
      }
    }
  }
}

struct LibraryCase {
  const char* func;
  std::vector<Type> args;
  Type numpy, matlab;  ///< Null: refused
};

TEST(Typing, Library) {
  // Arrays are row-major under numpy and column-major under matlab; a rank of 1 is 2 under matlab.
  const Type v = R(D, 1), m = R(D, 2), li = R(I, 1), lb = R(B, 2), k = S(L), no = Type::null();
  const LibraryCase table[] = {
      {"sqrt", {S(I)}, S(D), S(D)},
      {"exp", {R(F, 2)}, R(F, 2), M(F, 2)},
      {"abs", {cx(S(D))}, S(D), S(D)},
      {"abs", {S(I)}, S(I), S(I)},
      {"floor", {cx(S(D))}, no, no},
      {"angle", {S(I)}, S(D), S(D)},
      {"real", {cx(m)}, m, M(D, 2)},
      {"isnan", {m}, R(B, 2), M(B, 2)},
      {"libplus", {m, S(I)}, m, M(D, 2)},
      {"pow", {S(I), S(I)}, S(I), S(I)},
      {"atan2", {S(I), S(I)}, S(D), S(D)},
      {"max2", {cx(S(D)), S(D)}, no, no},
      {"random_uniform", {S(I), li}, v, M(D, 2)},
      {"random_uniform", {S(L), S(I)}, S(D), S(D)},
      {"random_uniform", {S(D), S(I)}, no, no},
      {"random_bits", {S(I), cx(S(I))}, no, no},
      {"random_integer", {S(I), li, R(L, 2)}, R(L, 2), M(L, 2)},
      {"random_integer", {S(I), S(I), S(D)}, no, no},
      {"random_gamma", {S(I), S(B), S(D)}, no, no},
      {"random_gamma", {S(I), S(I), S(I)}, S(D), S(D)},
      {"random_permutation", {S(I), S(L)}, R(L, 1), M(L, 2)},
      {"random_permutation", {S(D), S(L)}, no, no},
      {"mmult", {m, m}, m, M(D, 2)},
      {"mmult", {m, v}, v, M(D, 2)},
      {"mmult", {v, v}, S(D), M(D, 2)},
      {"mmult", {m, S(D)}, no, no},
      {"mldiv", {m, v}, v, M(D, 2)},
      {"trans", {R(I, 2)}, R(I, 2), M(I, 2)},
      {"trans", {R(I, 3)}, no, no},
      {"dot", {v, li}, S(D), S(D)},
      {"outer", {v, v}, m, M(D, 2)},
      {"norm", {m}, S(D), S(D)},
      {"sum", {m}, S(D), M(D, 2)},
      {"sum", {m, k}, v, M(D, 2)},
      {"sum", {li}, S(L), M(I, 2)},
      {"sum", {lb}, S(L), M(D, 2)},
      {"sum", {S(D)}, S(D), S(D)},
      {"mean", {li}, S(D), M(D, 2)},
      {"any", {m}, S(B), M(B, 2)},
      {"argmax", {m, k}, R(L, 1), M(L, 2)},
      {"min", {cx(m)}, no, no},
      {"cumsum", {m}, v, M(D, 2)},
      {"cumsum", {m, k}, m, M(D, 2)},
      {"size", {m}, R(L, 1), M(L, 2)},
      {"size", {m, k}, k, k},
      {"numel", {m}, k, k},
      {"reshape", {m, k, k, k}, R(D, 3), M(D, 3)},
      {"reshape", {S(D), k, k}, m, M(D, 2)},
      {"horzcat", {v, S(I)}, v, M(D, 2)},
      {"vertcat", {v, v}, m, M(D, 2)},
      {"colon", {k, k}, R(L, 1), M(L, 2)},
      {"linspace", {k, k, k}, v, M(D, 2)},
      {"zeros", {k}, v, M(D, 2)},
      {"zeros", {k, k, k}, R(D, 3), M(D, 3)},
      {"scalar", {m}, S(D), S(D)},
      {"sort", {m}, m, M(D, 2)},
      {"find", {m}, R(L, 1), M(L, 2)},
  };
  for (const auto& c : table) {
    for (bool matlab : {false, true}) {
      std::vector<ExprPtr> args;
      for (Type t : c.args) {
        if (matlab && t.is_array()) {
          t.rank = std::max<uint8_t>(t.rank, 2);
          t.layout = Layout::ColMajor;
        }
        args.push_back(value(t));
      }
      Typing t = library_type(c.func, args, Type::null(), matlab ? Conventions::matlab() : Conventions::numpy());
      const Type& expected = matlab ? c.matlab : c.numpy;
      EXPECT_EQ(t.ok(), !expected.is_null()) << c.func << ": " << t.error;
      if (t.ok()) {
        EXPECT_EQ(t.type.text(), expected.text()) << c.func << (matlab ? " matlab" : " numpy");
      }
    }
  }
}

// Every function of the table has a rule: with as many real matrices or numbers as it takes, one of the two is typed.
TEST(Typing, EveryLibraryFunctionHasARule) {
  for (const LibFunction& f : all_library()) {
    bool typed = false;
    for (const Type& t : {R(D, 2), S(D), R(D, 1), S(L)})
      typed = typed ||
              library_type(f.name, std::vector<ExprPtr>(f.min_args, value(t)), Type::null(), Conventions::numpy()).ok();
    if (f.name == "reshape" || f.name == "matrix_power")
      typed = library_type(f.name, {value(R(D, 2)), value(S(L))}, Type::null(), Conventions::numpy()).ok();
    if (f.name == "trapezoid")
      typed = library_type(f.name, {value(R(D, 2)), value(S(D))}, Type::null(), Conventions::numpy()).ok();
    EXPECT_TRUE(typed) << f.name;
    EXPECT_FALSE(library_type(f.name, {}, Type::null(), Conventions::numpy()).ok()) << f.name;
  }
}

TEST(Typing, SeveralResults) {
  const Conventions numpy = Conventions::numpy();
  Type two = Type::tuple({S(D), S(D)});
  EXPECT_EQ(library_type("sort", {value(R(F, 2))}, two, numpy).type, Type::tuple({R(F, 2), R(L, 2)}));
  EXPECT_EQ(library_type("find", {value(R(F, 2))}, two, numpy).type, Type::tuple({R(L, 1), R(L, 1)}));
}

TEST(Typing, Conversions) {
  EXPECT_TRUE(converts(S(D), S(I)));
  EXPECT_TRUE(converts(S(D), cx(S(D))));
  EXPECT_FALSE(converts(cx(S(D)), S(D)));
  EXPECT_FALSE(converts(S(D), R(D, 1)));
  EXPECT_FALSE(converts(R(D, 1), R(D, 2)));
  EXPECT_TRUE(converts(R(D, 2), R(D, 2, Layout::Strided)));
  EXPECT_TRUE(converts(R(D, 2, Layout::Strided), R(F, 2)));
  EXPECT_TRUE(converts(Type::tuple({S(D)}), Type::tuple({S(I)})));
  EXPECT_FALSE(converts(Type::tuple({S(D)}), Type::tuple({S(I), S(I)})));
  EXPECT_FALSE(converts(Type::function({S(D)}, {S(D)}), Type::function({S(D)}, {S(F)})));
}

}  // namespace
}  // namespace vr::ir
