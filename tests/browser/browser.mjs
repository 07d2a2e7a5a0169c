// Headless Chromium, driven through a pipe: no port, no package.
import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const pictures = resolve("results/browser/pictures");

// Graphics are computed by the processor: machines that test have no graphics card.
const options = [
  "--headless=new",
  "--no-sandbox",
  "--remote-debugging-pipe",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--hide-scrollbars",
];

export class Browser {
  static async start() {
    const browser = new Browser();
    browser.profile = mkdtempSync(join(tmpdir(), "rotula-browser-"));
    browser.child = spawn("chromium", [...options, "--user-data-dir=" + browser.profile, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    browser.calls = new Map();
    browser.listeners = new Set();
    browser.last = 0;
    let rest = "";
    browser.child.stdio[4].setEncoding("utf8").on("data", (text) => {
      const messages = (rest + text).split("\0");
      rest = messages.pop();
      messages.forEach((message) => browser.receive(JSON.parse(message)));
    });
    mkdirSync(pictures, { recursive: true });
    await browser.call("Browser.getVersion");
    return browser;
  }

  receive(message) {
    const call = this.calls.get(message.id);
    this.calls.delete(message.id);
    if (message.error) call?.reject(new Error(message.error.message));
    else if (call) call.resolve(message.result);
    else this.listeners.forEach((listener) => listener(message));
  }

  call(method, params = {}, sessionId = undefined) {
    const id = ++this.last;
    this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => this.calls.set(id, { resolve, reject }));
  }

  // Opens a file and waits until it has been drawn.
  async open(file, { width = 1000, height = 700, dark = false, phone = false } = {}) {
    const { targetId } = await this.call("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.call("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, targetId, sessionId);
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.call(domain + ".enable");
    const features = [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }];
    await page.call("Emulation.setEmulatedMedia", { features });
    await page.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: phone ? 2 : 1, mobile: phone });
    if (phone) await page.call("Emulation.setTouchEmulationEnabled", { enabled: true });
    const begin = Date.now();
    const loaded = page.next("Page.loadEventFired");
    const [path, hash] = file.split("#");
    await page.call("Page.navigate", { url: pathToFileURL(resolve(path)).href + (hash ? "#" + hash : "") });
    await loaded;
    await page.settle();
    page.milliseconds = Date.now() - begin;
    return page;
  }

  async stop() {
    await this.call("Browser.close").catch(() => {});
    await new Promise((resolve) => (this.child.exitCode === null ? this.child.once("exit", resolve) : resolve()));
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

class Page {
  constructor(browser, targetId, sessionId) {
    Object.assign(this, { browser, targetId, sessionId, complaints: [], requests: [] });
    this.listener = (message) => message.sessionId === sessionId && this.hear(message);
    browser.listeners.add(this.listener);
  }

  hear({ method, params }) {
    if (method === "Runtime.exceptionThrown") this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning"].includes(params.type)) this.complaints.push(JSON.stringify(params.args));
    if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) this.complaints.push(params.entry.text);
    if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
  }

  call(method, params) {
    return this.browser.call(method, params, this.sessionId);
  }

  next(method) {
    return new Promise((resolve) => {
      const listener = (message) => {
        if (message.sessionId !== this.sessionId || message.method !== method) return;
        this.browser.listeners.delete(listener);
        resolve(message.params);
      };
      this.browser.listeners.add(listener);
    });
  }

  // The value of an expression in the page.
  async value(expression) {
    const answer = await this.call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return answer.result.value;
  }

  // Two pictures later everything that was asked for has been drawn.
  settle() {
    return this.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30))))");
  }

  // The rectangle of an element within the window, scrolled to.
  async rectangle(selector) {
    const element = `document.querySelector(${JSON.stringify(selector)})`;
    if (!(await this.value(`Boolean(${element})`))) throw new Error("the page has no " + selector);
    // plots are drawn, and find their heights, when they come into sight
    for (let round = 0; round < 2; round++) {
      await this.value(`${element}.scrollIntoView({ block: "center" })`);
      await this.settle();
    }
    return this.value(`(({ left, top, width, height }) => ({ left, top, width, height }))(${element}.getBoundingClientRect())`);
  }

  mouse(type, x, y, buttons = 0, more = {}) {
    return this.call("Input.dispatchMouseEvent", { type, x, y, button: buttons ? "left" : "none", buttons, clickCount: type === "mouseMoved" ? 0 : 1, ...more });
  }

  async click(selector, part = [0.5, 0.5]) {
    const { left, top, width, height } = await this.rectangle(selector);
    await this.drag([left + part[0] * width, top + part[1] * height]);
  }

  // Presses at the first point, moves over the others, and lets go.
  async drag(...points) {
    await this.mouse("mouseMoved", ...points[0]);
    await this.mouse("mousePressed", ...points[0], 1);
    for (const point of points.slice(1)) await this.mouse("mouseMoved", ...point, 1);
    await this.call("Input.dispatchMouseEvent", { type: "mouseReleased", x: points.at(-1)[0], y: points.at(-1)[1], button: "left", clickCount: 1 });
    await this.settle();
  }

  // Saves a picture of the window, or of the whole page, for people to look at.
  async picture(name, whole = false) {
    if (whole) {
      await this.value("report.link.panels.forEach((panel) => panel.draw())");
      await this.settle();
    }
    const { data } = await this.call("Page.captureScreenshot", { format: "png", captureBeyondViewport: whole });
    writeFileSync(join(pictures, name + ".png"), Buffer.from(data, "base64"));
  }

  // The pixels of the animation as a text that differs if they do.
  stage() {
    return this.value("report.viewer.snapshot().toDataURL()");
  }

  async close() {
    this.browser.listeners.delete(this.listener);
    await this.browser.call("Target.closeTarget", { targetId: this.targetId });
  }
}
