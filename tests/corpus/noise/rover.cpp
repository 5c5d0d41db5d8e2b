// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// rover PLANS: an executive runs plans while a checker looks at the conditions of the current one. On a plan that fails
// the executive takes the two locks in the other order.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

std::mutex plan_lock;
std::mutex database_lock;
int current_plan = 0;
int conditions = 0;
bool over = false;

void run_plan(int plan, bool fails) {
#ifdef FIXED
  (void)fails;
  const std::scoped_lock both(plan_lock, database_lock);
  current_plan = plan;
  conditions = plan;
#else
  if (fails) {
    const std::lock_guard database(database_lock);
    conditions = plan;
    const std::lock_guard hold(plan_lock);  // here: first
    current_plan = plan;
    return;
  }
  const std::lock_guard hold(plan_lock);
  current_plan = plan;
  const std::lock_guard database(database_lock);
  conditions = plan;
#endif
}

void check_conditions(int times) {
  for (int i = 0; i < times; ++i) {
    const std::lock_guard hold(plan_lock);
    const std::lock_guard database(database_lock);  // here: second
    assert(over || conditions == current_plan || conditions == 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int plans = argc > 1 ? std::atoi(argv[1]) : 3;
  std::thread checker(check_conditions, plans);
  for (int i = 1; i <= plans; ++i) run_plan(i, i == plans);
  checker.join();
  over = true;
}
