#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks files that heddle report writes, with code that shares nothing with what wrote them.

    check_report.py json  SCHEMA FILE...   result.json against the schema
    check_report.py sarif FILE...          SARIF 2.1.0 (sarif_subset.schema.json, sarif_rules.py)
    check_report.py junit FILE...          JUnit XML: its counts are those of its cases
    check_report.py graphml FILE...        a violation witness of SV-COMP (graphml_rules.py)
    check_report.py html  FILE...          the page: one file, nothing executable but its own script, and data that make sense
    check_report.py instead FILE TEXT OTHER  in the page, some step TEXT is OTHER in the passing run
    check_report.py self-test              each rule catches a violation

Exit code: 0 all is well, 1 not; what is wrong is printed."""
import base64
import copy
import hashlib
import html.parser
import json
import os
import re
import sys
import xml.etree.ElementTree

import graphml_rules
import sarif_rules

CAUSES = ["none", "reads", "flush", "lock", "signal", "thread", "held"]


class Page(html.parser.HTMLParser):
    """What a browser would make of the file: elements with their attributes, and the text of scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.open = [], {}, None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag in ("script", "style", "title"):
            self.open = (tag, dict(attributes).get("type", ""))
            self.texts.setdefault(self.open, []).append("")

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open:
            self.texts[self.open][-1] += data


def hash_of(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def check_witness(witness, files):
    """Reads read what their cause wrote, and causes come before what they cause."""
    last_written = {}
    for index, row in enumerate(witness["steps"]):
        number, thread, obj, kind, mark, quiet, text, site, cause, cause_step, order, size, value, instead = row
        kind, text = witness["kinds"][kind], witness["texts"][text]
        if not (0 <= thread < len(witness["threads"]) and -1 <= obj < len(witness["objects"])):
            yield f"step {index} refers to what is not there"
        if instead != -1 and witness["texts"][instead] == text:
            yield f"step {index} ({text}) is said to differ from a passing run, and does not"
        file, line = witness["sites"][site][:2]
        if not -1 <= file < len(files):
            yield f"step {index} is in a file that is not there"
        if CAUSES[cause] == "none":
            continue
        if not 0 <= cause_step < index:
            yield f"step {index} is caused by step {cause_step}"
            continue
        source = witness["steps"][cause_step]
        source_text = witness["texts"][source[6]]
        read = re.match(r"reads (.*): (-?\d+)( \(from its buffer\))?$", text)
        wrote = re.match(r"(.*) = (-?\d+)( \(buffered\)| reaches memory| \(by a library\))?$", source_text)
        if CAUSES[cause] == "reads" and read and wrote and source[11] == size and (read[1], read[2]) != (wrote[1], wrote[2]):
            yield f"step {index} ({text}) does not read what step {cause_step} ({source_text}) wrote"
        if CAUSES[cause] == "lock" and "unlocks" not in source_text:
            yield f"step {index} ({text}) is let in by {source_text}"
        if CAUSES[cause] == "held" and not re.match(r"locks|goes on after", source_text):
            yield f"step {index} ({text}) waits for {source_text}"
        if CAUSES[cause] == "flush" and witness["kinds"][source[3]] != "store":
            yield f"step {index} ({text}) was issued as {source_text}"
    for index, row in enumerate(witness["steps"]):  # by values alone: a read differs from the write before it only under store buffers
        text = witness["texts"][row[6]]
        if witness["memory"] != "sc":
            break
        if wrote := re.match(r"(.*) = (-?\d+)$", text):
            last_written[wrote[1], row[11]] = wrote[2]
        read = re.match(r"reads (.*): (-?\d+)$", text)
        if read and (read[1], row[11]) in last_written and CAUSES[row[8]] != "reads":
            yield f"step {index} ({text}) has no cause, and there was a write"


def check_exploration(exploration, result):
    """Every execution is counted once on each level of the tree."""
    branches = exploration["branches"]
    below, ends = [0] * len(branches), {"executions": 6, "blocked": 7, "failed": 8}
    for number, row in enumerate(branches):
        parent = branches[row[0]]
        if number and (row[0] >= number or row[1] != parent[1] + parent[2]):
            yield f"branch {number} does not go on where its parent ends"
        if number:
            below[row[0]] += row[6]
        for name, column in ends.items():
            if row[column] > parent[column] or row[column] > row[6] or row[6] < 1:
                yield f"branch {number} has more {name} than there are"
    for number, row in enumerate(branches):
        if below[number] not in (0, row[6]):
            yield f"branch {number} has {row[6]} executions, and {below[number]} below"
    if branches[0][6] + exploration["left_out"] != result["stats"]["executions"]:
        yield f"{branches[0][6]} executions in the tree of {result['stats']['executions']}"


def check_html(text):
    page = Page(text)
    scripts, data = page.texts.get(("script", ""), []), page.texts.get(("script", "application/json"), [])
    styles = page.texts.get(("style", ""), [])
    if len(scripts) != 1 or len(data) != 1 or len(styles) != 1:
        yield f"{len(scripts)} scripts, {len(data)} pieces of data, {len(styles)} styles"
        return
    policy = next((a.get("content", "") for tag, a in page.elements if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy"), "")
    rules = dict(rule.split(None, 1) for rule in policy.split(";") if rule.strip())
    if rules.get("default-src") != "'none'":
        yield "other sources are allowed"
    for name, texts in (("script-src", scripts), ("style-src", styles)):
        if rules.get(name, "").strip() != f"'sha256-{hash_of(texts[0])}'":
            yield f"{name} does not name the hash of what is there"
    for tag, attributes in page.elements:
        if tag in ("img", "iframe", "object", "embed", "link", "base", "form", "a"):
            yield f"an element {tag}"
        for name, value in attributes.items():
            if name.startswith("on") or name in ("src", "href", "style"):
                yield f"an attribute {name} of {tag}"
    if "<" in data[0]:
        yield "the data hold a <"
    report = json.loads(data[0])
    if len(report["witnesses"]) != len(report["result"]["findings"]):
        yield "not one witness per finding"
    for witness in report["witnesses"]:
        if witness:
            yield from check_witness(witness, report["files"])
            if not report.get("passing") and any(row[13] != -1 for row in witness["steps"]):
                yield "differences from a passing run, and there is none"
    if report.get("exploration"):
        yield from check_exploration(report["exploration"], report["result"])


def check_instead(text, wanted, other):
    report = json.loads(Page(text).texts["script", "application/json"][0])
    found = {(witness["texts"][row[6]], witness["texts"][row[13]]) for witness in report["witnesses"] if witness for row in witness["steps"] if row[13] != -1}
    if (wanted, other) not in found:
        yield f"no step \"{wanted}\" that is \"{other}\" in the passing run: {sorted(found)}"


def check_junit(text):
    root = xml.etree.ElementTree.fromstring(text)
    for suite in root.iter("testsuite"):
        for attribute, element in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            if int(suite.get(attribute)) != len(list(suite.iter(element))):
                yield f"{attribute} is {suite.get(attribute)}"
        if not list(suite.iter("testcase")):
            yield "no case"
    if root.tag != "testsuites":
        yield f"the root is {root.tag}"


def check_json(schema, text):
    import jsonschema
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    for error in validator.iter_errors(json.loads(text)):
        yield f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"


def check_sarif(log):
    """By a schema, which knows types and what may be where, and by rules, which know what belongs together."""
    import jsonschema
    with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), "sarif_subset.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    found = [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in jsonschema.Draft7Validator(schema).iter_errors(log)]
    return found + sarif_rules.check_log(log)


def read_bytes(name):
    with open(name, "rb") as file:
        return file.read()


def wrong_witnesses():
    """Which changes of a good witness are not noticed."""
    program = b"int x;\nx = 1;\n"
    keys = "".join(f'<key id="{key}" for="{what}"/>' for what, names in (("graph", graphml_rules.OF_GRAPH), ("node", graphml_rules.OF_NODE), ("edge", graphml_rules.OF_EDGE)) for key in sorted(names))
    data = lambda **facts: "".join(f'<data key="{key.replace("_", "-")}">{value}</data>' for key, value in facts.items())
    good = (f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{keys}<graph edgedefault="directed">' +
            data(witness_type="violation_witness", sourcecodelang="C", producer="p", specification="CHECK( init(main()), LTL(G valid-free) )", programfile="a.c",
                 programhash=hashlib.sha256(program).hexdigest(), architecture="64bit", creationtime="2026-01-01T00:00:00Z") +
            f'<node id="a">{data(entry="true")}</node><node id="b"/><node id="c"/><node id="d">{data(violation="true")}</node>' +
            f'<edge source="a" target="b">{data(threadId=0, createThread=0, enterFunction="main")}</edge>' +
            f'<edge source="b" target="c">{data(threadId=0, createThread=1, startline=1)}</edge>' +
            f'<edge source="c" target="d">{data(threadId=1, enterFunction="f", startline=2, assumption="x == 1;")}</edge></graph></graphml>')
    problems_of = lambda text: graphml_rules.check_text(text, lambda name: program)
    wrong = [f"a good witness is refused: {problems_of(good)}"] if problems_of(good) else []
    for old, new in (("64bit", "16bit"), (data(createThread=1), ""), (data(createThread=1), data(createThread=0)), (data(startline=1), data(startline=9)), ("x == 1", "y == 1"),
                     ("x == 1;", "f(x) == 1;"), (data(violation="true"), ""), ('target="c"', 'target="d"'), (data(enterFunction="f"), ""), ("Z</data>", "</data>"),
                     (data(producer="p"), ""), ('<key id="threadId" for="edge"/>', ""), (hashlib.sha256(program).hexdigest(), "0" * 64), ("LTL(G", "LTL(F")):
        if good.replace(old, new) == good or not problems_of(good.replace(old, new)):
            wrong.append(f"witness: {old} -> {new} is not noticed")
    return wrong


def self_test():
    """Files with one thing wrong each."""
    location = {"physicalLocation": {"artifactLocation": {"uri": "a.c", "uriBaseId": "SRCROOT"}, "region": {"startLine": 3}}}
    step = {"location": location, "executionOrder": 1, "importance": "important"}
    say = {"text": "m"}
    rule = {"id": "race", "shortDescription": say, "fullDescription": say, "help": say}
    good = {"$schema": "https://s", "version": "2.1.0", "runs": [{"tool": {"driver": {"name": "Heddle", "version": "1", "rules": [rule]}}, "columnKind": "utf16CodeUnits",
            "automationDetails": {"id": "heddle/check/a/"}, "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": []}],
            "originalUriBaseIds": {"SRCROOT": {"description": say}}, "properties": {"command": "check", "verdict": "violated"},
            "results": [{"ruleId": "race", "ruleIndex": 0, "level": "error", "message": say, "partialFingerprints": {"heddleFinding/v1": "b"}, "locations": [location],
                         "codeFlows": [{"message": say, "threadFlows": [{"id": "T0", "locations": [step]}]}], "properties": {"confirmed": True, "replay": "r"}}]}]}
    result = lambda log: log["runs"][0]["results"][0]
    place = lambda log: result(log)["locations"][0]["physicalLocation"]
    flow = lambda log: result(log)["codeFlows"][0]["threadFlows"]
    changes = [lambda log: log.update(version="2.0.0"), lambda log: log.update(extra=1), lambda log: result(log).pop("message"),
               lambda log: result(log).update(ruleIndex=1), lambda log: place(log)["region"].update(startLine=0), lambda log: place(log)["artifactLocation"].update(uri="a b.c"),
               lambda log: log["runs"][0]["originalUriBaseIds"].pop("SRCROOT"), lambda log: result(log).update(level="fatal"),
               lambda log: flow(log).append({"id": "T1", "locations": [dict(step)]}), lambda log: flow(log)[0]["locations"].clear(),
               lambda log: flow(log)[0]["locations"][0].update(importance="high"), lambda log: flow(log)[0].update(id="thread 1"),
               lambda log: place(log)["artifactLocation"].pop("uriBaseId"), lambda log: place(log)["region"].update(startLine="3"),
               lambda log: log["runs"][0].update(columnKind="bytes"), lambda log: result(log)["properties"].update(confirmed="yes"),
               lambda log: log["runs"][0]["tool"]["driver"]["rules"][0].pop("help"), lambda log: log["runs"].append(log["runs"][0])]
    wrong = [] if not check_sarif(good) else [f"a good file is refused: {check_sarif(good)}"]
    for i, change in enumerate(changes):
        log = copy.deepcopy(good)
        change(log)
        if not check_sarif(log):
            wrong.append(f"SARIF: change {i} is not noticed")
    head = "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'\"><style>s</style>".format(hash_of("x"), hash_of("s"))
    data = '{"result": {"findings": []}, "witnesses": [], "files": []}'
    page = head + f'<script type="application/json">{data}</script><script>x</script>'
    if list(check_html(page)):
        wrong.append(f"a good page is refused: {list(check_html(page))}")
    for i, bad in enumerate([page.replace(">x<", ">y<"), page + "<script>x</script>", page + "<p onclick='x'>", page + "<img src='x'>", page.replace("'none'", "*")]):
        if not list(check_html(bad)):
            wrong.append(f"page {i} is not noticed")
    tree = {"left_out": 1, "branches": [[0, 0, 3, "T0", "", "", 2, 0, 1], [0, 3, 1, "T0", "", "", 1, 0, 0], [0, 3, 2, "T0.0", "", "", 1, 0, 1]]}
    if list(check_exploration(tree, {"stats": {"executions": 3}})) or not list(check_exploration(tree, {"stats": {"executions": 2}})):
        wrong.append("exploration: the count of executions")
    for number, column, value in ((1, 6, 2), (1, 1, 4), (2, 0, 2), (2, 8, 2), (2, 6, 0)):
        bad = copy.deepcopy(tree)
        bad["branches"][number][column] = value
        if not list(check_exploration(bad, {"stats": {"executions": 3}})):
            wrong.append(f"exploration: {value} in column {column} of {number} is not noticed")
    if not list(check_junit("<testsuites><testsuite tests='2' failures='0' errors='0'><testcase/></testsuite></testsuites>")):
        wrong.append("JUnit: a wrong count is not noticed")
    return wrong + wrong_witnesses()


def main(arguments):
    what, files = arguments[0], arguments[1:]
    problems = []
    if what == "self-test":
        problems = self_test()
    if what == "json":
        with open(files.pop(0), encoding="utf-8") as file:
            schema = json.load(file)
    if what == "instead":
        files, (step, other) = files[:1], files[1:]
    for name in files:
        with open(name, encoding="utf-8") as file:
            text = file.read()
        found = {"json": lambda: check_json(schema, text), "sarif": lambda: check_sarif(json.loads(text)),
                 "junit": lambda: check_junit(text), "graphml": lambda: graphml_rules.check_text(text, read_bytes), "html": lambda: check_html(text),
                 "instead": lambda: check_instead(text, step, other)}[what]()
        problems += [f"{name}: {problem}" for problem in found]
    for problem in problems[:20]:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
