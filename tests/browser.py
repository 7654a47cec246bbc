"""A headless Chromium, spoken to through a pipe in its own protocol: what a page looks like to its reader."""

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-extensions", "--disable-background-networking", "--hide-scrollbars"),
    "--remote-debugging-pipe",
)


def program() -> str | None:
    """The browser, where there is one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """One tab. Every call waits for the browser's answer."""

    def __init__(self, orders: int, answers: int) -> None:
        self._orders = os.fdopen(orders, "wb", buffering=0)
        self._answers = os.fdopen(answers, "rb")
        self._number = 0
        self._session: str | None = None
        self.problems: list[str] = []

    def attach(self) -> Self:
        """A new tab in the browser at the other end."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for part in ("Page", "Runtime", "Log"):
            self.call(f"{part}.enable")
        return self

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One order of the protocol."""
        self._number += 1
        order = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            order["sessionId"] = self._session
        self._orders.write(json.dumps(order).encode() + b"\0")
        return self._until(lambda answer: answer.get("id") == self._number)["result"]

    def open(self, path: Path, *, width: int, height: int = 900) -> None:
        """Load the file at ``path`` in a window of this size, in pixels."""
        phone = width < 600
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=phone,
        )
        self.call("Page.navigate", url=path.as_uri())
        self._until(lambda answer: answer.get("method") == "Page.loadEventFired")

    def ask(self, expression: str) -> Any:
        """What ``expression`` gives in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def picture(self, path: Path) -> None:
        """What is seen now, as PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def close(self) -> None:
        """End the conversation."""
        self._orders.close()
        self._answers.close()

    def _until(self, wanted: Any) -> dict[str, Any]:
        while True:
            answer = json.loads(self._message())
            if answer.get("method") in {"Log.entryAdded", "Runtime.exceptionThrown"}:
                self.problems.append(json.dumps(answer["params"]))
            if wanted(answer):
                assert "error" not in answer, answer
                return answer

    def _message(self) -> bytes:
        message = bytearray()
        while (byte := self._answers.read(1)) != b"\0":
            assert byte, "the browser has gone"
            message += byte
        return bytes(message)


@contextmanager
def opened(browser: str, profile: Path) -> Iterator[Page]:
    """A page in a browser of its own, whose profile is the directory ``profile``."""
    theirs_in, orders = os.pipe()
    answers, theirs_out = os.pipe()
    # The browser reads its descriptor 3 and writes 4, whatever they are called here.
    start = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
    argv = ["bash", "-c", start, "bash", browser, *FLAGS, f"--user-data-dir={profile}"]
    with subprocess.Popen(
        argv, pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        os.close(theirs_in)
        os.close(theirs_out)
        try:
            with closing(Page(orders, answers)) as page:
                yield page.attach()
        finally:
            process.terminate()
