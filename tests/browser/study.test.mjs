// Pages of many cases: points are picked, with what they are and how to run them. Started by tests/browser/run, which writes them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Browser } from "./browser.mjs";

const sweep = "results/browser/sweep/sweep.html";
const campbell = "results/browser/campbell/campbell.html";
let browser;
before(async () => (browser = await Browser.start()));
after(() => browser.stop());

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

// Clicks on a point of a curve, a little beside it.
async function pick(page, chart, series, k) {
  const box = await page.rectangle(`.study:nth-child(${chart + 1}) .chart`);
  const [x, y] = await page.value(`(() => { const chart = study.charts[${chart}]; const one = chart.shown[${series}]; return [chart.drawn.px(one.x[${k}]), chart.drawn.py(0, one.y[${k}])]; })()`);
  await page.drag([box.left + x + 3, box.top + y + 2]);
}

const words = (page) => page.value(`document.querySelector(".picked").innerText`);

test("a point of a Campbell diagram says its frequencies and the command that computes them", () =>
  visit(campbell, {}, async (page) => {
    assert.equal(await page.value(`document.querySelector(".picked").hidden`), true);
    assert.deepEqual(await page.value("study.charts.map((chart) => chart.title)"), ["frequency", "damping"]);
    await pick(page, 0, 1, 2);
    assert.equal(await page.value("study.picked.case"), 2);
    const said = await words(page);
    assert.match(said, /parameters\.speed = 6/);
    assert.match(said, /rotula modes --about turn examples\/models\/turning_blade\.toml --set parameters\.speed=6/);
    // what is said of the second frequency is what is drawn
    const drawn = await page.value("study.charts[0].shown[1].y[2]");
    const [, hertz] = /frequency 2\s+([\d.]+) Hz/.exec(said);
    assert.ok(Math.abs(Number(hertz) - drawn) < 1e-3 * drawn, `${hertz} ${drawn}`);
    await page.picture("campbell");
    // the lines that guide the eye cannot be picked, and are hidden like curves
    assert.equal(await page.value("study.charts[0].shown.filter((one) => one.guide).length"), 4);
    await page.call("Input.dispatchKeyEvent", { type: "keyDown", key: "ArrowRight" });
    assert.equal(await page.value("study.picked.case"), 3);
    assert.equal(await page.value("location.hash"), "#case=4");
    await page.click(".picked .leave");
    assert.equal(await page.value(`document.querySelector(".picked").hidden`), true);
  }));

test("a link leads to a case", () =>
  visit(campbell + "#case=2", {}, async (page) => {
    assert.equal(await page.value("study.picked.case"), 1);
    assert.match(await words(page), /parameters\.speed = 3/);
  }));

test("a run of a sweep is picked in the chart and in the table, and zooming changes the range", () =>
  visit(sweep, {}, async (page) => {
    const curves = await page.value("study.charts[0].series.map(({ name, x, cases }) => [name, x.length, cases.length])");
    assert.ok(curves.length === 2 && curves.every(([name, x, cases]) => /suspension = /.test(name) && x === 3 && cases === 3), JSON.stringify(curves));
    await pick(page, 0, 1, 1);
    const number = await page.value("study.picked.case");
    const name = await page.value(`study.picked.place.querySelector("h2").textContent`);
    assert.match(name, /parameters\.damper = 1000/);
    assert.equal(await page.value(`document.querySelector('tr[aria-current="true"]').dataset.case`), String(number));
    assert.match(await words(page), /--set parameters\.damper=1000/);
    await page.picture("sweep");
    await page.value(`document.querySelector("details").open = true`);
    await page.click('tr[data-case="0"]');
    assert.equal(await page.value("study.picked.case"), 0);
    await page.click(".picked .leave");
    const whole = await page.value("study.charts[0].drawn.xRange");
    const box = await page.rectangle(".study .chart");
    await page.drag([box.left + 0.5 * box.width, box.top + 60], [box.left + 0.8 * box.width, box.top + 200]);
    const part = await page.value("study.charts[0].drawn.xRange");
    assert.ok(part[1] - part[0] < 0.5 * (whole[1] - whole[0]), `${part} of ${whole}`);
  }));

test("dark, and on a phone", async () => {
  await visit(campbell, { dark: true }, (page) => page.picture("campbell-dark"));
  await visit(sweep, { width: 390, height: 800, phone: true }, async (page) => {
    await page.picture("sweep-phone");
    assert.ok((await page.value("document.documentElement.scrollWidth")) <= 390);
  });
});
