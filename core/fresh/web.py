"""Asking Wikidata and Wikipedia over the network, politely.

One request at a time and not more than one a second; every answer is kept on disk; a busy or failing server is asked
again after a growing pause, or after the pause that it names itself. Nothing here runs unless the reader asks for it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final, Self

import orjson

import core
from core import cache
from core.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import httpx

USER_AGENT: Final = f"Mirage/{core.__version__} (benchmark research; fresh test items from changed facts)"
LONGEST_PAUSE: Final = 120.0
_CACHE_KIND: Final = "fresh-web"
_BUSY: Final = frozenset({429, 500, 502, 503, 504})


class _TryAgain(Exception):  # noqa: N818 - a signal between two methods, never seen outside
    def __init__(self, reason: str, pause: float | None = None) -> None:
        super().__init__(reason)
        self.pause = pause


@dataclass(slots=True)
class PoliteClient:
    """A client for the JSON interfaces of Wikidata and Wikipedia.

    Parameters
    ----------
    attempts
        How often one question is asked before giving up.
    interval
        Least seconds between two requests.
    maxlag
        Seconds of database lag beyond which the server is to refuse, so that edits go first.
    use_cache
        Whether answers are kept on disk and read from there.
    sleep, clock
        Replaced in tests.
    """

    attempts: int = 5
    interval: float = 1.0
    maxlag: int = 5
    timeout: float = 30.0
    use_cache: bool = True
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    requests: int = 0
    cached: int = 0
    _client: httpx.Client | None = None
    _last: float | None = field(default=None)

    def __enter__(self) -> Self:
        """Return the client itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connections."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def get(self, url: str, params: Mapping[str, str]) -> dict[str, Any]:
        """Ask one question.

        Parameters
        ----------
        url
            Address of the interface.
        params
            The question; the answer is kept under both.

        Returns
        -------
        dict
            The answer, a JSON object.

        Raises
        ------
        DataError
            If the server cannot be reached, keeps being busy, refuses, or answers with something else than JSON.
        """
        name = cache.key("fresh", url, *(f"{key}={params[key]}" for key in sorted(params)))
        if self.use_cache and (kept := cache.load(_CACHE_KIND, name)) is not None:
            self.cached += 1
            answer: dict[str, Any] = orjson.loads(kept)
            return answer
        content, answer = self._ask_repeatedly(url, params)
        if self.use_cache:
            cache.store(_CACHE_KIND, name, content)
        return answer

    def _ask_repeatedly(self, url: str, params: Mapping[str, str]) -> tuple[bytes, dict[str, Any]]:
        reason = ""
        for attempt in range(self.attempts):
            try:
                return self._ask(url, {**params, "maxlag": str(self.maxlag)})
            except _TryAgain as signal:
                reason = str(signal)
                pause = 2.0**attempt if signal.pause is None else signal.pause
                if attempt + 1 < self.attempts:
                    self.sleep(min(max(pause, 0.0), LONGEST_PAUSE))
        raise DataError(
            f"{_host(url)} gave no usable answer in {self.attempts} attempts; the last one: {reason}. Check the "
            "network and try again later (what was fetched is kept), or use saved documents or the sample."
        )

    def _ask(self, url: str, params: Mapping[str, str]) -> tuple[bytes, dict[str, Any]]:
        import httpx

        if self._client is None:
            self._client = httpx.Client(
                headers={"User-Agent": USER_AGENT, "Accept": "application/json"},
                follow_redirects=True,
                max_redirects=5,
                timeout=self.timeout,
            )
        self._wait_turn()
        self.requests += 1
        try:
            response = self._client.get(url, params=params)
        except httpx.TooManyRedirects:
            raise DataError(f"{_host(url)} redirects in a circle. Check the address.") from None
        except httpx.TransportError as problem:
            raise _TryAgain(f"no connection ({type(problem).__name__}: {problem})") from None
        if response.status_code in _BUSY:
            raise _TryAgain(
                f"status {response.status_code}", retry_after(response.headers.get("Retry-After"))
            )
        if response.status_code != 200:
            raise DataError(
                f"{_host(url)} refused with status {response.status_code}. Check the title or the ids."
            )
        return response.content, self._object(url, response)

    def _object(self, url: str, response: httpx.Response) -> dict[str, Any]:
        try:
            answer = orjson.loads(response.content)
        except orjson.JSONDecodeError:
            raise _TryAgain(
                f"an answer that is no JSON or is cut short ({len(response.content)} bytes)"
            ) from None
        if not isinstance(answer, dict):
            raise DataError(f"{_host(url)} answered with JSON that is no object.")
        error = answer.get("error")
        if isinstance(error, dict):
            if error.get("code") in {"maxlag", "ratelimited", "readonly"}:
                raise _TryAgain(f"busy ({error['code']})", retry_after(response.headers.get("Retry-After")))
            raise DataError(f"{_host(url)} refused: {error.get('code')}, {error.get('info')}.")
        return answer

    def _wait_turn(self) -> None:
        now = self.clock()
        if self._last is not None and (wait := self._last + self.interval - now) > 0:
            self.sleep(wait)
            now += wait
        self._last = now


def retry_after(header: str | None, now: datetime | None = None) -> float | None:
    """Read a pause that a server asks for, in seconds or as a date; None if it names none.

    Examples
    --------
    >>> retry_after("7"), retry_after(None), retry_after("soon")
    (7.0, None, None)
    """
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())


def _host(url: str) -> str:
    return url.split("//", 1)[-1].split("/", 1)[0]
