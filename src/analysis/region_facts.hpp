// region_facts: what a dispatcher observed about the arguments of a region function when it was called (thesis 6.2.4),
// which a specialised version may rely on. It is the key of the dispatcher's code cache.
#pragma once
#include <velociraptor/defaults.hpp>
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vr::analysis {

/// The facts about one parameter. All are optional: a default object has none.
struct ParameterFacts {
  static constexpr size_t most_values = most_region_key_elements;  ///< elements of an array whose values may be known (thesis 6.2.4)

  /// Of an array: its extents, each at least 0. Absent: unknown (always so for scalars).
  std::optional<std::vector<int64_t>> extents;
  /// Of an array with extents: bytes from an element to the next along each dimension. Absent: unknown; those of
  /// contiguous layouts follow from the extents.
  std::optional<std::vector<int64_t>> strides;
  /// Of an array: arrays of one group may share storage, arrays of different groups do not. -1: may share with any.
  int alias_group = -1;
  /// Of a scalar: its value. Of an array of integers or bool with known extents and at most `most_values` elements: all
  /// elements on entry to the function, the last subscript fastest. The value of a float64 scalar may be given if it is
  /// integral, within 2^53, and not -0. Absent: unknown.
  std::optional<std::vector<int64_t>> values;

  friend bool operator==(const ParameterFacts&, const ParameterFacts&) = default;
};

/// One entry per parameter, in order; parameters past the end have no facts.
struct RegionFacts {
  std::vector<ParameterFacts> parameters;

  /// The facts of parameter k.
  const ParameterFacts& of(size_t k) const;
  /// What `parse_region_facts` reads; parameters without facts are left out.
  std::string text(const ir::Function& f) const;
  friend bool operator==(const RegionFacts&, const RegionFacts&) = default;
};

/// Facts as text separated by white space, one per parameter, by its name (or `#ID`):
///   m=100   A=[100,200]   B=[8,8]:64,8 (strides)   p=[3]{4,5,6} (elements)   A=[9]@1 (alias group)   A=@1
/// USAGE if a name or number cannot be parsed, or does not fit the parameter's type.
Result<RegionFacts> parse_region_facts(const std::string& text, const ir::Function& f);

/// "" if the facts fit the function's parameters as described above; else what does not fit.
std::string check_region_facts(const RegionFacts& facts, const ir::Function& f);

}  // namespace vr::analysis
