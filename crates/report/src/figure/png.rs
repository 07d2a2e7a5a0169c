//! SVG into pixels.

use super::outline::outlined;
use resvg::{tiny_skia, usvg};

/// The content of a PNG file.
pub(crate) fn render(svg: &str, scale: f32) -> Result<Vec<u8>, String> {
    let tree = usvg::Tree::from_str(&outlined(svg)?, &usvg::Options::default())
        .map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size().scale_by(scale).ok_or("the figure has no size")?;
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
        .ok_or("the figure is too large for memory")?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}
