// Programs of the gallery from C++: VRIR in the short syntax (docs/short-syntax.md), compiled and compared with plain
// C++.
//   vr_example_gallery
#include <velociraptor/velociraptor.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

using Picture = std::vector<double>;  // n rows of n elements

// ---- [heat]
const char* const heat_text = R"(
def heat(n: int64, steps: int64) -> float64[:,:]:
    a = zeros(n, n)
    a[0, :] = 1.0
    b = copy(a)
    for s in range(steps):
        pfor i, j in range(1, n - 1), range(1, n - 1) shared (a, b):
            b[i, j] = a[i, j] + 0.2 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1] - 4.0 * a[i, j])
        t = a
        a = b
        b = t
    return a
)";

Picture heat(int n, int steps) {
  Picture a(n * n), b;
  for (int j = 0; j < n; ++j) a[j] = 1;
  b = a;
  for (int s = 0; s < steps; ++s) {
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j) {
        const double* p = &a[i * n + j];
        b[i * n + j] = p[0] + 0.2 * (p[-n] + p[n] + p[-1] + p[1] - 4 * p[0]);
      }
    std::swap(a, b);
  }
  return a;
}

// ---- [mandelbrot]
const char* const mandelbrot_text = R"(
def mandelbrot(n: int64, limit: int64) -> float64[:,:]:
    out = zeros(n, n)
    pfor i, j in range(n), range(n) shared (out, n, limit):
        x0 = -2.2 + 3.0 * j / n
        y0 = -1.5 + 3.0 * i / n
        x = 0.0
        y = 0.0
        k = 0
        while k < limit and x * x + y * y < 4.0:
            t = x * x - y * y + x0
            y = 2.0 * x * y + y0
            x = t
            k = k + 1
        out[i, j] = log(1.0 + k)
    return out
)";

Picture mandelbrot(int n, int limit) {
  Picture out(n * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double x0 = -2.2 + 3.0 * j / n, y0 = -1.5 + 3.0 * i / n;
      double x = 0, y = 0;
      int k = 0;
      for (; k < limit && x * x + y * y < 4; ++k) {
        const double t = x * x - y * y + x0;
        y = 2 * x * y + y0;
        x = t;
      }
      out[i * n + j] = std::log(1.0 + k);
    }
  return out;
}

// ---- [waves]
const char* const waves_text = R"(
def waves(n: int64, steps: int64) -> float64[:,:]:
    now = zeros(n, n)
    before = zeros(n, n)
    after = zeros(n, n)
    for s in range(steps):
        now[n / 3, n / 3] = sin(0.3 * s)
        now[2 * n / 3, n / 2] = sin(0.3 * s)
        pfor i, j in range(1, n - 1), range(1, n - 1) shared (now, before, after):
            around = now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1] - 4.0 * now[i, j]
            after[i, j] = 2.0 * now[i, j] - before[i, j] + 0.25 * around
        before[:, :] = now
        now[:, :] = after
    return now
)";

Picture waves(int n, int steps) {
  Picture now(n * n), before(n * n), after(n * n);
  for (int s = 0; s < steps; ++s) {
    now[n / 3 * n + n / 3] = now[2 * n / 3 * n + n / 2] = std::sin(0.3 * s);
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j) {
        const double* p = &now[i * n + j];
        const double around = p[-n] + p[n] + p[-1] + p[1] - 4 * p[0];
        after[i * n + j] = 2 * p[0] - before[i * n + j] + 0.25 * around;
      }
    before = now;
    now = after;
  }
  return now;
}

// ---- [main]
/// Compiles the module, calls its function, and compares each element.
bool agrees(const vr::Engine& engine, const char* name, const char* text, const Picture& wanted, int n, int steps) {
  auto module = engine.load(text, name);
  if (!module) return std::puts(module.error().text().c_str()), false;
  auto function = vr::typed<vr::Array(int64_t, int64_t)>(*module, name);
  if (!function) return std::puts(function.error().text().c_str()), false;
  auto picture = (*function)(n, steps);
  if (!picture) return std::puts(picture.error().text().c_str()), false;
  const double* got = picture->data_as<double>();
  double largest = 0, sum = 0;
  for (size_t k = 0; k < wanted.size(); ++k) {
    largest = std::fmax(largest, std::fabs(got[k] - wanted[k]));
    sum += got[k];
  }
  const bool right = picture->size() == int64_t(wanted.size()) && largest < 1e-12;
  std::printf("%s: %d x %d, sum %.6f, %s\n", name, n, n, sum, right ? "as plain C++" : "NOT as plain C++");
  return right;
}

int main() {
  auto engine = vr::Engine::create();
  if (!engine) return std::puts(engine.error().text().c_str()), 1;
  bool right = agrees(*engine, "heat", heat_text, heat(40, 60), 40, 60);
  right &= agrees(*engine, "mandelbrot", mandelbrot_text, mandelbrot(48, 60), 48, 60);
  right &= agrees(*engine, "waves", waves_text, waves(36, 50), 36, 50);
  return right ? 0 : 1;
}
