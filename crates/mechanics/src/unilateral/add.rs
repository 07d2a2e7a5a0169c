//! Contacts in a model.

use super::{CandidateList, Clearance, Contacts, ImpactLaw, Unilateral, between};
use crate::error::{ModelError, refusal};
use crate::force::Surface;
use crate::marker::Marker;
use crate::model::Model;

impl Model {
    /// Rigid contact between two surfaces, each in the frame of its marker.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use rotula_lie::Frame;
    /// use rotula_mechanics::force::Surface;
    /// use rotula_mechanics::shape::Shape;
    /// use rotula_mechanics::unilateral::ImpactLaw;
    /// use rotula_mechanics::{Body, GROUND, Model};
    ///
    /// let mut model = Model::new();
    /// let sphere = Shape::Sphere { radius: 0.1 };
    /// let ball = Body::solid(1000.0, vec![(Frame::identity(), sphere.clone())])?;
    /// let ball = model.body("ball", ball.at(Vector3::new(0.0, 0.0, 0.5)))?;
    /// let floor = model.marker(GROUND, Frame::identity());
    /// let middle = model.marker(ball, Frame::identity());
    /// let law = ImpactLaw { restitution: 0.8, friction: 0.3 };
    /// model.collide("bounce", (floor, Surface::Plane), (middle, sphere.into()), law)?;
    /// # Ok::<(), rotula_mechanics::ModelError>(())
    /// ```
    pub fn collide(
        &mut self,
        name: &str,
        (a, first): (Marker, Surface),
        (b, second): (Marker, Surface),
        law: ImpactLaw,
    ) -> Result<(), ModelError> {
        let named = |error| named(name, error);
        if a.node == b.node {
            let what =
                refusal!("both surfaces belong to the same body"; "name two different bodies");
            return Err(named(ModelError::invalid("contact", what)));
        }
        let (pair, reverse) = (self.pair(a, b), self.pair(b, a));
        match between([&pair, &reverse], &first, &second, law).map_err(named)? {
            Contacts::Fixed(contacts) => self.add_contacts(name, contacts, None),
            Contacts::Changing(list) => self.add_contacts(name, [], Some(list)),
        }
    }

    /// A pin of the second marker in a hole of the first, with clearance.
    pub fn clearance(
        &mut self,
        name: &str,
        a: Marker,
        b: Marker,
        clearance: Clearance,
    ) -> Result<(), ModelError> {
        let contact = clearance.contact(&self.pair(a, b)).map_err(|error| named(name, error))?;
        self.touch(name, contact)
    }

    /// Adds a contact of your own.
    pub fn touch(&mut self, name: &str, contact: Unilateral) -> Result<(), ModelError> {
        self.add_contacts(name, [(String::new(), contact)], None)
    }

    /// Adds contacts of which only those are listed that may close soon.
    pub fn touch_some(
        &mut self,
        name: &str,
        list: impl CandidateList + 'static,
    ) -> Result<(), ModelError> {
        self.add_contacts(name, [], Some(Box::new(list)))
    }
}

/// Says which contact it is that is wrong.
fn named(name: &str, error: ModelError) -> ModelError {
    match error {
        ModelError::Invalid { thing, refusal } if thing == "contact" => {
            ModelError::invalid(format!("contact `{name}`"), refusal)
        }
        ModelError::Invalid { thing, refusal } => {
            ModelError::invalid(format!("contact `{name}`, {thing}"), refusal)
        }
        other => other,
    }
}
