// The module, its conventions, its functions and their symbols.
#include <text/tree_builder.hpp>

#include <VrirParser.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

namespace vr::text {

using P = VrirParser;

bool TreeBuilder::leave_module(size_t rule) {
  const Frame f = frame();
  switch (rule) {
    case P::RuleModuleAttr:
      module_attr();
      return true;
    case P::RuleFnarg:
      ids_.push_back(static_cast<int32_t>(integer(values().front(), 0, std::numeric_limits<int32_t>::max())));
      values_.resize(f.values);
      return true;
    case P::RuleSym: {
      int32_t symbol = id(P::AttrId);
      symbols_.push_back({{symbol, text(P::AttrName), take_type()}, closed_});
      values_.resize(f.values);
      if (symbols_.size() == options_.max_symbols + 1) {
        error(pos(), fmt::format("the function has more than {} symbols", options_.max_symbols), "");
        parser_->stop();
      }
      return true;
    }
    case P::RuleFunction:
      function();
      return true;
    default:
      return false;
  }
}

void TreeBuilder::function() {
  auto f = std::make_shared<ir::Function>();
  f->pos = function_pos_;
  f->loc = loc();
  for (const Value& v : values())
    if (v.attr == 0 || v.attr == P::AttrName) f->name = text(v);
  f->args = std::move(ids_);
  f->body = std::move(stmts_);
  f->type = std::move(types_[0]);
  if (!f->type.is_function()) {
    error(f->pos, fmt::format("the type of function '{}' must be a functype, not {}", f->name, f->type.text()), "");
  } else if (bare_functype_) {
    const std::vector<ir::Type>& all = f->type.components();
    auto outs = all.begin() + static_cast<ptrdiff_t>(std::min(all.size(), f->args.size()));
    std::vector<ir::Type> results(outs, all.end());
    if (results.size() == 1 && results[0].is_void()) results.clear();
    f->type = ir::Type::function({all.begin(), outs}, std::move(results));
  }

  // The table keeps ids in order, however the text has them.
  std::sort(symbols_.begin(), symbols_.end(), [](const PlacedSymbol& a, const PlacedSymbol& b) {
    return std::tuple(a.symbol.id, a.pos.line, a.pos.column) < std::tuple(b.symbol.id, b.pos.line, b.pos.column);
  });
  for (PlacedSymbol& s : symbols_) {
    int32_t symbol = s.symbol.id;
    std::string name = s.symbol.name;
    if (!f->symbols.add(std::move(s.symbol)))
      error(s.pos, fmt::format("symbol id {} ('{}') is already that of '{}'", symbol, name, f->symbols.at(symbol).name),
            "");
  }
  module_->functions.push_back(std::move(f));
  ids_ = {};
  stmts_ = {};
  types_.clear();
  values_.clear();
  symbols_.clear();
}

void TreeBuilder::module_attr() {
  ir::ConventionAttrs& a = module_->attrs;
  const Value v = values().empty() ? Value{} : values().front();
  const size_t attr = frame().head;
  if (attr < seen_module_attrs_.size()) {
    if (seen_module_attrs_[attr])
      error(v.text.empty() ? pos() : v.pos, fmt::format("'{}' is given twice in module", token_text(attr)), "");
    seen_module_attrs_[attr] = true;
  }
  switch (attr) {
    case P::AttrName:
      module_->name = text(v);
      if (v.type == P::ModuleText) mclab_only(v.pos, "a module name that is no word", "put the name in double quotes");
      break;
    case P::AttrIndexing:
      a.indexing = static_cast<int>(integer(v, 0, 1));
      break;
    case P::AttrExclude:
      a.exclude = boolean(v);
      break;
    case P::AttrFlatten:
      a.flatten = boolean(v);
      break;
    case P::AttrGrow:
      a.grow = boolean(v);
      break;
    case P::AttrAssign:
      a.assign = word_value<ir::AssignMode>(v, "':assign'",
                                            {{"share", ir::AssignMode::Share}, {"copy", ir::AssignMode::Copy}});
      break;
    case P::AttrSlices:
      a.slices =
          word_value<ir::SliceMode>(v, "':slices'", {{"view", ir::SliceMode::View}, {"copy", ir::SliceMode::Copy}});
      break;
    case P::AttrNan:
      a.nan =
          word_value<ir::NanMode>(v, "':nan'", {{"propagate", ir::NanMode::Propagate}, {"omit", ir::NanMode::Omit}});
      break;
    case P::AttrMemory:
      a.memory = word_value<ir::MemoryMode>(v, "':memory'",
                                            {{"refcount", ir::MemoryMode::Refcount}, {"boehm", ir::MemoryMode::Boehm}});
      break;
    case P::AttrMindims:
      a.mindims = static_cast<int>(integer(v, 1, 2));
      break;
    case P::AttrBroadcast:
      a.broadcast = word_value<ir::BroadcastMode>(v, "':broadcast'",
                                                  {{"trailing", ir::BroadcastMode::Trailing},
                                                   {"leading", ir::BroadcastMode::Leading},
                                                   {"none", ir::BroadcastMode::None}});
      break;
    case P::AttrVrir:
      module_->version = static_cast<int>(integer(v, 1, std::numeric_limits<int>::max()));
      if (*module_->version != 1)
        error(v.pos, fmt::format("version {} of VRIR is not known", *module_->version), "this is version 1");
      break;
    case P::AttrFastmath: {
      namespace fm = ir::fastmath;
      uint8_t flags = fm::None;
      for (const Value& w : values()) {
        if (w.type == P::TrueTok)
          flags = fm::All;
        else if (w.type != P::FalseTok)
          flags |= word_value<uint8_t>(w, "fast-math flag",
                                       {{"reassoc", fm::Reassoc},
                                        {"contract", fm::Contract},
                                        {"arcp", fm::Arcp},
                                        {"nnan", fm::Nnan},
                                        {"ninf", fm::Ninf},
                                        {"nsz", fm::Nsz},
                                        {"afn", fm::Afn}});
      }
      a.fast_math = flags;
      break;
    }
    default:
      break;
  }
  values_.resize(frame().values);
  pending_attr_ = 0;
}

}  // namespace vr::text
