//! The script of the page.

/// One function hides its names from the rest of the page.
pub(crate) const PAGE: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("../../assets/data.js"),
    include_str!("../../assets/numbers.js"),
    include_str!("../../assets/theme.js"),
    include_str!("../../assets/clock.js"),
    include_str!("../../assets/plot/ticks.js"),
    include_str!("../../assets/plot/plot.js"),
    include_str!("../../assets/plot/gestures.js"),
    include_str!("../../assets/plot/statistics.js"),
    include_str!("../../assets/plot/legend.js"),
    include_str!("../../assets/plot/download.js"),
    include_str!("../../assets/plot/link.js"),
    include_str!("../../assets/plot/spectrum.js"),
    include_str!("../../assets/plot/chart.js"),
    include_str!("../../assets/plot/workbench.js"),
    include_str!("../../assets/plot/beside.js"),
    include_str!("../../assets/view/math.js"),
    include_str!("../../assets/view/shapes.js"),
    include_str!("../../assets/view/device.js"),
    include_str!("../../assets/view/camera.js"),
    include_str!("../../assets/view/mechanism.js"),
    include_str!("../../assets/view/overlay.js"),
    include_str!("../../assets/view/ground.js"),
    include_str!("../../assets/view/viewer.js"),
    include_str!("../../assets/view/events.js"),
    include_str!("../../assets/view/film.js"),
    include_str!("../../assets/view/controls.js"),
    include_str!("../../assets/bookmark.js"),
    include_str!("../../assets/main.js"),
    "})();\n",
);

/// The script of a page about many cases.
pub(crate) const STUDY: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("../../assets/data.js"),
    include_str!("../../assets/numbers.js"),
    include_str!("../../assets/theme.js"),
    include_str!("../../assets/plot/ticks.js"),
    include_str!("../../assets/plot/chart.js"),
    include_str!("../../assets/plot/download.js"),
    include_str!("../../assets/study.js"),
    "})();\n",
);
