// A field that filters a long page: of lists and tables it leaves the entries that have all words.
// A page asks for it with <div class="filter"></div>; ?filter=WORDS fills it in.
document.addEventListener("DOMContentLoaded", () => {
  const place = document.querySelector("div.filter");
  if (!place) return;
  const page = place.closest("article") ?? document.body;
  const entries = [...page.querySelectorAll("li, tbody tr")];
  const parts = [...page.querySelectorAll("section section")];

  const field = Object.assign(document.createElement("input"), { type: "search", id: "filter" });
  const label = Object.assign(document.createElement("label"), { textContent: "Filter ", htmlFor: "filter" });
  const count = document.createElement("output");
  field.placeholder = "such as: 14 array";
  place.append(label, field, " ", count);

  function filter() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const entry of entries) {
      const text = entry.textContent.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
    }
    for (const part of parts) {
      part.hidden = words.length > 0 && !entries.some((entry) => !entry.hidden && part.contains(entry));
    }
    const left = entries.filter((entry) => !entry.hidden).length;
    count.value = words.length ? `${left} of ${entries.length}` : "";
  }

  field.addEventListener("input", filter);
  field.value = new URLSearchParams(location.search).get("filter") ?? "";
  filter();
});
