// bench_runtime: overheads of the runtime in nanoseconds: allocating and releasing an array by size, on one thread and
// on two; and calling a function with almost no work, by number of array arguments, through vr::Function and through
// the native entry.
#include "runtime/abi.h"
#include "runtime/cpu/owner.hpp"
#include "runtime/cpu/pool.hpp"

#include <velociraptor/velociraptor.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

/// Nanoseconds of one of the `count` repetitions in f: the best of several runs.
double ns_each(int64_t count, const std::function<void(int64_t)>& f) {
  double best = 1e300;
  for (int run = 0; run < 7; ++run) {
    const auto begin = Clock::now();
    f(count);
    best = std::min(best, std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
  }
  return best / static_cast<double>(count);
}

[[noreturn]] void die(const std::string& why) {
  std::fprintf(stderr, "bench_runtime: %s\n", why.c_str());
  std::exit(1);
}

const vr_site site = {"bench", "", "a", "", -1, 0};

vr_array allocate(vr_context& ctx, int64_t bytes, int32_t where, int32_t fill = VR_FILL_NONE) {
  vr_array a;
  const int64_t extent = bytes / 8;
  if (vr_rt_alloc(&ctx, &site, &a, VR_FLOAT64, 1, &extent, VR_ROWMAJOR, fill, where) != VR_OK) die("no memory");
  return a;
}

void allocations(bool quick) {
  std::printf("%-10s %10s %10s %10s %10s %10s\n", "bytes", "engine", "host", "16 live", "2 threads", "vr::Array");
  vr_context ctx;
  ctx.host = &vr::builtin_binding();
  for (int64_t bytes : {int64_t{0}, int64_t{16}, int64_t{256}, int64_t{4096}, int64_t{65536}, int64_t{500000},
                        int64_t{4} << 20, int64_t{64} << 20}) {
    const int64_t count = bytes > 100000 ? 20000 : quick ? 200000 : 2000000;
    auto one = [&](int32_t where) {
      return ns_each(count, [&](int64_t n) {
        for (int64_t i = 0; i < n; ++i) vr_rt_release(allocate(ctx, bytes, where).owner);
      });
    };
    const double engine = one(VR_IN_ENGINE), host = one(VR_IN_HOST);
    const double many = bytes > 100000 ? 0 : ns_each(count / 16, [&](int64_t n) {
                                               vr_owner* owners[16];
                                               for (int64_t i = 0; i < n; ++i) {
                                                 for (vr_owner*& o : owners)
                                                   o = allocate(ctx, bytes, VR_IN_ENGINE).owner;
                                                 for (vr_owner* o : owners) vr_rt_release(o);
                                               }
                                             }) / 16;
    const double threads = ns_each(count, [&](int64_t n) {
      auto work = [&, n] {
        vr_context own;
        for (int64_t i = 0; i < n; ++i) vr_rt_release(allocate(own, bytes, VR_IN_ENGINE).owner);
      };
      std::thread other(work);
      work();
      other.join();
    });
    const double array = ns_each(count, [&](int64_t n) {
      const int64_t extent = bytes / 8;
      for (int64_t i = 0; i < n; ++i)
        if (!vr::Array::empty(vr::Elem::Float64, {&extent, 1})) die("no memory");
    });
    std::printf("%-10lld %10.1f %10.1f %10.1f %10.1f %10.1f\n", static_cast<long long>(bytes), engine, host, many,
                threads, array);
  }
  std::printf(
      "reference counts (ns): retain and release of a shared owner %.1f, of NULL %.1f\n",
      [&] {
        vr_array a = allocate(ctx, 64, VR_IN_ENGINE);
        const double ns = ns_each(1000000, [&](int64_t n) {
          for (int64_t i = 0; i < n; ++i) vr_rt_retain(a.owner), vr_rt_release(a.owner);
        });
        vr_rt_release(a.owner);
        return ns;
      }(),
      ns_each(1000000, [&](int64_t n) {
        for (int64_t i = 0; i < n; ++i) vr_rt_retain(nullptr), vr_rt_release(nullptr);
      }));
}

/// The bandwidth, in GB/s, of the first write to fresh memory and of writing it again: the benefit of reusing large
/// blocks.
void first_touch() {
  vr_context ctx;
  for (int64_t mib : {2, 16, 128}) {
    const int64_t bytes = mib << 20;
    auto rate = [&](int64_t n, auto&& f) { return static_cast<double>(bytes) / ns_each(n, f); };
    auto write = [&](int64_t n) {
      for (int64_t i = 0; i < n; ++i) {
        vr_array a = allocate(ctx, bytes, VR_IN_ENGINE);
        std::memset(a.data, 1, static_cast<size_t>(bytes));
        vr_rt_release(a.owner);
      }
    };
    const int64_t bound = vr::runtime::pool_bound();
    const double again = rate(4, write);
    vr::runtime::pool_set_bound(0);
    const double fresh = rate(4, write);
    vr::runtime::pool_set_bound(bound);
    std::printf("writing %3lld MiB: reused %.1f GB/s, fresh from the system %.1f GB/s\n", static_cast<long long>(mib),
                again, fresh);
  }
}

const char* const vector_type = "(arraytype :layout rowmajor :ndims 1 (float64))";
const char* const first = "(indices (index (realconst :ival 0 (int64))))";

/// def f(a0, a1, ...): return a0[0] + a1[0] + ...   (returns_array: def g(a0, ...): r = empty(1); r[0] = ...; return r)
std::string program(int arrays, bool returns_array) {
  std::string types, args, symbols, sum = "(realconst :dval 1 (float64))";
  for (int k = 0; k < arrays; ++k) {
    const std::string id = std::to_string(k);
    types += vector_type;
    args += "(arg :id " + id + ")";
    symbols += "(sym :id " + id + " :name a" + id + " " + vector_type + ")";
    sum = "(plus (float64) (lhs " + sum + ") (rhs (index :arrayid " + id + " (float64) " + first + ")))";
  }
  std::string body = "(returnstmt (exprs " + sum + "))", out = "(float64)";
  if (returns_array) {
    const std::string id = std::to_string(arrays);
    symbols += "(sym :id " + id + " :name r " + vector_type + ")";
    out = vector_type;
    body = "(assignstmt (lhs (name :id " + id + " " + vector_type + ")) (rhs (alloc :func empty " + vector_type +
           " (args (realconst :ival 1 (int64)))))) (assignstmt (lhs (index :arrayid " + id + " (float64) " + first +
           ")) (rhs " + sum + ")) (returnstmt (exprs (name :id " + id + " " + vector_type + ")))";
  }
  return "(module :name calls :indexing 0 (fns (function f (functype (intypes " + types + ") (outtypes " + out +
         ")) (arglist " + args + ") (body " + body + ") (symtable " + symbols + "))))";
}

void calls(bool quick) {
  std::printf("\n%-28s %12s %12s %12s\n", "call (ns)", "Function", "same args", "raw entry");
  vr::Options o;
  o.target = vr::Target::Cpu;
  auto engine = vr::Engine::create(o);
  if (!engine) die(engine.error().text());
  for (int shape = 0; shape < 8; ++shape) {
    const int arrays = shape / 2 == 3 ? 8 : shape / 2 == 2 ? 3 : shape / 2;
    const bool returns_array = shape % 2 != 0;
    auto module = engine->load(program(arrays, returns_array));
    if (!module) die(module.error().text());
    auto f = module->function("f");
    if (!f) die(f.error().text());
    std::vector<vr::Array> given;
    std::vector<vr::Value> args;
    for (int k = 0; k < arrays; ++k) {
      given.push_back(vr::Array::from({double(k)}));
      args.emplace_back(given.back());
    }
    auto expect = [&](const std::vector<vr::Value>& r) {
      const double got = returns_array ? *r[0].array().data_as<double>() : r[0].as_double();
      if (r.size() != 1 || got != 1 + arrays * (arrays - 1) / 2) die("a call gave a wrong result");
    };
    const int64_t count = quick ? 100000 : 1000000;
    // A host creates the Values for each call, so the time includes that.
    const double whole = ns_each(count, [&](int64_t n) {
      std::vector<vr::Value> made;
      for (int64_t i = 0; i < n; ++i) {
        made.clear();
        for (const vr::Array& a : given) made.emplace_back(a);
        auto r = f->call(made);
        if (!r) die(r.error().text());
        if (i == 0) expect(*r);
      }
    });
    const double kept = ns_each(count, [&](int64_t n) {
      for (int64_t i = 0; i < n; ++i) {
        auto r = f->call(args);
        if (!r) die(r.error().text());
      }
    });
    const vr_entry entry = f->entry();
    const double raw = ns_each(count, [&](int64_t n) {
      vr_context ctx;
      ctx.host = &vr::builtin_binding();
      vr_array arrays_in[8], out_array;
      vr_owner owners[8];
      vr_value in[8], out;
      for (int k = 0; k < arrays; ++k) {
        arrays_in[k] = given[static_cast<size_t>(k)].descriptor();
        vr::runtime::init_borrowed_owner(&owners[k], ctx.host, given[static_cast<size_t>(k)].object());
        owners[k].refs = INT32_MAX;
        arrays_in[k].owner = &owners[k];
        in[k].array = &arrays_in[k];
      }
      out_array.owner = nullptr;
      for (int64_t i = 0; i < n; ++i) {
        out.array = &out_array;
        if (entry(&ctx, in, &out) != VR_OK) die("a raw call failed");
        if (returns_array) vr_rt_release(out_array.owner);
      }
    });
    std::printf("%d array argument%s -> %-9s %12.1f %12.1f %12.1f\n", arrays, arrays == 1 ? " " : "s",
                returns_array ? "array" : "number", whole, kept, raw);
  }
}

/// def f(a0, a1, a2, n): for i in range(n): a0[i] = a1[i] + a2[i]: the native entry for n = 1, without a dispatcher and
/// with one that finds an existing version.
void dispatcher(bool quick) {
  auto element = [](int id) {
    return "(index :arrayid " + std::to_string(id) + " (float64) (indices (index (name :id 4 (int64)))))";
  };
  std::string types, args, symbols;
  for (int k = 0; k < 3; ++k) {
    const std::string id = std::to_string(k);
    types += vector_type;
    args += "(arg :id " + id + ")";
    symbols += "(sym :id " + id + " :name a" + id + " " + vector_type + ")";
  }
  const std::string text =
      "(module :name calls :indexing 0 (fns (function f (functype (intypes " + types +
      " (int64)) (outtypes (void))) (arglist " + args +
      " (arg :id 3)) (body (forstmt (itervars 4) (loopdomain (domain " +
      "(domaintype :ndims 1 (int64)) (range (stop (name :id 3 (int64)))))) (body (assignstmt (lhs " + element(0) +
      ") (rhs (plus (float64) (lhs " + element(1) + ") (rhs " + element(2) + "))))))) (symtable " + symbols +
      "(sym :id 3 :name n (int64)) (sym :id 4 :name i (int64))))))";
  double ns[2];
  for (int regions = 0; regions < 2; ++regions) {
    vr::Options o;
    o.target = vr::Target::Cpu;
    o.regions = regions ? vr::RegionMode::Sync : vr::RegionMode::Off;
    auto engine = vr::Engine::create(o);
    if (!engine) die(engine.error().text());
    auto module = engine->load(text);
    if (!module) die(module.error().text());
    auto f = module->function("f");
    if (!f) die(f.error().text());
    const vr_entry entry = f->entry();
    const int64_t count = quick ? 100000 : 1000000;
    ns[regions] = ns_each(count, [&](int64_t n) {
      vr_context ctx;
      ctx.host = &vr::builtin_binding();
      vr::Array given[3];
      vr_array arrays_in[3];
      vr_owner owners[3];
      vr_value in[4], out;
      for (int k = 0; k < 3; ++k) {
        given[k] = vr::Array::from({double(k)});
        arrays_in[k] = given[k].descriptor();
        vr::runtime::init_borrowed_owner(&owners[k], ctx.host, given[k].object());
        owners[k].refs = INT32_MAX;
        arrays_in[k].owner = &owners[k];
        in[k].array = &arrays_in[k];
      }
      in[3].i64 = 1;
      for (int64_t i = 0; i < n; ++i)
        if (entry(&ctx, in, &out) != VR_OK) die("a raw call failed");
      if (given[0].data_as<double>()[0] != 3) die("a raw call gave a wrong result");
    });
    if (regions && (module->regions().size() != 1 || module->regions()[0].hits < count)) die("no version was found");
  }
  std::printf(
      "\nregion of three arrays and a number: raw entry %.1f ns without a dispatcher, %.1f ns with one: %.1f ns\n",
      ns[0], ns[1], ns[1] - ns[0]);
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  if (argc > 2 || (argc == 2 && !quick)) die("usage: bench_runtime [--quick]");
  std::printf("nanoseconds of one allocation and release, or of one call; best of 7 runs\n");
  allocations(quick);
  first_touch();
  calls(quick);
  dispatcher(quick);
  return 0;
}
