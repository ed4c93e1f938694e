// The typing rules: what type an expression has, given the stated types of its parts. One place for verify, the mclab
// dialect's re-inference, the builder and the interpreter. docs/vrir.md quotes these tables.
//
// clang-format off
// Terms. E(x): element type. C(x): complex? R(x): rank, 0 for a scalar.
//   wide(a,b)  ir::common_elem: the least type that holds all values of both, float64 where none does (int64 with float32,
//              uint64 with a signed integer); int32 with float32 as `:promote` says. Complex when either is (narrow floats are
//              float32 then).
//   arith(a,b) wide(a,b), but bool counts as int32: true + true is 2 (stated as bool it is true again).
//   fresh      layout of a new array: colmajor when the module broadcasts from leading axes (matlab), else rowmajor.
//   lay(a,b)   the arrays' common layout when they agree on a contiguous one, else fresh: results are new arrays, and
//              `strided` is for views only.
//   vec        a vector of the conventions: rank `mindims` (1; under matlab a 1 x n or n x 1 matrix of rank 2).
//
// | expression            | operands                           | natural type                                            |
// |-----------------------|------------------------------------|---------------------------------------------------------|
// | plus minus mult       | numeric                            | arith(a,b), rank max(R(a),R(b)), lay(a,b)               |
// | div                   | numeric                            | same; integer operands: stated integer truncates, stated float is true division |
// | lt leq gt geq         | numeric, real                      | bool, rank max, lay                                     |
// | eq neq                | numeric                            | bool, rank max, lay                                     |
// | and or not            | numeric, real                      | bool, rank max, lay                                     |
// | negate                | numeric                            | a, bool as int32                                        |
// | cast                  | numeric; stated numeric            | the stated element (real part when it is real), a's rank |
// | name                  |                                    | the symbol's type, exactly                              |
// | realconst             | stated scalar                      | the stated type                                         |
// | complexconst          | stated complex scalar              | the stated type                                         |
// | complex               | numeric, real, ranks agree or scalar | complex wide(a,b), rank max                           |
// | real imag             | numeric variable                   | real E, its rank                                        |
// | index, all scalars    | as many as dimensions, or flattened | element                                                |
// | index, numpy          | ranges, at most one array          | rank = ranges + rank of the index array + dimensions left out; strided when a view, else the source's layout (fresh when that is strided) |
// |   (mindims 1)         | bool mask of the source's rank alone | vector                                                |
// | index, matlab         | ranges and arrays in any number    | rank = position of the last range or array, at least 2: a scalar keeps extent 1, trailing ones are dropped |
// |   (mindims 2)         | one, flattened                     | rank 2; an index array of higher rank gives its own     |
// | fncall                | arguments convert to parameters    | void, the output, or a tuple of the outputs             |
// | fnhandle              | module function                    | its function type                                       |
// |                       | library function                   | the stated function type                                |
// | alloc                 | n scalars                          | stated element, rank n (one scalar: mindims), fresh     |
// |                       | one vector                         | stated element and rank                                 |
// | dim                   |                                    | int64                                                   |
// | dimvec                |                                    | int64 vec                                               |
// | tuple                 |                                    | tuple of its elements' types                            |
// | tupleindex            | constant in range (4.2.4)          | that element                                            |
// | range                 | real scalars                       | one-dimensional domain of wide(start, step, stop), narrow floats counting as float32; int64 when all are absent |
// | domain                | ranges                             | a dimension each                                        |
// | xchange               | scalars only; array of elements of 4 or 8 bytes | element                                    |
//
// | library                                   | natural type                                                                |
// |-------------------------------------------|-----------------------------------------------------------------------------|
// | sqrt exp log sin ... (erf: real)          | a; bool and integers give float64                                           |
// | abs floor ceil round fix sign conj        | a; abs of complex is real; floor ceil round fix real only                   |
// | real imag angle                           | real E(a), angle floating                                                   |
// | isnan isinf isfinite                      | bool, a's rank                                                              |
// | libplus libminus libmult libdiv pow       | as plus ... (pow: arith)                                                    |
// | min2 max2 mod rem (real)                  | arith(a,b), rank max                                                        |
// | atan2 hypot (real)                        | arith(a,b), integers give float64                                           |
// | bitand bitor bitxor (integers, bool)      | arith(a,b), rank max                                                        |
// | shift_left shift_right (integers, bool)   | arith(a,b), rank max                                                        |
// | bit_count (integers, bool)                | a, bool as int32                                                            |
// | where(test, a, b) (test real)             | wide(a,b), rank max of the three                                            |
// | mmult                                     | arith; ranks 2,2 -> 2; 2,1 and 1,2 -> 1; 1,1 -> scalar. Under mindims 2 both are rank 2, and one of a single element scales |
// | mldiv mrdiv                               | arith, integers give float64; rank of the right (left) side                 |
// | trans                                     | a (rank at most 2)                                                          |
// | dot (vectors)                             | arith scalar                                                                |
// | norm                                      | real floating scalar                                                        |
// | outer (vectors)                           | arith, rank 2                                                               |
// | sum prod, numpy                           | bool and signed integers give int64, unsigned ones uint64                   |
// | sum prod, matlab                          | bool gives float64                                                          |
// | mean                                      | integers give float64                                                       |
// | min max (real)                            | E(a)                                                                        |
// | any all                                   | bool                                                                        |
// | argmin argmax (real)                      | int64                                                                       |
// |   reduced rank, numpy                     | over all: scalar; over an axis: R(a)-1                                      |
// |   reduced rank, matlab                    | of an array: R(a), the axis (or the first one longer than 1) has extent 1   |
// | cumsum cumprod                            | E as sum; numpy without axis: vector; else a's rank                         |
// | size(A) dimvec                            | int64 vec                                                                   |
// | size(A,k) numel length ndims              | int64                                                                       |
// | reshape(A, n scalars)                     | a, rank n; a scalar is an array of one element                              |
// | reshape(A, vector)                        | a, stated rank                                                              |
// | horzcat vertcat                           | wide of all; rank max(mindims, ranks); vertcat at least 2                   |
// | colon(start[,step],stop) range(start,stop[,step]) | arith vec                                                           |
// | linspace(a,b[,n])                         | floating vec                                                                |
// | eye(n[,m])                                | stated element, rank 2                                                      |
// | zeros ones empty                          | as alloc                                                                    |
// | scalar(A)                                 | element: the only one of A; SHAPE_MISMATCH unless A has exactly one         |
// | copy                                      | a, contiguous                                                               |
// | sort(A[,axis])                            | a; stated as a tuple of two: (a, int64 positions)                           |
// | find(A)                                   | int64 vec of linear subscripts; stated as a tuple of two or three: (rows, columns[, values]) |
// clang-format on
#pragma once
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vr::ir {

struct LibFunction;

/// Names of a module's functions and of a function's handles, so that looking one up does not walk the lists. Optional;
/// must be of the scope's module and function.
struct NameIndex {
  using Functions = std::unordered_map<std::string_view, const Function*>;
  std::shared_ptr<Functions> functions = std::make_shared<Functions>();  ///< may be shared by the functions of a module
  std::unordered_map<std::string_view, const Symbol*> handles;
  mutable int suggestions = 32;  ///< how many more times nearest_name may search
  void set_module(const Module& m);
  void set_function(const Function& f);
};

/// What the rules need to know about the context of an expression.
struct TypingScope {
  const Module* module = nullptr;
  const Function* function = nullptr;
  Conventions conventions;
  const NameIndex* names = nullptr;
};

/// The result of a typing rule, or why there is none (the message of a diagnostic).
struct Typing {
  Type type;
  std::string error = {};              ///< empty when typed
  std::string rule = "type-mismatch";  ///< which rule an error breaks
  std::string hint = {};
  bool ok() const { return error.empty(); }
};

/// wide(a,b) of two numeric types, the larger rank, their layout when they agree on a contiguous one, else rowmajor.
Type common_type(const Type& a, const Type& b);
/// The same with the layout of new arrays under these conventions.
Type common_type(const Type& a, const Type& b, const Conventions& conventions);

/// Layout of arrays that an operation makes anew.
Layout fresh_layout(const Conventions& conventions);

/// Natural type of `e` from the stated types of its children (not from e.type, but where a table above says "stated").
Typing natural_type(const Expr& e, const TypingScope& scope);

/// Natural type of a call of the standard library; part of natural_type.
Typing library_type(std::string_view func, const std::vector<ExprPtr>& args, const Type& stated,
                    const Conventions& conventions);

/// Whether a value of type `from` may be used where `to` is stated: same kind and rank. Element conversion is implied,
/// except from complex to real; layouts convert freely (a copy is made when it must be).
bool converts(const Type& from, const Type& to);

/// What a name in a call or handle refers to (thesis 4.1.2): the first of these that exists.
struct Callee {
  const Symbol* variable = nullptr;    ///< variable of function type
  const Function* function = nullptr;  ///< function of the module
  const LibFunction* library = nullptr;
};
Callee find_callee(const std::string& name, const TypingScope& scope);

/// The name of the known function that is most similar to `name`; "" if none is similar.
std::string nearest_name(const std::string& name, const TypingScope& scope);

/// Arithmetic, comparison and logical operators except division: on scalars they cannot fault.
bool is_operator(Kind k);

/// The result of a comparison of kind `k` of two numbers of one machine type.
template <class T>
bool compare(Kind k, T a, T b) {
  switch (k) {
    case Kind::Lt:
      return a < b;
    case Kind::Leq:
      return a <= b;
    case Kind::Gt:
      return a > b;
    case Kind::Geq:
      return a >= b;
    case Kind::Eq:
      return a == b;
    default:
      return a != b;
  }
}

}  // namespace vr::ir
