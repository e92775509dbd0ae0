"""Pages read back, and what holds of every one of them."""

from __future__ import annotations

from html.parser import HTMLParser

_VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """Reads a page, fails on tags that do not fit, and keeps what is in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.headings: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("td", "th", "br"):
            self.texts.append(" ")
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append("")
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.texts.append(data)
        if any(each in ("h1", "h2", "h3", "h4") for each in self.open):
            self.headings[-1] += data

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())


_TAGS = {
    "html", "head", "meta", "title", "style", "body", "main", "section", "p", "h1", "h2", "h3", "h4", "div", "span",
    "ul", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "pre", "code", "strong", "br", "figure",
    "figcaption", "svg", "line", "text", "path", "circle", "a",
}  # fmt: skip


def check_tags(page: Page) -> None:
    """Fails if there is a tag that no template has, an attribute that could do something, or a way out of the page."""
    assert {tag for tag, _ in page.tags} <= _TAGS
    for _, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on") or name in ("src", "style")]
        assert (attributes.get("href") or "#").startswith("#")


def check_whole(text: str) -> Page:
    """Fails if a page loads or runs anything, or is not for every reader; returns what is in it."""
    page = Page(text)
    check_tags(page)
    assert "url(" not in text
    assert "@import" not in text
    assert "default-src 'none'" in text
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    return page
