// Builds the tree while the text is parsed: the parser's events on one side, a PartialTree on the other.
#pragma once
#include <text/partial_tree.hpp>

#include <exception>
#include <string>
#include <vector>

namespace vr::text {

class TreeBuilder final : public ParseEvents {
 public:
  TreeBuilder(const ir::ParseOptions& options, VrirParserBase* parser) : tree_(options, parser) {}

  void enter(size_t rule) override;
  void token(const Scanned& t) override;
  void leave(size_t rule) override;
  void broken() override;
  void error(ir::TextPos pos, std::string message, std::string hint) override;

  /// Whether the tree is incomplete because there was no memory.
  bool no_memory() const { return no_memory_; }
  std::vector<Diagnostic> take_errors() { return tree_.errors.take(); }
  /// The module; null if there were errors.
  ir::ModulePtr take_module() { return std::move(tree_.module); }

 private:
  PartialTree tree_;
  bool no_memory_ = false;
  const int exceptions_ = std::uncaught_exceptions();  ///< under way when this was made
};

}  // namespace vr::text
