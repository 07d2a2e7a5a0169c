// Colours come from the style sheet, so that light, dark and print have one source.
const dashes = [[], [6, 3], [2, 3], [6, 3, 2, 3]];
const colourCount = 10;

function token(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function colour(index) {
  return token("--c" + (index % colourCount));
}

function dash(index) {
  return dashes[Math.floor(index / colourCount) % dashes.length];
}

function fontOf(size) {
  return size + "px " + getComputedStyle(document.body).fontFamily;
}

// A colour of the style sheet, #rrggbb, as three numbers from 0 to 1.
function rgb(text) {
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) / 255);
}

// Makes a canvas as sharp as the screen; returns its context, scaled to CSS pixels.
function sharpen(canvas, width, height) {
  const ratio = Math.min(3, devicePixelRatio || 1);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = width + "px";
  canvas.style.height = height + "px";
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

// A button with a click.
function button(text, title, click) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.title = title;
  made.addEventListener("click", click);
  return made;
}
