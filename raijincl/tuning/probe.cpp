// `raijincl-tune probe FILE`: times chosen parameters. A line: PRECISION SIZE[,SIZE] [nn|nt|tn|tt] FAMILY name=value
// ...
#include <cstdio>
#include <fstream>
#include <sstream>

#include "tuning/measure.hpp"
#include "tuning/tune.hpp"

namespace raijincl {

int probe(Context::Impl& ctx, cl_command_queue q, const std::string& file, double seconds) {
  std::ifstream in(file);
  if (!in) return std::fprintf(stderr, "raijincl-tune: cannot read %s\n", file.c_str()), 1;
  Operands o;
  int status = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string p, sizes, layout = "nn";
    if (!(words >> p) || p[0] == '#') continue;
    words >> sizes;
    if (line.find(" nn ") != std::string::npos || line.find(" nt ") != std::string::npos ||
        line.find(" tn ") != std::string::npos || line.find(" tt ") != std::string::npos) {
      words >> layout;
    }
    GemmConfig c;
    std::string error;
    const std::size_t which = std::string("SDCZ").find(p);
    if (which > 3 || !read_config(words, c, error)) {
      std::printf("%-60s | malformed: %s\n", line.c_str(), error.c_str());
      status = 1;
      continue;
    }
    const auto precision = static_cast<Precision>(which);
    const int ma = layout[0] == 'n' ? 2 : 1, mb = layout[1] == 'n' ? 1 : 2;
    std::printf("%s %s %s |", p.c_str(), layout.c_str(), text_of(c).c_str());
    bool right = false;
    double worst = 0;
    Status s = check_config(c, precision, ctx.info);
    if (s == Status::Ok) {
      s = check_gemm(ctx, q, c, precision, static_cast<std::size_t>(c.bm) + 8, static_cast<std::size_t>(c.bn) + 16, 80,
                     1u << ((ma - 1) * 2 + mb - 1), right, worst);
    }
    if (s != Status::Ok) {
      std::printf(" %s %.400s\n", to_string(s), last_error().c_str());
      continue;
    }
    std::printf(" %s %.2f", right ? "right" : "WRONG", worst);
    std::istringstream list(sizes);
    for (std::string size; std::getline(list, size, ',');) {
      const std::size_t n = std::strtoull(size.c_str(), nullptr, 10);
      double gflops = 0;
      s = make_operands(ctx, q, precision, n, o);
      if (s == Status::Ok) s = time_gemm(ctx, q, c, o, n, ma, mb, 0, seconds, gflops);
      if (s == Status::Ok)
        std::printf(" | %zu: %.0f", n, gflops);
      else
        std::printf(" | %zu: %s", n, last_error().c_str());
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  return status;
}

}  // namespace raijincl
