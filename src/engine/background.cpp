#include "engine/background.hpp"

#include "support/fork_gate.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <semaphore>
#include <thread>

namespace vr::engine {

namespace {

// The running job must end before the process destroys what the compiler uses. LLVM makes some objects when they are first needed,
// perhaps in the job itself, and they are destroyed before exit handlers that were registered earlier are called. The destruction
// of the main thread's thread_local objects precedes all of them; for exit() in another thread there are the handlers.
struct EndOfMain {
  bool armed = false;
  ~EndOfMain();
  /// Makes this thread's object, so that its destructor will run.
  static bool arm() {
    static thread_local EndOfMain end;
    return end.armed = true;
  }
};
// The main thread may never add a job itself, but usually it is the one that loads the library.
const bool armed_on_load = EndOfMain::arm();
std::atomic<bool> in_use{false};

class Background {
 public:
  static Background& get() {
    // Never destroyed: jobs may be added while the process ends.
    static Background& b = *new Background;
    return b;
  }

  void add(std::function<void()> job) {
    EndOfMain::arm();
    NoForkNow no_fork;
    std::lock_guard lock(mutex_);
    if (ending_) return;
    start();
    jobs_.push_back(std::move(job));
    added_->release();
  }

  void resume() {
    NoForkNow no_fork;
    std::lock_guard lock(mutex_);
    if (!ending_ && !jobs_.empty()) start();
  }

  void end() {
    {
      std::lock_guard lock(mutex_);
      ending_ = true;
      jobs_.clear();
      added_->release();
    }
    std::lock_guard once(ended_);
    if (thread_ && thread_->joinable()) thread_->join();
  }

  bool ending() const { return ending_; }

 private:
  Background() {
    in_use = true;
    pthread_atfork(nullptr, nullptr, [] { get().forked(); });
    end_at_exit();
  }

  static void end_at_exit() {
    std::atexit([] { get().end(); });
  }

  void start() {
    if (!thread_) thread_ = std::make_unique<std::thread>([this] { work(); });
  }

  void work() {
    for (uint64_t done = 0; !ending_;) {
      added_->acquire();
      NoForkNow no_fork;  // before the job is taken: a forked child finds it in the queue, or done
      std::function<void()> job;
      {
        std::lock_guard lock(mutex_);
        if (jobs_.empty()) continue;
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      job();
      // Registers the handler again, so that it runs before the objects that the job made are destroyed; only after 1,
      // 2, 4, 8 ... jobs.
      ++done;
      if ((done & (done - 1)) == 0) end_at_exit();
    }
  }

  /// In a forked child, which has no copy of the thread. Thread and semaphore are leaked, because the thread may have been waiting.
  void forked() {
    (void)thread_.release();
    (void)added_.release();
    added_ = std::make_unique<Semaphore>(static_cast<std::ptrdiff_t>(jobs_.size()));
  }

  using Semaphore = std::counting_semaphore<>;
  std::mutex mutex_;                                                   ///< of all below; taken with NoForkNow
  std::unique_ptr<Semaphore> added_ = std::make_unique<Semaphore>(0);  ///< one for each job, and one for the end
  std::deque<std::function<void()>> jobs_;
  std::unique_ptr<std::thread> thread_;
  std::atomic<bool> ending_{false};
  std::mutex ended_;  ///< held while end() waits for the thread
};

EndOfMain::~EndOfMain() {
  if (in_use && getpid() == gettid()) Background::get().end();
}

}  // namespace

void run_in_background(std::function<void()> job) { Background::get().add(std::move(job)); }
void resume_background() { Background::get().resume(); }
bool ending() { return Background::get().ending(); }

}  // namespace vr::engine
