// Text to tree: first the checks of nesting, then ANTLR's parser, which sends events to the TreeBuilder. The short
// syntax has a parser of its own.
#include <text/nesting.hpp>
#include <text/short/parse_short.hpp>
#include <text/tree_builder.hpp>

#include <VrirParser.h>

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <numeric>
#include <tuple>

namespace vr::ir {

namespace {
Error syntax_error(std::vector<Diagnostic> diagnostics) {
  Error e;
  e.code = Code::Syntax;
  // Sorts by source location, stably.
  std::vector<size_t> order(diagnostics.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const Place &p = diagnostics[a].place, &q = diagnostics[b].place;
    return std::tuple(p.line, p.column, a) < std::tuple(q.line, q.column, b);
  });
  for (size_t i : order) e.diagnostics.push_back(std::move(diagnostics[i]));
  return e;
}
}  // namespace

Result<ModulePtr> parse(std::string_view source, const ParseOptions& options) {
  if (source.size() > options.max_bytes) {
    Diagnostic d;
    d.place.file = options.file;
    d.rule = "syntax";
    d.message = fmt::format("the text has {} bytes; at most {} are read", source.size(), options.max_bytes);
    return syntax_error({std::move(d)});
  }
  if (options.dialect == Dialect::Vrir && text::is_short(source)) return text::parse_short(source, options);
  if (auto faults = text::check_nesting(source, options); !faults.empty()) return syntax_error(std::move(faults));

  text::TokenFeed feed(source);
  VrirParser parser(&feed);
  text::TreeBuilder builder(options, &parser);
  parser.set_events(&builder);
  try {
    parser.module();
  } catch (const text::Stop&) {
    // The reason has been reported already.
  } catch (const antlr4::RecognitionException&) {
    // This has been reported as well; parsing could not continue.
  }
  if (builder.no_memory()) throw std::bad_alloc();
  auto errors = builder.take_errors();
  if (!errors.empty()) return syntax_error(std::move(errors));
  return builder.take_module();
}

}  // namespace vr::ir
