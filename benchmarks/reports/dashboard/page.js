"use strict";
const body = document.querySelector("#list tbody");
const rows = [...body.rows];
const controls = ["text", "run", "group", "verdict"].map((id) => document.getElementById(id));

function filter() {
  const [text, ...chosen] = controls.map((control) => control.value);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const row of rows) {
    const line = row.textContent.toLowerCase();
    const held = [row.dataset.run, row.dataset.group, row.dataset.verdict];
    row.hidden = !(words.every((word) => line.includes(word)) && chosen.every((value, n) => !value || value === held[n]));
    count += !row.hidden;
  }
  document.getElementById("count").textContent = `${count} of ${rows.length}`;
}

function sort(button) {
  const head = button.closest("th");
  const ascending = head.getAttribute("aria-sort") !== "ascending";
  const value = (row) => row.cells[head.cellIndex].textContent.trim();
  const numbers = button.dataset.kind === "number";
  // What has no figure comes last, whichever way.
  const order = (a, b) => {
    const [x, y] = [value(a), value(b)];
    if (!x || !y) return !x - !y;
    const difference = numbers ? Number(x) - Number(y) : x.localeCompare(y, "en", { numeric: true });
    return ascending ? difference : -difference;
  };
  for (const other of head.parentNode.cells) other.setAttribute("aria-sort", "none");
  head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  rows.sort(order);
  body.append(...rows);
}

for (const control of controls) control.addEventListener("input", filter);
for (const button of document.querySelectorAll("th button")) button.addEventListener("click", () => sort(button));
document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
addEventListener("keydown", (event) => { if (event.key === "Escape" && location.hash.startsWith("#t")) location.hash = "#tasks"; });
filter();
