# SPDX-License-Identifier: Apache-2.0
"""What format 1.0 of SV-COMP's violation witnesses asks of a GraphML file, and what is true of those that Heddle writes:
they are one path, of a program whose lines exist, by threads that were created before."""
import datetime
import hashlib
import re
import xml.etree.ElementTree

NAMESPACE = "{http://graphml.graphdrawing.org/xmlns}"
OF_GRAPH = {"witness-type", "sourcecodelang", "producer", "specification", "programfile", "programhash", "architecture", "creationtime"}
OF_NODE = {"entry", "violation", "sink", "cyclehead"}
OF_EDGE = {"threadId", "createThread", "enterFunction", "returnFromFunction", "startline", "endline", "startoffset", "endoffset", "control",
           "assumption", "assumption.scope", "assumption.resultfunction", "enterLoopHead"}


def data_of(element, allowed, keys, problems):
    found = {}
    for data in element.findall(NAMESPACE + "data"):
        key = data.get("key")
        if key not in allowed or key in found:
            problems.append(f"data {key} of a {element.tag.replace(NAMESPACE, '')}")
        if keys.get(key) != element.tag.replace(NAMESPACE, ""):
            problems.append(f"the key {key} is not declared for it")
        found[key] = data.text or ""
    return found


def check_path(nodes, edges, problems):
    """One way from the entry to the violation."""
    entries = [name for name, data in nodes.items() if data.get("entry") == "true"]
    violations = [name for name, data in nodes.items() if data.get("violation") == "true"]
    if len(entries) != 1 or len(violations) != 1:
        problems.append(f"{len(entries)} entries, {len(violations)} violations")
        return []
    after = {}
    for edge in edges:
        if edge[0] in after or edge[0] not in nodes or edge[1] not in nodes:
            problems.append(f"an edge from {edge[0]} to {edge[1]}")
        after[edge[0]] = edge
    path, at = [], entries[0]
    while at in after and len(path) <= len(edges):
        path.append(after[at][2])
        at = after[at][1]
    if at != violations[0] or len(path) != len(edges) or len(nodes) != len(edges) + 1:
        problems.append(f"the path ends at {at} after {len(path)} of {len(edges)} edges")
    return path


def check_text(text, read):
    """`read` gives the bytes of a file."""
    problems = []
    root = xml.etree.ElementTree.fromstring(text)
    if root.tag != NAMESPACE + "graphml":
        return [f"the root is {root.tag}"]
    keys = {key.get("id"): key.get("for") for key in root.findall(NAMESPACE + "key")}
    graph = root.find(NAMESPACE + "graph")
    if graph is None or graph.get("edgedefault") != "directed":
        return ["no directed graph"]
    facts = data_of(graph, OF_GRAPH, keys, problems)
    if OF_GRAPH - set(facts):
        return problems + [f"the graph does not say {OF_GRAPH - set(facts)}"]
    program = read(facts["programfile"])
    for wrong, what in ((facts["witness-type"] != "violation_witness", "type"), (facts["sourcecodelang"] != "C", "language"),
                        (facts["architecture"] not in ("32bit", "64bit"), "architecture"),
                        (facts["programhash"] != hashlib.sha256(program).hexdigest(), "hash"),
                        (not re.fullmatch(r"CHECK\( init\(main\(\)\), LTL\(G .*\) \)", facts["specification"]), "specification")):
        if wrong:
            problems.append(f"the {what} of the witness")
    try:
        datetime.datetime.strptime(facts["creationtime"], "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        problems.append("the time of the witness")
    nodes = {node.get("id"): data_of(node, OF_NODE, keys, problems) for node in graph.findall(NAMESPACE + "node")}
    edges = [(edge.get("source"), edge.get("target"), data_of(edge, OF_EDGE, keys, problems)) for edge in graph.findall(NAMESPACE + "edge")]
    lines = program.decode().split("\n")
    created, entered = set(), set()
    for data in check_path(nodes, edges, problems):
        if "createThread" in data:
            if data["createThread"] in created:
                problems.append(f"thread {data['createThread']} is created twice")
            created.add(data["createThread"])
        thread = data.get("threadId")
        if thread not in created:
            problems.append(f"thread {thread} runs before it is created")
        if thread not in entered and "enterFunction" not in data:
            problems.append(f"thread {thread} begins in no function")
        entered.add(thread)
        line = int(data.get("startline", 1))
        if not 1 <= line <= len(lines) or int(data.get("endline", line)) < line:
            problems.append(f"line {line}")
        elif "assumption" in data:
            assumed = re.fullmatch(r"([A-Za-z_]\w*) == \d+;", data["assumption"])
            if not assumed or not re.search(rf"\b{assumed[1]}\b", lines[line - 1]):
                problems.append(f"assumption {data['assumption']} in line {line}: {lines[line - 1]}")
    if len(created) < 2:
        problems.append("no second thread")
    return problems
