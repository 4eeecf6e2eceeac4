"use strict";
// In print, all that is folded is open.
(() => {
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    folded.forEach((each) => { each.open = true; });
  });
  window.addEventListener("afterprint", () => { folded.forEach((each) => { each.open = false; }); });
})();

// Filters of a list: each entry has its values in data-*, and so may the places in it. The link keeps what is chosen.
(() => {
  const kept = (names) => { // what others put into the link
    const parameters = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
    names.forEach((name) => parameters.delete(name));
    return parameters;
  };

  for (const form of document.querySelectorAll("form[data-list]")) {
    const list = form.parentElement;
    const prefix = `${form.dataset.list}-`;
    const names = [...form.querySelectorAll("select")].map((each) => each.name);
    const entries = [...list.querySelectorAll("article, tbody > tr[id]")];
    const places = (entry) => [...entry.querySelectorAll(".place")];
    const valuesOf = (entry, name) => [entry, ...places(entry)].map((each) => each.dataset[name]).filter(Boolean);
    const text = new Map(entries.map((entry) => [entry, entry.textContent.toLowerCase()]));
    const output = form.querySelector("output");

    for (const name of names) {
      const values = [...new Set(entries.flatMap((entry) => valuesOf(entry, name)))].sort();
      form.elements[name].append(...values.map((value) => new Option(value, value)));
      if (values.length < 2) form.elements[name].closest("label").hidden = true;
    }

    function filter() {
      const looked = form.elements.text.value.trim().toLowerCase();
      let shown = 0;
      for (const entry of entries) {
        const fits = names.every((name) => {
          const wanted = form.elements[name].value;
          return !wanted || valuesOf(entry, name).includes(wanted);
        }) && (!looked || text.get(entry).includes(looked));
        entry.hidden = !fits;
        shown += fits;
        const file = form.elements.file?.value;
        for (const place of places(entry)) place.hidden = Boolean(file) && place.dataset.file !== file;
        for (const more of entry.querySelectorAll("details.more")) more.open = Boolean(file);
      }
      for (const group of list.querySelectorAll(".group")) {
        group.hidden = !entries.some((entry) => group.contains(entry) && !entry.hidden);
      }
      output.textContent = `${shown} of ${entries.length} ${form.dataset.unit}`;
    }

    function changed() {
      filter();
      const parameters = kept([...names, "text"].map((name) => prefix + name));
      for (const [name, value] of new FormData(form)) if (value) parameters.set(prefix + name, value);
      history.replaceState(null, "", `#${parameters}`);
    }

    function follow() {
      const parameters = new URLSearchParams(location.hash.slice(1));
      for (const name of [...names, "text"]) form.elements[name].value = parameters.get(prefix + name) ?? "";
      filter();
      const anchor = location.hash.slice(1);
      const target = anchor && !anchor.includes("=") ? document.getElementById(decodeURIComponent(anchor)) : null;
      if (!target || !list.contains(target)) return;
      const folded = target.closest("details");
      if (folded) folded.open = true;
      target.scrollIntoView({ block: "center" });
    }

    form.addEventListener("input", changed);
    form.addEventListener("change", changed);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(changed));
    window.addEventListener("hashchange", follow);
    form.hidden = false;
    follow();
  }
})();

// The matrix: rows and evidence are built from the data when they are needed, always as text, never as HTML.
(() => {
  const source = document.getElementById("matrix-data");
  if (!source || !window.HTMLDialogElement?.prototype.showModal) return; // an old browser: the page says so
  const data = JSON.parse(source.textContent);
  const part = (name) => document.getElementById(`matrix-${name}`);
  const table = part("table"), form = part("filters"), dialog = part("evidence");
  const text = (number) => (number === undefined ? "" : data.texts[number]);
  const stateName = (cell) => data.states[cell.state].name;
  const slug = (name) => name.replaceAll(" ", "-");
  const columnName = (number) => data.columns[number].heading.join(" ");

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== false && value !== undefined) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== ""));
    return element;
  }

  // --- the table -------------------------------------------------------------------------------------------

  const groups = []; // of rows: {name, element, rows}
  const elements = new Map(); // row -> its <tr>

  function drawHead() {
    const corner = make("th", { scope: "col" }, "item");
    part("head").append(corner, ...data.columns.map(({ heading, install }) => {
      const [first, ...rest] = heading;
      const notes = install === null ? rest : [...rest, data.installs[install].version];
      return make("th", { scope: "col" }, first, ...notes.map((note) => make("small", {}, note)));
    }));
  }

  function drawRow(row) {
    const line = make("tr", {}, make("th", { scope: "row" }, row.id, row.title ? make("small", {}, row.title) : ""));
    line.append(...row.cells.map(() => document.createElement("td")));
    line.row = row;
    return line;
  }

  // Thousands of buttons take a browser seconds to lay out: a row gets its own when it comes into view.
  const near = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) if (isIntersecting) fill(target);
  }, { rootMargin: "1500px" });

  function fill(line) {
    if (line.filled) return;
    line.filled = true;
    near.unobserve(line);
    line.row.cells.forEach((cell, column) => {
      if (cell) {
        const name = stateName(cell);
        const button = document.createElement("button");
        button.type = "button";
        button.tabIndex = -1;
        button.className = slug(name);
        button.dataset.column = column;
        button.setAttribute("aria-label", name);
        button.title = `${columnName(column)}: ${name}`;
        button.textContent = data.states[cell.state].mark.trim() || "·";
        line.children[column + 1].append(button);
      }
    });
  }

  function drawTable() {
    drawHead();
    for (const row of data.rows) {
      if (!groups.length || groups.at(-1).name !== row.area) groups.push({ name: row.area, rows: [] });
      groups.at(-1).rows.push(row);
    }
    for (const group of groups) {
      group.element = document.createElement("tbody");
      const alone = group.rows.length === 1 && group.rows[0].id === group.name; // a stage without objects
      if (group.name && !alone) {
        const head = make("th", { scope: "rowgroup", colspan: data.columns.length + 1 },
          make("span", {}, group.name));
        group.element.append(make("tr", {}, head));
      }
      for (const row of group.rows) {
        const line = drawRow(row);
        elements.set(row, line);
        near.observe(line);
        group.element.append(line);
      }
    }
    table.append(...groups.map((group) => group.element));
  }

  function drawLegend() {
    for (const { name, mark } of data.states) {
      part("legend").append(make("span", {}, make("b", { class: slug(name) }, mark.trim() || "·"), name));
    }
  }

  // --- moving by keys: one cell at a time is in the tab order ----------------------------------------------------

  function focusOn(button) {
    table.querySelectorAll('td button[tabindex="0"]').forEach((other) => { other.tabIndex = -1; });
    button.tabIndex = 0;
    button.focus();
  }

  function moved(button, key) {
    const column = Number(button.dataset.column);
    const line = button.closest("tr");
    const inLine = [...line.querySelectorAll("button")];
    if (key === "ArrowRight" || key === "ArrowLeft") return inLine[inLine.indexOf(button) + (key === "ArrowRight" ? 1 : -1)];
    if (key === "Home") return inLine[0];
    if (key === "End") return inLine.at(-1);
    const lines = [...elements.values()].filter((other) => !other.hidden);
    const step = key === "ArrowDown" ? 1 : -1;
    for (let at = lines.indexOf(line) + step; lines[at]; at += step) {
      fill(lines[at]);
      const below = lines[at].querySelector(`button[data-column="${column}"]`);
      if (below) return below;
    }
    return undefined;
  }

  table.addEventListener("keydown", (event) => {
    const button = event.target.closest("td button");
    if (!button || !["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key)) return;
    event.preventDefault();
    const next = moved(button, event.key);
    if (next) focusOn(next);
  });

  // --- filters, kept in the link -------------------------------------------------------------------------------

  const words = new Map(); // row -> what the text filter looks in
  function wordsOf(row) {
    if (!words.has(row)) {
      const said = row.cells.filter(Boolean).flatMap((cell) => [cell.summary, cell.expected, cell.observed, cell.details]);
      const asked = row.steps.map((step) => step.statement);
      words.set(row, [row.id, row.title, row.area, ...[...said, ...asked].map(text)].join("\n").toLowerCase());
    }
    return words.get(row);
  }

  function differs(row) {
    const seen = row.cells.filter(Boolean).map((cell) => `${cell.state} ${cell.observed}`);
    return new Set(seen).size > 1;
  }

  function filter() {
    const wanted = Object.fromEntries(new FormData(form));
    const looked = wanted.text.trim().toLowerCase();
    let shown = 0;
    for (const group of groups) {
      let any = false;
      for (const row of group.rows) {
        const fits = (!wanted.area || row.area === wanted.area)
          && (!wanted.outcome || row.cells.some((cell) => cell && stateName(cell) === wanted.outcome))
          && (!wanted.differs || differs(row))
          && (!looked || wordsOf(row).includes(looked));
        elements.get(row).hidden = !fits;
        if (fits) { any = true; shown += 1; }
      }
      group.element.hidden = !any;
    }
    part("shown").textContent = `${shown} of ${data.rows.length} rows`;
    const inTabOrder = table.querySelector('td button[tabindex="0"]');
    if (!inTabOrder || inTabOrder.closest("[hidden]")) {
      if (inTabOrder) inTabOrder.tabIndex = -1;
      const line = [...elements.values()].find((each) => !each.hidden);
      if (line) {
        fill(line);
        line.querySelector("button").tabIndex = 0;
      }
    }
  }

  function link(more = {}) {
    const parameters = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
    for (const name of ["area", "outcome", "text", "differs", "row", "cell"]) parameters.delete(name);
    for (const [name, value] of [...new FormData(form), ...Object.entries(more)]) {
      if (value) parameters.set(name, value);
    }
    return `#${parameters}`;
  }

  function keepLink(more) {
    history.replaceState(null, "", link(more));
  }

  function changed() { filter(); keepLink(); }
  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(changed));

  function offer(name, values) {
    form.elements[name].append(...values.map((value) => make("option", { value }, value)));
  }

  // --- the evidence -----------------------------------------------------------------------------------------

  function answerFigures(step, column) {
    const lines = step.answers.map(([, answer]) => text(answer).split("\n"));
    const sets = lines.map((each) => new Set(each));
    return step.answers.map(([columns], number) => {
      const code = make("pre", { tabindex: 0 });
      lines[number].forEach((line, at) => {
        if (at) code.append("\n");
        const alike = sets.every((other) => other.has(line));
        code.append(alike ? line : make("mark", {}, line));
      });
      if (step.answers.length === 1) return make("figure", { class: "alike" }, code);
      return make("figure", { class: columns.includes(column) ? "here" : false },
        make("figcaption", {}, columns.map(columnName).join(", ")), code);
    });
  }

  function planDifference({ columns: [old, now], rows, changes }) {
    const kinds = { "<": "gone", ">": "new", "|": "changed" };
    const between = make("span", { class: "unseen" }, "difference");
    const head = [columnName(old), between, columnName(now)].map((name) => make("th", { scope: "col" }, name));
    const body = rows.map((row) => {
      const [left, sign, right] = row.map(text);
      return make("tr", { class: kinds[sign] ?? false },
        make("td", {}, left), make("td", {}, sign), make("td", {}, right));
    });
    return [
      make("h3", {}, `The plan: ${columnName(old)} to ${columnName(now)}`),
      make("ul", {}, ...changes.map((change) => make("li", {}, text(change)))),
      make("table", { class: "plan-diff" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body)),
    ];
  }

  function stepElements(step, column) {
    const session = text(step.session);
    return [
      make("p", { class: "statement" }, make("span", {}, `${session}> `), make("code", {}, text(step.statement))),
      make("div", { class: "answers" }, ...answerFigures(step, column)),
      ...(step.plans ?? []).flatMap(planDifference),
    ];
  }

  function facts(cell) {
    const list = make("dl", { class: "facts" });
    const add = (name, ...values) => list.append(make("dt", {}, name), make("dd", {}, ...values));
    add("outcome", make("strong", { class: slug(stateName(cell)) }, stateName(cell)));
    for (const name of ["summary", "expected", "observed", "location"]) {
      if (cell[name] !== undefined) add(name, name === "summary" ? text(cell[name]) : make("code", {}, text(cell[name])));
    }
    for (const number of cell.installs) {
      const { version, source, bindir, sha256 } = data.installs[number];
      add("install", `PostgreSQL ${version} (${source}: ${bindir})`);
      if (sha256) add("archive", make("code", {}, `sha256:${sha256}`));
    }
    add("seconds", cell.seconds.toFixed(3));
    add("run it again", make("code", {}, text(cell.again)));
    return list;
  }

  function evidence(row, column) {
    const cell = row.cells[column];
    const parts = [row.title ? make("p", {}, row.title) : "", facts(cell)];
    if (cell.details !== undefined) parts.push(make("h3", {}, "Details"), make("pre", { tabindex: 0 }, text(cell.details)));
    if (cell.program !== undefined) parts.push(make("h3", {}, "Program"), make("pre", { tabindex: 0 }, text(cell.program)));
    for (const [title, content] of cell.sections ?? []) {
      parts.push(make("h3", {}, text(title)), make("pre", { tabindex: 0 }, text(content)));
    }
    if (row.steps.length) parts.push(make("h3", {}, "Statements and answers"));
    return [...parts, ...row.steps.flatMap((step) => stepElements(step, column))];
  }

  let opener = null;

  function open(row, column, step = 0) {
    const here = row.cells.flatMap((cell, number) => (cell ? [number] : []));
    const beside = (way, mark, label) => {
      const other = here[here.indexOf(column) + way];
      const to = other === undefined ? "" : columnName(other);
      const button = make("button", { type: "button", disabled: !to, "aria-label": `${label} version ${to}` },
        way < 0 ? `${mark} ${to}` : `${to} ${mark}`);
      button.addEventListener("click", () => open(row, other, way));
      return button;
    };
    const previous = beside(-1, "‹", "previous"), next = beside(1, "›", "next");
    const close = make("button", { type: "button", autofocus: true }, "Close");
    close.addEventListener("click", () => dialog.close());
    const place = { row: row.id, cell: data.columns[column].cell };
    const title = make("h2", { id: "matrix-evidence-title" }, `${row.id} on ${columnName(column)}`);
    const anchor = make("a", { href: link(place) }, "Link to this");
    dialog.replaceChildren(
      make("div", { class: "evidence-head" }, title, anchor, previous, next, close),
      make("div", { class: "evidence-body" }, ...evidence(row, column).filter((each) => each !== "")),
    );
    fill(elements.get(row));
    opener = elements.get(row).querySelector(`button[data-column="${column}"]`);
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    const pressed = { "-1": previous, 1: next }[step]; // who goes on by it keeps the focus there
    (pressed && !pressed.disabled ? pressed : close).focus();
    keepLink(place);
  }

  table.addEventListener("click", (event) => {
    const button = event.target.closest("td button");
    if (button) open(button.closest("tr").row, Number(button.dataset.column));
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => {
    keepLink();
    if (opener && !opener.closest("[hidden]")) focusOn(opener);
  });

  // --- what the link says -----------------------------------------------------------------------------------

  function follow() {
    const parameters = new URLSearchParams(location.hash.slice(1));
    for (const name of ["area", "outcome", "text"]) form.elements[name].value = parameters.get(name) ?? "";
    form.elements.differs.checked = parameters.has("differs");
    filter();
    const row = data.rows.find((each) => each.id === parameters.get("row"));
    if (!row) return;
    const column = data.columns.findIndex((each) => each.cell === parameters.get("cell"));
    elements.get(row).scrollIntoView({ block: "center" });
    if (row.cells[column]) open(row, column);
  }

  window.addEventListener("hashchange", () => { if (!location.hash.includes("=")) return; follow(); });
  window.addEventListener("beforeprint", () => {
    elements.forEach(fill);
    const bad = ["deviates", "failed", "unexpected pass", "error"];
    part("print").replaceChildren(...data.rows.flatMap((row) => row.cells.flatMap((cell, column) => (
      cell && bad.includes(stateName(cell)) && !elements.get(row).hidden
        ? [make("h3", {}, `${row.id} on ${columnName(column)}`), ...evidence(row, column).filter((each) => each !== "")]
        : []))));
  });

  offer("area", [...new Set(data.rows.map((row) => row.area))].filter(Boolean));
  offer("outcome", data.states.map((state) => state.name));
  drawTable();
  drawLegend();
  form.hidden = false;
  part("too-old").remove();
  follow();
})();
