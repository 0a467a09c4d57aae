# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a build folder one by one, under an environment, until one fails; keeps what was found in a journal."""
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import threading
import time

MOST_MEMORY = 6 << 30  # of a test, with all its processes


class Test:
    def __init__(self, entry):
        properties = {given["name"]: given["value"] for given in entry.get("properties", [])}
        self.name = entry["name"]
        self.command = entry["command"]
        self.folder = properties.get("WORKING_DIRECTORY")
        self.labels = properties.get("LABELS", [])
        self.environment = dict(variable.split("=", 1) for variable in properties.get("ENVIRONMENT", []))
        self.seconds = float(properties.get("TIMEOUT", 600))


def tests_of(build, label=".*"):
    """The tests that CTest knows in this build folder and that have a label matching `label`."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-L", label], capture_output=True, check=True)
    return [Test(entry) for entry in json.loads(listed.stdout)["tests"] if "command" in entry]


class Outcome:
    def __init__(self, passed, seconds, why):
        self.passed, self.seconds, self.why = passed, seconds, why


def processes_of(session):
    """The processes of a session and how many bytes of memory each has."""
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                yield int(entry.name), int(fields[21]) * resource.getpagesize()
        except (OSError, IndexError, ValueError):
            continue


def end_session(session):
    for _ in range(10):
        left = [process for process, _ in processes_of(session)]
        if not left:
            return
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)


def run(test, environment, seconds=None, stop=None):
    """Runs one test. `stop`: an event that ends it early."""
    began = time.monotonic()
    limit = began + (seconds or test.seconds)
    process = subprocess.Popen(test.command, cwd=test.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True,
                               env={**os.environ, **test.environment, **environment})
    why, pause, look_at_memory = "", 0.005, began + 2
    while process.poll() is None:
        time.sleep(pause)
        pause = min(pause * 1.5, 0.25)
        now = time.monotonic()
        if now > limit:
            why = "time-out"
        elif stop and stop.is_set():
            why = "stopped"
        elif now > look_at_memory:
            look_at_memory = now + 1
            if sum(memory for _, memory in processes_of(process.pid)) > MOST_MEMORY:
                why = "memory"
        if why:
            break
    end_session(process.pid)
    code = process.wait()
    why = why or ("" if code == 0 else f"signal {-code}" if code < 0 else f"exit {code}")
    return Outcome(not why, time.monotonic() - began, why)


def run_all(tests, environment_of, report, jobs):
    """Runs all tests; report(test, outcome) as they end."""
    lock = threading.Lock()

    def one(test):
        outcome = run(test, environment_of(test))
        with lock:
            report(test, outcome)

    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        list(pool.map(one, tests))


def first_failure(tests, environment, usual_seconds, budget, jobs):
    """Runs tests in their order until one fails. Gives (test, outcome) or None, and how many were run to their end.

    A test may take five times what it usually does. No test begins once `budget` seconds are over.
    """
    stop, lock = threading.Event(), threading.Lock()
    began = time.monotonic()
    failures, ended = [], [0]

    def one(test):
        if stop.is_set() or time.monotonic() - began > budget:
            return
        outcome = run(test, environment, min(test.seconds, 20 + 5 * usual_seconds.get(test.name, test.seconds)), stop)
        with lock:
            if outcome.why == "stopped":
                return
            ended[0] += 1
            if not outcome.passed:
                failures.append((test, outcome))
                stop.set()

    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        list(pool.map(one, tests))
    return (failures[0] if failures else None), ended[0]


class Journal:
    """Records in a file, one JSON object per line, by key; what was written stays if the campaign is interrupted."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.records = {}
        if self.path.exists():
            lines = self.path.read_text().split("\n")
            for line in lines[:-1]:
                record = json.loads(line)
                self.records[record["key"]] = record
            if lines[-1]:  # cut off while it was written
                self.path.write_text("\n".join(lines[:-1]) + "\n")

    def __contains__(self, key):
        return key in self.records

    def __getitem__(self, key):
        return self.records[key]

    def add(self, key, **facts):
        record = {"key": key, **facts}
        self.records[key] = record
        with self.path.open("a") as file:
            file.write(json.dumps(record) + "\n")


def escape(text):
    """For a cell of a table in Markdown."""
    return re.sub(r"\s+", " ", text).replace("|", "\\|")
