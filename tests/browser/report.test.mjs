// Reports as a reader meets them. Started by tests/browser/run, which writes the reports.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Browser } from "./browser.mjs";

const reports = "results/browser";
const file = (name) => `${reports}/${name}/report.html`;
let browser;
before(async () => (browser = await Browser.start()));
after(() => browser.stop());

// Opens a report for a test, which must leave no complaint behind and load nothing.
async function visit(name, options, work) {
  const page = await browser.open(file(name), options);
  try {
    await work(page);
    assert.deepEqual(page.complaints, []);
    assert.deepEqual(page.requests.filter((url) => !/^(file|data|blob):/.test(url)), []);
  } finally {
    await page.close();
  }
}

const rest = "report.clock.pause(); report.clock.set";
const cursor = "parseFloat(document.querySelector('#energy .now').style.left)";

for (const name of ["slider_crank", "walker", "stewart", "bouncing_ball", "quarter_car"])
  test(`${name}: it loads and moves`, () =>
    visit(name, {}, async (page) => {
      assert.ok(statSync(file(name)).size < 15e6);
      assert.ok(page.milliseconds < 20000, `${page.milliseconds} ms`);
      await page.picture(name);
      const seen = new Set();
      for (const part of [0, 0.31, 0.62]) {
        await page.value(`${rest}(report.clock.range[0] + ${part} * (report.clock.range[1] - report.clock.range[0]))`);
        seen.add(await page.stage());
      }
      assert.equal(seen.size, 3, "the animation shows three different pictures at three times");
      await page.picture(name + "-later");
    }));

test("play and pause", () =>
  visit("slider_crank", {}, async (page) => {
    await page.click(".play");
    await page.value("new Promise((done) => setTimeout(done, 700))");
    const moved = await page.value("report.clock.t");
    assert.ok(moved > 0, "time goes on");
    await page.click(".play");
    const stopped = await page.value("report.clock.t");
    await page.value("new Promise((done) => setTimeout(done, 200))");
    assert.equal(await page.value("report.clock.t"), stopped);
  }));

test("scrubbing moves the cursor of the plots", () =>
  visit("slider_crank", {}, async (page) => {
    await page.rectangle("#energy .plot");
    const before = await page.value(cursor);
    await page.click(".scrub", [0.75, 0.5]);
    await page.rectangle("#energy .plot");
    const [first, last] = await page.value("report.clock.range");
    const t = await page.value("report.clock.t");
    assert.ok(Math.abs((t - first) / (last - first) - 0.75) < 0.03, `t = ${t}`);
    const after = await page.value(cursor);
    const expected = await page.value("(() => { const p = report.link.panels.find((p) => p.section.id === 'energy'); return p.left + p.width * (report.clock.t - report.clock.range[0]) / (report.clock.range[1] - report.clock.range[0]); })()");
    assert.ok(after > before + 100 && Math.abs(after - expected) < 1, `${before} → ${after}, expected ${expected}`);
  }));

test("a click on a plot sets the time, dragging zooms, the button zooms out", () =>
  visit("slider_crank", {}, async (page) => {
    const { left, top, height } = await page.rectangle("#energy .plot");
    const panel = "report.link.panels.find((p) => p.section.id === 'energy')";
    const [from, width] = await page.value(`[${panel}.left, ${panel}.width]`);
    const at = (part) => [left + from + part * width, top + 0.4 * height];
    const [first, last] = await page.value("report.clock.range");
    await page.drag(at(0.5));
    const t = await page.value("report.clock.t");
    assert.ok(Math.abs((t - first) / (last - first) - 0.5) < 0.01, `t = ${t}`);
    assert.ok(Math.abs((await page.value("Number(document.querySelector('.scrub').value)")) - 0.5) < 0.01);
    assert.equal(await page.value("document.querySelector('.reset').hidden"), true);
    await page.drag(at(0.2), at(0.3), at(0.4));
    const [a, b] = await page.value("report.link.range");
    assert.ok(Math.abs((a - first) / (last - first) - 0.2) < 0.01 && Math.abs((b - first) / (last - first) - 0.4) < 0.01);
    await page.picture("zoomed");
    await page.click(".reset");
    assert.equal(await page.value("report.link.range"), null);
  }));

// How many pixels of the animation are near the colour of a body.
const pixelsOf = (body) => `(() => {
  const { viewer } = report;
  Object.assign(viewer.show, { labels: false, forces: false, joints: false, shadow: false, paths: false });
  const canvas = viewer.snapshot();
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const colour = viewer.mechanism.bodies[${body}].colour;
  const hue = (r, g, b) => { const m = Math.max(r, g, b), l = Math.min(r, g, b); return m - l < 0.12 ? null : [(r - l) / (m - l), (g - l) / (m - l), (b - l) / (m - l)]; };
  const wanted = hue(...colour);
  let count = 0;
  for (let k = 0; k < data.length; k += 4) {
    const found = hue(data[k] / 255, data[k + 1] / 255, data[k + 2] / 255);
    if (found && found.every((part, i) => Math.abs(part - wanted[i]) < 0.1)) count++;
  }
  return count;
})()`;

test("hiding a body hides it, and only it", () =>
  visit("slider_crank", {}, async (page) => {
    const [one, other] = [await page.value(pixelsOf(1)), await page.value(pixelsOf(2))];
    assert.ok(one > 100 && other > 100, `${one} and ${other} pixels`);
    // seen through, then hidden
    await page.click(".bodies [data-body='1']");
    await page.click(".bodies [data-body='1']");
    const [gone, left] = [await page.value(pixelsOf(1)), await page.value(pixelsOf(2))];
    assert.ok(gone < 0.05 * one, `${gone} of ${one} pixels are left`);
    assert.ok(left > 0.7 * other, `${left} of ${other} pixels`);
    await page.picture("hidden");
    await page.click(".bodies .all");
    assert.equal(await page.value(pixelsOf(1)), one);
  }));

test("the view turns, zooms and fits", () =>
  visit("stewart", {}, async (page) => {
    const start = await page.stage();
    const { left, top, width, height } = await page.rectangle(".stage");
    const middle = [left + 0.5 * width, top + 0.5 * height];
    await page.drag(middle, [middle[0] + 60, middle[1] + 20], [middle[0] + 120, middle[1] + 40]);
    const turned = await page.stage();
    assert.notEqual(turned, start);
    await page.mouse("mouseWheel", ...middle, 0, { deltaX: 0, deltaY: -300 });
    await page.settle();
    assert.notEqual(await page.stage(), turned, "the wheel zooms");
    await page.picture("turned");
    for (const name of ["x", "y", "z"]) {
      await page.value(`(() => { const s = document.querySelector(".view"); s.value = "${name}"; s.dispatchEvent(new Event("change")); })()`);
      await page.settle();
      await page.picture("stewart-along-" + name);
    }
    await page.value(`(() => { const s = document.querySelector(".view"); s.value = ""; s.dispatchEvent(new Event("change")); })()`);
    assert.equal(await page.stage(), start, "the first view comes back");
  }));

test("the table of a plot holds the numbers of the trajectory", () =>
  visit("pendulum", {}, async (page) => {
    const text = await page.value("report.tableOf(report.link.panels.find((p) => p.section.id === 'extra'))");
    const rows = text.trim().split("\n").map((line) => line.split(","));
    assert.match(rows[0].join(), /^t \[s\],angle/);
    const file = readFileSync(`${reports}/pendulum/trajectory.csv`, "utf8").trim().split("\n").map((line) => line.split(","));
    const column = file[0].indexOf("angle");
    const known = new Map(file.slice(1).map((row) => [Number(row[0]), Number(row[column])]));
    assert.ok(rows.length > 100);
    for (const [t, angle] of rows.slice(1)) assert.ok(Math.abs(known.get(Number(t)) - Number(angle)) < 1e-6);
  }));

test("equations have plots and no animation", () =>
  visit("pendulum", {}, async (page) => {
    assert.equal(await page.value("document.querySelector('.animation')"), null);
    await page.rectangle("#energy .plot");
    await page.click("#energy .plot", [0.6, 0.4]);
    assert.ok((await page.value("report.clock.t")) > 1);
    await page.picture("pendulum", true);
    const values = await page.value("[...document.querySelectorAll('#energy .legend .value')].map((v) => v.textContent)");
    assert.ok(values.length >= 3 && values.every((text) => text !== ""), values.join());
  }));

test("a failed run begins with its diagnosis", () =>
  visit("failed", {}, async (page) => {
    assert.equal(await page.value("document.querySelector('main').firstElementChild.className"), "diagnosis");
    await page.picture("failed");
  }));

test("beams are tubes with colours", () =>
  visit("sample", {}, async (page) => {
    assert.equal(await page.value("report.viewer.mechanism.tubes.length"), 1);
    const first = await page.stage();
    await page.value(`${rest}(1.3)`);
    assert.notEqual(await page.stage(), first);
    await page.picture("sample");
  }));

// Contacts that come and go are forces of the page as well.
for (const [name, part] of [["dominoes", 0.6], ["poured_spheres", 1]])
  test(`${name}: arrows where things touch`, () =>
    visit(name, {}, async (page) => {
      assert.ok(statSync(file(name)).size < 15e6);
      assert.ok(page.milliseconds < 20000, `${page.milliseconds} ms`);
      await page.value(`${rest}(report.clock.range[0] + ${part} * (report.clock.range[1] - report.clock.range[0]))`);
      await page.settle();
      const acting = await page.value("report.viewer.mechanism.acting().filter((at) => at.kind === 'contact').length");
      assert.ok(acting >= 4, `${acting} contact forces`);
      const shown = await page.stage();
      await page.picture(name);
      await page.click(".forces");
      assert.notEqual(await page.stage(), shown, "the forces are seen");
    }));

test("a long run makes a page that opens soon", () =>
  visit("long", {}, async (page) => {
    assert.ok(statSync(file("long")).size < 15e6);
    assert.ok(page.milliseconds < 20000, `${page.milliseconds} ms`);
    assert.equal(await page.value("report.link.panels.find((panel) => panel.section.id === 'extra').curves.length"), 50);
  }));

for (const name of ["slider_crank", "pendulum"])
  test(`${name}: dark, and on a phone`, async () => {
    await visit(name, { dark: true }, (page) => page.picture(name + "-dark"));
    await visit(name, { phone: true, width: 390, height: 844 }, async (page) => {
      assert.ok(await page.value("document.scrollingElement.scrollWidth <= 390"), "nothing sticks out");
      await page.picture(name + "-phone");
    });
  });

test("paper shows the plots and an instant of the animation", () =>
  visit("slider_crank", {}, async (page) => {
    const { data } = await page.call("Page.printToPDF", { printBackground: false });
    const paper = Buffer.from(data, "base64");
    writeFileSync(`${reports}/pictures/slider_crank.pdf`, paper);
    assert.ok(paper.length > 50000, `${paper.length} bytes`);
    assert.match(await page.value("document.querySelector('.still').src"), /^data:image/);
    assert.ok(await page.value("report.link.panels.every((panel) => panel.drawn)"));
  }));

test("modes: the mechanism swings in the one that is chosen", async () => {
  const page = await browser.open(`${reports}/modes/modes.html`, {});
  try {
    const chosen = () => page.value(`[...document.querySelectorAll(".modes tr[data-mode]")].findIndex((row) => row.getAttribute("aria-current") === "true")`);
    assert.equal(await chosen(), 0);
    assert.ok(await page.value("report.clock.playing"));
    await page.click(".modes tr[data-mode]:nth-child(3) button");
    assert.equal(await chosen(), 2);
    assert.deepEqual(await page.value("report.clock.range"), [2, 2.999]);
    await page.call("Input.dispatchKeyEvent", { type: "keyDown", key: "ArrowDown" });
    assert.equal(await chosen(), 3);
    await page.picture("modes");
    const seen = new Set();
    for (const part of [0, 0.25, 0.5]) {
      await page.value(`report.clock.pause(); report.clock.set(3 + ${part})`);
      seen.add(await page.stage());
    }
    assert.equal(seen.size, 3, "three different pictures of a swing");
    assert.deepEqual(page.complaints, []);
  } finally {
    await page.close();
  }
});
