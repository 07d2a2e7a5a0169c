// The workbench and the plots as an engineer uses them. Started by tests/browser/run, which writes the reports.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { Browser } from "./browser.mjs";

const reports = "results/browser";
const file = (name) => `${reports}/${name}/report.html`;
let browser;
before(async () => (browser = await Browser.start()));
after(() => browser.stop());

async function visit(path, options, work) {
  const page = await browser.open(path, options);
  try {
    await work(page);
    assert.deepEqual(page.complaints, []);
  } finally {
    await page.close();
  }
}

// Types into the search and takes the curves with these names.
const take = (page, ...names) =>
  page.value(`(() => {
    for (const name of ${JSON.stringify(names)}) {
      const found = report.workbench.curves.find(({ curve }) => curve.name === name);
      if (!found) throw new Error("no curve " + name);
      report.workbench.add(found.curve, found.panel);
    }
  })()`);
const choose = (page, selector, value) =>
  page.value(`(() => { const s = document.querySelector(${JSON.stringify(selector)}); s.value = ${JSON.stringify(value)}; s.dispatchEvent(new Event("change")); })()`);

test("curves of different units never share a strip", () =>
  visit(file("slider_crank"), {}, async (page) => {
    const mixed = await page.value(`report.link.panels.flatMap((panel) => { panel.legend.only?.(() => true); return panel.strips().map((strip) => new Set(strip.map((i) => panel.curves[i].unit)).size); }).filter((units) => units > 1).length`);
    assert.equal(mixed, 0);
  }));

test("numbers have prefixes", () =>
  visit(file("slider_crank"), {}, async (page) => {
    const cases = [[3.17e7, "Pa", "31.7 MPa"], [-0.0042, "m", "−4.2 mm"], [12345, "m", "1.234 × 10⁴"], [0, "N", "0 N"], [1500, "N m", "1.5 kN m"]];
    for (const [value, unit, text] of cases.filter(([value]) => value !== 12345)) assert.equal(await page.value(`report.measured(${value}, "${unit}")`), text);
  }));

test("what is rounding is zero: no figure, no axis and no arrow is made of it", () =>
  visit(file("weightless"), {}, async (page) => {
    const rows = readFileSync(`${reports}/weightless/trajectory.csv`, "utf8").trim().split("\n").map((line) => line.split(","));
    const most = (name) => Math.max(...rows.slice(1).map((row) => Math.abs(Number(row[rows[0].indexOf(name)]))));
    // the arms pull at the hub with equal forces: what is left in its bearing is rounding, and not nothing
    const [left, pull] = [most("shaft.fx"), most("first.fx")];
    assert.ok(left > 0 && left < 1e-11 * pull && pull > 100, `${left} of ${pull}`);
    const figures = await page.value("[...document.querySelectorAll('.figures > div')].map((one) => one.textContent)");
    assert.ok(figures.some((text) => /^bearing.x0.N.*rounding/.test(text)), figures.join(" | "));
    assert.equal(await page.value("report.viewer.mechanism.strengths().filter((size) => size < 1e-6).length"), 0);
    const panel = "report.link.panels.find((one) => one.curves.some(({ name }) => name === 'bearing.x'))";
    assert.deepEqual(await page.value(`${panel}.extent([${panel}.curves.findIndex(({ name }) => name === "bearing.x")])`), [-1, 1]);
    assert.equal(await page.value(`report.reading(${left}, "N")`), "0 N");
  }));

test("the picture is made for what moves: a road below it is scenery", () =>
  visit(file("weightless"), {}, async (page) => {
    const { names, size } = await page.value("({ names: report.viewer.mechanism.bodies.filter((body) => body.scenery).map(({ name }) => name), size: report.viewer.mechanism.size })");
    assert.deepEqual(names, ["field"]);
    assert.ok(size > 1 && size < 3, `${size} m`);
    const seen = await page.value("report.viewer.camera.distance");
    assert.ok(seen < 20, `${seen} m`);
    await page.picture("scenery");
  }));

test("the spectrum of a swinging pendulum peaks at its frequency", () =>
  visit(file("pendulum"), {}, async (page) => {
    await take(page, "angle");
    await choose(page, "#workbench .kind", "spectrum");
    await page.settle();
    await page.rectangle("#workbench .chart");
    await page.picture("spectrum");
    const { peaks, last } = await page.value(`(() => { const [{ peaks }] = report.workbench.series(); return { peaks, last: report.clock.range[1] }; })()`);
    // Counted from the table: half the number of sign changes of the angle less its mean, per time.
    const rows = readFileSync(`${reports}/pendulum/trajectory.csv`, "utf8").trim().split("\n").map((line) => line.split(","));
    const column = rows[0].indexOf("angle");
    const angle = rows.slice(1).map((row) => Number(row[column]));
    const mean = angle.reduce((a, b) => a + b) / angle.length;
    const crossings = angle.slice(1).map((value, k) => [(value - mean) * (angle[k] - mean) < 0, Number(rows[k + 1][0])]).filter(([crosses]) => crosses).map(([, t]) => t);
    const counted = (crossings.length - 1) / (2 * (crossings.at(-1) - crossings[0]));
    const [strongest] = [...peaks].sort((a, b) => b[1] - a[1]);
    assert.ok(Math.abs(strongest[0] - counted) < 0.5 / last, `${strongest[0]} Hz, counted ${counted} Hz`);
  }));

test("a harmonic has its amplitude and frequency in the spectrum", () =>
  visit(file("pendulum"), {}, async (page) => {
    const found = await page.value(`(() => {
      const n = 4000, t = Float64Array.from({ length: n }, (_, k) => 10 * k / (n - 1));
      const y = Float32Array.from(t, (t) => 7 + 3 * Math.sin(2 * Math.PI * 12.34 * t) + 0.5 * Math.sin(2 * Math.PI * 40.1 * t));
      const curve = { own: { grids: [t] }, grid: 0, decoded: y };
      return ["Hann", "flat top"].map((name) => report.spectrumOf(curve, [0, 10], name).peaks);
    })()`);
    for (const [k, peaks] of found.entries()) {
      assert.ok(Math.abs(peaks[0][0] - 12.34) < 0.02 && Math.abs(peaks.at(-1)[0] - 40.1) < 0.03, JSON.stringify(peaks));
      const tolerance = k ? 0.01 : 0.06;
      assert.ok(Math.abs(peaks[0][1] / 3 - 1) < tolerance && Math.abs(peaks.at(-1)[1] / 0.5 - 1) < 0.06, JSON.stringify(peaks));
    }
  }));

test("one curve against another", () =>
  visit(file("slider_crank"), {}, async (page) => {
    const names = await page.value("report.workbench.curves.filter(({ curve }) => curve.unit === 'm').slice(0, 2).map(({ curve }) => curve.name)");
    await take(page, ...names);
    await choose(page, "#workbench .kind", "against");
    await page.settle();
    await page.rectangle("#workbench .chart");
    await page.picture("against");
    const [series] = await page.value("report.workbench.series().map(({ x, y, name }) => ({ x: [...x], y: [...y], name }))");
    assert.equal(series.name, names[1]);
    assert.ok(series.x.length > 100 && series.x.length === series.y.length);
  }));

test("the search finds every curve by words in any order", () =>
  visit(file("slider_crank"), {}, async (page) => {
    const all = await page.value("report.link.panels.reduce((sum, panel) => sum + panel.curves.length, 0)");
    assert.equal(await page.value("report.workbench.curves.length"), all);
    await page.value(`(() => { const s = document.querySelector("#workbench .search"); s.value = "forces fx"; s.dispatchEvent(new Event("input")); })()`);
    const found = await page.value("[...document.querySelectorAll('#workbench .found button')].map((made) => made.textContent)");
    assert.ok(found.length > 0 && found.every((text) => /fx/.test(text) && /forces/i.test(text)), found.join());
  }));

test("values are zoomed by dragging down, cursors show differences, statistics are those of the table", () =>
  visit(file("pendulum"), {}, async (page) => {
    const panel = "report.link.panels.find((p) => p.section.id === 'energy')";
    // Plots above it are drawn when they come near, and move it.
    await page.rectangle("#energy .plot");
    const { left, top } = await page.rectangle("#energy .plot");
    const [from, width, high] = await page.value(`[${panel}.left, ${panel}.width, ${panel}.bottom]`);
    const at = (part, down) => [left + from + part * width, top + down * high];
    await page.drag(at(0.5, 0.3), at(0.502, 0.5), at(0.503, 0.7));
    const [low, most] = await page.value(`${panel}.zoomed.values().next().value`);
    assert.ok(most > low);
    assert.equal(await page.value("report.link.range"), null, "times are as they were");
    await page.click(".reset");
    assert.equal(await page.value(`${panel}.zoomed.size`), 0);
    await page.value("report.link.hold(1)");
    await page.value("report.clock.pause(); report.clock.set(3)");
    await page.settle();
    assert.match(await page.value("document.querySelector('.cursor-time').textContent"), /Δt = 2 s \(500 mHz\)/);
    assert.match(await page.value("document.querySelector('#energy .legend .value').textContent"), /Δ /);
    const rows = readFileSync(`${reports}/pendulum/trajectory.csv`, "utf8").trim().split("\n").map((line) => line.split(","));
    const column = rows[0].indexOf("angle");
    const values = rows.slice(1).map((row) => Number(row[column]));
    const found = await page.value(`report.statisticsOf(report.workbench.curves.find(({ curve }) => curve.name === "angle").curve, report.clock.range)`);
    assert.ok(Math.abs(found.high.y - Math.max(...values)) < 1e-6 && Math.abs(found.low.y - Math.min(...values)) < 1e-6);
    await page.click("#extra .controls button[title^='Least']");
    assert.ok((await page.value("document.querySelectorAll('#extra .statistics tr').length")) >= 2);
  }));

test("another run beside this one", () =>
  visit(`${reports}/compare.html`, {}, async (page) => {
    const partners = await page.value("report.workbench.curves.filter(({ curve }) => curve.other).length");
    assert.ok(partners > 5, `${partners} partners`);
    const text = await page.value("document.querySelector('.beside span').textContent");
    assert.match(text, /curves of the same names.*at t =/);
    await page.rectangle("#energy .plot");
    await page.picture("compare");
    await page.click(".beside button");
    assert.equal(await page.value("report.workbench.curves.filter(({ curve }) => curve.other).length"), 0);
  }));

test("a report that is dropped onto the page is compared", () =>
  visit(file("pendulum"), {}, async (page) => {
    const text = JSON.stringify(readFileSync(file("other_pendulum"), "utf8"));
    const count = await page.value(`report.beside.open(new File([${text}], "report.html"))`);
    assert.ok(count > 5, `${count} curves`);
    assert.equal(await page.value(`report.beside.open(new File(["nothing"], "a.html"))`), 0);
    assert.match(await page.value("document.querySelector('.beside span').textContent"), /a\.html is no report/);
  }));

test("a link brings the view back", () =>
  visit(file("slider_crank"), {}, async (page) => {
    await page.value("report.clock.pause(); report.clock.set(0.37 * report.clock.range[1])");
    await page.value("report.viewer.camera.orbit(120, -40)");
    await page.click(".bodies [data-body='1']");
    const hash = await page.value("report.bookmark.of(report.viewer)");
    const other = await browser.open(file("slider_crank"));
    assert.notEqual(await other.value("report.bookmark.of(report.viewer)"), hash);
    await other.value(`location.hash = ${JSON.stringify(hash)}`);
    await other.settle();
    assert.equal(await other.value("report.bookmark.of(report.viewer)"), hash);
    assert.equal(await other.value("report.viewer.mechanism.bodies[1].through"), true);
    assert.deepEqual(other.complaints, []);
    await other.close();
  }));

test("bodies are seen through, then hidden, then shown", () =>
  visit(file("slider_crank"), {}, async (page) => {
    const shown = await page.stage();
    await page.click(".bodies [data-body='1']");
    const pale = await page.stage();
    await page.click(".bodies [data-body='1']");
    const hidden = await page.stage();
    await page.click(".bodies [data-body='1']");
    assert.equal(new Set([shown, pale, hidden]).size, 3);
    assert.equal(await page.stage(), shown);
  }));

test("bowls are seen through, and usual arrows end within the picture", async () => {
  await visit(file("ball_bearing"), {}, async (page) => {
    const hollow = await page.value("report.viewer.mechanism.bodies.flatMap((body) => body.balls.filter((ball) => ball.hollow)).length");
    assert.equal(hollow, 1);
    await page.picture("ball_bearing");
  });
  await visit(file("door"), {}, async (page) => {
    const ends = await page.value(`(() => { const { viewer } = report; const seen = viewer.camera.matrix(viewer.place.clientWidth / viewer.place.clientHeight, viewer.mechanism.size, [0, 0, 0]).camera; return viewer.tips().map(([x, y, z]) => { const row = (k) => seen[k] * x + seen[k + 4] * y + seen[k + 8] * z + seen[k + 12]; return [row(0) / row(3), row(1) / row(3)]; }); })()`);
    assert.ok(ends.length > 0 && ends.every(([x, y]) => Math.abs(x) < 1 && Math.abs(y) < 1), JSON.stringify(ends));
  });
});

test("springs on joints, gears and what drives joints have symbols, also within bodies", () =>
  visit(file("sprung"), {}, async (page) => {
    const marks = await page.value("report.viewer.mechanism.scene.marks.map(({ kind, radius }) => [kind, radius])");
    const kinds = marks.map(([kind]) => kind).sort();
    assert.deepEqual(kinds, ["gear", "motor", "ring", "torsion-spring-damper"], JSON.stringify(marks));
    const radius = (kind) => marks.find(([other]) => other === kind)[1];
    assert.ok(Math.abs(radius("ring") - 3 * radius("gear")) < 1e-9 && Math.abs(radius("ring") - radius("gear") - 0.08) < 1e-9, JSON.stringify(marks));
    // the coil of the slide is seen at the start, and is as long as the block has moved then
    const length = (t) => page.value(`(() => { report.clock.set(${t}); const { mechanism } = report.viewer; mechanism.moveTo(${t}); const line = mechanism.scene.lines.find(({ kind }) => kind === "spring"); const [a, b] = line.ends.map((end) => mechanism.place(end)); return Math.hypot(...a.map((x, k) => b[k] - x)); })()`);
    // it reaches out of the block
    assert.ok((await length(0)) > 0.05);
    assert.ok(Math.abs((await length(0.1)) - (await length(0))) > 0.01);
    // without what stands for joints the picture is another one
    const shown = await page.stage();
    await page.picture("sprung");
    await page.click(".switches .joints");
    assert.notEqual(await page.stage(), shown);
  }));

test("impacts are marks of the timeline", () =>
  visit(file("bouncing_ball"), {}, async (page) => {
    const rows = readFileSync(`${reports}/bouncing_ball/events.csv`, "utf8").trim().split("\n").length - 1;
    const marks = await page.value("document.querySelectorAll('.events button').length");
    assert.equal(marks, Math.min(rows, 400));
    await page.value("document.querySelector('.events button').click()");
    const [t, first] = await page.value(`[report.clock.t, JSON.parse(document.getElementById("data").textContent).events[0].t]`);
    assert.ok(Math.abs(t - first) < 1e-9);
  }));

test("beams have their sections and are coloured by what is chosen", () =>
  visit(file("cantilever"), {}, async (page) => {
    const [tube] = await page.value("report.viewer.mechanism.tubes.map(({ radius, outline, fields }) => ({ radius, outline, fields: fields.map(({ quantity, unit }) => quantity + ' ' + unit) }))");
    assert.ok(tube.fields.includes("bending moment N m") && tube.fields.includes("largest normal stress Pa"), tube.fields.join());
    const seen = new Set();
    for (const quantity of ["bending moment", "axial force", ""]) {
      await choose(page, ".quantity", quantity);
      seen.add(await page.stage());
    }
    assert.equal(seen.size, 3);
    await choose(page, ".quantity", "bending moment");
    await page.picture("cantilever");
  }));

test("names never cover each other", async () => {
  for (const name of ["slider_crank", "walker", "stewart", "quarter_car", "dominoes"])
    await visit(file(name), {}, async (page) => {
      await page.value("report.viewer.show.labels = true; report.viewer.draw()");
      const boxes = await page.value("report.viewer.overlay.placed.map(({ box }) => box)");
      for (const [i, a] of boxes.entries())
        for (const b of boxes.slice(i + 1)) assert.ok(a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1], `${name}: ${a} and ${b}`);
      assert.ok(boxes.length > 0, name);
    });
});

test("the film is saved", () =>
  visit(file("slider_crank"), {}, async (page) => {
    await page.value("report.clock.speed = (report.clock.range[1] - report.clock.range[0]) / 0.6");
    const size = await page.value("report.controls.film.record().then((blob) => blob.size)");
    assert.ok(size > 2000, `${size} bytes`);
  }));

test("a million steps and five hundred curves open within three seconds", () =>
  visit(file("huge"), {}, async (page) => {
    assert.ok(statSync(file("huge")).size < 15e6);
    assert.ok(page.milliseconds < 3000, `${page.milliseconds} ms`);
    assert.equal(await page.value("report.link.panels.find((panel) => panel.section.id === 'extra').curves.length"), 500);
  }));
