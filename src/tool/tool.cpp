#include "tool/tool.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace vr::tool {

namespace {
struct CloseFile {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;
}  // namespace

Result<std::string> read_file(const Io& io, const std::string& name) {
  const std::filesystem::path path = io.resolve(name);
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec)) {
    return make_error(Code::NotFound, fmt::format("{}: error: is a directory, not a file", name));
  }
  File f(std::fopen(path.c_str(), "rb"));
  if (!f) return make_error(Code::NotFound, fmt::format("{}: error: cannot read: {}", name, std::strerror(errno)));
  std::string bytes;
  char buffer[1 << 16];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, f.get())) bytes.append(buffer, n);
  if (std::ferror(f.get())) {
    return make_error(Code::NotFound, fmt::format("{}: error: cannot read: {}", name, std::strerror(errno)));
  }
  return bytes;
}

Status write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::path temp = path;
  temp += fmt::format(".tmp{}", getpid());
  auto broken = [&] {
    const int why = errno;
    std::error_code ec;
    std::filesystem::remove(temp, ec);
    return make_error(Code::Usage, fmt::format("{}: error: cannot write: {}", path.string(), std::strerror(why)));
  };
  std::FILE* f = std::fopen(temp.c_str(), "wb");
  if (!f) return broken();
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), f) == bytes.size();
  if (std::fclose(f) != 0 || !written) return broken();
  if (std::rename(temp.c_str(), path.c_str()) != 0) return broken();
  return {};
}

std::string one_line(const Diagnostic& d) {
  Diagnostic bare = d;
  bare.hint.clear();
  std::string s = bare.text();
  if (!d.hint.empty()) s += fmt::format(" ({})", d.hint);
  for (char& c : s) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return s;
}

std::string fault_line(const ErrorRecord& r) {
  ErrorRecord bare = r;
  bare.loc.clear();
  return fmt::format("{}{}error: {}", r.loc, r.loc.empty() ? "" : ": ", bare.text());
}

int fail(Io& io, const Error& e) {
  for (const Diagnostic& d : e.diagnostics) io.err << one_line(d) << '\n';
  if (e.record) {
    io.err << fault_line(*e.record) << '\n';
  } else if (!e.message.empty()) {
    // A message with a source location already contains "error:"; others get it as a prefix.
    const bool marked = e.message.find("error: ") != std::string::npos;
    io.err << (marked ? "" : "error: ") << e.message << '\n';
  } else if (e.diagnostics.empty()) {
    io.err << "error: " << code_name(e.code) << '\n';
  }
  return exit_bad;
}

int fail(Io& io, std::string_view message) { return fail(io, make_error(Code::Usage, std::string(message))); }

}  // namespace vr::tool
