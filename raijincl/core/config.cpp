#include "core/config.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <istream>
#include <iterator>

#include "core/error.hpp"

namespace raijincl {

namespace {
constexpr const char* kFamilies[] = {"codelet", "block", "mma", "wgmma"};
}  // namespace

const char* name_of(Family f) { return kFamilies[static_cast<int>(f)]; }
bool family_of(const std::string& name, Family& f) {
  for (std::size_t i = 0; i < std::size(kFamilies); ++i) {
    if (name == kFamilies[i]) return f = static_cast<Family>(i), true;
  }
  return false;
}
const char* name_of(Precision p) {
  static const char* const names[] = {"S", "D", "C", "Z"};
  return names[static_cast<int>(p)];
}

const std::vector<ConfigField>& config_fields() {
  using G = GemmConfig;
  static const std::vector<ConfigField> fields = {
      {"bm", &G::bm},           {"bn", &G::bn},           {"bk", &G::bk},
      {"raster", &G::raster},   {"fill", &G::fill},       {"tm", &G::tm},
      {"tn", &G::tn},           {"vector", &G::vector},   {"mad", &G::mad},
      {"av", &G::av},           {"local", &G::local},     {"async", &G::async},
      {"stages", &G::stages},   {"lanes", &G::lanes},     {"load", &G::load},
      {"pad", &G::pad},         {"skip", &G::skip},       {"warps_m", &G::warps_m},
      {"warps_n", &G::warps_n}, {"warps_k", &G::warps_k}, {"deep", &G::deep},
      {"fold", &G::fold},       {"split", &G::split},     {"ahead", &G::ahead},
      {"early", &G::early},     {"regs", &G::regs},       {"turn", &G::turn},
      {"a_k", &G::a_k},         {"b_k", &G::b_k},         {"consecutive", &G::consecutive},
      {"local_a", &G::local_a}, {"local_b", &G::local_b}, {"image_a", &G::image_a},
      {"image_b", &G::image_b}};
  return fields;
}

int threads_of(const GemmConfig& c) {
  if (c.family == Family::Wgmma) return 2 * c.bn;
  return c.family == Family::Mma ? 32 * c.warps_m * c.warps_n * c.warps_k : (c.bm / c.tm) * (c.bn / c.tn);
}

bool is_native(const GemmConfig& c) { return c.family == Family::Mma || c.family == Family::Wgmma || c.async; }

std::string text_of(const GemmConfig& c) {
  static const GemmConfig plain;
  std::string s = name_of(c.family);
  for (const ConfigField& f : config_fields()) {
    if (c.*f.member != plain.*f.member || f.member == &GemmConfig::bm || f.member == &GemmConfig::bn) {
      s += std::string(" ") + f.name + "=" + std::to_string(c.*f.member);
    }
  }
  return s;
}

bool read_config(std::istream& in, GemmConfig& c, std::string& error) {
  std::string word;
  if (!(in >> word)) return error = "no family", false;
  if (!family_of(word, c.family)) return error = "unknown family " + word, false;
  while (in >> word) {
    const auto eq = word.find('=');
    bool known = false;
    for (const ConfigField& f : config_fields()) {
      if (word.substr(0, eq) == f.name && eq != std::string::npos)
        c.*f.member = std::atoi(word.c_str() + eq + 1), known = true;
    }
    if (!known) return error = "unknown parameter " + word, false;
  }
  return true;
}

const GemmConfig* Profile::choose(bool comp, Precision p, std::size_t m, std::size_t n, std::size_t k) const {
  const auto& list = (comp ? compensated : gemm)[static_cast<int>(p)];
  const double size = std::cbrt(static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k));
  for (const GemmChoice& c : list) {
    if (c.up_to == 0 || size <= static_cast<double>(c.up_to)) return &c.config;
  }
  return list.empty() ? nullptr : &list.back().config;
}

namespace {
bool power_of_2(int v) { return v > 0 && (v & (v - 1)) == 0; }
// NVIDIA's OpenCL reports 48 KiB, the limit of older devices; its compiler accepts the actual limit of a work-group. A
// native kernel is checked on the device before it is used.
std::size_t local_room(const GemmConfig& c, const DeviceInfo& d) {
  if (!is_native(c)) return d.local_bytes;
  const int kib = c.family == Family::Wgmma ? 224 : d.nvidia_capability >= 90 || d.nvidia_capability == 80 ? 160 : 96;
  return std::max(d.local_bytes, static_cast<std::size_t>(kib) << 10);
}
Status bad(const GemmConfig& c, const std::string& why) {
  return fail(Status::InvalidProfile, "parameters of a product: " + why + " (" + text_of(c) + ")");
}
}  // namespace

Status check_config(const GemmConfig& c, Precision p, const DeviceInfo& d) {
  const int element = static_cast<int>(size_of(p)), cpx = is_complex(p) ? 2 : 1;
  for (const ConfigField& f : config_fields()) {
    if (c.*f.member < 0 || c.*f.member > 4096) return bad(c, std::string(f.name) + " out of range");
  }
  if (c.bm < 1 || c.bn < 1) return bad(c, "an empty tile");
  std::size_t local = 0;
  if (c.family == Family::Wgmma) {
    if (p != Precision::S) return bad(c, "takes floats only");
    if (d.nvidia_capability != 90) return bad(c, "needs compute capability 9.0");
    if ((c.bm != 64 && c.bm != 128) || (c.bn != 64 && c.bn != 128)) return bad(c, "tiles are of 64 or 128");
    if (c.stages < 3 || c.stages > 8) return bad(c, "3 to 8 stages");
    local = (static_cast<std::size_t>(c.stages) * (c.bm + c.bn) + 2 * static_cast<std::size_t>(c.bm)) * 128;
  } else if (c.family == Family::Mma) {
    const int w = 16 / element;
    if (d.nvidia_capability < (is_double(p) ? 90 : 80)) return bad(c, "needs a newer NVIDIA device");
    if (c.warps_m < 1 || c.warps_n < 1 || c.warps_k < 1) return bad(c, "no warps");
    if (c.fold < 1 || c.fold > (is_double(p) ? 2 : 1))
      return bad(c, "an instruction takes one tile, or two of doubles");
    if (c.deep < 1 || c.deep % (c.fold * c.warps_k)) return bad(c, "groups of warps do not share a buffer's tiles");
    const int wm = c.bm / c.warps_m, wn = c.bn / c.warps_n;
    if (wm * c.warps_m != c.bm || wn * c.warps_n != c.bn || wm % 16 || wn % 8)
      return bad(c, "warps do not fill the tile");
    if (wm % (8 * w) || wn % (8 * w) || c.bm % (8 * w) || c.bn % (8 * w)) return bad(c, "warp tile of odd chunks");
    if (c.stages < 2 || c.stages > 8) return bad(c, "2 to 8 stages");
    const int threads = threads_of(c);
    if (threads % (c.bm / w) || threads % (c.bn / w)) return bad(c, "work-items do not divide a step of k");
    local = static_cast<std::size_t>(c.stages) * c.deep * (c.bm + c.bn) * 64;
    if (static_cast<std::size_t>(c.warps_k - 1) * c.warps_m * 16 * c.bn * element > local)
      return bad(c, "no room for the groups' sums");
  } else {
    if (c.tm < 1 || c.tn < 1 || c.bm % c.tm || c.bn % c.tn || c.bk < 1)
      return bad(c, "work-items do not fill the tile");
    if (!power_of_2(c.vector) || c.vector > 16) return bad(c, "vectors have 1, 2, 4, 8 or 16 reals");
    if (c.mad > 2) return bad(c, "mad is 0, 1 or 2");
    if (c.family == Family::Block) {
      if (!power_of_2(c.av) || !power_of_2(c.load) || c.av * cpx > 16 || c.load * cpx > 16 || c.tm % c.av) {
        return bad(c, "odd loads");
      }
      if (c.tn * cpx % c.vector || c.vector < cpx) return bad(c, "vectors do not fill the row of a work-item");
      if (c.local) {
        if ((c.bm + c.pad) % std::max(c.av, c.load) || (c.bn + c.pad) * cpx % std::max(c.vector, c.load * cpx)) {
          return bad(c, "padding breaks alignment");
        }
        if (c.bm % c.load || c.bn % c.load || c.bk % c.load) return bad(c, "loads do not fill the tile");
        local = static_cast<std::size_t>(c.async ? c.stages : 2) * c.bk * (c.bm + c.bn + 2 * c.pad) * element;
      } else if (c.async) {
        return bad(c, "async goes through local memory");
      }
      if (c.async && d.nvidia_capability < 80) return bad(c, "needs a newer NVIDIA device");
      if (c.async && (c.stages < 2 || c.stages > 8 || c.load * element > 16))
        return bad(c, "2 to 8 stages of up to 16 bytes");
      if (c.async && (threads_of(c) % c.bk || threads_of(c) % (c.bm / c.load) || threads_of(c) % (c.bn / c.load))) {
        return bad(c, "work-items do not divide a step of k");
      }
      if (c.lanes) {
        const int gm = c.bm / c.tm, gn = c.bn / c.tn;
        if (!power_of_2(c.lanes) || c.lanes > 32 || gm % c.lanes || gn % (32 / c.lanes)) return bad(c, "odd warps");
      }
    } else {
      if (!c.a_k && c.b_k) return bad(c, "the layouts are TN, NT and NN");
      const int v = c.vector;
      const int along_a = c.a_k ? c.bk : c.tm, along_b = c.b_k ? c.bk : c.tn;
      if (along_a % v || along_b % v || v * cpx > 16) return bad(c, "SIMD width does not divide the tile");
      const int texel = 16 / element;
      if ((c.image_a || c.image_b) && !d.has_images) return bad(c, "the device has no images");
      if ((c.image_a && v != texel) || (c.image_b && v != texel)) return bad(c, "an image's loads are 16 bytes");
      local = static_cast<std::size_t>(c.bk) * (c.local_a * c.bm + c.local_b * c.bn) * element;
      if ((c.local_a && c.bm * c.bk % (threads_of(c) * v)) || (c.local_b && c.bn * c.bk % (threads_of(c) * v))) {
        return bad(c, "work-items do not fill the tile");
      }
    }
  }
  if (static_cast<std::size_t>(threads_of(c)) > d.max_work_group) return bad(c, "work-group too large");
  if (local > local_room(c, d)) return bad(c, "too much local memory");
  return Status::Ok;
}

}  // namespace raijincl
