// Finds pages by the words of their titles and headings, in the page itself: there is no server to ask.
const field = document.getElementById("find");
const list = document.getElementById("found");
field.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const within = (text) => words.every((word) => text.toLowerCase().includes(word));
  const first = PAGES.filter(([title]) => within(title));
  const then = PAGES.filter(([title, , headings]) => !within(title) && within(title + " " + headings));
  list.replaceChildren(
    ...[...first, ...then].slice(0, 12).map(([title, place]) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = field.dataset.root + "/" + place;
      link.textContent = title;
      item.append(link);
      return item;
    }),
  );
  if (words.length && !list.children.length) {
    list.append(Object.assign(document.createElement("li"), { textContent: "no page" }));
  }
  list.hidden = !words.length;
});
