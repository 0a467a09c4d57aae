#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The example for GitHub Actions is a workflow, and its commands do what it says.

    check_workflow.py HEDDLE ROOT

Commands of its steps are run one after the other in a project with examples/09_lock_free_queue, but for the one that installs
Heddle, whose package must be of this version. Once the project is right, once it is not: then the check fails, and the
steps that always run still write what is uploaded. Exit code: 0 all is well, 1 not."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(queue CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(Threads REQUIRED)
add_executable(queue_test queue_test.cpp)
target_compile_options(queue_test PRIVATE -g)
target_link_libraries(queue_test Threads::Threads)
"""


def parsed(text):
    """Maps, lists and plain values by indentation: as much of YAML as a workflow needs."""
    lines = [(len(line) - len(line.lstrip()), line.strip()) for line in text.split("\n") if line.strip() and not line.strip().startswith("#")]
    value, rest = block(lines, lines[0][0])
    assert not rest, f"where does this belong: {rest[0]}"
    return value


def block(lines, indent):
    result = None
    while lines and lines[0][0] == indent:
        _, line = lines[0]
        if line.startswith("- "):
            result = [] if result is None else result
            assert isinstance(result, list), line
            item, lines = block([(indent + 2, line[2:]), *lines[1:]], indent + 2)
            result.append(item)
            continue
        key, colon, value = line.partition(":")
        result = {} if result is None else result
        assert isinstance(result, dict) and colon and re.fullmatch(r"[\w-]+", key) and key not in result and (not value or value.startswith(" ")), f"no key and value: {line}"
        assert not re.search(r": | #", value.strip()) and not value.strip().startswith(("&", "*", "!", "{", "|", ">", "@", "`", "%")), f"needs quotes: {line}"
        lines = lines[1:]
        if value:
            result[key] = value.strip()
        else:
            assert lines and lines[0][0] > indent, f"nothing below {line}"
            result[key], lines = block(lines, lines[0][0])
    assert not lines or lines[0][0] < indent, f"wrong indentation: {lines[0]}"
    return result, lines


def problems_of(workflow, heddle, root):
    steps = workflow["jobs"]["heddle"]["steps"]
    version = re.match(r"heddle (\S+)", subprocess.run([heddle, "--version"], capture_output=True, text=True, check=True).stdout)[1]
    if f"heddle_{version}_amd64.deb" not in steps[1]["run"]:
        yield f"installs another version: {steps[1]['run']}"
    for step in steps:
        if len({"uses", "run"} & step.keys()) != 1 or step.keys() - {"uses", "run", "if", "with"}:
            yield f"no step: {step}"
        if "uses" in step and not re.fullmatch(r"[\w-]+/[\w/-]+@v\d+", step["uses"]):
            yield f"no action: {step['uses']}"
    uploaded = [step["with"]["sarif_file"] for step in steps if "sarif_file" in step.get("with", {})] + [step["with"]["path"] for step in steps if "path" in step.get("with", {})]
    if len(uploaded) != 2:
        yield f"uploads {uploaded}"
    for flags, wanted in (("", 0), ("-DHANDOVER=std::memory_order_relaxed", 1)):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("queue.hpp", "queue_test.cpp"):
                shutil.copy(os.path.join(root, "examples/09_lock_free_queue", name), folder)
            with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
                file.write(PROJECT)
            environment = dict(os.environ, PATH=os.path.dirname(heddle) + ":" + os.environ["PATH"], CXXFLAGS=flags)
            environment.pop("HEDDLE_DIR", None)
            for step in steps[2:]:
                if "run" not in step:
                    continue
                done = subprocess.run(["sh", "-c", step["run"]], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
                if done.returncode != (wanted if "heddle check" in step["run"] else 0):
                    yield f"{step['run']}: exit code {done.returncode}: {(done.stdout + done.stderr)[-500:]}"
            for name in [*uploaded, ".heddle/runs/001-check/report.html"]:
                if not os.path.exists(os.path.join(folder, name)):
                    yield f"there is no {name} to upload"


def main(heddle, root):
    heddle, root = os.path.realpath(heddle), os.path.realpath(root)
    with open(os.path.join(root, "docs/howto/github_actions.yml"), encoding="utf-8") as file:
        text = file.read()
    workflow = parsed(text)
    found = list(problems_of(workflow, heddle, root))
    try:
        import yaml
    except ImportError:
        pass  # then our own reading has to do
    else:
        if yaml.load(text, Loader=yaml.BaseLoader)["jobs"] != workflow["jobs"]:
            found.append("it means something else to a YAML parser")
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
