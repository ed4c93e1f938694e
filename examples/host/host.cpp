// A complete host: a language with matrices of its own, connected to Velociraptor. docs/new-host.md explains each part.
#include <velociraptor/velociraptor.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

// ---- [object] the host's array object
struct Matrix {
  std::atomic<int> count{1};  // references
  int32_t rank = 0;
  int64_t dims[4] = {};  // the first dimension is contiguous
  bool frozen = false;   // elements must not be changed
  double* values = nullptr;
  Matrix* parent = nullptr;  // the matrix that owns the elements; null: this one
};
int live = 0;  // objects that exist

Matrix* make_matrix(int32_t rank, const int64_t* dims) {
  auto* m = new Matrix;
  size_t size = 1;
  m->rank = rank;
  for (int32_t k = 0; k < rank; ++k) size *= static_cast<size_t>(m->dims[k] = dims[k]);
  m->values = static_cast<double*>(std::calloc(size ? size : 1, sizeof(double)));
  ++live;
  return m;
}

void drop(Matrix* m) {
  if (--m->count > 0) return;
  m->parent ? drop(m->parent) : std::free(m->values);
  delete m;
  --live;
}

// ---- [binding] how Velociraptor accesses it
std::string last_error;

struct Host {
  using Object = Matrix;
  static constexpr const char* name = "matrices";

  static vr::HostField data() { return VR_HOST_VALUE(Matrix, values); }
  static vr::HostField elem() { return vr::HostField::constant(VR_FLOAT64); }
  static vr::HostField rank() { return VR_HOST_VALUE(Matrix, rank); }
  static vr::HostField extents() { return VR_HOST_VALUES(Matrix, dims); }
  static vr::HostField read_only() { return VR_HOST_VALUE(Matrix, frozen); }
  static constexpr vr::StrideUnit stride_unit = vr::StrideUnit::None;
  static constexpr vr::ir::Layout layout = vr::ir::Layout::ColMajor;

  static Matrix* allocate(int32_t elem, int32_t rank, const int64_t* extents, vr::ir::Layout) {
    if (elem != VR_FLOAT64 || rank > 4) return nullptr;  // this language has no such arrays
    return make_matrix(rank, extents);
  }
  static void retain(Matrix* m) { ++m->count; }
  static void release(Matrix* m) { drop(m); }

  // Stores the message until the call has returned; a real host would create its exception object here.
  static void raise(const vr_error& e) { last_error = vr::ErrorRecord::from(e).text(); }

  static vr::ir::Conventions conventions() {
    vr::ir::Conventions c = vr::ir::Conventions::numpy();
    c.indexing = 1;     // x[1] is the first element
    c.exclude = false;  // 1:n includes n
    c.slices = vr::ir::SliceMode::Copy;
    c.broadcast = vr::ir::BroadcastMode::Leading;  // new arrays are column-major
    return c;
  }
};

// ---- [interrupt] ending calls that run
int32_t interrupt = 0;  // a signal handler would set it
bool stop = false;      // the decision of the host's own signal handler

int32_t poll(void*) {
  interrupt = 0;  // cleared first, so that a signal during the handler is not lost
  return stop ? 1 : 0;
}

// ---- [extern] a host function that programs call: the interest rate of a year
int32_t rate(void* table, vr_external_call* call, const vr_value* args, vr_value* results) {
  const int64_t year = args[0].i64;
  if (year < 1 || year > 3) return call->fail(call, 17, "no rate for this year");
  results[0].f64 = static_cast<const double*>(table)[year - 1];
  return 0;
}

// ---- [program] three functions, as a front end would build them
vr::Result<vr::ir::ModulePtr> program() {
  using namespace vr::ir;
  ModuleBuilder m("bank", {}, Host::conventions());
  const Type vector = f64_array(1, Layout::ColMajor);
  m.external("rate", {i64()}, {f64()});

  FunctionBuilder& grow = m.function("grow", {vector});  // adds the interest of n years and returns the gains
  {
    E money = grow.arg("money", vector), n = grow.arg("n", i64());
    E gain = grow.local("gain", vector), year = grow.local("year", i64()), i = grow.local("i", i64());
    E r = grow.local("r", f64());
    grow.at("bank.my:2:3");
    grow.assign(gain, grow.zeros(f64(), {grow.dim(money, 1)}));
    grow.for_(year, range_to(1, n), [&] {
      grow.assign(r, grow.call("rate", {year}));
      grow.for_(i, range_to(1, grow.dim(money, 1)), [&] {
        grow.at("bank.my:5:7");
        grow.assign(gain(i), gain(i) + money(i) * r);
        grow.assign(money(i), money(i) * (1.0 + r));
      });
    });
    grow.return_({gain});
  }
  FunctionBuilder& pick = m.function("pick", {f64()});
  {
    E x = pick.arg("x", vector), k = pick.arg("k", i64());
    pick.at("bank.my:9:3");
    pick.return_({x(k)});
  }
  FunctionBuilder& spin = m.function("spin");  // an endless loop
  {
    E k = spin.local("k", i64());
    spin.at("bank.my:12:3");
    spin.assign(k, 0);
    spin.while_(spin.binary(Kind::Geq, k, 0), [&] { spin.assign(k, k * 1); });
  }
  return m.finish();
}

// ---- [main]
int fail(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  return 1;
}

int main() {
  vr::HostBinding binding = vr::make_binding<Host>();
  binding.interrupt = &interrupt;
  binding.poll = poll;
  if (auto s = vr::check_binding(binding); !s) return fail(s.error().text());

  {
    auto engine = vr::Engine::create({}, binding);
    if (!engine) return fail(engine.error().text());
    static const double rates[] = {0.1, 0.2, 0.5};
    const auto type = vr::ir::Type::function({vr::ir::i64()}, {vr::ir::f64()});
    if (auto s = engine->bind("rate", type, rate, const_cast<double*>(rates)); !s) return fail(s.error().text());

    auto tree = program();
    if (!tree) return fail(tree.error().text());
    auto module = engine->load(*tree);
    if (!module) return fail(module.error().text());
    auto grow = module->function("grow"), pick = module->function("pick"), spin = module->function("spin");
    if (!grow || !pick || !spin) return fail("a function is missing");

    const int64_t two = 2;
    Matrix* money = make_matrix(1, &two);
    money->values[0] = 100, money->values[1] = 10;

    auto gains = vr::call_owned(*grow, vr::Value::object(money), int64_t{2});  // released at the end of the block
    if (!gains) return fail(gains.error().text());
    auto* gain = static_cast<Matrix*>((*gains)[0].object());
    std::printf("money %g %g, gains %g %g\n", money->values[0], money->values[1], gain->values[0], gain->values[1]);

    if (!(*pick)(vr::Value::object(money), int64_t{3})) std::printf("%s\n", last_error.c_str());
    if (!(*grow)(vr::Value::object(money), int64_t{9})) std::printf("%s\n", last_error.c_str());
    money->frozen = true;
    if (!(*grow)(vr::Value::object(money), int64_t{1})) std::printf("%s\n", last_error.c_str());

    interrupt = 1, stop = true;
    if (!(*spin)()) std::printf("%s\n", last_error.c_str());
    drop(money);
  }
  std::printf("%d objects left\n", live);
}
