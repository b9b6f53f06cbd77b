"""What the server answers besides Streamlit's own traffic: every page's first HTML, and a report on its health."""

from __future__ import annotations

import hashlib
import logging
import os
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, Response
from streamlit import config

from core import __version__
from core.data_files import data_version, verify_all
from core.errors import MirageError
from pages.kit.jobs import queue
from pages.kit.limits import setting_faults, upload_limit_mb
from pages.kit.page_head import shell, with_head
from pages.kit.registry import PAGES, PageInfo

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import ASGIApp, Receive, Scope, Send

_LOG: Final = logging.getLogger("mirage.pages")
HEALTH: Final = "/health"
_PATHS: Final = {page.path: page for page in PAGES}


def public_address(page: PageInfo) -> str:
    """Return a page's address under ``MIRAGE_PUBLIC_URL``, or nothing where that is not set.

    Examples
    --------
    >>> os.environ["MIRAGE_PUBLIC_URL"] = "https://example.org/mirage/"
    >>> public_address(PAGES[1])
    'https://example.org/mirage/selection_loss'
    >>> del os.environ["MIRAGE_PUBLIC_URL"]
    >>> public_address(PAGES[1])
    ''
    """
    base = os.environ.get("MIRAGE_PUBLIC_URL", "").rstrip("/")
    return f"{base}{page.path}" if base.startswith(("https://", "http://")) else ""


def health() -> tuple[int, dict[str, Any]]:
    """Return the status code and the report of this server's health: 200, or 503 if shipped data are missing or altered."""
    try:
        faults, version = verify_all(), data_version()
    except MirageError as fault:
        faults, version = [str(fault)], ""
    running, waiting = queue().load()
    report = {
        "status": "fault" if faults else "ok",
        "version": __version__,
        "data": {"version": version, "faults": faults},
        "jobs": {"running": running, "waiting": waiting, "at_once": queue().max_jobs},
    }
    return (503 if faults else 200), report


@lru_cache(maxsize=64)
def _document(page: PageInfo, address: str) -> tuple[bytes, str]:
    """Return a page's first HTML and its tag for the browser's cache."""
    body = with_head(shell(), page, address).encode()
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'


class Site:
    """ASGI middleware that answers the pages' paths and ``/health``, below the base path, and passes on the rest."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    @classmethod
    def layers(cls) -> list[Middleware]:
        """Return the middleware as the server takes it."""
        return [Middleware(cls)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        response = None
        if scope["type"] == "http" and scope["method"] in {"GET", "HEAD"}:
            response = await self._answer(_below_base(scope["path"]), Headers(scope=scope))
        await (response or self._app)(scope, receive, send)

    async def _answer(self, path: str | None, headers: Headers) -> Response | None:
        if path == HEALTH:
            status, report = await run_in_threadpool(health)
            return JSONResponse(report, status, {"Cache-Control": "no-store"})
        page = _PATHS.get(path or "")
        if page is None:
            return None
        body, tag = _document(page, public_address(page))
        known = {"Cache-Control": "no-cache", "ETag": tag}
        if tag in headers.get("if-none-match", ""):
            return Response(status_code=304, headers=known)
        return Response(body, headers=known, media_type="text/html")


def _below_base(path: str) -> str | None:
    """Return a path below the base path under which this server is published, or None if it is not below it."""
    base = str(config.get_option("server.baseUrlPath") or "").strip("/")
    if not base:
        return path
    return path.removeprefix(f"/{base}") if path.startswith(f"/{base}/") else None


@asynccontextmanager
async def site_settings(_app: object) -> AsyncIterator[None]:
    """Put our own settings in force while the server runs: one upload limit for page and server, kept in memory."""
    from starlette.formparsers import MultiPartParser

    for fault in setting_faults(os.environ):
        _LOG.warning(fault)
    limit = upload_limit_mb()
    config.set_option("server.maxUploadSize", limit)
    MultiPartParser.spool_max_size = (limit + 1) * 1024**2  # an upload never becomes a temporary file
    yield
