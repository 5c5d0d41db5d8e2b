# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""--format from outside: every format of one campaign, of a replay, and of what could not be tested."""
import json
import re
import xml.etree.ElementTree as xml

from harness import CANNOT_TEST, CLEAN, DEFECT, USAGE, Context

FILES = {"html": "r.html", "sarif": "r.sarif", "junit": "r.xml", "json": "r.json", "perfetto": "r.perfetto"}
ALL = ",".join(f"{name}={file}" for name, file in FILES.items())


def page_data(text: str) -> dict:
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL).group(1))


def check_defect(context: Context, folder, what: str) -> None:
    """All formats tell of the same finding."""
    report = json.loads((folder / "r.json").read_text())
    finding = report["findings"][0]
    result = json.loads((folder / "r.sarif").read_text())["runs"][0]["results"][0]
    context.check(result["ruleId"] == finding["kind"] == "assertion", f"{what}: kind", result)
    place = result["locations"][0]["physicalLocation"]
    context.check(place["region"]["startLine"] == finding["location"]["line"], f"{what}: line", place)
    flows = result["codeFlows"][0]["threadFlows"]
    shown = [step for step in finding["interleaving"] if "skipped" not in step]
    context.check(sum(len(flow["locations"]) for flow in flows) == len(shown), f"{what}: steps of the flows", flows)
    context.check(len(flows) == len({step["thread"] for step in shown}) >= 2, f"{what}: one flow a thread", flows)
    suite = xml.parse(folder / "r.xml").getroot()
    failure = suite.find("testsuite/testcase/failure")
    context.check(suite.get("failures") == "1" and failure is not None and failure.get("type") == "assertion", f"{what}: junit",
                  (folder / "r.xml").read_text())
    data = page_data((folder / "r.html").read_text())
    timeline = data["timelines"][0]
    context.check(data["report"] == report, f"{what}: the page holds the report")
    context.check(len(timeline["events"]["thread"]) == finding["events"], f"{what}: all events are in the page")
    context.check(any("int main" in line for file in timeline["files"] for line in file["lines"]), f"{what}: the source is in the page")
    for role in finding["roles"]:
        context.check(0 <= role["event"] < finding["events"], f"{what}: role {role}")
    slices = [e for e in json.loads((folder / "r.perfetto").read_text())["traceEvents"] if e["ph"] == "X"]
    context.check(len(slices) == finding["events"], f"{what}: slices of perfetto")


def all_at_once(context: Context) -> None:
    program = context.build(context.sources.parent / "examples" / "bank.cpp")
    if program is None:
        return
    done = context.tool("run", "--format", f"console,github,{ALL}", program)
    context.check(done.code == DEFECT and "FAILED  assertion" in done.out, "run: console", done)
    context.check(re.search(r"^::error file=.*bank\.cpp,line=\d+,col=\d+,title=Ravel%3A assertion::", done.out, re.M) is not None,
                  "run: annotation", done)
    check_defect(context, context.folder, "run")
    plan = json.loads((context.folder / "r.json").read_text())["findings"][0]["plan"]

    done = context.tool("replay", "--format", ALL, plan)
    context.check(done.code == DEFECT and done.out == "", "replay: only what is listed", done)
    check_defect(context, context.folder, "replay")
    done = context.tool("run", "--json", "-", "--format", "junit=r.xml", program)
    context.check(done.code == DEFECT and json.loads(done.out)["findings"], "run: --json besides --format", done)
    done = context.tool("run", "--format", "console,sarif=-", program)
    context.check(json.loads(done.out)["version"] == "2.1.0" and "FAILED" in done.err, "run: console gives way", done)

    fixed = context.build(context.sources.parent / "examples" / "bank.cpp", "fixed", defines=("FIXED",))
    done = context.tool("run", "--iterations", "50", "--format", ALL, fixed)
    context.check(done.code == CLEAN and json.loads((context.folder / "r.sarif").read_text())["runs"][0]["results"] == [], "clean", done)
    suite = xml.parse(context.folder / "r.xml").getroot()
    context.check(suite.get("tests") == "1" and suite.get("failures") == suite.get("errors") == "0", "clean: junit")
    context.check(len(json.loads((context.folder / "r.json").read_text())["curve"]) >= 1, "clean: curve")


def not_tested(context: Context) -> None:
    """Silence is no success: what could not be tested says so in every format."""
    done = context.tool("run", "--format", f"github,{ALL}", "/bin/true")
    context.check(done.code == CANNOT_TEST and done.out.startswith("::error title="), "vacuous: annotation", done)
    suite = xml.parse(context.folder / "r.xml").getroot()
    context.check(suite.get("errors") == "1" and suite.find("testsuite/testcase/error") is not None, "vacuous: junit")
    invocation = json.loads((context.folder / "r.sarif").read_text())["runs"][0]["invocations"][0]
    context.check(invocation["executionSuccessful"] is False and invocation["toolExecutionNotifications"], "vacuous: sarif", invocation)
    context.check(page_data((context.folder / "r.html").read_text())["report"]["exit_code"] == CANNOT_TEST, "vacuous: page")
    for words in ("htlm=x", "html", "console=x", "html=x,sarif=x", "json=/nonexistent/x"):
        done = context.tool("run", "--format", words, "/bin/true")
        context.check(done.code == USAGE and done.err.count("\n") == 1, f"--format {words}", done)
