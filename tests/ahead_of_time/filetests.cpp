// ahead_of_time_filetests ARCHITECTURE FOLDER: compiles the functions of the file tests of `run` for another
// architecture and runs them under an emulator. Results and faults must be those of the interpreter: bit for bit or,
// where this machine's native code also differs, within the tolerance of random programs.
#include "batch.hpp"

#include "fuzz/vrsmith/judge.hpp"
#include "interp/interp.hpp"
#include "tool/commands.hpp"
#include "tool/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

using namespace vr;
using ahead_of_time::Batch;
using ahead_of_time::Item;

namespace {

using Answer = Result<std::vector<Value>>;

struct Test {
  std::string name;
  Item item;
  Answer wanted = std::vector<Value>();
};

/// The options of a RUN line; nullopt when it needs more than the function and its arguments.
struct Command {
  std::string function;
  std::vector<std::string> args;
};
std::optional<Command> parse(const std::string& line) {
  std::istringstream in(line);
  std::string word;
  if (!(in >> word) || word != ";" || !(in >> word) || word != "RUN:" || !(in >> word) || word != "run")
    return std::nullopt;
  Command c;
  std::string flag;
  while (in >> word) {
    if (word.starts_with("--")) {
      flag = word;
      if (flag != "--fn" && flag != "--on" && flag != "--args") return std::nullopt;
    } else if (flag == "--fn") {
      c.function = word;
    } else if (flag == "--args") {
      c.args.push_back(word);
    } else if (flag != "--on") {
      return std::nullopt;
    }
  }
  return c;
}

/// Returns nullopt when the file is no such test; `why` is the reason.
std::optional<Test> load(tool::Io& io, const std::filesystem::path& file, std::string& why) {
  std::string line;
  std::ifstream text(file);
  std::getline(text, line);
  const auto command = parse(line);
  if (!command) {
    why = "its command has other options";
    return std::nullopt;
  }
  auto tree = tool::load_tree(io, file.string(), ir::Dialect::Vrir, true);
  const ir::Function* f = !tree                       ? nullptr
                          : command->function.empty() ? tree->module->functions[0].get()
                                                      : tree->module->find(command->function);
  if (!f || f->external) {
    why = "there is no such function";
    return std::nullopt;
  }
  auto args = tool::parse_arguments(io, command->args, f->type, 0);
  if (!args) {
    why = "its arguments are wrong";
    return std::nullopt;
  }
  Test t;
  t.name = file.filename().string();
  t.item.module = tree->module;
  t.item.conventions = tree->conventions;
  t.item.function = f->name;
  auto own = tool::copy_values(*args);
  if (!own) {
    why = own.error().text();
    return std::nullopt;
  }
  t.item.inputs = *own;
  t.wanted = interp::run(*t.item.module, t.item.conventions, f->name, *args);
  return t;
}

/// Compares errors as `vrir run` does: messages may differ, and so may the array if the error is not about a subscript.
bool same_fault(const Error& a, const Error& b) {
  if (!a.record || !b.record) return false;
  const ErrorRecord &x = *a.record, &y = *b.record;
  if (x.code != y.code || x.function != y.function) return false;
  if (x.code == Code::Stack) return true;
  if (x.loc != y.loc) return false;
  if (x.code == Code::Raised) return x.raised == y.raised && x.message == y.message;
  if (x.code == Code::ReadOnly) return x.array == y.array;
  return x.code != Code::OutOfBounds ||
         (x.array == y.array && x.axis == y.axis && x.index == y.index && x.extent == y.extent);
}

/// Returns "" when they agree.
std::string difference(const Answer& got, const Answer& wanted, bool exact) {
  if (!got || !wanted) {
    if (!got && !wanted && same_fault(got.error(), wanted.error())) return "";
    auto words = [](const Answer& a) { return a ? std::string("results") : a.error().text(); };
    return fmt::format("'{}' instead of '{}'", words(got), words(wanted));
  }
  for (size_t k = 0; k < wanted->size(); ++k)
    if (std::string d = smith::difference((*got)[k], (*wanted)[k], exact); !d.empty())
      return fmt::format("result {}: {}", k + 1, d);
  return "";
}

std::vector<Answer> run(const std::vector<Test*>& tests, const std::string& architecture) {
  Batch batch({false, architecture});
  for (Test* t : tests) {
    Item item = t->item;
    item.inputs = *tool::copy_values(item.inputs);
    batch.add(std::move(item));
  }
  return batch.run();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: ahead_of_time_filetests ARCHITECTURE FOLDER\n");
    return 2;
  }
  tool::Io io{std::cout, std::cerr, std::filesystem::current_path()};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2]))
    if (entry.path().extension() == ".vrir") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Test> tests;
  std::map<std::string, int> left_out;
  for (const auto& file : files) {
    std::string why;
    if (auto t = load(io, file, why))
      tests.push_back(std::move(*t));
    else
      ++left_out[why];
  }
  std::vector<Test*> all, unequal;
  for (Test& t : tests) all.push_back(&t);
  int agree = 0, failed = 0;
  const std::vector<Answer> answers = run(all, argv[1]);
  std::vector<const Answer*> doubtful;
  for (size_t k = 0; k < all.size(); ++k) {
    const Answer& got = answers[k];
    if (!got && !got.error().record && (got.error().code == Code::Unsupported || got.error().code == Code::Usage)) {
      const std::string& why = got.error().message;
      const size_t part = why.find("of the part"), end = why.find(" of the runtime");
      ++left_out[part < end && end != std::string::npos ? "it needs a function " + why.substr(part, end - part) : why];
    } else if (difference(got, all[k]->wanted, true).empty()) {
      ++agree;
    } else {
      unequal.push_back(all[k]);
      doubtful.push_back(&got);
    }
  }
  const std::vector<Answer> own = unequal.empty() ? std::vector<Answer>() : run(unequal, "");
  int rounded = 0;
  for (size_t k = 0; k < unequal.size(); ++k) {
    const bool here_too = !difference(own[k], unequal[k]->wanted, true).empty();
    const std::string d = difference(*doubtful[k], unequal[k]->wanted, !here_too);
    if (d.empty()) {
      ++rounded;
      continue;
    }
    ++failed;
    fmt::print("{}: {}\n", unequal[k]->name, d);
  }
  for (const auto& [why, n] : left_out) fmt::print("left out: {} tests: {}\n", n, why);
  fmt::print("{} agree to the bit, {} within the bound, {} disagree\n", agree, rounded, failed);
  // More than 70 % of the files must agree bit for bit.
  return failed == 0 && agree * 10 > static_cast<int>(files.size()) * 7 ? 0 : 1;
}
