// An interpreter of lowered kernels: it runs one iteration of the domain after another, with the meaning that
// codegen/opencl/emit.hpp defines.
#include "device/host/objects.hpp"
#include "loop/analysis/team_memory.hpp"
#include "support/overloaded.hpp"
#include "unit/math_function.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <utility>

namespace vr::test::host {
namespace {
using namespace lower;

/// A value of any scalar type. Integers and bools are in `i`; a float32 is stored as the equal double.
struct Word {
  int64_t i = 0;
  double d = 0;
  char* p = nullptr;
};

enum class Way { On, Break, Continue, Out };

struct Fault {
  int32_t code, site;
  int64_t index, extent;
};

class Run {
 public:
  Run(const Function& f, const std::vector<Argument>& args) : f_(f), args_(args), vars_(f.vars.size()) {
    for (const Param& p : f.params) {
      if (p.array == none) {
        vars_[size_t(p.var)] = scalar(f.vars[size_t(p.var)].type);
        if (p.im != none) vars_[size_t(p.im)] = scalar(f.vars[size_t(p.im)].type);
        continue;
      }
      const ArrayVars& a = f.arrays[size_t(p.array)];
      Memory& buffer = memory();
      vars_[size_t(a.data)].p = buffer.start + whole(false);
      for (const auto* list : {&a.extent, &a.stride})
        for (VarId v : *list) vars_[size_t(v)].i = whole(!f.narrow.empty());
    }
    for (size_t d = 0; d < f.dims.size(); ++d) counts_[d] = whole(!f.narrow.empty());
    fault_ = reinterpret_cast<Fault*>(memory().start);
    if (!f.folds.empty()) violation("the interpreter of kernels has no folds");
    for (const Row& r : f.rows) {
      RowState& state = rows_.emplace_back();
      state.elements.resize(size_t(r.length * scalar_bytes(r.type)));
      state.pending = state.elements;
      vars_[size_t(r.data)].p = state.elements.data();
      if (r.times == none) continue;
      // The last of the group's copies.
      const int64_t copies = vars_[size_t(r.times)].i = copies_of(r, rows_.size() - 1);
      vars_[size_t(r.data)].p += (copies - 1) * scalar_bytes(r.type);
    }
  }

  void run(const std::array<int64_t, 3>& first) {
    const std::vector<Word> start = vars_;
    for (int64_t k = first[2]; k < counts_[2]; ++k)
      for (int64_t j = first[1]; j < counts_[1]; ++j)
        for (int64_t i = first[0]; i < counts_[0]; ++i) {
          vars_ = start;
          const int64_t at[] = {i, j, k};
          for (size_t d = 0; d < f_.dims.size(); ++d) vars_[size_t(f_.dims[d])].i = at[d];
          block(f_.body);
        }
    for (size_t r = 0; r < f_.rows.size(); ++r)
      if (f_.rows[r].times != none) add_copies(r);
  }

 private:
  const ArrayVars& array_of(size_t row) const {
    const VarId data = std::get<RowAt>(f_.body[row].node).base->var;
    return *std::find_if(f_.arrays.begin(), f_.arrays.end(), [&](const ArrayVars& a) { return a.data == data; });
  }
  /// Up to four copies, if there is room for as many of the array or slice.
  int64_t copies_of(const Row& row, size_t number) const {
    const ArrayVars& a = array_of(number);
    int64_t bytes = 0;
    for (size_t d = adds_to_slices(f_) ? 1 : 0; d < a.extent.size(); ++d)
      bytes += (vars_[size_t(a.extent[d])].i - 1) * vars_[size_t(a.stride[d])].i;
    int64_t copies = 4;
    while (copies > 1 && copies * (1 + bytes / scalar_bytes(scalar_of(a.elem))) > row.length) copies /= 2;
    return copies;
  }
  /// Rows with a number of copies start with zeros and are added to their arrays, or to slices of them, at the end.
  void add_copies(size_t r) {
    const Row& row = f_.rows[r];
    RowState& state = rows_[r];
    if (!state.start) return;
    const Scalar type = scalar_of(array_of(r).elem);
    const int64_t copies = vars_[size_t(row.times)].i;
    for (int64_t k = 0; k < row.length; ++k) {
      const Word mine = load(row.type, state.elements.data() + k * scalar_bytes(row.type));
      if (is_float(type) ? mine.d == 0 : mine.i == 0) continue;
      char* to = state.start + k / copies * scalar_bytes(type);
      store(type, to, binary(Op::Add, type, type, load(type, to), mine));
    }
    std::fill(state.elements.begin(), state.elements.end(), 0);
  }

  // ---------------------------------------------------------------- arguments
  template <class T>
  T next() {
    T v{};
    if (at_ >= args_.size() || args_[at_].bytes.size() != sizeof v)
      violation("argument " + std::to_string(at_) + " of kernel '" + f_.name + "' has another size");
    else
      std::memcpy(&v, args_[at_].bytes.data(), sizeof v);
    ++at_;
    return v;
  }
  int64_t whole(bool narrow) { return narrow ? next<int32_t>() : next<int64_t>(); }
  Memory& memory() {
    static Memory none;
    if (at_ >= args_.size() || !args_[at_].memory) {
      violation("argument " + std::to_string(at_) + " of kernel '" + f_.name + "' is no buffer");
      return none;
    }
    Memory& m = *args_[at_++].memory;
    if (m.maps != 0) violation("kernel '" + f_.name + "' works on a buffer that is mapped");
    buffers_.push_back(&m);
    return m;
  }
  Word scalar(Scalar type) {
    Word w;
    if (type == Scalar::Bool) w.i = next<uint8_t>();
    if (type == Scalar::Int32) w.i = next<int32_t>();
    if (type == Scalar::Int64) w.i = next<int64_t>();
    if (type == Scalar::Float32) w.d = double(next<float>());
    if (type == Scalar::Float64) w.d = next<double>();
    return w;
  }

  // ---------------------------------------------------------------- memory
  char* checked(char* p, int bytes) {
    for (const Memory* m : buffers_)
      if (p >= m->start && p + bytes <= m->start + m->bytes) return p;
    for (RowState& r : rows_)
      if (p >= r.elements.data() && p + bytes <= r.elements.data() + r.elements.size()) return p;
    violation("kernel '" + f_.name + "' touches memory that is not its own");
    static char nowhere[16];
    return nowhere;
  }
  Word load(Scalar type, char* address) {
    const char* p = checked(address, scalar_bytes(type));
    Word w;
    auto get = [&](auto v) {
      std::memcpy(&v, p, sizeof v);
      return v;
    };
    if (type == Scalar::Bool) w.i = get(uint8_t{});
    if (type == Scalar::Int32) w.i = get(int32_t{});
    if (type == Scalar::UInt32) w.i = get(uint32_t{});
    if (type == Scalar::UInt64) w.i = int64_t(get(uint64_t{}));
    if (type == Scalar::Int64) w.i = get(int64_t{});
    if (type == Scalar::Float32) w.d = double(get(float{}));
    if (type == Scalar::Float64) w.d = get(double{});
    return w;
  }
  void store(Scalar type, char* address, const Word& w) {
    char* p = checked(address, scalar_bytes(type));
    auto put = [&](auto v) { std::memcpy(p, &v, sizeof v); };
    if (type == Scalar::Bool) put(uint8_t(w.i != 0));
    if (type == Scalar::Int32) put(int32_t(w.i));
    if (type == Scalar::UInt32) put(uint32_t(w.i));
    if (type == Scalar::UInt64) put(uint64_t(w.i));
    if (type == Scalar::Int64) put(w.i);
    if (type == Scalar::Float32) put(float(w.d));
    if (type == Scalar::Float64) put(w.d);
  }

  // ---------------------------------------------------------------- expressions
  static Word of(int64_t i) { return {i, 0, nullptr}; }
  static Word rounded(Scalar type, double d) {
    Word w;
    w.d = type == Scalar::Float32 ? double(float(d)) : d;
    return w;
  }
  static int64_t wrap(Scalar type, uint64_t v) { return type == Scalar::Int32 ? int64_t(int32_t(v)) : int64_t(v); }

  static Word convert(const Word& w, Scalar from, Scalar to) {
    if (is_float(to))
      return rounded(to, is_float(from) ? w.d : to == Scalar::Float32 ? double(float(w.i)) : double(w.i));
    if (to == Scalar::Bool) return of(is_float(from) ? w.d != 0 : w.i != 0);
    if (!is_float(from)) return of(wrap(to, uint64_t(w.i)));
    if (std::isnan(w.d)) return of(0);
    auto saturate = [&](auto limit) -> int64_t {
      using T = decltype(limit);
      if (w.d >= -double(std::numeric_limits<T>::min())) return std::numeric_limits<T>::max();
      if (w.d <= double(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
      return int64_t(T(w.d));
    };
    return of(to == Scalar::Int32 ? saturate(int32_t{}) : saturate(int64_t{}));
  }
  static Word binary(Op op, Scalar operands, Scalar type, const Word& a, const Word& b) {
    if (is_float(operands)) {
      switch (op) {
        // Computed in double and rounded to float: exact for + - * /.
        case Op::Add:
          return rounded(type, a.d + b.d);
        case Op::Sub:
          return rounded(type, a.d - b.d);
        case Op::Mul:
          return rounded(type, a.d * b.d);
        case Op::Div:
          return rounded(type, a.d / b.d);
        case Op::Eq:
          return of(a.d == b.d);
        case Op::Ne:
          return of(a.d != b.d);
        case Op::Lt:
          return of(a.d < b.d);
        case Op::Le:
          return of(a.d <= b.d);
        case Op::Gt:
          return of(a.d > b.d);
        case Op::Ge:
          return of(a.d >= b.d);
        default:
          violation("an operation that floats do not have");
          return {};
      }
    }
    const auto x = uint64_t(a.i), y = uint64_t(b.i);
    switch (op) {
      case Op::Add:
        return of(wrap(type, x + y));
      case Op::Sub:
        return of(wrap(type, x - y));
      case Op::Mul:
        return of(wrap(type, x * y));
      case Op::Div:
      case Op::Rem:
        if (b.i == 0 || (b.i == -1 && a.i == std::numeric_limits<int64_t>::min())) {
          violation("an integer division that has no result");
          return {};
        }
        return of(op == Op::Div ? wrap(type, uint64_t(a.i / b.i)) : a.i % b.i);
      case Op::And:
        return of(a.i & b.i);
      case Op::Or:
        return of(a.i | b.i);
      case Op::Xor:
        return of(a.i ^ b.i);
      case Op::Shl:
      case Op::Shr: {
        const int bits = 8 * lower::scalar_bytes(type), count = static_cast<int>(y % static_cast<unsigned>(bits));
        if (op == Op::Shl) return of(wrap(type, x << count));
        return of(lower::is_unsigned(type) && bits == 64 ? static_cast<int64_t>(x >> count) : a.i >> count);
      }
      case Op::Eq:
        return of(a.i == b.i);
      case Op::Ne:
        return of(a.i != b.i);
      case Op::Lt:
        return of(a.i < b.i);
      case Op::Le:
        return of(a.i <= b.i);
      case Op::Gt:
        return of(a.i > b.i);
      case Op::Ge:
        return of(a.i >= b.i);
      default:
        violation("a unary operation of two operands");
        return {};
    }
  }
  Word eval(ExprP e) {
    switch (e->kind) {
      case Expr::Kind::IntConst:
        return of(e->ival);
      case Expr::Kind::FloatConst:
        return rounded(e->type, e->fval);
      case Expr::Kind::Null:
        return {};
      case Expr::Kind::Var:
        return vars_[size_t(e->var)];
      case Expr::Kind::Unary: {
        const Word a = eval(e->a);
        if (e->op == Op::Not) return of(!a.i);
        if (e->op == Op::Popcount) return of(std::popcount(uint64_t(a.i) << (64 - 8 * lower::scalar_bytes(e->type))));
        return is_float(e->type) ? rounded(e->type, -a.d) : of(wrap(e->type, uint64_t{0} - uint64_t(a.i)));
      }
      case Expr::Kind::Binary: {
        // Expressions are shared: x + x + ... must not take exponential time.
        const Word a = eval(e->a), b = e->b == e->a ? a : eval(e->b);
        return binary(e->op, e->a->type, e->type, a, b);
      }
      case Expr::Kind::Select:
        return eval(e->a).i ? eval(e->b) : eval(e->c);
      case Expr::Kind::Convert:
        return convert(eval(e->a), e->a->type, e->type);
      case Expr::Kind::Math:
        return rounded(e->type, reference(e->fn, eval(e->a).d, e->b ? eval(e->b).d : 0));
      case Expr::Kind::Load:
        return load(e->type, eval(e->a).p + eval(e->b).i);
      case Expr::Kind::Offset: {
        Word w;
        w.p = eval(e->a).p + eval(e->b).i;
        return w;
      }
      case Expr::Kind::Aligned:
        return of(reinterpret_cast<uintptr_t>(eval(e->a).p + eval(e->b).i) % uintptr_t(e->ival) == 0);
      case Expr::Kind::At:
        violation("kernel '" + f_.name + "' has an access that is not linearised");
        return {};
    }
    return {};
  }

  // ---------------------------------------------------------------- statements
  Way block(const Block& b) {
    for (const Stmt& s : b)
      if (const Way way = std::visit([&](const auto& n) { return statement(n); }, s.node); way != Way::On) return way;
    return Way::On;
  }
  Way statement(const SetVar& s) {
    vars_[size_t(s.var)] = eval(s.value);
    return Way::On;
  }
  Way statement(const Store& s) {
    store(s.value->type, eval(s.base).p + eval(s.offset).i, eval(s.value));
    return Way::On;
  }
  /// The address of the first element, checked as a device would check it.
  char* vector(ExprP base, ExprP offset, size_t count, Scalar type) {
    char* p = eval(base).p + eval(offset).i;
    if (reinterpret_cast<uintptr_t>(p) % (count * size_t(scalar_bytes(type))) != 0)
      violation("kernel '" + f_.name + "' accesses a vector that is not aligned");
    return p;
  }
  Way statement(const LoadVector& s) {
    const Scalar type = f_.vars[size_t(s.vars[0])].type;
    char* p = vector(s.base, s.offset, s.vars.size(), type);
    for (size_t k = 0; k < s.vars.size(); ++k)
      vars_[size_t(s.vars[k])] = load(type, p + k * size_t(scalar_bytes(type)));
    return Way::On;
  }
  Way statement(const Fence&) { return Way::On; }
  Way statement(const StoreVector& s) {
    const Scalar type = s.values[0]->type;
    char* p = vector(s.base, s.offset, s.values.size(), type);
    for (size_t k = 0; k < s.values.size(); ++k) store(type, p + k * size_t(scalar_bytes(type)), eval(s.values[k]));
    return Way::On;
  }
  // Rows, one iteration at a time: pending elements become visible at the wait.
  struct RowState {
    char* start = nullptr;
    int64_t step = 0;
    std::vector<char> elements, pending;
    bool loading = false;
  };
  Way statement(const RowAt& s) {
    char* const start = eval(s.base).p + eval(s.offset).i;
    if (f_.rows[size_t(s.row)].times != none && start != rows_[size_t(s.row)].start) add_copies(size_t(s.row));
    rows_[size_t(s.row)].start = start;
    rows_[size_t(s.row)].step = s.step ? eval(s.step).i : scalar_bytes(f_.rows[size_t(s.row)].type);
    return Way::On;
  }
  char* part_of_row(int32_t r, int64_t first, int64_t count) {
    const Row& row = f_.rows[size_t(r)];
    if (count < 0 || count > row.length) violation("kernel '" + f_.name + "' moves more elements than a row has");
    return rows_[size_t(r)].start + first * rows_[size_t(r)].step;
  }
  Way statement(const RowLoad& s) {
    const Scalar type = f_.rows[size_t(s.row)].type;
    const int64_t count = eval(s.count).i;
    char* from = part_of_row(s.row, eval(s.first).i, count);
    RowState& state = rows_[size_t(s.row)];
    state.loading = true;
    for (int64_t k = 0; k < count; ++k)
      std::memcpy(&state.pending[size_t(k * scalar_bytes(type))], checked(from + k * state.step, scalar_bytes(type)),
                  size_t(scalar_bytes(type)));
    return Way::On;
  }
  Way statement(const RowWait& s) {
    for (int32_t r : s.rows) {
      RowState& state = rows_[size_t(r)];
      if (!state.loading) violation("kernel '" + f_.name + "' waits for a row whose load has not begun");
      state.loading = false;
      std::memcpy(state.elements.data(), state.pending.data(), state.pending.size());
    }
    return Way::On;
  }
  Way statement(const RowStore& s) {
    const Scalar type = f_.rows[size_t(s.row)].type;
    const int64_t count = eval(s.count).i;
    char* to = part_of_row(s.row, eval(s.first).i, count);
    for (int64_t k = 0; k < count; ++k)
      std::memcpy(checked(to + k * scalar_bytes(type), scalar_bytes(type)),
                  &rows_[size_t(s.row)].elements[size_t(k * scalar_bytes(type))], size_t(scalar_bytes(type)));
    return Way::On;
  }
  Way statement(const Atomic& s) {
    const Scalar type = f_.vars[size_t(s.result)].type;
    char* p = eval(s.base).p + eval(s.offset).i;
    const Word old = load(type, p), v = eval(s.value);
    const bool less = is_float(type) ? v.d < old.d : v.i < old.i, more = is_float(type) ? v.d > old.d : v.i > old.i;
    Word now = v;
    switch (s.op) {
      case ir::AtomicOp::Cas: {
        const Word want = eval(s.expected);
        if (is_float(type) ? old.d != want.d : old.i != want.i) now = old;
        break;
      }
      case ir::AtomicOp::Add:
        now = binary(Op::Add, type, type, old, v);
        break;
      case ir::AtomicOp::Sub:
        now = binary(Op::Sub, type, type, old, v);
        break;
      case ir::AtomicOp::Min:
        if (!less) now = old;
        break;
      case ir::AtomicOp::Max:
        if (!more) now = old;
        break;
      case ir::AtomicOp::And:
        now = of(old.i & v.i);
        break;
      case ir::AtomicOp::Or:
        now = of(old.i | v.i);
        break;
      default:
        break;
    }
    store(type, p, now);
    vars_[size_t(s.result)] = old;
    return Way::On;
  }
  Way statement(const AliasGroup&) { return Way::On; }
  Way statement(const If& s) { return block(eval(s.cond).i ? s.then_body : s.else_body); }
  Way statement(const CountedLoop& s) {
    const int64_t hi = eval(s.hi).i;
    for (int64_t i = eval(s.lo).i; i < hi; ++i) {
      vars_[size_t(s.var)].i = i;
      const Way way = block(s.body);
      if (way == Way::Out) return way;
      if (way == Way::Break) break;
    }
    return Way::On;
  }
  Way statement(const Solo& s) { return block(s.body); }
  Way statement(const Loop& s) {
    while (true) {
      const Way way = block(s.body);
      if (way == Way::Out) return way;
      if (way == Way::Break) return Way::On;
    }
  }
  Way statement(const Break&) { return Way::Break; }
  Way statement(const Continue&) { return Way::Continue; }
  Way statement(const Fail& s) {
    if (fault_->code == 0) *fault_ = {s.code, s.site, s.index ? eval(s.index).i : 0, s.extent ? eval(s.extent).i : 0};
    return Way::Out;
  }
  Way statement(const Exit&) { return Way::Out; }
  template <class Other>
  Way statement(const Other&) {
    violation("kernel '" + f_.name + "' has a statement that no kernel has");
    return Way::Out;
  }

  const Function& f_;
  const std::vector<Argument>& args_;
  size_t at_ = 0;
  std::vector<Word> vars_;
  std::vector<const Memory*> buffers_;
  std::deque<RowState> rows_;  // of the current iteration
  int64_t counts_[3] = {1, 1, 1};
  Fault* fault_ = nullptr;
};

}  // namespace

void run_kernel(const Function& f, const std::vector<Argument>& args, const std::array<int64_t, 3>& first) {
  Run(f, args).run(first);
}

}  // namespace vr::test::host
