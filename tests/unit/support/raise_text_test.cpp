#include "support/raise_text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace vr {
namespace {

TEST(RaiseText, Places) {
  EXPECT_EQ(raise_places(""), 0u);
  EXPECT_EQ(raise_places("no {{}} here"), 0u);
  EXPECT_EQ(raise_places("{}{{{}}}"), 2u);
  for (const char* wrong : {"{", "}", "{0}", "{ }", "}{", "{}}", "{{}", "{{{"})
    EXPECT_FALSE(raise_places(wrong)) << wrong;
}

std::string written(std::string_view text, std::vector<RaiseNumber> kinds, std::vector<int64_t> bits,
                    size_t size = 256) {
  char to[256];
  write_raise_text(to, size, with_number_kinds(text, kinds.data()), bits.data());
  return to;
}

TEST(RaiseText, Numbers) {
  using enum RaiseNumber;
  EXPECT_EQ(written("{} {}", {Signed, Unsigned}, {-1, -1}), "-1 18446744073709551615");
  const auto bits = [](double x) { return std::bit_cast<int64_t>(x); };
  EXPECT_EQ(written("{}", {Float32}, {bits(0.1f)}), "0.1");
  EXPECT_EQ(written("{}", {Float64}, {bits(0.1f)}), "0.10000000149011612");
  EXPECT_EQ(written("{{{}}} {}", {Float64, Float64}, {bits(-0.0), bits(-std::numeric_limits<double>::quiet_NaN())}),
            "{-0} nan");
}

TEST(RaiseText, IsCutBetweenCharacters) {
  using enum RaiseNumber;
  EXPECT_EQ(written("abcdef", {}, {}, 4), "abc");
  EXPECT_EQ(written("ab{}", {Signed}, {12345}, 5), "ab12");
  EXPECT_EQ(written("aéé", {}, {}, 6), "aéé");
  EXPECT_EQ(written("aéé", {}, {}, 5), "aé");
  EXPECT_EQ(written("aéé", {}, {}, 4), "aé");
  EXPECT_EQ(written("a€", {}, {}, 4), "a");
  EXPECT_EQ(written("😀", {}, {}, 4), "");
  EXPECT_EQ(written("abc", {}, {}, 1), "");
}

}  // namespace
}  // namespace vr
