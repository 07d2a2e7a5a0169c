//! All entries, grouped by document.

mod contact;
mod convergence;
mod doc000;
mod doc001;
mod doc002;
mod doc003;
mod doc004;
mod ivp;
mod mechanisms;

use crate::entry::Entry;

pub(crate) fn all() -> Vec<Entry> {
    [
        doc000::entries(),
        doc001::entries(),
        doc002::entries(),
        doc003::entries(),
        doc004::entries(),
        ivp::entries(),
        mechanisms::entries(),
        contact::entries(),
    ]
    .concat()
}
