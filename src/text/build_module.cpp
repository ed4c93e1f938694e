// Makes the module, its conventions, its functions and their symbols.
#include <text/syntax_message.hpp>
#include <text/token_values.hpp>

#include <VrirParser.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

namespace vr::text {

using P = VrirParser;

static void function(PartialTree& tree) {
  auto f = std::make_shared<ir::Function>();
  f->pos = tree.function.pos;
  f->loc = loc(tree);
  for (const Value& v : tree.stacks.values())
    if (v.attr == 0 || v.attr == P::AttrName) f->name = text_of(tree, v);
  if (tree.stacks.frame().head == P::ExternTok)
    f->external = ir::External{optional_bool(tree, P::AttrParallel).value_or(false)};
  f->args = std::move(tree.stacks.ids);
  f->body = std::move(tree.stacks.stmts);
  f->type = std::move(tree.stacks.types[0]);
  if (!f->type.is_function()) {
    tree.errors.add(f->pos,
                    fmt::format("the type of function '{}' must be a functype, not {}", f->name, f->type.text()), "");
  } else if (tree.function.bare_type) {
    const std::vector<ir::Type>& all = f->type.components();
    auto outs = all.begin() + static_cast<ptrdiff_t>(std::min(all.size(), f->args.size()));
    std::vector<ir::Type> results(outs, all.end());
    if (results.size() == 1 && results[0].is_void()) results.clear();
    f->type = ir::Type::function({all.begin(), outs}, std::move(results));
  }

  // The table stores ids in ascending order, regardless of their order in the text.
  std::sort(
      tree.function.symbols.begin(), tree.function.symbols.end(), [](const PlacedSymbol& a, const PlacedSymbol& b) {
        return std::tuple(a.symbol.id, a.pos.line, a.pos.column) < std::tuple(b.symbol.id, b.pos.line, b.pos.column);
      });
  for (PlacedSymbol& s : tree.function.symbols) {
    int32_t symbol = s.symbol.id;
    std::string name = s.symbol.name;
    if (!f->symbols.add(std::move(s.symbol)))
      tree.errors.add(
          s.pos, fmt::format("symbol id {} ('{}') is already that of '{}'", symbol, name, f->symbols.at(symbol).name),
          "");
  }
  tree.module->functions.push_back(std::move(f));
  tree.stacks.ids = {};
  tree.stacks.stmts = {};
  tree.stacks.types.clear();
  tree.stacks.all_values.clear();
  tree.function.symbols.clear();
}

static void module_attr(PartialTree& tree) {
  ir::ConventionAttrs& a = tree.module->attrs;
  const Value v = tree.stacks.values().empty() ? Value{} : tree.stacks.values().front();
  const size_t attr = tree.stacks.frame().head;
  if (attr < tree.seen_module_attrs.size()) {
    if (tree.seen_module_attrs[attr])
      tree.errors.add(v.text.empty() ? tree.places.pos() : v.pos,
                      fmt::format("'{}' is given twice in module", token_text(attr)), "");
    tree.seen_module_attrs[attr] = true;
  }
  switch (attr) {
    case P::AttrName:
      tree.module->name = text_of(tree, v);
      if (v.type == P::ModuleText)
        tree.errors.mclab_only(v.pos, "a module name that is no word", "put the name in double quotes");
      break;
    case P::AttrIndexing:
      a.indexing = static_cast<int>(integer(tree, v, 0, 1));
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
      a.assign = word_value<ir::AssignMode>(tree, v, "':assign'",
                                            {{"share", ir::AssignMode::Share}, {"copy", ir::AssignMode::Copy}});
      break;
    case P::AttrSlices:
      a.slices = word_value<ir::SliceMode>(tree, v, "':slices'",
                                           {{"view", ir::SliceMode::View}, {"copy", ir::SliceMode::Copy}});
      break;
    case P::AttrNan:
      a.nan = word_value<ir::NanMode>(tree, v, "':nan'",
                                      {{"propagate", ir::NanMode::Propagate}, {"omit", ir::NanMode::Omit}});
      break;
    case P::AttrMemory:
      a.memory = word_value<ir::MemoryMode>(tree, v, "':memory'",
                                            {{"refcount", ir::MemoryMode::Refcount}, {"boehm", ir::MemoryMode::Boehm}});
      break;
    case P::AttrMindims:
      a.mindims = static_cast<int>(integer(tree, v, 1, 2));
      break;
    case P::AttrBroadcast:
      a.broadcast = word_value<ir::BroadcastMode>(tree, v, "':broadcast'",
                                                  {{"trailing", ir::BroadcastMode::Trailing},
                                                   {"leading", ir::BroadcastMode::Leading},
                                                   {"none", ir::BroadcastMode::None}});
      break;
    case P::AttrPromote:
      a.promote = word_value<ir::Promote>(tree, v, "':promote'",
                                          {{"vrir", ir::Promote::Vrir}, {"numpy2", ir::Promote::Numpy2}});
      break;
    case P::AttrOverflow:
      a.overflow = word_value<ir::OverflowMode>(tree, v, "':overflow'",
                                                {{"wrap", ir::OverflowMode::Wrap},
                                                 {"saturate", ir::OverflowMode::Saturate},
                                                 {"fault", ir::OverflowMode::Fault}});
      break;
    case P::AttrVrir:
      tree.module->version = static_cast<int>(integer(tree, v, 1, std::numeric_limits<int>::max()));
      if (*tree.module->version != 1)
        tree.errors.add(v.pos, fmt::format("version {} of VRIR is not known", *tree.module->version),
                        "this is version 1");
      break;
    case P::AttrFastmath: {
      namespace fm = ir::fastmath;
      uint8_t flags = fm::None;
      for (const Value& w : tree.stacks.values()) {
        if (w.type == P::TrueTok)
          flags = fm::All;
        else if (w.type != P::FalseTok)
          flags |= word_value<uint8_t>(tree, w, "fast-math flag",
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
  tree.stacks.all_values.resize(tree.stacks.frame().values);
  tree.pending_attr = 0;
}

bool leave_module(PartialTree& tree, size_t rule) {
  const Frame f = tree.stacks.frame();
  switch (rule) {
    case P::RuleModuleAttr:
      module_attr(tree);
      return true;
    case P::RuleFnarg:
      tree.stacks.ids.push_back(
          static_cast<int32_t>(integer(tree, tree.stacks.values().front(), 0, std::numeric_limits<int32_t>::max())));
      tree.stacks.all_values.resize(f.values);
      return true;
    case P::RuleSym: {
      int32_t symbol = id(tree, P::AttrId);
      tree.function.symbols.push_back(
          {{symbol, text_of(tree, P::AttrName), tree.stacks.take_type()}, tree.places.closed});
      tree.stacks.all_values.resize(f.values);
      if (tree.function.symbols.size() == tree.options.max_symbols + 1) {
        tree.errors.add(tree.places.pos(),
                        fmt::format("the function has more than {} symbols", tree.options.max_symbols), "");
        tree.errors.stop();
      }
      return true;
    }
    case P::RuleFunction:
      function(tree);
      return true;
    default:
      return false;
  }
}

}  // namespace vr::text
