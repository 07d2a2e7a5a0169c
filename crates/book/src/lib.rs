//! The Rust code in the book, as documentation tests: each page below is one of `docs/src`.

#![forbid(unsafe_code)]
#![allow(rustdoc::broken_intra_doc_links)]

#[doc = include_str!("../../../docs/src/extend/joint.md")]
pub mod joint {}

#[doc = include_str!("../../../docs/src/extend/element.md")]
pub mod element {}

#[doc = include_str!("../../../docs/src/extend/formulation.md")]
pub mod formulation {}
