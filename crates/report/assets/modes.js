// Which mode is shown: each has a unit of time of its own, in which the clock goes round.
(() => {
  "use strict";
  const { clock, controls } = window.report;
  const rows = [...document.querySelectorAll(".modes tr[data-mode]")];
  const part = JSON.parse(document.getElementById("data").textContent).shown;

  function choose(number) {
    const k = Math.min(rows.length - 1, Math.max(0, number));
    rows.forEach((row, other) => row.setAttribute("aria-current", String(other === k)));
    clock.range = [k, k + part];
    clock.speed = 1;
    clock.set(k);
    clock.play();
  }

  rows.forEach((row, k) => row.addEventListener("click", () => choose(k)));
  addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.target.matches("input, select")) return;
    event.preventDefault();
    choose(rows.findIndex((row) => row.getAttribute("aria-current") === "true") + step);
  });
  if (rows.length && controls) choose(Math.max(0, rows.findIndex((row) => row.dataset.mode === "oscillation")));
  window.report.choose = choose;
})();
