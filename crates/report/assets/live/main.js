// The editor: text, sliders, runs, and results beside.
const models = JSON.parse(document.getElementById("models").textContent);
const part = (name) => document.querySelector(".live-" + name);
const pane = document.querySelector(".live");
const source = part("source");
const marks = part("marks");
const results = part("results");
// A run that takes longer than this many seconds is begun by hand.
const QUICK = 2;
const PAUSE = 250;

const editor = {
  model: models[0],
  facts: null,
  fault: null,
  asked: {},
  running: false,
  again: false,
  seconds: 0,
  // Numbers of the last run, to be dashed beside the next.
  before: document.getElementById("data") && window.report ? JSON.parse(document.getElementById("data").textContent) : null,
  frame: null,
};

const engine = new Engine((message) => editor.hear(message));
const sliders = new Sliders(part("sliders"), source, () => editor.changed(true));

Object.assign(editor, {
  open(model) {
    this.model = model;
    this.facts = null;
    source.value = this.seen = model.text;
    source.scrollTop = 0;
    source.setSelectionRange(0, 0);
    sliders.forget();
    engine.give(model.files);
    this.draw();
    this.check();
  },

  // The text has changed; quick models follow at once.
  changed(bySlider) {
    this.fault = null;
    this.shift();
    this.draw();
    clearTimeout(this.later);
    const follow = () => (part("at-once").checked && this.seconds <= QUICK && this.hasRun ? this.run() : this.check());
    if (bySlider) follow();
    else this.later = setTimeout(follow, PAUSE);
  },

  // Numbers behind a change have moved; the engine says so too, but later.
  shift() {
    const [old, now] = [this.seen ?? "", source.value];
    let same = 0;
    while (same < old.length && old[same] === now[same]) same++;
    for (const number of this.facts?.parameters ?? []) {
      if (number.from > same) number.from += now.length - old.length;
      if (number.to > same) number.to += now.length - old.length;
    }
    this.seen = now;
  },

  check() {
    this.asked.check = engine.ask("check", this.model.name, source.value);
  },

  run() {
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = true;
    this.again = false;
    this.state("starting");
    part("stop").hidden = false;
    this.asked.run = engine.ask("run", this.model.name, source.value);
    this.check();
  },

  hear(message) {
    const { kind, id, facts } = message;
    if (kind === "checked" && id === this.asked.check) this.learn(facts);
    if (kind === "table") this.save(message.table, this.file().replace(/\.toml$/, "") + ".csv");
    if (id !== this.asked.run && kind !== "broken") return;
    if (kind === "progress") {
      part("progress").hidden = false;
      part("progress").value = message.part;
      this.state(`t = ${written(message.t)}`);
    }
    if (kind === "refused") {
      this.learn(facts);
      this.ended("not run");
    }
    if (kind === "broken") {
      this.learn({ fault: { message: "The engine has stopped: " + message.message, help: "this should not happen whatever the model says; please report it with the model" } });
      this.ended("not run");
    }
    if (kind === "done") {
      this.seconds = message.seconds;
      this.hasRun = true;
      part("table").disabled = false;
      this.show(message.page);
      this.ended(`${written(message.seconds)} s`);
    }
  },

  ended(words) {
    this.running = false;
    part("progress").hidden = true;
    part("stop").hidden = true;
    this.state(words);
    if (this.again) this.run();
  },

  state(words) {
    part("state").textContent = words;
  },

  learn(facts) {
    this.fault = facts.fault ?? null;
    if (!facts.fault) this.facts = facts;
    this.draw();
  },

  draw() {
    marks.innerHTML = text.markup(source.value, this.fault?.place);
    this.scroll();
    const box = part("fault");
    box.hidden = !this.fault;
    if (this.fault) {
      const line = this.fault.place ? `line ${source.value.slice(0, this.fault.place[0]).split("\n").length}: ` : "";
      box.querySelector(".message").textContent = line + this.fault.message;
      box.querySelector(".help").textContent = this.fault.help;
    }
    this.offer();
  },

  // Sliders for what the engine has found, as long as the text is the one that it has read.
  offer() {
    const read = this.facts?.parameters ?? [];
    const number = text.numberAt(source.value, source.selectionStart);
    const known = read.some(({ from, to }) => number && from <= number.from && number.to <= to);
    const own = number && !known ? [{ name: `cursor ${text.nameOf(source.value, number.from)}`, title: `here: ${text.nameOf(source.value, number.from)}`, ...number }] : [];
    const sound = ({ from, to }) => from < to && Number.isFinite(Number(source.value.slice(from, to).replaceAll("_", "")));
    sliders.show([...read, ...own].filter(sound));
  },

  scroll() {
    marks.scrollTop = source.scrollTop;
    marks.scrollLeft = source.scrollLeft;
  },

  // Shows a page where the one before was: the same view, and the curves before dashed.
  show(page) {
    const [old, coming] = [this.frame, document.createElement("iframe")];
    coming.className = "coming";
    coming.title = "Result";
    coming.srcdoc = page;
    const seen = old?.contentWindow?.report ?? (old ? null : window.report);
    const view = seen?.viewer ? seen.bookmark.of(seen.viewer) : null;
    const scrolled = old?.contentWindow?.scrollY ?? 0;
    const before = part("beside").checked ? this.before : null;
    coming.addEventListener("load", () => {
      const { report } = coming.contentWindow;
      const numbers = coming.contentDocument.getElementById("data");
      if (numbers) this.before = JSON.parse(numbers.textContent);
      if (report) {
        if (before?.name === this.before?.name) report.beside.show({ ...before, name: "the run before" });
        if (view) report.bookmark.go(view, report.viewer, report.controls);
        if (seen?.clock.playing) report.clock.play();
      }
      coming.contentWindow.scrollTo(0, scrolled);
      coming.classList.remove("coming");
      old?.remove();
    });
    results.hidden = false;
    results.append(coming);
    this.frame = coming;
  },

  // The name of the model without its folder.
  file() {
    return this.model.name.split("/").pop();
  },

  reveal(open) {
    pane.hidden = !open;
    part("open").hidden = open;
    results.classList.toggle("wide", !open);
  },

  save(content, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type: "text/plain" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  },
});

// `playground.html#model=pendulum.toml` opens that one.
const wanted = models.findIndex((model) => location.hash === "#model=" + model.name);
for (const [k, model] of models.entries()) part("models").append(new Option(model.name, k, false, k === wanted));
part("models").hidden = models.length < 2;
part("models").addEventListener("change", (event) => {
  // the new run takes the place of one that is under way
  Object.assign(editor, { before: null, hasRun: false, running: false, again: false });
  part("table").disabled = true;
  editor.open(models[event.target.value]);
  editor.run();
});
part("run").addEventListener("click", () => editor.run());
part("stop").addEventListener("click", () => engine.stop());
part("save").addEventListener("click", () => editor.save(source.value, editor.file()));
part("table").addEventListener("click", () => engine.ask("table"));
part("open").addEventListener("click", () => editor.reveal(true));
part("close").addEventListener("click", () => editor.reveal(false));
source.addEventListener("input", () => editor.changed(false));
source.addEventListener("scroll", () => editor.scroll());
document.addEventListener("selectionchange", () => document.activeElement === source && editor.offer());
pane.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    editor.run();
  }
});
if (typeof WebAssembly === "undefined") {
  part("open").hidden = true;
} else {
  editor.open(models[Math.max(wanted, 0)]);
  // without a run there is nothing else to see
  if (!document.getElementById("data")) {
    editor.reveal(true);
    part("close").hidden = true;
    editor.run();
  }
}
// For the console of the browser.
window.live = { editor, engine, sliders, text, models };
