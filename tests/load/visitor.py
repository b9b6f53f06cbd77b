"""A visitor without a browser: speaks the websocket protocol that Streamlit's own page speaks, and knows when a rerun ended.

It keeps what a page keeps: the address's query, the widgets' states, the tree of what is drawn, the timers of fragments that
run again by themselves, and the store of messages that the server may refer to instead of sending them twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

import httpx
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

PATIENCE_SECONDS = 60.0
_WIDGETS = (
    "button", "button_group", "checkbox", "expandable", "file_uploader", "number_input", "selectbox", "slider", "text_input",
)  # fmt: skip
_TOKEN = "_streamlit_xsrf"
_ERROR = 1  # Alert.ERROR


class VisitError(AssertionError):
    """A visitor was not served."""


@dataclass
class Drawn:
    """An element or a block on the page."""

    run: str
    fragment: str
    kind: str
    content: object


@dataclass
class Visitor:
    """One tab on one page.

    Parameters
    ----------
    address
        The server, ``http://host:port``.
    page
        Path of the page below it, empty for the start.
    query
        Parameters of the address.
    watched
        Byte strings to look for in everything that arrives; those found are in `seen`.
    narrow
        Whether the line takes little at a time.
    """

    address: str
    page: str = ""
    query: dict = field(default_factory=dict)
    watched: tuple = ()
    narrow: bool = False

    def __post_init__(self):
        self.drawn: dict[tuple, Drawn] = {}
        self.states: dict[str, WidgetState] = {}
        self.faults: list[str] = []
        self.seen: set[bytes] = set()
        self.session = ""
        self.received = 0
        self._script = ""
        self._run = ""
        self._fragments: tuple[str, ...] = ()
        self._runs_ended = 0
        self._changed = asyncio.Event()
        self._kept: dict[str, ForwardMsg] = {}
        self._timers: dict[str, asyncio.Task] = {}
        self._urls: dict[str, asyncio.Future] = {}
        self._closing = False
        self._flowing = asyncio.Event()
        self._flowing.set()

    async def open(self):
        """Connect, run the page once, and return the seconds it took."""
        async with httpx.AsyncClient(base_url=self.address, trust_env=False) as client:
            await client.get("/_stcore/health", timeout=PATIENCE_SECONDS)
            self._token = client.cookies[_TOKEN]
        line = socket.socket()
        if self.narrow:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        there = urlsplit(self.address)
        line.connect((there.hostname, there.port))
        self._socket = await websockets.connect(
            self.address.replace("http", "ws") + "/_stcore/stream",
            subprotocols=["streamlit", self._token],
            additional_headers={"Cookie": f"{_TOKEN}={self._token}"},
            sock=line,
            max_size=None,
            max_queue=4,
            origin=self.address,
            open_timeout=PATIENCE_SECONDS,
        )
        self._reader = asyncio.create_task(self._read())
        return await self._rerun()

    async def close(self):
        """Close the tab."""
        self._closing = True
        for timer in self._timers.values():
            timer.cancel()
        if self._flowing.is_set():
            await self._socket.close()
        else:
            self._socket.transport.abort()  # a dead line takes no farewell
        self._reader.cancel()

    async def change(self, key, value, bound=True):
        """Set a control as a reader would and return the seconds until the page stood again."""
        one = self.widget(key)
        state = WidgetState(id=one.content.id)
        if one.kind in {"checkbox", "expandable"}:
            state.bool_value = value
        elif one.kind == "button_group" or (one.kind == "slider" and isinstance(value, str)):
            state.string_array_value.data.append(value)
        elif one.kind == "slider":
            state.double_array_value.data.append(value)
        elif one.kind == "number_input":
            state.double_value = value
        else:
            state.string_value = value
        self.states[state.id] = state
        if bound:
            self.query[key] = str(value).lower() if isinstance(value, bool) else value
        return await self._rerun(one.fragment)

    async def ask_only(self, key, value):
        """Set a row of segments, pills or a slider with stops, and do not wait for the page."""
        state = WidgetState(id=self.widget(key).content.id)
        state.string_array_value.data.append(value)
        self.states[state.id] = state
        await self._ask()

    def stall(self):
        """Stop reading what the server sends, as over a line that has gone dead."""
        self._flowing.clear()

    async def click(self, key):
        """Press a button and return the seconds until the page stood again."""
        one = self.widget(key)
        return await self._rerun(one.fragment, trigger=WidgetState(id=one.content.id, trigger_value=True))

    async def upload(self, key, name, content):
        """Hand a file to an uploader and return the seconds until the page stood again."""
        one = self.widget(key)
        wish = f"upload-{time.monotonic_ns()}"
        self._urls[wish] = asyncio.get_running_loop().create_future()
        message = BackMsg()
        message.file_urls_request.request_id = wish
        message.file_urls_request.session_id = self.session
        message.file_urls_request.file_names.append(name)
        await self._socket.send(message.SerializeToString())
        urls = await asyncio.wait_for(self._urls[wish], PATIENCE_SECONDS)
        async with httpx.AsyncClient(base_url=self.address, trust_env=False) as client:
            client.cookies[_TOKEN] = self._token
            path = urls.upload_url if urls.upload_url.startswith("/") else f"/{urls.upload_url}"
            answer = await client.put(
                path,
                files={"file": (name, content)},
                headers={"X-Xsrftoken": self._token},
                timeout=PATIENCE_SECONDS,
            )
        if answer.status_code >= 300:
            raise VisitError(f"The upload was answered with {answer.status_code}: {answer.text}")
        state = WidgetState(id=one.content.id)
        state.file_uploader_state_value.uploaded_file_info.append(
            UploadedFileInfo(name=name, size=len(content), file_id=urls.file_id, file_urls=urls)
        )
        self.states[state.id] = state
        return await self._rerun(one.fragment)

    async def until(self, check, what, seconds=PATIENCE_SECONDS):
        """Wait until a condition on the page holds."""
        end = time.monotonic() + seconds
        while not check():
            left = end - time.monotonic()
            if left <= 0:
                raise VisitError(f"After {seconds:.0f} s still not: {what}. The page says: {self.text[:600]}")
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), min(left, 0.5))

    def widget(self, key):
        """Return a control by its key."""
        for one in self.drawn.values():
            if one.kind in _WIDGETS and one.content.id.endswith(f"-{key}"):
                return one
        raise VisitError(f"There is no control '{key}' on /{self.page}. The page says: {self.text[:600]}")

    def has(self, key):
        """Whether a control is there."""
        return any(one.kind in _WIDGETS and one.content.id.endswith(f"-{key}") for one in self.drawn.values())

    @property
    def text(self):
        """Words on the page: headings, paragraphs, alerts, progress."""
        words = []
        for one in self.drawn.values():
            for name in ("body", "text"):
                value = getattr(one.content, name, None)
                if isinstance(value, str):
                    words.append(value)
        return "\n".join(words)

    @property
    def charts(self):
        """Words of the charts: what each says to those who cannot see it."""
        return "\n".join(one.content.alt for one in self.drawn.values() if one.kind == "vega_lite_chart")

    @property
    def alerts(self):
        """Errors that the page shows to its reader."""
        return [
            one.content.body
            for one in self.drawn.values()
            if one.kind == "exception" or (one.kind == "alert" and one.content.format == _ERROR)
        ]

    async def _rerun(self, fragment="", trigger=None):
        ended, started = self._runs_ended, time.perf_counter()
        await self._ask(fragment, trigger)
        end = started + PATIENCE_SECONDS
        while self._runs_ended == ended:
            left = end - time.perf_counter()
            if self._reader.done() or left <= 0:
                raise VisitError(f"A rerun of /{self.page} was not answered. {self.faults}")
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), left)
        return time.perf_counter() - started

    async def _ask(self, fragment="", trigger=None, *, by_timer=False):
        message = BackMsg()
        wish = message.rerun_script
        wish.query_string = urlencode(self.query, doseq=True)
        wish.page_name = "" if self._script else self.page
        wish.page_script_hash = self._script
        wish.fragment_id = fragment
        wish.is_auto_rerun = by_timer
        wish.widget_states.widgets.extend(self.states.values())
        if trigger is not None:
            wish.widget_states.widgets.append(trigger)
        wish.cached_message_hashes.extend(self._kept)
        wish.context_info.url = f"{self.address}/{self.page}"
        wish.context_info.timezone, wish.context_info.locale = "Europe/Paris", "en"
        await self._socket.send(message.SerializeToString())

    async def _read(self):
        try:
            async for raw in self._socket:
                await self._flowing.wait()
                self.received += len(raw)
                self.seen.update(word for word in self.watched if word in raw)
                message = ForwardMsg.FromString(raw)
                if message.WhichOneof("type") == "ref_hash":
                    metadata = message.metadata
                    message = self._kept[message.ref_hash]
                    message.metadata.CopyFrom(metadata)
                elif message.metadata.cacheable:
                    self._kept[message.hash] = message
                self._take(message)
                self._changed.set()
        except websockets.ConnectionClosed as closed:
            if not self._closing:
                self.faults.append(f"the connection was closed: {closed}")
        except Exception as fault:
            self.faults.append(f"a message could not be read: {fault!r}")
            raise
        finally:
            self._changed.set()

    def _take(self, message):
        kind = message.WhichOneof("type")
        if kind == "new_session":
            new = message.new_session
            self._run = message.metadata.run.script_run_id
            self._fragments = tuple(message.metadata.run.fragment_ids)
            self.session = new.initialize.session_id
            if not self._fragments:
                for timer in self._timers.values():
                    timer.cancel()
                self._timers.clear()
        elif kind == "navigation":
            self._script = message.navigation.page_script_hash
        elif kind == "delta":
            self._draw(message)
        elif kind == "auto_rerun":
            self._start_timer(message.auto_rerun.fragment_id, message.auto_rerun.interval)
        elif kind == "stop_auto_rerun":
            for one in message.stop_auto_rerun.fragment_ids:
                if one in self._timers:
                    self._timers.pop(one).cancel()
        elif kind == "file_urls_response":
            answer = message.file_urls_response
            waiting = self._urls.get(answer.response_id)
            if waiting is not None and not waiting.done():
                waiting.set_result(answer.file_urls[0])
        elif kind == "page_not_found":
            self.faults.append(f"page not found: {self.page}")
        elif kind == "script_finished":
            self._finish(message.script_finished)

    def _draw(self, message):
        path, delta = tuple(message.metadata.delta_path), message.delta
        part = delta.WhichOneof("type")
        if part == "new_element":
            kind = delta.new_element.WhichOneof("type")
            content = getattr(delta.new_element, kind) if kind else None
        elif part == "add_block":
            is_folded = delta.add_block.WhichOneof("type") == "expandable"
            kind = "expandable" if is_folded else "block"
            content = delta.add_block.expandable if is_folded else delta.add_block
        else:
            return
        if part == "new_element":  # what stood below a block that became an element is gone
            for below in [other for other in self.drawn if other[: len(path)] == path]:
                del self.drawn[below]
        self.drawn[path] = Drawn(self._run, delta.fragment_id, kind or "", content)

    def _finish(self, status):
        if status == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return  # the next run begins at once
        if status == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
            self.faults.append("the page does not compile")
        for path, one in list(self.drawn.items()):
            if one.run != self._run and (not self._fragments or one.fragment in self._fragments):
                del self.drawn[path]
        self._runs_ended += status == ForwardMsg.FINISHED_SUCCESSFULLY or not self._timers

    def _start_timer(self, fragment, seconds):
        async def tick():
            while True:
                await asyncio.sleep(seconds)
                await self._ask(fragment, by_timer=True)

        if fragment in self._timers:
            self._timers[fragment].cancel()
        self._timers[fragment] = asyncio.create_task(tick())
