// One plot. It is drawn when it first comes into view.
const fewCurves = 12;

class Panel {
  constructor(section, description) {
    this.section = section;
    this.place = section.querySelector(".plot");
    this.curves = description.curves;
    this.log = description.log;
    this.style = description.style;
    this.stacked = false;
    // Buttons of the plot are made for a mouse.
    this.bar = matchMedia("(hover: hover)").matches;
    this.drawn = false;
    this.visible = this.curves.map((_, i) => i < fewCurves);
    this.line = document.createElement("div");
    this.line.className = "line";
    this.line.hidden = true;
  }

  shown() {
    return this.curves.map((_, i) => i).filter((i) => this.visible[i]);
  }

  // One strip for each visible curve, or all in one.
  strips() {
    return this.stacked ? Math.max(1, this.shown().length) : 1;
  }

  traces() {
    return this.shown().map((i, k) => {
      const curve = this.curves[i];
      const marks = this.style === "marks";
      return {
        type: "scatter",
        mode: marks ? "markers" : times(curve).length === 1 ? "markers" : "lines",
        name: curve.name,
        x: times(curve),
        y: values(curve),
        line: { color: colour(i), dash: dash(i), width: 1.5, simplify: false, shape: this.style === "stairs" ? "vh" : "linear" },
        marker: { color: colour(i), size: 6 },
        yaxis: this.stacked && k > 0 ? "y" + (k + 1) : "y",
        hoverinfo: "none",
      };
    });
  }

  layout() {
    const shown = this.shown();
    const strips = this.strips();
    const narrow = this.place.clientWidth < 560;
    const height = this.stacked ? 60 + 120 * strips : narrow ? 260 : 320;
    const axis = axisTheme();
    const layout = {
      height,
      margin: { l: narrow ? 52 : 64, r: 12, t: this.bar ? 28 : 12, b: 42 },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: fontTheme(),
      showlegend: false,
      hovermode: false,
      modebar: { bgcolor: "rgba(0,0,0,0)", color: token("--soft"), activecolor: token("--ink") },
      dragmode: "zoom",
      xaxis: {
        ...axis,
        title: { text: "time" + (data.time ? " [" + escapeText(data.time) + "]" : ""), standoff: 6 },
        range: view.range ?? view.whole,
        zeroline: false,
        anchor: strips > 1 ? "y" + strips : "y",
      },
    };
    for (let k = 0; k < strips; k++) {
      const members = this.stacked ? shown.slice(k, k + 1) : shown;
      const units = new Set(members.map((i) => this.curves[i].unit));
      const unit = units.size === 1 ? [...units][0] : "";
      const name = this.stacked && members.length ? this.curves[members[0]].name : "";
      const label = [name, unit && "[" + unit + "]"].filter(Boolean).join(" ");
      const gap = strips > 1 ? 0.12 / strips : 0;
      layout["yaxis" + (k ? k + 1 : "")] = {
        ...axis,
        type: this.log ? "log" : "linear",
        exponentformat: "power",
        automargin: true,
        nticks: this.stacked ? 4 : this.log ? 6 : 8,
        title: { text: escapeText(label), standoff: 6, font: { size: this.stacked ? 11 : 12 } },
        domain: [1 - (k + 1) / strips + gap, 1 - k / strips],
      };
    }
    return layout;
  }

  draw() {
    this.drawn = true;
    const config = {
      responsive: true,
      displaylogo: false,
      displayModeBar: this.bar ? "hover" : false,
      modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d"],
      toImageButtonOptions: { format: "svg", filename: this.section.id },
    };
    Plotly.react(this.place, this.traces(), this.layout(), config);
    if (!this.line.isConnected) {
      this.place.append(this.line);
      this.place.on("plotly_relayout", (change) => link.zoomed(this, change));
      link.follow(this);
    }
  }

  redraw() {
    if (this.drawn) this.draw();
  }

  // Position of the time axis on the page, or nothing before the first drawing.
  axis() {
    return this.place._fullLayout?.xaxis;
  }

  point(t) {
    const axis = this.axis();
    if (!axis) return;
    const x = axis.d2p(t);
    this.line.hidden = t === null || !(x >= 0 && x <= axis._length);
    if (this.line.hidden) return;
    const { t: top, b: bottom } = this.place._fullLayout._size;
    this.line.style.left = axis._offset + x + "px";
    this.line.style.top = top + "px";
    this.line.style.height = this.place._fullLayout.height - top - bottom + "px";
  }
}

// Plotly reads a little markup in labels.
function escapeText(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
