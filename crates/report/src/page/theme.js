// Colours come from the style sheet, so that light, dark and print have one source.
const dashes = ["solid", "dash", "dot", "dashdot"];
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

function axisTheme() {
  const grid = token("--grid");
  return { gridcolor: grid, zerolinecolor: token("--rule"), linecolor: token("--rule"), tickcolor: grid };
}

function fontTheme() {
  return { family: getComputedStyle(document.body).fontFamily, size: 12, color: token("--soft") };
}
