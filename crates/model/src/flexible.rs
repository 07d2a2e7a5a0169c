//! `[flexible.NAME]`: a reduced elastic body on a floating frame; its interfaces are bodies
//! `NAME.INTERFACE`.

use crate::beam::{self, MaterialWords, Moves, SectionKeys};
use crate::body::frame;
use crate::fault::{fault_at, refused};
use crate::fields::Fields;
use crate::flexible_mesh::{ReduceWords, reduced};
use crate::load::{load, node_places};
use crate::orientation::ORIENTATION;
use crate::placed::Placed;
use crate::places::Names;
use crate::reading::keys::{Key, join};
use crate::reading::{Kinds, ModelError, Scope};
use crate::table::{Count, Inner, List, NotNegative, Number, Text, Vector, table, words};
use nalgebra::Vector3;
use rotula_elastic::{BeamFrame, FlexibleBody, LinearBeam, read_flex};
use rotula_lie::Frame;
use rotula_mechanics::element::{Flexible, ShapeLoad};
use rotula_mechanics::picture::BentBody;
use rotula_mechanics::sensor::CoordinateSensor;
use rotula_mechanics::{GROUND, Marker, Model};
use std::path::Path;
use std::sync::Arc;

table! {
    /// A flexible body.
    FlexibleWords {
        /// A `.flex` file of `rotula reduce`, or with `reduce` a mesh, named from the folder of the model.
        optional from: Text;
        /// How the mesh in `from` is reduced when the model is read.
        optional reduce: ReduceWords<'static>;
        /// Instead of a file: a straight linear beam.
        optional beam: LinearBeamWords<'static>;
        /// How its frame moves: freely (default), or in its own x-y plane.
        optional kind: Moves;
        /// Where the origin of the mesh is at the start. Default zero.
        optional at: Vector, "m";
        /// Velocity of that origin at the start, world axes.
        optional velocity: Vector, "m/s";
        /// Angular velocity at the start, world axes.
        optional angular_velocity: Vector, "rad/s";
        /// Ratio of critical damping of all shapes, instead of that of the file.
        optional damping: NotNegative;
        /// How many shapes are kept, the lowest first. Default all.
        optional modes: Number;
        /// The shapes below this frequency are kept.
        optional below: NotNegative, "Hz";
        /// Amplitudes of the shapes at the start. Default zero.
        optional amplitudes: List;
        /// Numbers of nodes of the mesh whose von Mises stress is recorded, such as [17, 230].
        optional stress: List;
    }
    besides {
        /// Colour in pictures, such as "#3465a4" or "orange"; with two more digits also how opaque it is.
        optional colour: Text;
        /// How opaque it is in pictures, from 0, not seen, to 1. Default 1.
        optional opacity: Number;
        /// What it is.
        optional description: Text;
    }
}

/// All keys of a flexible body.
pub(crate) const FLEXIBLE: &[Key] =
    &join::<{ FlexibleWords::KEYS.len() + ORIENTATION.len() }>(FlexibleWords::KEYS, &ORIENTATION);

/// Reads a flexible body with its loads and lays it; returns the loads, too.
pub(crate) fn flexible(
    fields: &Fields,
    name: &str,
    (folder, loads): (&Path, &[Fields]),
    names: &mut Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(BentBody, Vec<ShapeLoad>), ModelError> {
    let mut given = FlexibleWords::read(fields.clone(), scope)?;
    let planar = given.kind == Some(Moves::Planar);
    let mut body = source(&mut given, folder, planar, scope)?;
    if let Some(ratio) = given.damping {
        body.damping.fill(ratio);
    }
    let body = kept(&given, body)?;
    let watched = node_places(fields, "stress", &body, given.stress.unwrap_or_default())?;
    let placed = Placed::of(fields.place);
    if placed.mirrored() {
        let error = ModelError::new(fields.place, format!("{} cannot be mirrored", fields.path));
        return Err(error.with_help("reduce a mesh of the mirror image, and write its part out"));
    }
    let [velocity, angular_velocity] =
        [given.velocity, given.angular_velocity].map(Option::unwrap_or_default);
    let mut flexible = Flexible::new(body)
        .at_frame(placed.frame(frame(fields, given.at, scope)?))
        .moving(placed.vector(velocity), placed.axial(angular_velocity));
    if planar {
        flexible = flexible.in_plane();
    }
    for fields in loads {
        let load = load(fields, &flexible.body, model, scope)?;
        flexible.loads.push(load);
    }
    if let Some(amplitudes) = given.amplitudes {
        flexible.amplitudes = amplitudes;
    }
    let laid = model.flexible(name, &flexible).map_err(|error| refused(fields.place, error))?;
    names.add_body(name, laid.body);
    for (interface, id) in &laid.interfaces {
        names.add_body(&format!("{name}.{interface}"), *id);
    }
    // amplitudes are the places of their nodes
    let ground = Marker { node: GROUND.node(), frame: Frame::identity() };
    for k in 0..laid.shapes.shapes() {
        let marker = Marker { node: laid.amplitudes[k / 3], frame: Frame::identity() };
        let sensor = format!("{name}.q{}", k + 1);
        let reading = CoordinateSensor::position(&marker, &ground, Vector3::ith(k % 3, 1.0));
        model.sensor(&sensor, reading).map_err(|error| refused(fields.place, error))?;
        scope.declare(&sensor, Kinds::VARIABLE);
    }
    let bent = BentBody { name: name.to_owned(), laid: Arc::new(laid), watched };
    Ok((bent, flexible.loads))
}

/// The shapes: from a file, or those of a beam.
fn source(
    given: &mut FlexibleWords,
    folder: &Path,
    planar: bool,
    scope: &mut Scope,
) -> Result<FlexibleBody, ModelError> {
    let fields = &given.fields;
    fields.refuse_together(&["from", "beam"])?;
    fields.refuse_together(&["reduce", "beam"])?;
    if let Some(beam) = given.beam.take() {
        return linear_beam(beam, planar, scope);
    }
    let Some(file) = given.from else {
        let message = format!("{} has no shapes", fields.path);
        let help = "add `from = \"NAME.flex\"`, which `rotula reduce MESH -o NAME.flex` makes, or \
                    `beam = { … }`";
        return Err(ModelError::new(fields.place, message).with_help(help));
    };
    if let Some(words) = &given.reduce {
        return reduced(fields, words, &folder.join(file), scope);
    }
    read_flex(&folder.join(file)).map_err(|error| {
        let message = format!("{}: {}", error.file(), error.message());
        fault_at(fields, "from", message).with_help(error.help())
    })
}

words! {
    /// How sections of a linear beam move.
    Theory { Bernoulli = "bernoulli", Timoshenko = "timoshenko" }
}

words! {
    /// Where a linear beam bends.
    Bends { Y = "y", Z = "z", Both = "both" }
}

words! {
    /// Where the x axis of a linear beam is.
    FrameWord { Tangent = "tangent", Chord = "chord" }
}

table! {
    /// A straight linear beam.
    LinearBeamWords {
        /// Its length, along the x axis of the body.
        needed length: Number, "m";
        /// The cross-section.
        needed section: Inner<SectionKeys>;
        /// What it is made of, for sections with a shape.
        optional material: MaterialWords<'static>;
        /// Number of elements with a cubic deflection, at most 100.
        usual elements: Count = 4;
        /// Whether sections stay normal to the beam (default), or shear and turn with their own inertia.
        optional theory: Theory;
        /// Where it bends: along y, along z, or both. Default both; of a planar body y.
        optional bends: Bends;
        /// Whether the x axis is tangent to its start (default), or goes through both ends.
        optional frame: FrameWord;
    }
}

fn linear_beam(
    given: LinearBeamWords,
    planar: bool,
    scope: &mut Scope,
) -> Result<FlexibleBody, ModelError> {
    let fields = &given.fields;
    let section = beam::section(fields, &given.section, given.material.as_ref(), scope)?;
    let (stiffness, mass) = (&section.stiffness, &section.mass);
    let bends = given.bends.unwrap_or(if planar { Bends::Y } else { Bends::Both });
    let along = |axis: Bends, ei: f64| (bends == axis || bends == Bends::Both).then_some(ei);
    let beam = LinearBeam {
        length: given.length,
        mass: mass[(0, 0)],
        // a deflection along y bends about z
        bending: [along(Bends::Y, stiffness[(5, 5)]), along(Bends::Z, stiffness[(4, 4)])],
        shear: match given.theory {
            Some(Theory::Timoshenko) => Some([stiffness[(1, 1)], stiffness[(2, 2)]]),
            Some(Theory::Bernoulli) | None => None,
        },
        rotary: Vector3::new(mass[(3, 3)], mass[(4, 4)], mass[(5, 5)]),
        elements: given.elements,
        frame: match given.frame {
            Some(FrameWord::Chord) => BeamFrame::Chord,
            Some(FrameWord::Tangent) | None => BeamFrame::Tangent,
        },
        damping: 0.0,
    };
    beam.body().map_err(|error| {
        let message = format!("{}: {}", fields.path, error.message());
        ModelError::new(fields.place, message).with_help(error.help())
    })
}

/// The body with the shapes that are kept.
fn kept(given: &FlexibleWords, body: FlexibleBody) -> Result<FlexibleBody, ModelError> {
    let fields = &given.fields;
    fields.refuse_together(&["modes", "below"])?;
    let all = body.shapes();
    if let Some(value) = given.modes {
        if value.fract() != 0.0 || !(0.0..=all as f64).contains(&value) {
            let error = fault_at(fields, "modes", format!("{} is {value}", fields.at("modes")));
            return Err(error.with_help(format!("it has {all} shapes: keep 0 to {all} of them")));
        }
        return Ok(body.keeping(&(0..value as usize).collect::<Vec<_>>()));
    }
    if let Some(limit) = given.below {
        let frequencies = body.frequencies();
        let low: Vec<usize> = (0..all).filter(|k| frequencies[*k] < limit).collect();
        return Ok(body.keeping(&low));
    }
    Ok(body)
}
