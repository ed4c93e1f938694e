// Outlining: if a function cannot be compiled as a whole, its loops are compiled as separate functions, from the
// variables that a loop reads to those that it assigns.
//
// Octave's interpreter runs the function. In its tree, each loop is replaced by a command that tries compiled code, or
// else runs the original loop. Compiled code has no effects before it ends, so a loop that bails out is run from its
// start. If a loop cannot be compiled, the loops inside it are outlined.
#pragma once
#include "versions.hpp"

#include <octave/pt-cmd.h>
#include <octave/pt-walk.h>

#include <memory>
#include <string>
#include <vector>

namespace octave {
class stack_frame;
class tree_evaluator;
class tree_statement_list;
}  // namespace octave

namespace vr::octave_host {

/// While an object of this class exists, outlined loops run as compiled code, or only in the interpreter (as vr.compare
/// needs it).
class PartsRun {
 public:
  explicit PartsRun(bool on) : before_(on_) { on_ = on; }
  ~PartsRun() { on_ = before_; }
  PartsRun(const PartsRun&) = delete;
  static bool on() { return on_; }
  /// How often a part was run by compiled code.
  static int64_t answered() { return answered_; }
  static void count() { ++answered_; }

 private:
  static bool on_;
  static int64_t answered_;
  bool before_;
};

/// The data that all loops of one function share.
struct Outlined {
  std::string shown, file;  ///< the function's name in reports, and its file
  octave::symbol_scope scope;
  std::map<std::string, int> mentions;  ///< how often a name occurs in the function
};

class OutlinedLoop : public octave::tree_command {
 public:
  OutlinedLoop(octave::tree_command* loop, const std::shared_ptr<const Outlined>& function);
  void accept(octave::tree_walker& walker) override;
  octave::tree_command& loop() { return *loop_; }

 private:
  bool run_compiled(octave::tree_evaluator& evaluator);
  void prepare();
  std::shared_ptr<Version> compile(const Key& key, const octave_value_list& args);
  void leave(octave::tree_evaluator& evaluator, octave::stack_frame& frame, const Version& v,
             const octave_value_list& results) const;
  void outline_inner();

  std::unique_ptr<octave::tree_command> loop_;
  std::shared_ptr<const Outlined> function_;
  bool prepared_ = false, inner_outlined_ = false;
  std::string why_;  ///< not empty: why it cannot be compiled for any types of its variables
  matlab::Body body_;
  std::set<std::string> names_;
  std::vector<std::string> reads_, writes_;
  std::vector<octave::symbol_record> read_symbols_, write_symbols_;
  Versions versions_;
};

/// Replaces the loops of the function and of its subfunctions. Loops that were replaced before stay replaced.
void outline(octave_user_function& f, const std::string& shown);

}  // namespace vr::octave_host
