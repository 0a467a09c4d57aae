#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Uses the HTML reports as a person would, and measures how a long one feels.

    drive.py HEDDLE WORK     reports, sources and pictures go to WORK

Exit code: 0 all is as it should be, 1 not."""
import json
import os
import subprocess
import sys
import time

from browser import Browser

LONG = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter, turns[4];
static void *work(void *mine) {
  for (int i = 0; i < 1000; ++i) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    ++*(int *)mine;
  }
  return 0;
}
int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, work, &turns[i]);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  assert(counter == 1);
  return 0;
}
"""
EVIL = """
#include <assert.h>
#include <pthread.h>
static int x; // </script><script>document.title = "owned"</script><!--
static void *set(void *unused) { x = 1; return unused; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  assert(x == 0 || !"</script><script>document.title='owned'</script><img src=x onerror=document.title='owned'>");
  pthread_join(t, 0);
  return 0;
}
"""

failures = 0


def check(name, good, detail=""):
    global failures
    if not good:
        failures += 1
        print(f"FAILED: {name} {detail}")


class Drive:
    def __init__(self, heddle, work, root):
        self.heddle, self.work, self.root = heddle, work, root
        self.browser = Browser()

    def report(self, *arguments):
        done = subprocess.run([self.heddle, *arguments, "--format=html"], cwd=self.work, capture_output=True, text=True, check=False)
        path = os.path.join(self.work, done.stdout.strip())
        check(f"heddle {' '.join(arguments)}", os.path.isfile(path), done.stderr)
        return path

    def text(self, selector):
        return self.browser.value(f"(document.querySelector({selector!r}) || {{}}).textContent || ''")

    def count(self, selector):
        return self.browser.value(f"document.querySelectorAll({selector!r}).length")

    def selected(self):
        return self.browser.value("Number((document.querySelector('.row.selected') || {dataset: {}}).dataset.step)")

    def picture(self, name):
        self.browser.picture(os.path.join(self.work, name + ".png"))

    def quiet(self, name):
        check(f"{name}: nothing is fetched, nothing goes wrong", not self.browser.complaints(), str(self.browser.complaints()))

    def lost_update(self):
        browser = self.browser
        browser.open(self.report("check", "--races", "--keep-going", f"{self.root}/examples/01_lost_update/lost_update.c"), "#finding-2")
        check("verdict", self.text("#verdict") == "violated")
        check("two findings", self.count("nav .entry:not(.plain)") == 2)
        check("begins at the failing step", "FAILS" in self.text(".row.selected"), self.text(".row.selected"))
        check("three lanes", self.count(".lane-head:not(.number)") == 3)
        check("the line of the failing step", "assert(counter == 2)" in self.text(".code .line.current"))
        self.picture("lost_update")
        last = self.selected()
        browser.key("k")
        check("k goes back", self.selected() < last)
        browser.key("j")
        check("j goes on", self.selected() == last)
        browser.key("g")
        first = self.selected()
        browser.key("ArrowDown", 3)
        check("arrows go on", self.selected() > first)
        browser.key("f")
        browser.key("k")
        check("a read is selected", "reads counter" in self.text(".row.selected"), self.text(".row.selected"))
        check("its arrow is strong", self.count("path.arrow.reads.matters") >= 1)
        before = self.selected()
        browser.key("c")
        check("c goes to the write", "counter = 1" in self.text(".row.selected") and self.selected() < before, self.text(".row.selected"))
        self.picture("lost_update_cause")
        browser.key("n")
        check("n goes to a switch", self.count(".row.selected.switch") == 1)
        rows = self.count(".row")
        browser.key("p")
        check("p shows private steps", self.count(".row") > rows)
        browser.key("p")
        browser.click(".chip", 1)
        check("a thread is hidden", self.count(".lane-head:not(.number)") == 2 and self.count(".row.c1") == 0)
        browser.click(".chip", 1)
        check("and shown again", self.count(".row") == rows)
        browser.value("(() => { const s = document.querySelector('select.objects'); s.value = [...s.options].find((o) => o.text.startsWith('counter')).value; s.dispatchEvent(new Event('change')); })()")
        browser.settle()
        check("only one object, and what fails", 0 < self.count(".row") < rows)
        browser.value("(() => { const s = document.querySelector('select.objects'); s.value = -1; s.dispatchEvent(new Event('change')); })()")
        browser.key("/")
        for letter in "reads":
            browser.key(letter)
        check("keys are letters while one searches", self.count(".row") < rows and self.browser.value("document.querySelector('.search').value") == "reads")
        browser.key("Escape")
        browser.value("(() => { const s = document.querySelector('.search'); s.value = ''; s.dispatchEvent(new Event('input')); })()")
        browser.click(".row", 1)
        check("a click selects", self.browser.value("document.querySelectorAll('.row')[1].classList.contains('selected')"))
        browser.hover(".row", 4)
        check("a hint on hover", self.count(".hint.shown") == 1 and "place" in self.text(".hint"), self.text(".hint"))
        browser.key("[")
        check("[ opens the finding before", self.text("main h1") == "Data race", self.text("main h1"))
        check("a race has two culprits", self.count(".row.culprit") == 2, str(self.count(".row.culprit")))
        self.picture("race")
        browser.key("s")
        check("s opens the result", self.count(".figure") >= 4)
        self.picture("result")
        browser.key("?")
        check("? opens the help", self.browser.value("!document.querySelector('.help').hidden"))
        self.picture("help")
        browser.key("Escape")
        check("Escape closes it", self.browser.value("document.querySelector('.help').hidden"))
        address = browser.value("location.href")
        check("the address names the view", address.endswith("#result"), address)
        self.quiet("lost update")

    def buffers(self):
        browser = self.browser
        path = self.report("check", "--memory=tso", f"{self.root}/examples/02_store_buffering/store_buffering.c")
        browser.open(path)
        check("buffered stores", self.count(".knot.half") >= 1 and self.count(".row.buffered") >= 1)
        check("flushes", self.count(".knot.drop") >= 1 and self.count("path.arrow.flush") >= 1)
        self.picture("store_buffering")
        step = browser.value("Number([...document.querySelectorAll('.row')][2].dataset.step)")
        browser.open(path, f"#finding-1.{step}")
        check("an address opens its step", self.selected() == step)
        self.browser.click("header.top button[title='light or dark']")
        self.picture("store_buffering_dark")
        self.quiet("store buffering")
        browser.open(self.report("check", f"{self.root}/examples/04_lock_order/lock_order.c"))
        check("who waits for ever", self.count(".row.waits") >= 2)
        self.picture("deadlock")
        self.quiet("deadlock")

    def comparison(self):
        """The failing run beside one that passes: "≠" where they differ, and d and D go from one to the next."""
        browser = self.browser
        browser.open(self.report("check", f"{self.root}/examples/01_lost_update/lost_update.c"))
        check("differences are marked", self.count(".row .instead") >= 2, str(self.count(".row .instead")))
        check("the mark", self.text(".row .instead") == "≠")
        browser.key("g")
        seen = []
        while len(seen) < 20:
            before = self.selected()
            browser.key("d")
            if self.selected() == before:
                break
            seen.append(self.selected())
            check("d goes to a difference", self.count(".row.selected .instead") == 1)
            check("what a passing run did is beside it", "passing" in self.text(".details dl"), self.text(".details dl"))
        check("d goes on, and to all of them", seen == sorted(set(seen)) and len(seen) == self.count(".row .instead"), str(seen))
        back = []
        for _ in seen[1:]:
            browser.key("D")
            back.append(self.selected())
        check("D goes back", back == seen[-2::-1], str(back))
        read = browser.value("[...document.querySelectorAll('.row')].findIndex((row) => row.textContent.includes('reads counter: 0') && row.querySelector('.instead'))")
        check("a lost read is a difference", read >= 0, str(read))
        browser.click(".row", read)
        check("a passing run read 1", "reads counter: 1" in self.text(".details dl"), self.text(".details dl"))
        browser.hover(".row", read)
        check("the hint says so, too", "reads counter: 1" in self.text(".hint.shown"), self.text(".hint"))
        self.picture("comparison")
        self.quiet("comparison")

    def prediction(self):
        browser = self.browser
        browser.open(self.report("predict", "--find=races,deadlocks", f"{self.root}/examples/04_lock_order/lock_order.c"))
        check("predicted", self.text("#verdict") == "found" and self.count(".row.waits") >= 2, self.text("#verdict"))
        self.picture("prediction_deadlock")
        browser.open(self.report("predict", f"{self.root}/examples/01_lost_update/lost_update.c"))
        check("a predicted race", self.text("main h1") == "Data race" and self.text(".state.confirmed") == "confirmed", self.text("main h1"))
        check("has both its accesses", [self.browser.value(f"document.querySelectorAll('.row.culprit')[{i}].textContent").split("counter")[1] for i in range(self.count(".row.culprit"))] == [" = 1", ": 1"], self.text(".row.culprit"))
        self.picture("prediction_race")
        self.quiet("prediction")
        browser.open(self.report("predict", f"{self.root}/examples/07_publication/publication.c"))
        check("nothing predicted", self.text("#verdict") == "nothing-predicted" and self.text("main h1") == "Nothing predicted", self.text("#verdict"))
        self.picture("prediction_nothing")
        self.quiet("nothing predicted")

    def production(self):
        """A recorded failure, and its reproduction."""
        browser = self.browser
        source = f"{self.root}/examples/08_early_free/early_free_served.c"
        for _ in range(200):
            done = subprocess.run([self.heddle, "record", source], cwd=self.work, capture_output=True, text=True, check=False)
            if done.returncode:
                break
        check("a recorded failure", done.returncode == 139, done.stderr)
        browser.open(self.report("report"))
        check("the page of a recording", self.text(".command-name") == "record" and self.text("main h1") != "", self.text("main h1"))
        self.picture("recording")
        self.quiet("recording")
        done = subprocess.run([self.heddle, "reproduce"], cwd=self.work, capture_output=True, text=True, check=False)
        check("reproduced", done.returncode == 0, done.stderr)
        browser.open(self.report("report"))
        check("the page of a reproduction", self.text("#verdict") == "reproduced", self.text("#verdict"))
        check("shows the run that fails", self.count(".row.culprit") == 1 and "FAILS" in self.text(".row.selected"), self.text(".row.selected"))
        self.picture("reproduction")
        browser.key("s")
        self.picture("reproduction_result")
        self.quiet("reproduction")

    def holds(self):
        browser = self.browser
        browser.open(self.report("check", f"{self.root}/examples/07_publication/publication.c"))
        check("a check that holds says so", self.text("#verdict") == "holds" and self.text("main h1") == "No execution fails", self.text("main h1"))
        self.picture("holds")
        self.quiet("holds")

    def exploration(self):
        browser = self.browser
        browser.open(self.report("check", "--memory=pso", "--keep-going", f"{self.root}/examples/07_publication/publication.c"), "#exploration")
        check("learned threads are explained", "explored without running the program" in self.text("article.exploration header"))
        browser.open(self.report("check", "--reduce=mcr", "--memory=pso", "--keep-going", f"{self.root}/examples/07_publication/publication.c"), "#exploration")
        rows = self.count(".branch")
        check("branches", rows >= 3 and self.text("main h1") == "What was explored", str(rows))
        check("a branch that fails", self.count(".branch.fails") >= 2)
        self.picture("exploration")
        browser.key("g")
        browser.key("h")
        check("h closes the branch", self.count(".branch") == 1, str(self.count(".branch")))
        browser.key("l")
        browser.key("j")
        check("l opens it, j goes on", self.browser.value("document.querySelector('.branch.selected').dataset.branch") == "1")
        browser.click(".branch", 0)
        check("a click closes it", self.count(".branch") == 1)
        browser.key("s")
        browser.key("e")
        check("e opens it again", self.text("main h1") == "What was explored")
        self.quiet("exploration")
        browser.open(self.report("check", "--reduce=mcr", "--races", "--keep-going", "--cflags=-DN=3", f"{self.root}/bench/programs/example-paper.c"), "#exploration")
        check("a larger tree is not opened whole", 20 <= self.count(".branch") <= 60, str(self.count(".branch")))
        self.picture("exploration_more")

    def campaign(self):
        browser = self.browser
        browser.open(self.report("propagate", "--runs=60", "--faults=bitflip,callcorr", f"{self.root}/examples/03_bit_flip/bit_flip.c"))
        check("bars", self.count(".bars .bar i") >= 3)
        check("arcs between threads", self.count(".graph .arc") >= 1)
        self.picture("campaign")
        rows = self.count("table.experiments tbody tr")
        browser.value("(() => { const s = document.querySelector('.campaign select'); s.value = 'sdc'; s.dispatchEvent(new Event('change')); s.scrollIntoView(); })()")
        browser.settle()
        check("experiments by outcome", 0 < self.count("table.experiments tbody tr") < rows)
        browser.click("table.experiments tbody tr")
        check("the command of an experiment", "heddle inject" in self.text(".campaign .command"), self.text(".campaign .command"))
        self.picture("experiments")
        self.way_of_error()
        self.quiet("campaign")

    def way_of_error(self):
        """The graph of one experiment: threads, objects, time."""
        browser = self.browser
        ways = browser.value("JSON.stringify(JSON.parse(document.getElementById('data').textContent).campaign.ways)")
        ways = json.loads(ways)
        # One whose error went through the table from the producer to the consumer.
        crossed = [name for name, way in ways["of"].items()
                   if any(event[6] >= 0 and ways["names"][event[6]].startswith("global bit_flip.c:table") for event in way["events"])]
        check("errors that crossed through the table", crossed)
        browser.value(f"(() => {{ const s = document.querySelector('.campaign select'); s.value = ''; s.dispatchEvent(new Event('change')); "
                      f"const i = document.querySelector('.campaign input.search'); i.value = '{crossed[0]}'; i.dispatchEvent(new Event('input')); }})()")
        browser.settle()
        browser.click("table.experiments tbody tr")
        events = ways["of"][crossed[0]]["events"]
        kinds = [ways["names"][event[2]] for event in events]
        objects = {event[4] for event in events if event[4] >= 0}
        check("its name", self.text(".way h3") == f"The way of {crossed[0]}", self.text(".way h3"))
        check("one fault", self.count(".way-graph .fault") == 1)
        check("a mark for each corruption", self.count(".way-graph .corrupts") == kinds.count("corrupts") > 0, str(kinds))
        check("a mark for each thread that deviated", self.count(".way-graph .deviates") == len(kinds) - kinds.count("corrupts") - 1, str(kinds))
        check("lines of threads and objects", self.count(".way-graph .rail") == len({event[1] for event in events}) + len(objects))
        check("an arrow where it crossed", self.count(".way-graph .crosses") == sum(event[5] >= 0 for event in events) > 0)
        order = browser.value("(() => { const x = (s) => document.querySelector(s).getBoundingClientRect().left; return x('.way-graph .fault') < x('.way-graph .deviates'); })()")
        check("time goes to the right", order)
        check("one row is chosen", self.count("table.experiments tr.selected") == 1)
        browser.value("document.querySelector('.way').scrollIntoView()")
        self.picture("way_of_error")
        browser.click("header.top button[title='light or dark']")
        self.picture("way_of_error_dark")
        browser.click("header.top button[title='light or dark']")

    def hostile(self):
        name = "a\"><img src=x onerror=\"document.title='owned'\">.c"
        with open(os.path.join(self.work, name), "w", encoding="utf-8") as file:
            file.write(EVIL)
        self.browser.open(self.report("check", name))
        for key in ("g", "j", "j", "j", "f", "s"):
            self.browser.key(key)
        check("nothing of it runs", self.browser.value("document.title") != "owned" and self.count("img") == 0 and self.count("script") == 2)
        self.quiet("hostile")

    def long(self):
        with open(os.path.join(self.work, "long.c"), "w", encoding="utf-8") as file:
            file.write(LONG)
        path = self.report("check", "--search=random", "--executions=1", "--no-shorten", "long.c")
        begin = time.time()
        self.browser.open(path)
        opened = time.time() - begin
        steps = self.browser.value("JSON.parse(document.getElementById('data').textContent).witnesses[0].steps.length")
        check("at least 20,000 steps", steps >= 20000, str(steps))
        self.browser.settle()
        check("the failing step is whole on the screen", self.browser.value("document.querySelector('.row.culprit').getBoundingClientRect().bottom <= innerHeight"))
        check("only what is on the screen exists", self.count(".row") < 120, str(self.count(".row")))
        self.picture("long")
        self.browser.key("p")
        before = self.selected()
        begin = time.time()
        self.browser.key("k", 200)
        pressed = (time.time() - begin) / 200
        check("200 steps back", self.selected() == before - 200, f"{before} {self.selected()}")
        begin = time.time()
        for share in range(1, 51):
            self.browser.value(f"(() => {{ const s = document.querySelector('.lanes'); s.scrollTop = s.scrollHeight * {share} / 51; }})()")
            self.browser.settle()
        scrolled = (time.time() - begin) / 50
        self.picture("long_middle")
        self.quiet("long")
        print(f"{steps} steps, {os.path.getsize(path) / 1e6:.1f} MB: opens in {opened:.2f} s, {1000 * pressed:.0f} ms a key, {1000 * scrolled:.0f} ms a jump")
        check("a key takes less than a tenth of a second", pressed < 0.1, f"{pressed:.3f}")


def main(heddle, work):
    root = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
    os.makedirs(work, exist_ok=True)
    drive = Drive(os.path.realpath(heddle), os.path.realpath(work), root)
    try:
        for part in (drive.lost_update, drive.buffers, drive.comparison, drive.prediction, drive.production, drive.holds, drive.exploration, drive.campaign, drive.hostile, drive.long):
            part()
    finally:
        drive.browser.close()
    print(f"{failures} failures; pictures in {work}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
