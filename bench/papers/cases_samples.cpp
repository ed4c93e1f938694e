#include "suite.hpp"

#include <algorithm>
#include <cmath>

namespace papers {

namespace {

void add_filters(Table& t) {
  t.fast("convolution_separable", [](Setup& s) {
    const int64_t h = s.pick(8192, 275), w = s.pick(8192, 84), strip = 120;
    const Buf a = s.array(f32, {h + 16, w + 16}, -1, 1), weight = s.array(f32, {17}, 0, 0.1),
              mid = s.result(f32, {h + 16, w}), out = s.result(f32, {h, w});
    s.launch("convolution_separable", {w / 4, (h + strip - 1) / strip}, {64, 1},
             {a, weight, mid, out, int(h), int(w), int(strip)});
    s.work(12.0 * double(h * w), "TB/s");
    s.bound(1e-4);
  });
  t.fast("non_local_means", [](Setup& s) {
    const int64_t h = s.pick(4096, 51), w = s.pick(4096, 84);
    const Buf a = s.array(f32, {h, w}, 0, 1), out = s.result(f32, {h, w});
    s.number(2.0f);
    s.launch("non_local_means", {w / 4, (h - 11) / 2}, {16, 8}, {a, out, 2.0f, int(h), int(w)});
    s.work(121.0 * double(h * w), "Tpatch/s");
    s.bound(1e-4);
  });
  t.strict("semi_lagrangian", [](Setup& s) {
    const int64_t h = s.pick(8192, 75), w = s.pick(8192, 83);
    const Buf q = s.array(f32, {h, w}, 0, 1), u = s.array(f32, {h, w}, 0, 0), v = s.array(f32, {h, w}, 0, 0),
              out = s.result(f32, {h, w});
    std::vector<float> wave(static_cast<size_t>(h + w));
    for (int64_t k = 0; k < h + w; ++k) wave[size_t(k)] = float(std::sin(0.01 * double(k)));
    for (int64_t i = 0; i < h; ++i)
      for (int64_t j = 0; j < w; ++j) {
        s.host<float>(u)[i * w + j] = 4 * wave[size_t(i)] + wave[size_t(j)];
        s.host<float>(v)[i * w + j] = 4 * wave[size_t(i + j)];
      }
    s.number(0.75f);
    s.launch("semi_lagrangian", {w, (h + 31) / 32 * 8}, {32, 8}, {q, u, v, out, 0.75f, int(h), int(w)});
    s.work(16.0 * double(h * w), "TB/s");
  });
  t.fast("upfirdn", [](Setup& s) {
    const int64_t rows = s.pick(512, 3), n = s.pick(65536, 1508);
    const Buf x = s.array(f32, {rows, n}, -1, 1), h = s.array(f32, {64}, -1, 1), y = s.result(f32, {rows, 4 * n});
    s.launch("upfirdn", {256 * ((n + 1023) / 1024), rows}, {256, 1}, {x, h, y, int(n)});
    s.work(20.0 * double(rows * n), "TB/s");
    s.bound(1e-4);
  });
  t.strict("grid_sample", [](Setup& s) {
    const int64_t channels = s.pick(128, 19), h = s.pick(512, 21), w = s.pick(512, 30), side = s.pick(1024, 32),
                  n = s.pick(side * side, side * side - 21);
    const Buf a = s.array(f32, {channels, h, w}, -1, 1), px = s.array(f32, {n}, 0, 0), py = s.array(f32, {n}, 0, 0),
              out = s.result(f32, {channels, n});
    // A turned picture, whose corners are outside.
    for (int64_t k = 0; k < n; ++k) {
      const double x = double(k % side) / double(side) - 0.5, y = double(k / side) / double(side) - 0.5;
      s.host<float>(px)[k] = float(double(w) * (0.5 + 1.05 * x - 0.33 * y));
      s.host<float>(py)[k] = float(double(h) * (0.5 + 0.33 * x + 1.05 * y));
    }
    s.launch("grid_sample", {n, (channels + 15) / 16}, {256, 1},
             {a, px, py, out, int(channels), int(h), int(w), int(n)});
    s.work(4.0 * double(channels * (n + h * w)), "TB/s");
  });
}

void add_sequences(Table& t) {
  t.strict("sobol", [](Setup& s) {
    const int64_t dimensions = s.pick(40, 5), n = s.pick(1 << 22, 20004);
    const Buf direction = s.array(u32, {dimensions, 32}, 0, 4294967296.0), out = s.result(f32, {dimensions, n});
    s.launch("sobol", {256 * ((n + 16383) / 16384), dimensions}, {256, 1}, {direction, out, int(n)});
    s.work(4.0 * double(dimensions * n), "TB/s");
  });
  t.strict("viterbi", [](Setup& s) {
    const int64_t n = s.pick(1 << 16, 103), steps = s.pick(64, 19);
    const Buf step = s.array(f32, {32, 32}, -5, 0), emit = s.array(f32, {32, 16}, -5, 0),
              seen = s.array(i32, {n, steps}, 0, 16), back = s.result(i32, {n, steps, 32}), best = s.result(f32, {n});
    s.launch("viterbi", {32 * n}, {128}, {step, emit, seen, back, best, int(n), int(steps)});
    s.work(1024.0 * double(n * steps), "Tstep/s");
  });
  t.strict("dtw", [](Setup& s) {
    const int64_t n = s.pick(1 << 17, 107);
    const Buf a = s.array(f32, {n, 128}, -1, 1), b = s.array(f32, {n, 128}, -1, 1), out = s.result(f32, {n});
    s.launch("dtw", {4 * n}, {128}, {a, b, out, int(n)});
    s.work(16384.0 * double(n), "Tcell/s");
  });
  t.fast("sturm", [](Setup& s) {
    const int64_t n = s.pick(1024, 3);
    const Buf d = s.array(f32, {n, 256}, -2, 2), e2 = s.array(f32, {n, 256}, 0.1, 1), out = s.result(f32, {n, 256});
    for (int64_t k = 0; k < n; ++k) s.host<float>(e2)[256 * k] = 0;
    s.number(-4.0f);
    s.number(4.0f);
    s.launch("sturm", {256 * n}, {256}, {d, e2, out, -4.0f, 4.0f});
    s.work(24.0 * 65536.0 * double(n), "Tstep/s");
    s.bound(1e-4);
  });
  t.fast("lstm_cell", [](Setup& s) {
    const int64_t rows = s.pick(2048, 139), inputs = s.pick(512, 28), n = s.pick(512, 52);
    const Buf x = s.array(f32, {rows, inputs}, -1, 1), h = s.array(f32, {rows, n}, -1, 1),
              c = s.array(f32, {rows, n}, -1, 1), wx = s.array(f32, {inputs, 4 * n}, -0.1, 0.1),
              wh = s.array(f32, {n, 4 * n}, -0.1, 0.1), b = s.array(f32, {4 * n}, -1, 1),
              new_c = s.result(f32, {rows, n}), new_h = s.result(f32, {rows, n});
    s.launch("lstm_cell", {256 * ((n + 31) / 32), (rows + 127) / 128}, {256, 1},
             {x, h, c, wx, wh, b, new_c, new_h, int(rows), int(inputs), int(n)});
    s.work(8.0 * double(rows * n) * double(inputs + n), "TFLOP/s");
    s.bound(1e-4);
  });
}

void add_lists(Table& t) {
  t.strict("compaction", [](Setup& s) {
    const int64_t n = s.pick(1 << 26, 4096 * 40 + 1004), blocks = (n + 4095) / 4096;
    const Buf x = s.array(f32, {n}, -1, 1);
    s.array(i32, {n}, 0, 0);
    const Buf out = s.result(f32, {n}), count = s.result(i32, {1}), state = s.scratch(u32, {blocks + 1});
    s.number(0.1f);
    s.launch("clear", {blocks + 1}, {256}, {state, int(blocks + 1)});
    s.launch("compaction", {256 * blocks}, {256}, {x, out, count, state, 0.1f, int(n / 4)});
    s.work(5.8 * double(n), "TB/s");
  });
  t.fast("segmented_sum", [](Setup& s) {
    const int64_t n = s.pick(1 << 21, 1003);
    std::vector<int32_t> starts = {0};
    uint32_t seed = 1;
    for (int64_t k = 0; k < n; ++k) {
      seed = seed * 1664525 + 1013904223;
      starts.push_back(starts.back() + 1 + int32_t((seed >> 16) % 200));
    }
    const int64_t all = starts.back();
    const Buf x = s.array(f32, {(all + 3) / 4 * 4}, -1, 1), start = s.array(i32, {n + 1}, 0, 0),
              out = s.result(f32, {n});
    std::copy(starts.begin(), starts.end(), s.host<int32_t>(start));
    s.launch("segmented_sum", {8 * n}, {256}, {x, start, out, int(n)});
    s.work(4.0 * double(all + 2 * n), "TB/s");
    s.bound(1e-4);
  });
  t.strict("hough", [](Setup& s) {
    const int64_t size = s.pick(4096, 100), n = s.pick(1 << 21, 3004), angles = s.pick(256, 6),
                  middle = int64_t(std::ceil(1.4143 * double(size))), bins = 2 * middle + 1;
    const Buf x = s.array(i32, {n}, 0, double(size)), y = s.array(i32, {n}, 0, double(size)),
              cosine = s.array(f32, {angles}, 0, 0), sine = s.array(f32, {angles}, 0, 0),
              vote = s.result(i32, {angles, bins}), pixel = s.scratch(u32, {n});
    for (int64_t k = 0; k < angles; ++k) {
      s.host<float>(cosine)[k] = float(std::cos(M_PI * double(k) / double(angles)));
      s.host<float>(sine)[k] = float(std::sin(M_PI * double(k) / double(angles)));
    }
    s.launch("clear", {angles * bins}, {256}, {vote, int(angles * bins)});
    s.launch("pack", {n / 4}, {256}, {x, y, pixel, int(n / 4)});
    s.launch("hough", {512 * (angles / 2), s.pick(8, 2)}, {512, 1},
             {pixel, cosine, sine, vote, int(n / 4), int(bins), int(size)});
    s.work(double(n * angles), "Tvote/s");
  });
  t.fast("haversine", [](Setup& s) {
    const int64_t n = s.pick(32768, 603), m = s.pick(32768, 777), shares = s.pick(32, 3),
                  share = (m + shares - 1) / shares;
    const Buf lat = s.array(f32, {n}, -1.2, 1.2), lon = s.array(f32, {n}, -3.1, 3.1),
              lat2 = s.array(f32, {m}, -1.2, 1.2), lon2 = s.array(f32, {m}, -3.1, 3.1), least = s.result(f32, {n}),
              place = s.result(i32, {n}), p = s.scratch(f32, {n, 4}), q = s.scratch(f32, {m, 4}),
              parts = s.scratch(f32, {shares, n}), places = s.scratch(i32, {shares, n});
    s.launch("on_sphere", {n}, {128}, {lat, lon, p, int(n)});
    s.launch("on_sphere", {m}, {128}, {lat2, lon2, q, int(m)});
    s.launch("haversine", {128 * ((n + 511) / 512), shares}, {128, 1},
             {p, q, parts, places, int(n), int(m), int(share)});
    s.launch("join", {n}, {128}, {parts, places, least, place, int(n), int(shares)});
    s.work(double(n) * double(m), "Tpair/s");
    s.bound(1e-3, 2e-3);  // of two points almost equally far either may be named
  });
}

}  // namespace

void add_samples(Table& t) {
  t.file("more", "samples");
  add_filters(t);
  add_sequences(t);
  add_lists(t);
}

}  // namespace papers
