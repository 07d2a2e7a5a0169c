//! What an integrator may know of unilateral contacts.
//!
//! A contact is a gap `g_N(q,t) ≥ 0` with Newton's law of restitution and, if it has friction, one
//! (planar) or two (spatial) tangential directions along which Coulomb's law acts. The contacts of a
//! system are **candidates**: open ones cost little, and [`Contacts::renew_contacts`] may replace the
//! list between steps. Each contact owns consecutive rows: its normal row, then its tangential ones.
//! The reaction of a contact is `Gᵀλ` with `λ_N ≥ 0`, which pushes the gap open. [Brüls et al. 2018, sheet §1, §7]
//!
//! [`Contacts::renew_contacts`]: crate::Contacts::renew_contacts

use rotula_linear::Pattern;
use serde::{Deserialize, Serialize};

/// Laws of one contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Newton's coefficient of restitution of the normal velocity, 0 to 1.
    pub restitution: f64,
    /// Coulomb's coefficient of friction.
    pub friction: f64,
    /// Coefficient of restitution of the tangential velocity, −1 to 1; usually zero.
    pub tangential_restitution: f64,
    /// Number of tangential directions: 0 without friction, 1 in the plane, 2 in space.
    pub directions: usize,
}

impl Contact {
    /// A frictionless contact.
    pub fn smooth(restitution: f64) -> Self {
        Contact { restitution, ..Contact::default() }
    }

    /// A contact with friction along 1 or 2 tangential directions.
    pub fn rough(restitution: f64, friction: f64, directions: usize) -> Self {
        Contact { restitution, friction, tangential_restitution: 0.0, directions }
    }

    /// Rows the contact owns.
    pub fn rows(&self) -> usize {
        1 + self.directions
    }

    /// What is wrong with the numbers, if anything.
    pub fn fault(&self) -> Option<String> {
        let Contact { restitution, friction, tangential_restitution, directions } = *self;
        if !(0.0..=1.0).contains(&restitution) {
            return Some(format!("the restitution must lie in [0, 1], not {restitution}"));
        }
        if !(friction >= 0.0 && friction.is_finite()) {
            return Some(format!("the friction must be 0 or a positive number, not {friction}"));
        }
        if !(-1.0..=1.0).contains(&tangential_restitution) {
            return Some(format!(
                "the tangential restitution must lie in [-1, 1], not {tangential_restitution}"
            ));
        }
        if directions > 2 {
            return Some(format!(
                "a contact has at most 2 tangential directions, not {directions}"
            ));
        }
        if friction > 0.0 && directions == 0 {
            return Some("friction needs a tangential direction".into());
        }
        None
    }
}

/// Sparsity of the derivatives of all contacts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ContactPatterns {
    /// `contact rows × motion`: gradients at every level. All rows of one contact have the same
    /// columns.
    pub rows: Pattern,
    /// `motion × motion`: the curvature `∂(−Gᵀλ)/∂Δ`, which may couple bodies that nothing else
    /// couples.
    pub curvature: Pattern,
}

impl ContactPatterns {
    /// No contacts.
    pub fn none(motion: usize) -> Self {
        ContactPatterns {
            rows: Pattern::empty(0, motion),
            curvature: Pattern::empty(motion, motion),
        }
    }

    /// Full blocks: right for small systems.
    pub fn dense(rows: usize, motion: usize) -> Self {
        ContactPatterns {
            rows: Pattern::dense(rows, motion),
            curvature: Pattern::dense(motion, motion),
        }
    }
}

/// Rows of all contacts together.
pub fn contact_rows(contacts: &[Contact]) -> usize {
    contacts.iter().map(Contact::rows).sum()
}

/// The first row of each contact.
pub(crate) fn first_rows(contacts: &[Contact]) -> Vec<usize> {
    let mut next = 0;
    let mut first = Vec::with_capacity(contacts.len());
    for contact in contacts {
        first.push(next);
        next += contact.rows();
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_found() {
        assert_eq!(Contact::smooth(0.8).fault(), None);
        assert_eq!(Contact::rough(0.0, 0.3, 2).fault(), None);
        let table = [
            (Contact::smooth(1.2), "restitution must lie in [0, 1]"),
            (Contact::smooth(f64::NAN), "restitution"),
            (Contact::rough(0.0, -1.0, 1), "friction must be"),
            (Contact::rough(0.0, 0.5, 0), "tangential direction"),
            (Contact::rough(0.0, 0.5, 3), "at most 2"),
        ];
        for (contact, phrase) in table {
            let fault = contact.fault().unwrap();
            assert!(fault.contains(phrase), "{fault}");
        }
        assert_eq!(contact_rows(&[Contact::smooth(0.0), Contact::rough(0.0, 0.1, 2)]), 4);
    }
}
