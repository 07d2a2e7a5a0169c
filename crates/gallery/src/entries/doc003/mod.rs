//! Entries of this document.

use crate::entry::Entry;

pub(crate) fn entries() -> Vec<Entry> {
    Vec::new()
}
