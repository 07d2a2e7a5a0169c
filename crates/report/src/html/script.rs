//! Scripts of the page: plotly.js and ours.

/// Our script; one function hides its names from the rest of the page.
pub(crate) const PAGE: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("../page/data.js"),
    include_str!("../page/theme.js"),
    include_str!("../page/panel.js"),
    include_str!("../page/legend.js"),
    include_str!("../page/link.js"),
    include_str!("../page/main.js"),
    "})();\n",
);

/// plotly.js in its script element.
pub(crate) fn plotly() -> String {
    // The crate offers its copy only together with MathJax, which follows; formulas are not used.
    let mut scripts = plotly::Plot::offline_js_sources();
    const END: &str = "</script>";
    if let Some(end) = scripts.find(END) {
        scripts.truncate(end + END.len());
    }
    scripts
}
