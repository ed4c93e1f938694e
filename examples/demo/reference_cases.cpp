#include "reference_cases.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <limits>

namespace demo {

namespace {

using Json = nlohmann::json;

/// A double matrix or scalar with the type of the function's parameter (these programs have no other parameters).
vr::Result<vr::Value> value_of(const Json& json, const vr::ir::Type& type) {
  const auto re = json.at("re").get<std::vector<double>>();
  if (type.is_scalar()) return vr::Value(re.at(0));
  const auto dims = json.at("dims").get<std::vector<int64_t>>();
  auto array = vr::Array::empty(vr::Elem::Float64, dims, vr::Layout::ColMajor);
  if (!array) return array.error();
  std::copy(re.begin(), re.end(), array->data_as<double>());
  return vr::Value(std::move(*array));
}

double error_of(const vr::Value& got, const Json& wanted) {
  const auto re = wanted.at("re").get<std::vector<double>>();
  const auto dims = wanted.at("dims").get<std::vector<int64_t>>();
  if (got.array()) return relative_error(got.array(), re.data(), dims.at(0), dims.at(1), false);
  return re.size() == 1 ? std::abs(got.as_double() - re[0]) / std::abs(re[0]) : std::numeric_limits<double>::infinity();
}

std::string run_cases(const vr::Module& module, const Json& file, double rtol) {
  auto f = module.function(file.at("function").get<std::string>());
  if (!f) return f.error().text();
  int number = 0;
  for (const Json& c : file.at("cases")) {
    const std::string where = "case " + std::to_string(++number) + ": ";
    std::vector<vr::Value> args;
    const Json& given = c.at("args");
    for (size_t k = 0; k < given.size(); ++k) {
      auto v = value_of(given[k], f->type().components().at(k));
      if (!v) return where + v.error().text();
      args.push_back(std::move(*v));
    }
    auto results = f->call(args);
    if (!results) return where + results.error().text();
    const Json& wanted = c.at("results");
    if (results->size() != wanted.size()) return where + "wrong number of results";
    for (size_t k = 0; k < wanted.size(); ++k) {
      const double error = error_of((*results)[k], wanted[k]);
      if (!(error <= rtol)) return where + "result " + std::to_string(k + 1) + " is off by " + std::to_string(error);
    }
  }
  return number > 0 ? "" : "no case";
}

}  // namespace

double relative_error(const vr::Array& got, const double* wanted, int64_t rows, int64_t columns, bool row_major) {
  const double infinite = std::numeric_limits<double>::infinity();
  if (got.elem() != vr::Elem::Float64 || got.complex() || got.rank() != 2 || got.extent(0) != rows ||
      got.extent(1) != columns) {
    return infinite;
  }
  double error = 0, scale = 0;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      const int64_t index[] = {i, j};
      const double w = wanted[row_major ? i * columns + j : j * rows + i];
      const double d = std::abs(*static_cast<const double*>(got.at(index)) - w);
      if (!(d <= error)) error = d;
      if (std::isnan(d)) return infinite;
      scale = std::max(scale, std::abs(w));
    }
  }
  return scale > 0 ? error / scale : error;
}

std::string check_cases(const vr::Module& module, const std::string& path, double rtol) {
  // The JSON library throws exceptions, which must not leave this function.
  try {
    std::ifstream in(path);
    return run_cases(module, Json::parse(in), rtol);
  } catch (const std::exception& e) {
    return path + ": " + e.what();
  }
}

}  // namespace demo
