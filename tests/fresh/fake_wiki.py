"""A server on 127.0.0.1 that plays Wikidata and Wikipedia, their bad days included."""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class FakeWiki:
    """Serves `entities` (by id) and `pages` (title to list of (id, timestamp, text or None)).

    `troubles` is a list of (status, headers, body) that are answered first, one for each request.
    """

    def __init__(self, entities=(), pages=None, page_size=2):
        self.entities = {each["id"]: each for each in entities}
        self.merged: dict[str, str] = {}
        self.pages = pages or {}
        self.redirects: dict[str, str] = {}
        self.page_size = page_size
        self.troubles: list[tuple[int, dict, bytes]] = []
        self.seen: list[dict[str, str]] = []
        self.agents: set[str] = set()
        self.counts: dict[str, int] = defaultdict(int)
        handler = type("Handler", (_Handler,), {"wiki": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/w/api.php"

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, query):
        if query["action"] == "wbgetentities":
            return self.entity_answer(query["ids"].split("|"))
        if "revids" in query:
            return self.text_answer(int(query["revids"]))
        return self.list_answer(query)

    def entity_answer(self, ids):
        found = {}
        for qid in ids:
            if qid in self.merged:
                target = self.merged[qid]
                found[target] = {**self.entities[target], "redirects": {"from": qid, "to": target}}
            else:
                found[qid] = self.entities.get(qid, {"id": qid, "missing": ""})
        return {"entities": found, "success": 1}

    def list_answer(self, query):
        title = self.redirects.get(query["titles"], query["titles"])
        if title not in self.pages:
            return {"query": {"pages": [{"title": title, "missing": True}]}}
        rows = sorted((stamp, number) for number, stamp, _ in self.pages[title] if stamp >= query["rvstart"])
        begin = int(query.get("rvcontinue", "0"))
        part = rows[begin : begin + self.page_size]
        page = {
            "pageid": 1,
            "title": title,
            "revisions": [{"revid": number, "timestamp": stamp} for stamp, number in part],
        }
        answer = {"query": {"pages": [page]}}
        if begin + self.page_size < len(rows):
            answer["continue"] = {"rvcontinue": str(begin + self.page_size), "continue": "||"}
        return answer

    def text_answer(self, wanted):
        for title, revisions in self.pages.items():
            for number, stamp, text in revisions:
                if number == wanted:
                    main = (
                        {"texthidden": True}
                        if text is None
                        else {"contentmodel": "wikitext", "content": text}
                    )
                    row = {"revid": number, "timestamp": stamp, "slots": {"main": main}}
                    return {"query": {"pages": [{"title": title, "revisions": [row]}]}}
        return {"query": {"badrevids": {str(wanted): {"revid": wanted, "missing": True}}}}


class _Handler(BaseHTTPRequestHandler):
    wiki: FakeWiki
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        query = {key: values[0] for key, values in parse_qs(urlsplit(self.path).query).items()}
        self.wiki.seen.append(query)
        self.wiki.agents.add(self.headers.get("User-Agent", ""))
        if self.wiki.troubles:
            status, headers, body = self.wiki.troubles.pop(0)
        else:
            status, headers, body = 200, {}, json.dumps(self.wiki.answer(query)).encode()
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
