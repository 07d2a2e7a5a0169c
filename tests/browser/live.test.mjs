// Pages with the engine within, as a reader meets them. Started by tests/browser/run, which writes them.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, before, test as tried } from "node:test";
import { Browser } from "./browser.mjs";

const test = process.env.ROTULA_WITHOUT_ENGINE ? tried.skip : tried;
const reports = "results/browser";
const report = `${reports}/live/report.html`;
const playground = `${reports}/playground.html`;
let browser;
before(async () => (browser = await Browser.start()));
after(() => browser.stop());

// Opens a page for a test, which must leave no complaint behind and load nothing.
async function visit(file, options, work) {
  const page = await browser.open(file, options);
  try {
    await work(page);
    assert.deepEqual(page.complaints, []);
    assert.deepEqual(page.requests.filter((url) => !/^(file|data|blob):/.test(url)), []);
  } finally {
    await page.close();
  }
}

// Waits until an expression is true.
async function until(page, expression, seconds = 60) {
  for (let k = 0; k < 20 * seconds; k++) {
    if (await page.value(expression)) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail(`${expression} did not come true: ${await page.value("JSON.stringify([live.editor.fault, live.editor.running])")}`);
}

const idle = "!live.editor.running && !live.editor.again";
const shown = `${idle} && live.editor.frame?.contentWindow?.report && !live.editor.frame.classList.contains("coming")`;
const type = (change) => `(() => { const source = document.querySelector(".live-source"); source.value = (${change})(source.value); source.dispatchEvent(new Event("input")); })()`;
const text = (selector) => `document.querySelector("${selector}").textContent`;

// The table of the last run in the page, as the button CSV saves it.
async function table(page) {
  const csv = await page.value(`new Promise((done) => { live.editor.save = (content) => done(content); document.querySelector(".live-table").click(); })`);
  return csv.trim().split("\n").map((line) => line.split(","));
}

test("the engine costs less than 3 MB", () => {
  const plain = statSync(`${reports}/slider_crank/report.html`).size;
  assert.ok(statSync(report).size - plain < 3e6, `${statSync(report).size - plain} bytes`);
});

test("a report runs its model anew, with the curves of before", () =>
  visit(report, { width: 1500, height: 950 }, async (page) => {
    assert.equal(await page.value(`document.querySelector(".live").hidden`), true);
    await page.click(".live-open");
    await until(page, "live.editor.facts !== null");
    assert.deepEqual(await page.value("live.sliders.rows.map((row) => row.name)"), ["L1", "L2", "m1", "m2", "w"]);
    await page.click(".live-run");
    await until(page, shown);
    await page.picture("live");
    const first = await page.value("live.editor.frame.contentDocument.querySelector('h1').textContent");
    assert.match(first, /Slider-crank.*completed/);
    assert.match(await page.value("live.editor.frame.contentDocument.querySelector('.beside').textContent"), /the run before, \d+ curves/);
    // the slider of the crank's speed, all to the right: 16 rad/s
    const before = await page.value("live.editor.frame.contentWindow.report.link.panels.length && live.editor.seen.match(/^w = .*$/m)[0]");
    assert.match(before, /^w = 8/);
    await page.value(`(() => { const { input } = live.sliders.rows.at(-1); input.value = input.max; input.dispatchEvent(new Event("input")); })()`);
    await page.settle();
    await until(page, shown);
    assert.match(await page.value("live.editor.seen"), /^w = 16 /m);
    await page.picture("live-changed");
    const rows = await table(page);
    const rate = rows[0].indexOf("crank.wz");
    assert.ok(rate > 0, rows[0].join(" "));
    assert.equal(Number(rows[1][rate]), 16);
  }));

test("the number at the cursor has a slider", () =>
  visit(report, { width: 1500, height: 950 }, async (page) => {
    await page.click(".live-open");
    await until(page, "live.editor.facts !== null");
    await page.value(`(() => { const source = document.querySelector(".live-source"); source.focus(); const at = source.value.indexOf("-9.81") + 2; source.setSelectionRange(at, at); })()`);
    await page.settle();
    assert.equal(await page.value("live.sliders.rows.at(-1).input.getAttribute('aria-label')"), "here: gravity");
    await page.value(`(() => { const { input } = live.sliders.rows.at(-1); input.value = -3; input.dispatchEvent(new Event("input")); })()`);
    assert.match(await page.value("live.editor.seen"), /^gravity = \[0, -3, 0\]$/m);
    // and those behind it still know their places
    await page.value(`(() => { const { input } = live.sliders.rows[0]; input.value = 0.25; input.dispatchEvent(new Event("input")); })()`);
    assert.match(await page.value("live.editor.seen"), /^L1 = 0.25 /m);
    await until(page, idle);
  }));

test("a mistake is marked where it is, and a good text runs again", () =>
  visit(report, { width: 1500, height: 950 }, async (page) => {
    await page.click(".live-open");
    await page.click(".live-run");
    await until(page, shown);
    await page.value(type(`(model) => "# ü\\n" + model.replace("[body.rod]\\nkind = \\"planar\\"", "[body.rod]\\nkind = \\"planer\\"")`));
    await until(page, "live.editor.fault !== null && " + idle);
    assert.match(await page.value(text(".live-fault .message")), /^line \d+: .*planer/);
    assert.match(await page.value(text(".live-fault .help")), /planar/);
    assert.equal(await page.value(text(".live-marks mark")), '"planer"');
    await page.picture("live-mistake");
    await page.value(type(`(model) => model.replace("planer", "planar")`));
    await until(page, "live.editor.fault === null && " + shown);
    assert.equal(await page.value(`document.querySelector(".live-fault").hidden`), true);
  }));

test("a run that fails shows its diagnosis; a long one can be stopped and keeps its rows", () =>
  visit(playground, { width: 1500, height: 950 }, async (page) => {
    await until(page, shown);
    await page.value(type(`() => 'title = "long"\\n[body.ball]\\nsolid = { sphere = 0.1, density = 1000 }\\nvelocity = [1, 0, 0]\\n[solve]\\nformulation = "index3"\\nstep = 1e-5\\noutput_every = 1\\nuntil = 1000\\n'`));
    await page.click(".live-run");
    await until(page, "live.editor.running && document.querySelector('.live-progress').value > 0");
    await page.click(".live-stop");
    await until(page, shown);
    assert.match(await page.value("live.editor.frame.contentDocument.querySelector('h1').textContent"), /stopped early/);
    assert.match(await page.value("live.editor.frame.contentDocument.querySelector('.diagnosis').textContent"), /stopped on request/);
    await page.value(type(`() => 'title = "pole"\\n[coordinates]\\nx = { at = 1, velocity = 2 }\\n[mass]\\nx = 1\\n[force]\\nx = "6*x^2"\\n[solve]\\nuntil = 2\\n'`));
    await page.click(".live-run");
    await until(page, idle + " && live.editor.frame.contentDocument?.querySelector('h1')?.textContent.includes('pole')");
    assert.ok(await page.value("live.editor.frame.contentDocument.querySelector('.diagnosis') !== null"));
  }));

test("the playground has all examples, with the files that they name", () =>
  visit(playground + "#model=robot_arm.toml", { width: 1500, height: 950 }, async (page) => {
    const names = await page.value(`[...document.querySelector(".live-models").options].map((option) => option.text)`);
    assert.ok(names.includes("pendulum.toml") && names.length > 60, names.join(" "));
    // the one that is named twice comes first, and once
    assert.ok(names[0] === "slider_crank.toml" && new Set(names).size === names.length, names.join(" "));
    await until(page, shown);
    assert.equal(await page.value("live.editor.model.name"), "robot_arm.toml");
    await page.picture("playground");
    for (const name of names) {
      await page.value(`live.editor.open(live.models.find((model) => model.name === "${name}"))`);
      await until(page, "live.editor.facts !== null || live.editor.fault !== null");
      assert.equal(await page.value("live.editor.fault"), null, name);
      assert.ok(await page.value("live.editor.facts.title"), name);
    }
  }));

test("on a telephone text and result stand above each other", () =>
  visit(playground, { width: 390, height: 800, phone: true }, async (page) => {
    await until(page, shown);
    await page.picture("playground-phone");
    assert.ok((await page.value("document.documentElement.scrollWidth")) <= 390);
    const [pane, result] = await page.value(`[".live", ".live-results"].map((name) => { const { top, bottom } = document.querySelector(name).getBoundingClientRect(); return [top, bottom]; })`);
    assert.ok(pane[1] <= result[0] + 1 && result[1] > 700, `${pane} ${result}`);
  }));

test("in the dark", () => visit(playground, { width: 1500, height: 950, dark: true }, async (page) => (await until(page, shown), page.picture("playground-dark"))));

// Both compute with the same numbers of 64 bits; fused operations and functions of the machine round them differently.
for (const [name, bound] of [["pendulum", 1e-9], ["quarter_car", 1e-9], ["door", 1e-9], ["bouncing_ball", 1e-9]])
  test(`${name}: motions are those of the program`, () =>
    visit(`${playground}#model=${name}.toml`, {}, async (page) => {
      await until(page, shown, 120);
      const own = await table(page);
      const other = readFileSync(`${reports}/${name}/trajectory.csv`, "utf8").trim().split("\n").map((line) => line.split(","));
      assert.deepEqual(own[0], other[0]);
      assert.equal(own.length, other.length);
      for (const [column, heading] of own[0].entries()) {
        // places, angles and their rates; loads hold to the tolerance of the run
        if (!/\.(x|y|z|vx|vy|vz|wx|wy|wz|angle|displacement)$/.test(heading)) continue;
        const numbers = (rows) => rows.slice(1).map((row) => Number(row[column]));
        const [a, b] = [numbers(own), numbers(other)];
        const size = Math.max(1e-3, ...b.map(Math.abs));
        const worst = Math.max(...a.map((value, row) => Math.abs(value - b[row])));
        assert.ok(worst <= bound * size, `${heading}: ${worst} of ${size}`);
      }
    }));
