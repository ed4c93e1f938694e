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

// The running job must be over before the process destroys what the compiler uses: objects that LLVM makes when they
// are first needed, maybe by the job itself, are destroyed before handlers that were registered earlier are called. The
// end of the main thread's storage comes before all of them; for exit() in another thread there are the handlers.
struct EndOfMain {
  bool armed = false;
  ~EndOfMain();
  /// Makes this thread's object, and so its destructor run.
  static bool arm() {
    static thread_local EndOfMain end;
    return end.armed = true;
  }
};
// The main thread may never add a job itself; it loads the library, most of the time.
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
      // Before what the job made is destroyed; a few times will do.
      ++done;
      if ((done & (done - 1)) == 0) end_at_exit();
    }
  }

  /// In the child. The thread did not come along, and may have been waiting: both objects are given up.
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
