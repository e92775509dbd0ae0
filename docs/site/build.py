"""Builds the documents into a folder of pages that need no network and no server: ``make docs``.

    python docs/site/build.py FOLDER

Every link between documents is followed while they are built. One that leads to no file of the repository or to a
heading that is not there, and a document that is in no part of the contents, end the build with exit code 1.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.token import Token

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HOME = "docs/index.md"
CODES = "docs/codes/index.md"
PARTS: Sequence[tuple[str, Sequence[str]]] = (
    (
        "For those who answer for numbers",
        ("verdicts", "first-spec", "rounding-and-days", "reading-a-report"),
    ),
    (
        "Using it",
        (
            "README",
            "checking",
            "contracts",
            "batch",
            "bench",
            "solving",
            "asking",
            "reports",
            "evidence",
            "regions",
            "rewriting",
            "examples",
        ),
    ),
    ("Reference", ("spec-format", "json", "codes/index")),
    (
        "How far to trust it",
        ("threat-model", "proof", "reading", "algebra", "search", "recorded", "roadmap"),
    ),
    ("For developers", ("developers", "ARCHITECTURE", "CONTRIBUTING")),
)
_AT = {
    "README": "README.md", "ARCHITECTURE": "ARCHITECTURE.md", "CONTRIBUTING": "CONTRIBUTING.md",
    "examples": "examples/README.md", **{name: f"docs/finance/{name}.md" for name in PARTS[0][1]},
}  # fmt: skip
_ELSEWHERE = re.compile(r"(?:https?|mailto):")
_NOT_IN_A_SLUG = re.compile(r"[^\w\- ]")
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass
class Page:
    """A document: its ``path`` in the repository, its title, its tokens, and its headings by their anchors."""

    path: str
    tokens: list[Token]
    title: str = ""
    headings: dict[str, str] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Where it is in the folder."""
        if self.path == HOME:
            return "index.html"
        return self.path.removesuffix(".md") + ".html"


def main(arguments: Sequence[str]) -> int:
    """Builds into the folder; says what is broken on standard error."""
    if len(arguments) != 1:
        print("usage: build.py FOLDER", file=sys.stderr)
        return 2
    target = Path(arguments[0])
    if target.exists() and any(target.iterdir()) and not (target / "search-index.js").is_file():
        print(f"{target}: there is something else in that folder", file=sys.stderr)
        return 2
    pages = {path: _read(path, text) for path, text in _documents()}
    site = Site(pages)
    rendered = {page.place: site.rendered(page) for page in pages.values()}
    if site.broken:
        print("\n".join(site.broken), file=sys.stderr)
        return 1
    shutil.rmtree(target, ignore_errors=True)
    for place, text in rendered.items():
        _write(target / place, text.encode())
    for name in sorted(site.files):
        _write(target / name, (ROOT / name).read_bytes())
    for name in ("style.css", "search.js"):
        _write(target / name, (HERE / name).read_bytes())
    index = [[page.title, page.place, " ".join(page.headings.values())] for page in pages.values()]
    _write(target / "search-index.js", f"const PAGES = {json.dumps(index)};\n".encode())
    print(f"{len(rendered)} pages: {target / 'index.html'}")
    return 0


class Site:
    """All pages, what is wrong with their links, and the ``files`` of the repository that they link to."""

    def __init__(self, pages: Mapping[str, Page]) -> None:
        self.broken: list[str] = []
        self.files: set[str] = set()
        self._pages = pages
        environment = Environment(loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined)
        self._template = environment.get_template("page.html")
        self._parts = [(title, [_path_of(name) for name in names]) for title, names in PARTS]
        listed = {path for _, paths in self._parts for path in paths} | {HOME}
        self.broken += [f"{path}: in no part of the contents (docs/site/build.py)" for path in _unlisted(pages, listed)]

    def rendered(self, page: Page) -> str:
        """The page, with links as they lead from where it is."""
        for token in page.tokens:
            for each in token.children or ():
                if each.type == "link_open":
                    each.attrSet("href", self._target(page, str(each.attrGet("href"))))
        contents = [
            (
                title,
                [(self._pages[path].title, _from(page, self._pages[path].place), path == page.path) for path in paths],
            )
            for title, paths in self._parts
        ]
        return self._template.render(
            title=page.title,
            body=_markdown.renderer.render(page.tokens, _markdown.options, {}),
            contents=contents,
            root=_from(page, ""),
        )

    def _target(self, page: Page, link: str) -> str:
        if _ELSEWHERE.match(link):
            return link
        name, _, anchor = unquote(link).partition("#")
        path = os.path.normpath(PurePosixPath(page.path).parent / name) if name else page.path
        if path not in self._pages and (ROOT / path).is_dir():
            path = next((each for each in (f"{path}/README.md", f"{path}/index.md") if each in self._pages), path)
        other = self._pages.get(path)
        if other is not None:
            if anchor and anchor not in other.headings:
                self.broken.append(f"{page.path}: {link}: {path} has no such heading")
            return _from(page, other.place) + (f"#{anchor}" if anchor else "")
        if path.startswith("..") or not (ROOT / path).exists():
            self.broken.append(f"{page.path}: {link}: there is no {path}")
        elif (ROOT / path).is_file():
            self.files.add(path)
            return _from(page, path)
        return "#"  # a folder of the repository, which has no page


def _documents() -> Iterator[tuple[str, str]]:
    """Each document by its path, and the list of all codes, which is made."""
    found = [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/finance/*.md"), *ROOT.glob("examples/*/README.md")]
    named = [ROOT / each for each in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "examples/README.md")]
    codes = sorted(ROOT.glob("docs/codes/*.md"))
    for path in sorted({*found, *named, *codes}):
        yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    rows = [f"| [{path.stem}]({path.name}) | {_title(path).partition(' · ')[2]} |" for path in codes]
    head = ["# All codes", "", "What each message is about; `neurosym explain CODE` prints the same page.", ""]
    yield CODES, "\n".join([*head, "| code | about |", "| --- | --- |", *rows, ""])


def _read(path: str, text: str) -> Page:
    page = Page(path, _markdown.parse(text))
    for place, token in enumerate(page.tokens):
        if token.type == "heading_open":
            said = _plain(page.tokens[place + 1])
            anchor = _anchor(said, page.headings)
            page.headings[anchor] = said
            page.title = page.title or said
            token.attrSet("id", anchor)
    return page


def _plain(token: Token) -> str:
    return "".join(each.content for each in token.children or ())


def _anchor(heading: str, taken: Mapping[str, str]) -> str:
    """As GitHub makes it, so that links lead to the same place there and here."""
    slug = _NOT_IN_A_SLUG.sub("", heading.lower()).replace(" ", "-")
    numbered = (slug if not number else f"{slug}-{number}" for number in range(len(taken) + 1))
    return next(each for each in numbered if each not in taken)


def _unlisted(pages: Mapping[str, Page], listed: set[str]) -> list[str]:
    own = (path for path in pages if not path.startswith(("docs/codes/", "examples/")))
    return sorted({path for path in own if path not in listed})


def _path_of(name: str) -> str:
    return _AT.get(name, f"docs/{name}.md")


def _from(page: Page, place: str) -> str:
    return os.path.relpath(place or ".", PurePosixPath(page.place).parent)


def _title(path: Path) -> str:
    return path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
