// Random number streams: the published results of Philox 4x32-10, and statistical tests with fixed keys. A test
// compares a statistic with a limit that a good generator exceeds in at most one of 10^4 cases;
// StreamTests.detect_bad_numbers shows that bad numbers fail.
#include "support/random_streams.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <vector>

namespace {

using vr::random::Draws;
using vr::random::Numbers;
using vr::random::Stream;

Numbers numbers;
const Draws<Numbers> draws(numbers);
using Words = std::function<uint64_t(uint64_t)>;  ///< word n of a sequence
using Reals = std::function<double(uint64_t)>;

Words bits(uint64_t key) {
  return [key](uint64_t n) { return draws.bits(key, n); };
}
Reals uniform(uint64_t key) {
  return [key](uint64_t n) { return draws.uniform(key, n); };
}

/// Chi-square, in standard deviations from its mean (Wilson and Hilferty): approximately normally distributed.
double chi_square(const std::vector<int64_t>& counts, const std::vector<double>& expected) {
  double sum = 0;
  for (size_t k = 0; k < counts.size(); ++k) {
    const double d = static_cast<double>(counts[k]) - expected[k];
    sum += d * d / expected[k];
  }
  const double df = static_cast<double>(counts.size() - 1);
  return (std::cbrt(sum / df) - (1 - 2 / (9 * df))) / std::sqrt(2 / (9 * df));
}
double chi_square(const std::vector<int64_t>& counts) {
  const double all = static_cast<double>(std::accumulate(counts.begin(), counts.end(), int64_t{0}));
  return chi_square(counts, std::vector<double>(counts.size(), all / static_cast<double>(counts.size())));
}

/// Counts the values of each group of `width` bits, from bit `from` on.
double equal_frequency(const Words& words, int from, int width, uint64_t n = 200000) {
  std::vector<int64_t> counts(size_t{1} << width);
  for (uint64_t k = 0; k < n; ++k) ++counts[words(k) >> from & (counts.size() - 1)];
  return chi_square(counts);
}
/// Pairs of consecutive numbers, by four bits of each.
double equal_pairs(const Words& words, int from, uint64_t n = 400000) {
  std::vector<int64_t> counts(256);
  for (uint64_t k = 0; k < n; ++k) ++counts[(words(2 * k) >> from & 15) << 4 | (words(2 * k + 1) >> from & 15)];
  return chi_square(counts);
}
/// Gaps between numbers below 1/8: geometrically distributed.
double gaps(const Reals& reals, uint64_t n = 400000) {
  std::vector<int64_t> counts(32);
  std::vector<double> expected(32);
  size_t gap = 0;
  int64_t found = 0;
  for (uint64_t k = 0; k < n; ++k) {
    if (reals(k) >= 0.125) {
      ++gap;
      continue;
    }
    ++counts[std::min<size_t>(gap, counts.size() - 1)];
    ++found;
    gap = 0;
  }
  for (size_t g = 0; g < expected.size(); ++g)
    expected[g] = static_cast<double>(found) * std::pow(0.875, static_cast<double>(g)) * (g + 1 < expected.size() ? 0.125 : 1);
  return chi_square(counts, expected);
}
/// Correlation of x(k) and y(k), in standard deviations.
double correlation(const Reals& x, const Reals& y, uint64_t n = 200000) {
  double xx = 0, yy = 0, xy = 0;
  for (uint64_t k = 0; k < n; ++k) {
    const double a = x(k) - 0.5, b = y(k) - 0.5;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  return xy / std::sqrt(xx * yy) * std::sqrt(static_cast<double>(n));
}
/// The greatest distance between the distribution of n numbers and `below` (Kolmogorov and Smirnov), times sqrt(n).
double distance(const Reals& reals, const std::function<double(double)>& below, uint64_t n = 100000) {
  std::vector<double> x;
  for (uint64_t k = 0; k < n; ++k) x.push_back(reals(k));
  std::sort(x.begin(), x.end());
  double worst = 0;
  for (size_t k = 0; k < x.size(); ++k) {
    const double p = below(x[k]), at = static_cast<double>(k) / static_cast<double>(n);
    worst = std::max({worst, std::abs(p - at), std::abs(p - at - 1 / static_cast<double>(n))});
  }
  return worst * std::sqrt(static_cast<double>(n));
}
constexpr double far = 3.9;       // normal deviates: exceeded in one of 10^4 cases
constexpr double distant = 2.23;  // the Kolmogorov-Smirnov statistic: likewise

/// The share of a gamma distribution below x: the series of the incomplete gamma function.
double gamma_below(double shape, double x) {
  if (x <= 0) return 0;
  double term = 1 / shape, sum = term;
  for (int k = 1; k < 1000 && term > sum * 1e-17; ++k) sum += term *= x / (shape + k);
  return std::min(1.0, sum * std::exp(shape * std::log(x) - x - std::lgamma(shape)));
}

// From the file kat_vectors of Random123, the authors' implementation.
TEST(Philox, published_answers) {
  struct Row {
    std::array<uint32_t, 4> counter;
    std::array<uint32_t, 2> key;
    std::array<uint32_t, 4> result;
  };
  const Row rows[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const Row& r : rows) {
    const uint64_t key = uint64_t{r.key[1]} << 32 | r.key[0];
    const auto b = draws.philox(key, r.counter[0], r.counter[1], r.counter[2], r.counter[3]);
    EXPECT_EQ(b.first, uint64_t{r.result[1]} << 32 | r.result[0]);
    EXPECT_EQ(b.second, uint64_t{r.result[3]} << 32 | r.result[2]);
  }
}

TEST(Streams, bits_are_the_first_words_of_a_block) {
  EXPECT_EQ(draws.bits(0, 0), 0xe169c58d6627e8d5u);
  const auto b = draws.philox(77, 5, 9, 0, 0);
  EXPECT_EQ(draws.bits(77, uint64_t{9} << 32 | 5), b.first);
}

TEST(Streams, uniform_numbers_are_multiples_of_2_to_minus_53) {
  for (uint64_t n = 0; n < 10000; ++n) {
    const double u = draws.uniform(3, n), scaled = std::ldexp(u, 53);
    EXPECT_TRUE(u >= 0 && u < 1 && scaled == std::floor(scaled));
  }
}

TEST(StreamTests, bits_are_equally_frequent) {
  for (uint64_t key : {uint64_t{0}, uint64_t{1}, uint64_t{12345}, ~uint64_t{0}})
    for (int from = 0; from < 64; from += 8) EXPECT_LT(std::abs(equal_frequency(bits(key), from, 8)), far) << key << " " << from;
}
TEST(StreamTests, pairs_are_equally_frequent) {
  for (int from : {0, 17, 60}) EXPECT_LT(std::abs(equal_pairs(bits(2), from)), far) << from;
}
TEST(StreamTests, gaps_are_geometric) {
  for (uint64_t key : {0, 1, 2}) EXPECT_LT(std::abs(gaps(uniform(key))), far) << key;
}
TEST(StreamTests, neighbours_are_not_correlated) {
  const Reals u = uniform(8);
  for (uint64_t lag : {1, 2, 3, 16, 1024})
    EXPECT_LT(std::abs(correlation(u, [&](uint64_t n) { return u(n + lag); })), far) << lag;
  // Keys and counters that differ in one bit, and other functions of the same key and counter.
  for (int bit = 0; bit < 64; bit += 7) {
    EXPECT_LT(std::abs(correlation(u, uniform(8 ^ uint64_t{1} << bit))), far) << bit;
    EXPECT_LT(std::abs(correlation(u, [&](uint64_t n) { return u(n ^ uint64_t{1} << bit); }, 50000)), far) << bit;
  }
  EXPECT_LT(std::abs(correlation(u, [](uint64_t n) { return std::exp(-draws.exponential(8, n)); })), far);
  EXPECT_LT(std::abs(correlation(u, [](uint64_t n) { return std::ldexp(static_cast<double>(draws.bits(8, n)), -64); })), far);
}
// One number of each of many streams is a sequence as good as one stream.
TEST(StreamTests, streams_side_by_side) {
  const Words across = [](uint64_t n) { return draws.bits(n, 0); };
  for (int from = 0; from < 64; from += 16) EXPECT_LT(std::abs(equal_frequency(across, from, 8)), far) << from;
  EXPECT_LT(std::abs(gaps([](uint64_t n) { return draws.uniform(n, 4); })), far);
  EXPECT_LT(std::abs(equal_frequency([](uint64_t n) { return draws.bits(n / 2, n % 2); }, 30, 8)), far);
}
TEST(StreamTests, detect_bad_numbers) {
  const Words counts = [](uint64_t n) { return n; };
  const Words linear = [](uint64_t n) { return n * 6364136223846793005u + 1442695040888963407u; };
  EXPECT_GT(std::abs(equal_frequency(linear, 0, 8)), far);
  EXPECT_GT(std::abs(equal_pairs(counts, 0)), far);
  const Reals golden = [](uint64_t n) { return std::fmod(static_cast<double>(n) * 0.6180339887498949, 1); };
  EXPECT_GT(std::abs(gaps(golden)), far);
  EXPECT_GT(std::abs(correlation(uniform(1), [](uint64_t n) { return (draws.uniform(1, n) + 9 * draws.uniform(2, n)) / 10; })), far);
  EXPECT_GT(distance(uniform(1), [](double x) { return x * x; }), distant);
  // Slightly wider than it should be.
  EXPECT_GT(distance([](uint64_t n) { return 1.05 * draws.normal(1, n); },
                     [](double x) { return std::erfc(-x / M_SQRT2) / 2; }), distant);
}

TEST(StreamTests, integers_are_equally_likely) {
  for (uint64_t count : {1, 2, 3, 10, 255, 1000}) {
    std::vector<int64_t> counts(count);
    for (uint64_t n = 0; n < 100 * count + 1000; ++n) {
      const uint64_t k = draws.integer(9, n, count);
      ASSERT_LT(k, count);
      ++counts[k];
    }
    if (count > 1) {
      EXPECT_LT(std::abs(chi_square(counts)), far) << count;
    }
  }
  // The count is three quarters of 2^64: without rejection, some results would be twice as likely as others.
  const uint64_t count = uint64_t{3} << 62;
  std::vector<int64_t> thirds(3);
  for (uint64_t n = 0; n < 100000; ++n) ++thirds[draws.integer(10, n, count) >> 62];
  EXPECT_LT(std::abs(chi_square(thirds)), far);
  std::vector<int64_t> remainders(3);
  for (uint64_t n = 0; n < 100000; ++n) ++remainders[draws.integer(10, n, count) % 3];
  EXPECT_LT(std::abs(chi_square(remainders)), far);
}
TEST(StreamTests, normal_numbers) {
  const auto below = [](double x) { return std::erfc(-x / M_SQRT2) / 2; };
  for (uint64_t key : {0, 1, 99}) {
    const Reals x = [key](uint64_t n) { return draws.normal(key, n); };
    EXPECT_LT(distance(x, below), distant) << key;
    EXPECT_LT(std::abs(correlation([&](uint64_t n) { return below(x(n)); }, [&](uint64_t n) { return below(x(n + 1)); })), far);
  }
}
TEST(StreamTests, exponential_numbers) {
  for (uint64_t key : {0, 1, 99})
    EXPECT_LT(distance([key](uint64_t n) { return draws.exponential(key, n); }, [](double x) { return -std::expm1(-x); }), distant);
}
TEST(StreamTests, gamma_numbers) {
  for (double shape : {0.05, 0.5, 0.99, 1.0, 1.5, 4.0, 50.0})
    EXPECT_LT(distance([=](uint64_t n) { return draws.gamma(5, n, shape); }, [=](double x) { return gamma_below(shape, x); }),
              distant)
        << shape;
}
TEST(Streams, gamma_of_special_shapes) {
  EXPECT_EQ(draws.gamma(1, 2, 0), 0);
  EXPECT_EQ(draws.gamma(1, 2, INFINITY), INFINITY);
  EXPECT_TRUE(std::isnan(draws.gamma(1, 2, -1)));
  EXPECT_TRUE(std::isnan(draws.gamma(1, 2, NAN)));
  EXPECT_TRUE(std::isfinite(draws.gamma(1, 2, 1e308)));
  EXPECT_GE(draws.gamma(1, 2, 1e-300), 0);
}
// The library's own log and cos serve as oracle: the functions differ from them by rounding errors only.
TEST(Streams, distributions_are_accurate) {
  for (uint64_t n = 0; n < 20000; ++n) {
    const double u = (static_cast<double>(draws.block(4, n, 0, Stream::Exponential).first >> 11) + 1) * 0x1p-53;
    EXPECT_NEAR(draws.exponential(4, n), -std::log(u), 4e-16 * std::abs(std::log(u)));
    const auto b = draws.block(4, n, 0, Stream::Normal);
    const double r = std::sqrt(-2 * std::log((static_cast<double>(b.first >> 11) + 1) * 0x1p-53));
    EXPECT_NEAR(draws.normal(4, n), r * std::cos(2 * M_PI * static_cast<double>(b.second >> 11) * 0x1p-53), 2e-15 * (1 + r));
  }
}

}  // namespace
