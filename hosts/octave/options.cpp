#include "options.hpp"

#include "handles.hpp"

#include <octave/interpreter.h>
#include <octave/oct.h>
#include <octave/parse.h>

namespace vr::octave_host {

using matlab::OptionValue;

namespace {

const std::string kMarker = "\001value ";

octave_value octave_option(const OptionValue& o) {
  switch (o.kind) {
    case OptionValue::Marker:
      return octave_value(kMarker + std::to_string(o.marker));
    case OptionValue::Text:
      return octave_value(o.text);
    case OptionValue::Number:
      return octave_value(o.number);
    case OptionValue::Fields: {
      octave_scalar_map m;
      for (const auto& [name, field] : o.fields) m.setfield(name, octave_option(field));
      return octave_value(m);
    }
    case OptionValue::Empty:
      break;
  }
  return octave_value(Matrix());
}

std::optional<OptionValue> found_option(const octave_value& v, bool nested) {
  OptionValue o;
  if (v.isstruct() && v.numel() == 1 && !nested) {
    o.kind = OptionValue::Fields;
    const octave_scalar_map m = v.scalar_map_value();
    const string_vector names = m.fieldnames();
    for (octave_idx_type k = 0; k < names.numel(); ++k) {
      const auto field = found_option(m.contents(names(k)), true);
      if (!field) return std::nullopt;
      o.fields.emplace_back(names(k), *field);
    }
    return o;
  }
  if (v.is_string() && v.rows() <= 1) {
    const std::string text = v.string_value();
    const bool marker = text.compare(0, kMarker.size(), kMarker) == 0;
    o.kind = marker ? OptionValue::Marker : OptionValue::Text;
    if (marker)
      o.marker = std::stoi(text.substr(kMarker.size()));
    else
      o.text = text;
    return o;
  }
  if (v.is_double_type() && v.isreal() && v.numel() == 1) {
    o.kind = OptionValue::Number;
    o.number = v.double_value();
    return o;
  }
  if (v.is_double_type() && v.rows() == 0 && v.columns() == 0) return o;
  return std::nullopt;
}

}  // namespace

std::optional<OptionValue> option_list(const std::string& function, const std::vector<OptionValue>& args) {
  octave_value_list values;
  for (const OptionValue& o : args) values.append(octave_option(o));
  Printing printing;
  try {
    const octave_value_list results = octave::feval(function, values, 1);
    if (printing.warned() || results.length() < 1 || !results(0).is_defined()) return std::nullopt;
    return found_option(results(0), false);
  } catch (const octave::execution_exception&) {
    octave::interpreter::the_interpreter()->recover_from_exception();
    return std::nullopt;
  }
}

}  // namespace vr::octave_host
