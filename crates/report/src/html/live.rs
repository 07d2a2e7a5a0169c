//! Pages that run models themselves: the engine, texts of models, and an editor beside the report.

use super::escape::script_json;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;

/// What a page needs to run models.
#[derive(Clone, Debug)]
pub struct Live<'a> {
    /// The engine as WebAssembly, packed by LZMA: what `crates/web/build` makes.
    pub engine: &'a [u8],
    /// Models that may be opened, the first of them at once.
    pub models: &'a [LiveModel],
}

/// A model that a page may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveModel {
    /// Its file.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Files that it names, as it names them, with their contents.
    pub files: Vec<(String, Vec<u8>)>,
}

/// What a page may do: nothing but show itself.
pub(super) const CLOSED: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";

/// The same, and compute.
pub(super) const OPEN: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; frame-src 'self'";

const EDITOR: &str = include_str!("../../assets/live/editor.html");
const WORKER: &str = concat!(
    "\"use strict\";\n",
    include_str!("../../assets/live/lzma.js"),
    include_str!("../../assets/live/worker.js"),
);
const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("../../assets/live/numbers.js"),
    include_str!("../../assets/live/text.js"),
    include_str!("../../assets/live/engine.js"),
    include_str!("../../assets/live/sliders.js"),
    include_str!("../../assets/live/main.js"),
    "})();\n",
);

/// Style of the editor.
pub(super) const STYLE: &str = include_str!("../../assets/live/live.css");

/// The editor, the models and the engine.
pub(super) fn markup(live: &Live) -> String {
    let models: Vec<_> = live
        .models
        .iter()
        .map(|model| {
            let files = model.files.iter();
            let files =
                files.map(|(name, content)| (name.clone(), STANDARD.encode(content).into()));
            let files: serde_json::Map<String, serde_json::Value> = files.collect();
            json!({ "name": model.name, "text": model.text, "files": files })
        })
        .collect();
    let engine = letters(live.engine);
    format!(
        "{EDITOR}<script id=\"models\" type=\"application/json\">{}</script>\n\
         <script id=\"engine\" type=\"text/plain\">{engine}</script>\n\
         <script id=\"worker\" type=\"text/plain\">{WORKER}</script>\n\
         <script>\n{SCRIPT}</script>\n",
        script_json(&json!(models))
    )
}

/// Bytes as text: five letters for four bytes, the last ones filled up with zeros. The letters are those from `#` to `x` but `<`, so that a page
/// takes them as they are. Base 64 would be a fifteenth longer.
fn letters(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(4) * 5);
    for part in bytes.chunks(4) {
        let mut word = [0; 4];
        word[..part.len()].copy_from_slice(part);
        let number = u32::from_be_bytes(word);
        for place in (0..5).rev() {
            let digit = (number / 85u32.pow(place) % 85) as u8;
            text.push(char::from(digit + if digit < b'<' - b'#' { b'#' } else { b'#' + 1 }));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn letters_are_five_for_four_bytes() {
        assert_eq!(letters(&[0, 0, 0, 0]), "#####");
        assert_eq!(letters(&[255, 255, 255, 255]).len(), 5);
        // the first digit that passes over `<`
        assert_eq!(letters(&[0, 0, 0, 25]), "####=");
        let all: Vec<u8> =
            (0..=255).cycle().take(4096).map(|k: i32| (k * 37 % 256) as u8).collect();
        let text = letters(&all);
        assert!(
            text.len() == 5120 && text.bytes().all(|c| (b'#'..=b'x').contains(&c) && c != b'<')
        );
    }
}
