// A host whose objects have no standard layout describes them by one function, has one element type, and owns its
// results.
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

namespace vr {
namespace {

int64_t describing_live = 0;

/// An array of some language: a class with virtual functions, its elements in a std::vector, column-major.
class Described {
 public:
  Described(int32_t rank, const int64_t* extents) : shape(extents, extents + rank) {
    size_t n = 1;
    for (const int64_t e : shape) n *= static_cast<size_t>(e);
    elements.resize(n);
    ++describing_live;
  }
  virtual ~Described() { --describing_live; }
  std::atomic<int> count{1};
  std::vector<int64_t> shape;
  std::vector<double> elements;
  bool broken = false, frozen = false;
};

// ---- [describe]
struct DescribingHost {
  using Object = Described;
  static constexpr const char* name = "describing";
  static constexpr uint32_t elements = host_elements({VR_FLOAT64});
  static int32_t describe(Described* d, vr_array& out) {
    if (d->broken) return VR_TYPE;
    out.data = d->elements.data();
    out.elem = VR_FLOAT64;
    out.rank = static_cast<int32_t>(d->shape.size());
    int64_t step = sizeof(double);
    for (size_t k = 0; k < d->shape.size(); ++k) {
      out.extent[k] = d->shape[k];
      out.stride[k] = step;
      step *= d->shape[k];
    }
    if (d->frozen) out.flags = VR_ARRAY_READ_ONLY;
    return VR_OK;
  }
  // ---- [allocate]
  static Described* allocate(int32_t elem, int32_t rank, const int64_t* extents, ir::Layout) {
    return elem == VR_FLOAT64 ? new Described(rank, extents) : nullptr;
  }
  static void retain(Described* d) { ++d->count; }
  static void release(Described* d) {
    if (--d->count == 0) delete d;
  }
  static ir::Conventions conventions() {
    ir::Conventions c = ir::Conventions::numpy();
    c.slices = ir::SliceMode::Copy;
    c.broadcast = ir::BroadcastMode::Leading;
    return c;
  }
};

constexpr const char* describing_text = R"(
def split(x: strided float64[:]) -> (float64[:], float64[:], float64):
    up = zeros(x.shape[0])
    down = zeros(x.shape[0])
    for i in range(0, x.shape[0]):
        up[i] = x[i] + 1.0
        down[i] = x[i] - 1.0
    return up, down, up[0]

def fill(x: strided float64[:]) -> float64:
    x[0] = 7.0
    return x[0]
)";

Options for_target(Target t) {
  Options o;
  o.target = t;
  return o;
}

Described* numbers(std::vector<double> values) {
  const auto n = static_cast<int64_t>(values.size());
  auto* d = new Described(1, &n);
  d->elements = std::move(values);
  return d;
}

class DescribedArrays : public testing::TestWithParam<Target> {};
INSTANTIATE_TEST_SUITE_P(Targets, DescribedArrays, testing::Values(Target::Interp, Target::Cpu, Target::CpuParallel),
                         [](const auto& info) {
                           std::string s = target_name(info.param);
                           std::erase(s, '-');
                           return s;
                         });

TEST_P(DescribedArrays, AreReadAndReleased) {
  ASSERT_EQ(describing_live, 0);
  {
    const HostBinding binding = make_binding<DescribingHost>();
    const Status fits = check_binding(binding);
    ASSERT_TRUE(fits) << fits.error().text();
    auto engine = Engine::create(for_target(GetParam()), binding);
    ASSERT_TRUE(engine) << engine.error().text();
    auto module = engine->load(describing_text, "split.vrir");
    ASSERT_TRUE(module) << module.error().text();
    auto split = module->function("split"), fill = module->function("fill");
    ASSERT_TRUE(split && fill);
    Described* x = numbers({1, 2, 3});
    Described* kept = nullptr;
    {
      auto dropped = call_owned(*split, Value::object(x));
      ASSERT_TRUE(dropped) << dropped.error().text();
      auto r = call_owned(*split, Value::object(x));
      ASSERT_TRUE(r) << r.error().text();
      EXPECT_EQ(describing_live, 5);
      ASSERT_EQ(r->size(), 3u);
      EXPECT_EQ((*r)[2].as_double(), 2);
      EXPECT_EQ(r->take(2), nullptr);
      Results moved = std::move(*r);
      kept = static_cast<Described*>(moved.take(1));
      EXPECT_EQ(moved.take(1), nullptr);
      ASSERT_NE(kept, nullptr);
      EXPECT_EQ(static_cast<Described*>(moved[0].object())->elements, (std::vector<double>{2, 3, 4}));
      *dropped = std::move(moved);
      EXPECT_EQ(describing_live, 3);
    }
    EXPECT_EQ(describing_live, 2);
    EXPECT_EQ(kept->elements, (std::vector<double>{0, 1, 2}));
    DescribingHost::release(kept);

    x->frozen = true;
    auto stored = call_owned(*fill, Value::object(x));
    ASSERT_FALSE(stored);
    EXPECT_EQ(stored.error().code, Code::ReadOnly);
    x->frozen = false, x->broken = true;
    auto unread = call_owned(*fill, Value::object(x));
    ASSERT_FALSE(unread);
    EXPECT_EQ(unread.error().code, Code::Type);
    DescribingHost::release(x);
  }
  EXPECT_EQ(describing_live, 0);
}

TEST(DescribingHosts, OfTheBuiltInHostCountThemselves) {
  auto engine = Engine::create(for_target(Target::Cpu));
  auto module = engine->load(describing_text, "split.vrir");
  ASSERT_TRUE(module) << module.error().text();
  auto split = module->function("split");
  Array held;
  {
    auto r = call_owned(*split, Array::from({4, 5}));
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ(r->take(0), nullptr);
    held = (*r)[0].array();
  }
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(held.data_as<double>()[1], 6);
}

TEST(DescribingHosts, OfOtherElementTypesAreRefusedAtLoad) {
  auto engine = Engine::create(for_target(Target::Cpu), make_binding<DescribingHost>());
  ASSERT_TRUE(engine);
  auto refused = [&](const std::string& text) {
    auto m = engine->load(text, "other.vrir");
    return m ? std::string() : m.error().text();
  };
  EXPECT_NE(refused("def f(x: int32[:]) -> int32:\n    return x[0]\n").find("'f' takes or returns arrays of int32"),
            std::string::npos);
  EXPECT_NE(refused("def f(x: float64[:]) -> float32[:]:\n    y = zeros(float32, 2)\n    return y\n").find("float32"),
            std::string::npos);
  EXPECT_EQ(refused("def f(x: float64[:], n: int32) -> float64:\n    return x[0]\n"), "");
}

constexpr const char* points_text = R"((module :name m :indexing 1 (fns
 (function f
  (functype (intypes (float64 :ctype 0)) (outtypes (float64 :ctype 0)))
  (arglist (arg :id 0))
  (body
   (assignstmt (lhs (name :id 1 (arraytype :layout colmajor :ndims 2 (float64 :ctype 0))))
    (rhs (fncall :fnname linspace (arraytype :layout colmajor :ndims 2 (float64 :ctype 0))
     (args (realconst :dval 10.0 (float64 :ctype 0)) (realconst :dval 20.0 (float64 :ctype 0)) (name :id 0 (float64 :ctype 0))))))
   (assignstmt (lhs (name :id 2 (float64 :ctype 0)))
    (rhs (fncall :fnname sum (float64 :ctype 0) (args (name :id 1 (arraytype :layout colmajor :ndims 2 (float64 :ctype 0)))))))
   (returnstmt (exprs (name :id 2 (float64 :ctype 0)))))
  (symtable (sym :id 0 :name n (float64 :ctype 0)) (sym :id 1 :name a (arraytype :layout colmajor :ndims 2 (float64 :ctype 0)))
            (sym :id 2 :name b (float64 :ctype 0)))))))";

TEST(ModulesOfOneEngine, HaveDialectsOfTheirOwn) {
  auto engine = Engine::create(for_target(Target::Cpu));
  EXPECT_FALSE(engine->load(points_text, "points.vrir"));
  LoadOptions own;
  own.dialect = ir::Dialect::Mclab;
  auto points = engine->load(points_text, "points.vrir", own);
  ASSERT_TRUE(points) << points.error().text();
  auto strict = engine->load(describing_text, "split.vrir");
  ASSERT_TRUE(strict) << strict.error().text();
  auto r = (*points->function("f"))(5.0);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ((*r)[0].as_double(), 75);
}

TEST(ModulesOfOneEngine, HaveTargetsOfTheirOwn) {
  auto engine = Engine::create(for_target(Target::CpuParallel));
  auto on = [&](Target t) {
    LoadOptions own;
    own.target = t;
    return engine->load(describing_text, "split.vrir", own);
  };
  for (const Target t : {Target::Interp, Target::Cpu, Target::CpuParallel}) {
    auto module = on(t);
    ASSERT_TRUE(module) << module.error().text();
    auto split = module->function("split");
    ASSERT_TRUE(split);
    EXPECT_EQ(split->entry() == nullptr, t == Target::Interp);
    EXPECT_EQ(bool(module->dump(Module::Dump::LlvmIr)), t != Target::Interp);
    auto r = (*split)(Array::from({1, 2}));
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ((*r)[1].array().data_as<double>()[1], 1);
  }
  auto device = on(Target::OpenCL);
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().code, Code::Usage);
  auto one = Engine::create(for_target(Target::Cpu));
  LoadOptions parallel;
  parallel.target = Target::CpuParallel;
  auto more = one->load(describing_text, "split.vrir", parallel);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, Code::Usage);
}

}  // namespace
}  // namespace vr
