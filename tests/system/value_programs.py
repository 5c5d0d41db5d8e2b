# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Strategy `values` on the small programs of Chen's thesis, in C++: numbers that were counted by hand or by enumeration. -O0: each access of the source is one."""
import harness

# Where each numbered test of the thesis' feature list is: docs/values.md, "What was compared".
HEAD = "#include <atomic>\n#include <cassert>\n#include <cstdio>\n#include <memory>\n#include <mutex>\n#include <thread>\n#include <vector>\n"
COUNTING = ("--strategy", "values", "--detect", "none", "--points", "shared", "--points-exclude", "lifecycle", "--no-minimize", "--keep-going")

# 14: after `s = a' was made to wait for `a = 0', the branch shows that it is not executed.
BRANCH = HEAD + """
int a = 1, b, s;
int main() {
  std::thread first([] { b = 1; s = a; b = -1; });
  std::thread second([] {
    if (b < 0) {
      a = 0;
    }
  });
  first.join();
  second.join();
}
"""
# 20: which override writes the account is known when it is entered.
MANAGER = HEAD + """
struct Account { std::mutex lock; int value = 0; };
Account x, y;
struct Manager {
  virtual ~Manager() = default;
  virtual void withdraw(Account& from) { from.value -= 10; }
};
struct Printing : Manager {
  void withdraw(Account&) override { std::fputs("no", stderr); }
};
Manager real;
Printing printing;
Manager& choose(Account& of) {
  if (of.value >= 0) return real;
  return printing;
}
int main() {
  std::thread first([] {
    { std::lock_guard hold(x.lock); x.value += 10; }
    std::lock_guard hold(y.lock);
    y.value -= 10;
  });
  std::thread second([] {
    choose(x).withdraw(x);
    choose(x).withdraw(x);
    std::lock_guard hold(y.lock);
    y.value -= 10;
  });
  first.join();
  second.join();
}
"""
# 20: only the override that is never entered writes the account; that shows once the other one is entered.
OTHER_CALLEE = HEAD + """
int account, printed, mode, begun, seen;
struct Manager {
  virtual ~Manager() = default;
  virtual void withdraw() {
    account = 2;
  }
};
struct Printing : Manager {
  void withdraw() override {
    printed = 1;
  }
};
Manager real;
Printing printing;
int main(int argc, char**) {
  mode = argc;
  std::thread first([] {
    account = 1;
    printed = 2;
    begun = 1;
  });
  std::thread second([] {
    seen = begun;
    Manager& chosen = mode > 1 ? real : printing;
    chosen.withdraw();
  });
  first.join();
  second.join();
}
"""
# 21: v1 is skipped by a branch, v2 is about other elements, v3 does no harm, v4 divides by zero.
MOTIVATING = HEAD + """
int v1, v2[20], v3, v4 = 1, q;
int first_id = 1, second_id = 2;
std::mutex lock;
int main() {
  std::thread first([] {
    const int id = first_id;
    int local = v1;
    local += v2[id];
    { std::lock_guard hold(lock); v3 = 1; }
    const int divisor = v4;
    q = divisor == 0 ? -1 : local / divisor;
  });
  std::thread second([] {
    const int id = second_id;
    int local = 0;
    if (local > id) v1 = 3;
    v2[id] = 2;
    { std::lock_guard hold(lock); v3 = 1; }
    v4 *= local;
  });
  first.join();
  second.join();
  assert(q != -1);
}
"""
# 22: each thread keeps its element in a member that never changes.
ELEMENTS = HEAD + """
struct Account { std::mutex lock; int value = 0; };
struct User {
  Account& mine;
  const int amount;
  void operator()() const { std::lock_guard hold(mine.lock); mine.value += amount; }
};
std::unique_ptr<Account> accounts[2];
int main() {
  for (auto& one : accounts) one = std::make_unique<Account>();
  std::thread first(User{*accounts[0], 10});
  std::thread second(User{*accounts[1], -10});
  first.join();
  second.join();
}
"""
# 37: who is to write waits for who waits itself.
SPINS = HEAD + """
std::atomic<int> flag, x;
int main() {
  std::thread first([] { x = 1; flag = 1; });
  std::thread second([] {
    while (flag == 0) {
    }
    x = 2;
  });
  first.join();
  second.join();
}
"""
# 38: threads that a loop makes.
IN_A_LOOP = HEAD + """
int x;
int main() {
  std::vector<std::thread> all;
  for (int i = 0; i < 3; ++i) all.emplace_back([i] { x = i; });
  for (std::thread& one : all) one.join();
}
"""


# Whoever fails first hides the failure of the other, and how far the other has come.
HIDDEN = HEAD + """
std::atomic<int> a, b, c;
int main() {
  std::thread first([] { a = 1; assert(b == 2); });
  std::thread second([] { c = 1; c = 2; assert(c == 3); });
  first.join();
  second.join();
}
"""


def counted(context: harness.Context, name: str, text: str, *options, analyze: bool = True) -> tuple:
    source = context.folder / f"{name}.cpp"
    source.write_text(text)
    program = context.build(source, flags=("-O0",))
    if program is None:
        return harness.Finished(0, "", ""), {}, {}
    if analyze:
        done = context.tool("analyze", program, cwd=context.folder)
        context.check(done.code == harness.CLEAN, f"{name}: no facts", done)
    done, report = context.run(program, *COUNTING, *options, cwd=context.folder)
    return done, report, report.get("values") or {}


def schedules(report: dict) -> tuple:
    return report.get("executions"), (report.get("values") or {}).get("failing"), report.get("complete")


def branches_and_callees(context: harness.Context) -> None:
    """14, 20: a goal ends where the branch or the callee shows that its target does not come. What was run for nothing is counted too."""
    done, report, values = counted(context, "branch", BRANCH)
    context.check(schedules(report) == (3, 0, True), f"branch: {schedules(report)} {values.get('fates')}", done)
    _, other = context.run(context.folder / "branch", "--strategy", "clock-vector", *COUNTING[2:], "--facts", "none", cwd=context.folder)
    # Three whole executions are the least that three schedules take, and what clock-vector takes here.
    context.check(report["steps"] <= other["steps"] and report["abandoned"] + report["blocked"] == 0, f"{report['steps']} events, clock-vector {other['steps']}", done)
    # A third thread that writes: clock-vector runs some schedules twice.
    done, report, _ = counted(context, "branch_and_writer", BRANCH.replace("  first.join();", "  std::thread third([] { a = 2; });\n  third.join();\n  first.join();"))
    _, other = context.run(context.folder / "branch_and_writer", "--strategy", "clock-vector", *COUNTING[2:], "--facts", "none", cwd=context.folder)
    context.check(schedules(report) == (7, 0, True) and other["complete"] and report["steps"] < other["steps"], f"{schedules(report)}, {report['steps']} events, clock-vector {other['steps']}", done)
    done, report, values = counted(context, "manager", MANAGER)
    _, dpor = context.run(context.folder / "manager", "--strategy", "dpor", *COUNTING[2:], cwd=context.folder)
    context.check(schedules(report)[::2] == (dpor["executions"], True), f"manager: {schedules(report)}, dpor {dpor['executions']}", done)
    # Both overrides were seen, and only one of them on the way to the write: the goal through the other is not even tried.
    goals = sum(values["goals"].values())
    context.check(goals == values["fates"]["fulfilled"] == report["executions"] - 1, f"manager: {goals} goals, {values['fates']}", done)


def callee(context: harness.Context) -> None:
    """20: a goal in an override is dropped as soon as another one is entered, and the summary names that one."""
    source = context.folder / "other_callee.cpp"
    source.write_text(OTHER_CALLEE)
    program = context.build(source, flags=("-O0",))
    if program is None:
        return
    done = context.tool("analyze", program, cwd=context.folder)
    context.check(done.code == harness.CLEAN, "other_callee: no facts", done)
    options = ("--detect", "none", "--no-minimize", "--keep-going")
    # The thread whose account is the trigger begins: the other one stands before its call then.
    done, report = context.run(program, "--strategy", "values,first=1", *options, cwd=context.folder)
    fates = (report.get("values") or {}).get("fates", {})
    context.check(schedules(report) == (3, 0, True), f"other_callee: {schedules(report)}", done)
    context.check(fates.get("callee", 0) > 0, f"other_callee: {fates}", done)
    context.check("Printing::withdraw() was called, and other_callee.cpp:" in done.out, "other_callee: the callee is not named", done)
    done, report = context.run(program, "--strategy", "dpor", *options, cwd=context.folder)
    context.check((report["executions"], report["complete"]) == (3, True), f"other_callee: dpor {report['executions']}", done)
    # With the other override the write is real: the goal comes true, and both orders of it are seen.
    done, report = context.run(program, "--strategy", "values,first=1", *options, cwd=context.folder, arguments=("real",))
    fates = (report.get("values") or {}).get("fates", {})
    _, dpor = context.run(program, "--strategy", "dpor", *options, cwd=context.folder, arguments=("real",))
    context.check(report["complete"] and report["executions"] == dpor["executions"] == 3, f"other_callee real: {schedules(report)}, dpor {dpor['executions']}", done)
    context.check(fates.get("fulfilled", 0) > 0, f"other_callee real: {fates}", done)


def kept(context: harness.Context) -> None:
    """What a run has learned is used by the next one of the same build; a file that is not of it is left out with one line."""
    done, first, values = counted(context, "kept", BRANCH, "--facts", "none", analyze=False)
    file = context.folder / ".ravel" / "kept.pairs"
    context.check(schedules(first) == (3, 0, True) and not file.exists(), f"kept: --facts none: {schedules(first)}, {file.exists()}", done)
    program = context.folder / "kept"
    done, first = context.run(program, *COUNTING, cwd=context.folder)
    if not context.check(file.exists(), "kept: no file", done):
        return
    good = file.read_text(encoding="utf-8")
    done, second = context.run(program, *COUNTING, cwd=context.folder)
    rows = good.count("\n") - 3
    context.check(schedules(second) == schedules(first) and second["values"]["kept"] == rows > 0, f"kept: {schedules(second)} {second['values']['kept']} of {rows}", done)
    context.check(f"{rows} known from earlier runs" in done.out, "kept: the summary", done)
    for damaged, why in ((good.replace("seen", "sean"), "the file is damaged"), (good[:len(good) // 2], "the file is damaged"), (good.replace("build ", "build 0"), "they are of another build")):
        file.write_text(damaged, encoding="utf-8")
        done, third = context.run(program, *COUNTING, cwd=context.folder)
        text = done.out + done.err
        context.check(text.count("pairs of earlier runs are not used") == 1 and why in text, f"kept: {why}", done)
        context.check(schedules(third) == schedules(first) and third["values"]["kept"] == 0, f"kept, {why}: {schedules(third)}", done)
        context.check(file.read_text(encoding="utf-8") == good, f"kept, {why}: not written again", done)


def addresses(context: harness.Context) -> None:
    """21, 22: pairs of array elements that are about other addresses are not planned for again."""
    done, report, values = counted(context, "motivating", MOTIVATING)
    context.check(schedules(report) == (4, 2, True), f"motivating: {schedules(report)}", done)
    goals = sum(values["goals"].values())
    context.check(goals == values["fates"]["fulfilled"] == 3, f"motivating: v1 or v2 cost a run: {values}", done)
    done, report, values = counted(context, "elements", ELEMENTS)
    goals = sum(values["goals"].values())
    context.check(schedules(report) == (1, 0, True) and goals <= 1, f"elements: {schedules(report)}, {goals} goals", done)
    context.check(values["refuted"] > 0, f"33: no pair was removed: {values}", done)


def ends(context: harness.Context) -> None:
    """37, 38: a spinning target is given up; threads of a loop are distinguished."""
    # With a call in its loop the target's thread is driven until it is seen to wait; an empty loop waits from the start.
    for name, text in (("spins", SPINS), ("yields", SPINS.replace("while (flag == 0) {\n", "while (flag == 0) {\n      std::this_thread::yield();\n"))):
        done, report, values = counted(context, name, text)
        _, dpor = context.run(context.folder / name, "--strategy", "dpor", *COUNTING[2:], cwd=context.folder)
        context.check(schedules(report) == (4, 0, True) and dpor["executions"] == 4, f"{name}: {schedules(report)}, dpor {dpor['executions']}", done)
        dropped = values["fates"]["blocked"] + values["fates"]["spins"]
        context.check(dropped > 0 or name == "spins", f"{name}: {values['fates']}", done)
    for analyze in (True, False):
        done, report, values = counted(context, "in_a_loop", IN_A_LOOP, *(() if analyze else ("--facts", "none")), analyze=analyze)
        context.check(schedules(report) == (6, 0, True), f"in_a_loop: {schedules(report)}", done)


def hidden_ends(context: harness.Context) -> None:
    """A failure ends the program while another thread could go on: the other's failure is found as well, and the result is not called complete."""
    done, report, values = counted(context, "hidden", HIDDEN, "--facts", "none", analyze=False)
    places = {finding["message"] for finding in report["findings"]}
    context.check(len(places) == 2, f"hidden: {places}", done)
    context.check(report["complete"] is False and "could still run" in done.out + done.err, f"hidden: {schedules(report)}", done)


def deadlocks(context: harness.Context) -> None:
    """23, 24: locks in opposite orders, with the circle; a notification that is lost, with the wait that nobody ends."""
    folder = context.sources / "corpus"
    for name, source, words, schedules_of, said in (("locks", "values/deadlock_d1.cpp", ("1",), 3, "waits for mutex"), ("dining", "classic/dining.cpp", ("3",), 7, "waits for mutex"),
                                                    ("notify", "classic/lose_notify.cpp", (), 2, "waits for a signal of")):
        program = context.build(folder / source, name, flags=("-O0",))
        if program is None:
            continue
        done, report = context.run(program, *COUNTING, cwd=context.folder, arguments=words)
        context.check(schedules(report) == (schedules_of, 1, True), f"{name}: {schedules(report)}", done)
        context.check(said in done.out and {finding["kind"] for finding in report["findings"]} == {"deadlock"}, f"{name}: the report", done)


def elements(context: harness.Context) -> None:
    """Arrays: pairs of classes that meet on few elements. Of the goals behind the first hundred less than a tenth is about something else."""
    for source, words in (("values/account_deadlock.cpp", ("5",)), ("classic/dining.cpp", ("8",)), ("values/daisy.cpp", ("1",))):
        program = context.build(context.sources / "corpus" / source)
        if program is None:
            continue
        counts = []
        for runs in (120, 1200):
            done, report = context.run(program, "--strategy", "values", "--detect", "none", "--no-minimize", "--keep-going", "--iterations", runs, cwd=context.folder, arguments=words)
            values = report.get("values") or {}
            counts.append((sum(values["goals"].values()), values["fates"]["address"]))
        goals, elsewhere = counts[1][0] - counts[0][0], counts[1][1] - counts[0][1]
        context.check(goals > 100 and 10 * elsewhere < goals, f"{program.name}: {elsewhere} of {goals} goals were about something else", done)


VARIABLES = HEAD + "int a, b, c, d;\nint main() {\n" + "".join(
    f"  std::thread t{number}([] {{ a = 1; b = 1; c = 1; d = 1; }});\n" for number in range(2)) + "  t0.join();\n  t1.join();\n}\n"


def slices_apart(context: harness.Context) -> None:
    """39, 43: four variables that have nothing to do with each other: 8 runs instead of 16, and each order of each pair."""
    done, report, values = counted(context, "variables", VARIABLES)
    context.check(schedules(report) == (16, 0, True), f"combined: {schedules(report)}", done)
    program = context.folder / "variables"
    done, report = context.run(program, *COUNTING, "--strategy", "values,slices=apart", cwd=context.folder)
    values = report.get("values") or {}
    context.check((report["executions"], values["slices"], report["complete"]) == (8, 4, False), f"apart: {schedules(report)} {values}", done)
    context.check("8 value schedules, each order seen (4 slices apart)" in done.out, "the summary", done)
    seconds = values["seconds"]
    context.check(all(seconds[part] > 0 for part in ("analysis", "planning", "running")), f"39: {seconds}", done)
    done = context.tool("run", "--strategy", "values,slices=apart", "--focus", "a", "--", program, cwd=context.folder)
    context.check(done.code == harness.USAGE and done.err.count("\n") == 1, f"slices=apart with --focus: {done.code}", done)
