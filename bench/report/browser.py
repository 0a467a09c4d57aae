# SPDX-License-Identifier: Apache-2.0
"""Drives a headless Chromium over a pair of pipes: opens a page, presses keys, clicks, asks, takes pictures."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


class Browser:
    def __init__(self, width=1440, height=900):
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if not program:
            raise SystemExit("chromium is missing: scripts/bootstrap chromium")
        self.folder = tempfile.mkdtemp()
        to_browser, self.out = os.pipe()
        self.inp, from_browser = os.pipe()

        def pipes():  # the browser reads from 3 and writes to 4
            spare = [os.dup(to_browser), os.dup(from_browser)]
            spare = [os.dup(one) if one in (3, 4) else one for one in spare]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage", "--no-first-run", "--mute-audio",
             "--disable-background-networking", f"--user-data-dir={self.folder}", f"--window-size={width},{height}", "--remote-debugging-pipe", "about:blank"],
            preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.buffer, self.session, self.events = 0, b"", None, []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def message(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.inp, 1 << 20)
            if not piece:
                raise RuntimeError("the browser is gone")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.out, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path, fragment=""):
        self.events.clear()
        self.ask("Page.navigate", url="about:blank")
        self.ask("Page.navigate", url=f"file://{os.path.realpath(path)}{fragment}")
        end = time.time() + 60
        while not self.value("document.body && document.body.dataset.ready === 'true'"):
            if time.time() > end:
                raise RuntimeError(f"{path} does not get ready: {self.complaints()}")
            time.sleep(0.02)

    def value(self, expression):
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails'].get('exception', {}).get('description')}")
        return answer["result"].get("value")

    def settle(self):
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def key(self, key, times=1):
        codes = {"ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "Enter": 13, "Escape": 27, "PageDown": 34}
        text = key if len(key) == 1 else "\r" if key == "Enter" else ""
        for _ in range(times):
            for kind in ("keyDown", "keyUp"):
                self.ask("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "", windowsVirtualKeyCode=codes.get(key, ord(key[0].upper())))
        self.settle()

    def click(self, selector, index=0):
        x, y = self.value(f"(() => {{ const b = document.querySelectorAll({json.dumps(selector)})[{index}].getBoundingClientRect(); return [b.x + Math.min(b.width / 2, 200), b.y + b.height / 2]; }})()")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" else "left", clickCount=0 if kind == "mouseMoved" else 1)
        self.settle()

    def hover(self, selector, index=0):
        x, y = self.value(f"(() => {{ const b = document.querySelectorAll({json.dumps(selector)})[{index}].getBoundingClientRect(); return [b.x + Math.min(b.width / 2, 200), b.y + b.height / 2]; }})()")
        self.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        time.sleep(0.5)

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def complaints(self):
        """Errors of scripts, refusals by the policy, and anything that was fetched."""
        found = []
        for event in self.events:
            parameters = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"].get("exception", {}).get("description", "exception"))
            if event.get("method") == "Log.entryAdded":
                found.append(parameters["entry"]["text"])
            if event.get("method") == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith(("file:", "about:", "data:")):
                found.append("fetched " + parameters["request"]["url"])
        return found

    def close(self):
        try:
            self.session = None
            self.ask("Browser.close")
        except (RuntimeError, OSError):
            pass
        self.process.wait(timeout=20)
        shutil.rmtree(self.folder, ignore_errors=True)
