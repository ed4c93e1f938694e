// Device profiles as JSON, and the default profiles.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/config.hpp"
#include "core/error.hpp"

namespace raijincl {
namespace {

using Json = nlohmann::ordered_json;

Json config_json(const GemmConfig& c) {
  static const GemmConfig plain;
  Json j;
  j["family"] = name_of(c.family);
  for (const ConfigField& f : config_fields()) {
    if (c.*f.member != plain.*f.member) j[f.name] = c.*f.member;
  }
  return j;
}

GemmConfig config_of(const Json& j) {
  GemmConfig c;
  const std::string family = j.at("family");
  if (!family_of(family, c.family)) throw std::invalid_argument("unknown family " + family);
  for (const auto& [key, value] : j.items()) {
    if (key == "family") continue;
    bool known = false;
    for (const ConfigField& f : config_fields()) {
      if (key == f.name) c.*f.member = value.get<int>(), known = true;
    }
    if (!known) throw std::invalid_argument("unknown parameter " + key);
  }
  return c;
}

struct VectorField {
  const char* name;
  int VectorConfig::* member;
};
constexpr VectorField kVector[] = {
    {"gemv_group", &VectorConfig::gemv_group},         {"gemv_rows", &VectorConfig::gemv_rows},
    {"transpose_tile", &VectorConfig::transpose_tile}, {"transpose_local", &VectorConfig::transpose_local},
    {"transpose_rows", &VectorConfig::transpose_rows}, {"reduce_group", &VectorConfig::reduce_group},
    {"reduce_groups", &VectorConfig::reduce_groups}};

Json choices_json(const std::vector<GemmChoice>& list) {
  Json out = Json::array();
  for (const GemmChoice& c : list) {
    Json j;
    if (c.up_to) j["up_to"] = c.up_to;
    j["config"] = config_json(c.config);
    if (c.gflops > 0) j["gflops"] = std::round(c.gflops * 10) / 10, j["measured_at"] = c.measured_at;
    out.push_back(std::move(j));
  }
  return out;
}

std::vector<GemmChoice> choices_of(const Json& j) {
  std::vector<GemmChoice> list;
  for (const Json& e : j) {
    GemmChoice c;
    c.up_to = e.value("up_to", std::size_t{0});
    c.config = config_of(e.at("config"));
    c.gflops = e.value("gflops", 0.0);
    c.measured_at = e.value("measured_at", std::size_t{0});
    list.push_back(c);
  }
  return list;
}

GemmConfig block(int bm, int bn, int bk, int tm, int tn, int vector, int av, int local, int mad) {
  GemmConfig c;
  c.bm = bm, c.bn = bn, c.bk = bk, c.tm = tm, c.tn = tn, c.vector = vector, c.av = av, c.local = local, c.mad = mad;
  return c;
}
// NVIDIA, compute capability 8.0 and later: the results of a search on an H100, by size class.
void nvidia(Profile& p, bool f64) {
  const auto async = [](int bm, int bn, int bk, int tm, int tn, int av, int stages, int pad, int turn) {
    GemmConfig c = block(bm, bn, bk, tm, tn, 4, av, 1, 2);
    c.async = 1, c.stages = stages, c.lanes = 4, c.load = av, c.pad = pad, c.raster = 8, c.turn = turn;
    return c;
  };
  const auto mma = [](int bm, int bn, int warps_m, int warps_n, int warps_k, int deep, int stages, int ahead,
                      int skip) {
    GemmConfig c;
    c.family = Family::Mma;
    c.bm = bm, c.bn = bn, c.warps_m = warps_m, c.warps_n = warps_n, c.warps_k = warps_k, c.deep = deep;
    c.stages = stages, c.raster = 8, c.ahead = ahead, c.skip = skip, c.split = 2;
    return c;
  };
  p.gemm[0] = {{700, async(32, 64, 16, 4, 4, 4, 6, 4, 0), 0, 0},
               {1500, async(128, 64, 16, 8, 8, 4, 3, 4, 0), 0, 0},
               {0, async(128, 128, 16, 8, 8, 4, 2, 4, 1), 0, 0}};
  p.gemm[2] = {{700, async(32, 32, 16, 2, 4, 2, 4, 2, 0), 0, 0},
               {1500, async(64, 64, 16, 4, 4, 2, 2, 2, 0), 0, 0},
               {0, async(128, 64, 16, 8, 4, 2, 2, 0, 1), 0, 0}};
  p.compensated[0] = {{700, mma(32, 64, 1, 2, 2, 2, 4, 0, 0), 0, 0},
                      {1500, mma(64, 64, 1, 2, 2, 2, 4, 0, 0), 0, 0},
                      {0, mma(64, 64, 1, 2, 1, 1, 3, 0, 0), 0, 0}};
  p.compensated[2] = {{700, mma(32, 32, 2, 2, 1, 1, 4, 0, 1), 0, 0}, {0, mma(64, 64, 2, 2, 1, 1, 4, 0, 1), 0, 0}};
  if (!f64) return;
  p.gemm[1] = {{700, mma(32, 64, 2, 2, 2, 2, 4, 0, 0), 0, 0},
               {1500, mma(128, 64, 2, 2, 2, 2, 3, 1, 0), 0, 0},
               {0, mma(128, 128, 2, 4, 1, 1, 3, 1, 0), 0, 0}};
  p.gemm[3] = {{700, mma(32, 32, 2, 2, 2, 4, 4, 0, 0), 0, 0}, {0, mma(64, 64, 2, 2, 1, 2, 4, 1, 0), 0, 0}};
}

}  // namespace

std::string Profile::to_json() const {
  Json j;
  j["raijincl_profile"] = 1;
  j["device"] = device;
  j["driver"] = driver;
  j["tuned"] = tuned;
  for (int p = 0; p < 4; ++p) {
    const char* name = name_of(static_cast<Precision>(p));
    if (!gemm[p].empty()) j["gemm"][name] = choices_json(gemm[p]);
    if (!compensated[p].empty()) j["compensated"][name] = choices_json(compensated[p]);
    if (hybrid[p].tuned) {
      j["hybrid"][name] = {
          {"gpu_parts", hybrid[p].gpu_parts}, {"parts", hybrid[p].parts}, {"config", config_json(hybrid[p].config)}};
    }
  }
  for (const VectorField& f : kVector) j["vector"][f.name] = vector.*f.member;
  return j.dump(1);
}

Status Profile::from_json(const std::string& text, Profile& out) try {
  const Json j = Json::parse(text);
  if (j.at("raijincl_profile").get<int>() != 1) return fail(Status::InvalidProfile, "a profile of another version");
  Profile p;
  p.device = j.at("device");
  p.driver = j.value("driver", "");
  p.tuned = j.value("tuned", false);
  for (int i = 0; i < 4; ++i) {
    const char* name = name_of(static_cast<Precision>(i));
    if (j.contains("gemm") && j["gemm"].contains(name)) p.gemm[i] = choices_of(j["gemm"][name]);
    if (j.contains("compensated") && j["compensated"].contains(name))
      p.compensated[i] = choices_of(j["compensated"][name]);
    if (j.contains("hybrid") && j["hybrid"].contains(name)) {
      const Json& h = j["hybrid"][name];
      p.hybrid[i] = {h.at("gpu_parts"), h.at("parts"), true, config_of(h.at("config"))};
      if (p.hybrid[i].parts < 1 || p.hybrid[i].gpu_parts < 0 || p.hybrid[i].gpu_parts > p.hybrid[i].parts) {
        return fail(Status::InvalidProfile, "hybrid: parts out of range");
      }
    }
  }
  if (j.contains("vector")) {
    for (const VectorField& f : kVector) {
      p.vector.*f.member = j["vector"].value(f.name, p.vector.*f.member);
      if (p.vector.*f.member < 0 || p.vector.*f.member > 65536)
        return fail(Status::InvalidProfile, std::string(f.name) + " out of range");
    }
  }
  out = std::move(p);
  return Status::Ok;
} catch (const std::exception& e) {
  return fail(Status::InvalidProfile, std::string("not a device profile: ") + e.what());
}

Profile default_profile(const DeviceInfo& d) {
  Profile p;
  p.device = d.name;
  p.driver = d.driver;
  const auto all = [](GemmConfig c) { return std::vector<GemmChoice>{{0, c, 0, 0}}; };
  if (d.is_cpu) {  // one work-item per group, a tile in vector registers, packed panels
    p.gemm[0] = all(block(8, 32, 4, 8, 32, 16, 1, 0, 2));
    p.gemm[1] = all(block(8, 16, 4, 8, 16, 8, 1, 0, 2));
    p.gemm[2] = all(block(8, 16, 4, 8, 16, 16, 1, 0, 2));
    p.gemm[3] = all(block(8, 8, 4, 8, 8, 8, 1, 0, 2));
    p.vector.gemv_group = 1, p.vector.gemv_rows = 16;
    p.vector.transpose_local = 2, p.vector.transpose_tile = 128, p.vector.transpose_rows = 1;
    p.vector.reduce_group = 1, p.vector.reduce_groups = static_cast<int>(std::max(1u, d.compute_units)) * 8;
    return p;
  }
  // Small tiles where large ones would leave most of the device idle.
  const GemmConfig small[] = {block(32, 32, 16, 4, 4, 4, 4, 1, 2), block(32, 32, 8, 4, 4, 2, 2, 1, 2),
                              block(32, 32, 8, 4, 4, 2, 1, 1, 2), block(32, 32, 4, 4, 4, 2, 1, 1, 2)};
  const GemmConfig large[] = {block(64, 64, 16, 8, 4, 4, 4, 1, 2), block(64, 64, 8, 4, 4, 2, 2, 1, 2),
                              block(64, 64, 8, 4, 4, 2, 1, 1, 2), block(32, 32, 8, 4, 2, 2, 1, 1, 2)};
  for (int i = 0; i < 4; ++i) p.gemm[i] = {{700, small[i], 0, 0}, {0, large[i], 0, 0}};
  if (d.nvidia_capability >= 80) nvidia(p, d.nvidia_capability >= 90);
  // Kernels that exceed the device's limits are replaced by the small tile.
  for (int i = 0; i < 4; ++i) {
    const auto prec = static_cast<Precision>(i);
    if (check_config(p.gemm[i].back().config, prec, d) != Status::Ok) p.gemm[i] = all(small[i]);
    if (check_config(p.gemm[i].back().config, prec, d) != Status::Ok) p.gemm[i] = all(block(8, 8, 4, 2, 2, 2, 1, 1, 0));
  }
  p.vector.gemv_group = 128, p.vector.gemv_rows = 1;
  p.vector.transpose_tile = 32, p.vector.transpose_rows = 8;
  p.vector.reduce_group = 256, p.vector.reduce_groups = static_cast<int>(std::max(1u, d.compute_units)) * 8;
  if (d.max_work_group < 256)
    p.vector.transpose_tile = 8, p.vector.transpose_rows = 8, p.vector.reduce_group = 64, p.vector.gemv_group = 64;
  return p;
}

}  // namespace raijincl
