// Distinguishes children that hang from those that only wait for a processor.
#include "watchdog.hpp"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace vr::smith {
namespace {

/// Runs `work` in a child; returns how often in `rounds` tenths of a second the watchdog reported a hang.
int alarms(const std::function<void()>& work, int rounds, bool signs_of_life = false) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  Watchdog watchdog(child, 1);
  int n = 0;
  for (int k = 0; k < rounds; ++k) {
    usleep(100'000);
    if (signs_of_life) watchdog.alive();
    n += watchdog.hangs();
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return n;
}

[[noreturn]] void compute() {
  for (volatile unsigned x = 0;;) x = x + 1;
}

TEST(Watchdog, SleepingForeverHangs) { EXPECT_GT(alarms([] { pause(); }, 15), 0); }

TEST(Watchdog, WaitingForAChildThatSleepsHangs) {
  EXPECT_GT(alarms(
                [] {
                  const pid_t other = fork();
                  if (other == 0) {
                    alarm(5);
                    pause();
                  }
                  waitpid(other, nullptr, 0);
                },
                15),
            0);
}

TEST(Watchdog, ComputingWithoutProgressTimesOut) {
  const pid_t child = fork();
  if (child == 0) compute();
  Watchdog watchdog(child, 1);
  while (!watchdog.hangs()) usleep(100'000);  // CPU time is measured, because a busy machine needs more time
  kill(child, SIGKILL);
  rusage used{};
  wait4(child, nullptr, 0, &used);
  EXPECT_GE(used.ru_utime.tv_sec + used.ru_stime.tv_sec, 1);
}

TEST(Watchdog, ProgressPreventsATimeout) {
  EXPECT_EQ(alarms([] { compute(); }, 15, true), 0);
}

TEST(Watchdog, WaitingForAChildThatComputesDoesNot) {
  EXPECT_EQ(alarms(
                [] {
                  const pid_t other = fork();
                  if (other == 0) {
                    alarm(4);
                    compute();
                  }
                  waitpid(other, nullptr, 0);
                },
                15),
            0);
}

}  // namespace
}  // namespace vr::smith
