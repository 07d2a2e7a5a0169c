//! What a URDF file says: links, joints, geometry, with the lines they stand in.

use super::shape::{Geometry, LinkShape, Purpose};
use crate::body::MassProperties;
use crate::error::{Refusal, refusal};
use crate::import::ImportError;
use nalgebra::{Matrix3, Vector3};
use rotula_lie::{Frame, Quaternion};
use roxmltree::{Document, Node};

/// Bounds of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Least angle or displacement.
    pub lower: f64,
    /// Greatest angle or displacement.
    pub upper: f64,
    /// Greatest effort of a drive.
    pub effort: f64,
    /// Greatest speed.
    pub velocity: f64,
}

/// `value = multiplier · other + offset`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mimic {
    pub joint: String,
    pub multiplier: f64,
    pub offset: f64,
}

pub(super) struct Link {
    pub line: usize,
    pub name: String,
    /// Without an inertial element there is none.
    pub mass: Option<MassProperties>,
    pub shapes: Vec<LinkShape>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Revolute,
    Continuous,
    Prismatic,
    Fixed,
    Floating,
    Planar,
}

pub(super) struct JointElement {
    pub line: usize,
    pub name: String,
    pub kind: Kind,
    pub parent: String,
    pub child: String,
    /// Frame of the joint as seen from the parent link.
    pub origin: Frame,
    pub axis: Vector3<f64>,
    pub limits: Option<Limits>,
    pub damping: f64,
    pub friction: f64,
    pub mimic: Option<Mimic>,
}

pub(super) struct Robot {
    pub links: Vec<Link>,
    pub joints: Vec<JointElement>,
}

/// Reads elements and says where it is when something is wrong.
struct Reader<'a> {
    document: &'a Document<'a>,
    file: &'a str,
}

type Element<'a> = Node<'a, 'a>;

/// Reads a file.
pub(super) fn robot(text: &str, file: &str) -> Result<Robot, ImportError> {
    let document = Document::parse(text).map_err(|error| ImportError {
        file: file.into(),
        line: error.pos().row as usize,
        refusal: format!("this is not XML: {error}").into(),
    })?;
    let reader = Reader { document: &document, file };
    let root = document.root_element();
    if root.tag_name().name() != "robot" {
        let name = root.tag_name().name();
        return reader.fail(root, format!("the outermost element is <{name}>, not <robot>"));
    }
    let named = |tag| move |e: &Element| e.is_element() && e.tag_name().name() == tag;
    let links = root.children().filter(named("link")).map(|e| reader.link(e));
    let joints = root.children().filter(named("joint")).map(|e| reader.joint(e));
    Ok(Robot { links: links.collect::<Result<_, _>>()?, joints: joints.collect::<Result<_, _>>()? })
}

impl<'a> Reader<'a> {
    fn line(&self, element: Element) -> usize {
        self.document.text_pos_at(element.range().start).row as usize
    }

    fn fail<T>(&self, element: Element, refusal: impl Into<Refusal>) -> Result<T, ImportError> {
        let line = self.line(element);
        Err(ImportError { file: self.file.into(), line, refusal: refusal.into() })
    }

    fn child<'b>(&self, element: Element<'b>, tag: &str) -> Option<Element<'b>> {
        element.children().find(|e| e.is_element() && e.tag_name().name() == tag)
    }

    fn word(&self, element: Element, key: &str) -> Result<String, ImportError> {
        match element.attribute(key) {
            Some(text) => Ok(text.to_string()),
            None => {
                let tag = element.tag_name().name();
                self.fail(element, format!("<{tag}> has no attribute `{key}`"))
            }
        }
    }

    fn numbers<const N: usize>(
        &self,
        element: Element,
        key: &str,
    ) -> Result<Option<[f64; N]>, ImportError> {
        let Some(text) = element.attribute(key) else { return Ok(None) };
        let values: Option<Vec<f64>> = text.split_whitespace().map(|x| x.parse().ok()).collect();
        match values.and_then(|values| <[f64; N]>::try_from(values).ok()) {
            Some(values) if values.iter().all(|x| x.is_finite()) => Ok(Some(values)),
            _ => {
                let tag = element.tag_name().name();
                let needed = if N == 1 { "a number".into() } else { format!("{N} numbers") };
                self.fail(element, format!("<{tag} {key}=\"{text}\">: give {needed}"))
            }
        }
    }

    fn number(&self, element: Element, key: &str) -> Result<f64, ImportError> {
        match self.numbers::<1>(element, key)? {
            Some([value]) => Ok(value),
            None => {
                self.word(element, key)?;
                Ok(0.0)
            }
        }
    }

    fn number_or(&self, element: Element, key: &str, other: f64) -> Result<f64, ImportError> {
        Ok(self.numbers::<1>(element, key)?.map_or(other, |[value]| value))
    }

    /// The frame of the child `<origin xyz rpy>`: turned about the fixed x, y and z axes in turn.
    fn origin(&self, element: Element) -> Result<Frame, ImportError> {
        let Some(origin) = self.child(element, "origin") else { return Ok(Frame::identity()) };
        let position = self.numbers::<3>(origin, "xyz")?.unwrap_or_default();
        let [roll, pitch, yaw] = self.numbers::<3>(origin, "rpy")?.unwrap_or_default();
        let turn = |axis: Vector3<f64>, angle: f64| Quaternion::exp(&(axis * angle));
        let orientation =
            turn(Vector3::z(), yaw) * turn(Vector3::y(), pitch) * turn(Vector3::x(), roll);
        Ok(Frame::new(position.into(), orientation))
    }

    fn link(&self, element: Element) -> Result<Link, ImportError> {
        let name = self.word(element, "name")?;
        let mut shapes = Vec::new();
        for child in element.children().filter(|e| e.is_element()) {
            let purpose = match child.tag_name().name() {
                "visual" => Purpose::Visual,
                "collision" => Purpose::Collision,
                _ => continue,
            };
            let (frame, geometry) = (self.origin(child)?, self.geometry(child)?);
            shapes.push(LinkShape { link: name.clone(), purpose, frame, geometry });
        }
        let mass = match self.child(element, "inertial") {
            Some(inertial) => Some(self.inertial(inertial)?),
            None => None,
        };
        Ok(Link { line: self.line(element), name, mass, shapes })
    }

    fn inertial(&self, element: Element) -> Result<MassProperties, ImportError> {
        let frame = self.origin(element)?;
        let Some(mass) = self.child(element, "mass") else {
            return self.fail(element, "<inertial> has no <mass value=\"…\"/>");
        };
        let mass = self.number(mass, "value")?;
        let Some(entries) = self.child(element, "inertia") else {
            return self.fail(element, "<inertial> has no <inertia ixx=\"…\" …/>");
        };
        let [xx, yy, zz] = ["ixx", "iyy", "izz"].map(|key| self.number(entries, key));
        let [xy, xz, yz] = ["ixy", "ixz", "iyz"].map(|key| self.number_or(entries, key, 0.0));
        let (xx, yy, zz, xy, xz, yz) = (xx?, yy?, zz?, xy?, xz?, yz?);
        // URDF gives the entries of the matrix themselves
        let inertia = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        Ok(MassProperties::new(mass, Vector3::zeros(), inertia).moved(&frame))
    }

    fn geometry(&self, element: Element) -> Result<Geometry, ImportError> {
        let shape = self.child(element, "geometry");
        let Some(shape) = shape.and_then(|g| g.children().find(|e| e.is_element())) else {
            return self.fail(element, "<geometry> with a shape is missing");
        };
        match shape.tag_name().name() {
            "box" => match self.numbers::<3>(shape, "size")? {
                Some(size) => Ok(Geometry::Box(size.into())),
                None => self.fail(shape, "<box> has no attribute `size`"),
            },
            "cylinder" => {
                Ok(Geometry::Cylinder(self.number(shape, "radius")?, self.number(shape, "length")?))
            }
            "sphere" => Ok(Geometry::Sphere(self.number(shape, "radius")?)),
            "mesh" => {
                let scale = self.numbers::<3>(shape, "scale")?.unwrap_or([1.0; 3]);
                Ok(Geometry::Mesh(self.word(shape, "filename")?, scale.into()))
            }
            other => {
                let what = refusal!("<{other}> is no shape"; "box, cylinder, sphere and mesh are");
                self.fail(shape, what)
            }
        }
    }

    fn joint(&self, element: Element) -> Result<JointElement, ImportError> {
        let name = self.word(element, "name")?;
        let kind = match self.word(element, "type")?.as_str() {
            "revolute" => Kind::Revolute,
            "continuous" => Kind::Continuous,
            "prismatic" => Kind::Prismatic,
            "fixed" => Kind::Fixed,
            "floating" => Kind::Floating,
            "planar" => Kind::Planar,
            other => {
                let what = refusal!(
                    "joint `{name}`: there is no type `{other}`";
                    "there are revolute, continuous, prismatic, fixed, floating and planar"
                );
                return self.fail(element, what);
            }
        };
        let end = |tag: &str| match self.child(element, tag) {
            Some(end) => self.word(end, "link"),
            None => self.fail(element, format!("joint `{name}` has no <{tag} link=\"…\"/>")),
        };
        let (parent, child) = (end("parent")?, end("child")?);
        let axis = match self.child(element, "axis") {
            Some(axis) => self.numbers::<3>(axis, "xyz")?.unwrap_or([1.0, 0.0, 0.0]),
            None => [1.0, 0.0, 0.0],
        };
        let axis = Vector3::from(axis);
        if axis.norm() == 0.0 {
            return self.fail(element, format!("joint `{name}`: its axis has no length"));
        }
        let limits = match self.child(element, "limit") {
            Some(limit) => Some(Limits {
                lower: self.number_or(limit, "lower", 0.0)?,
                upper: self.number_or(limit, "upper", 0.0)?,
                effort: self.number_or(limit, "effort", f64::INFINITY)?,
                velocity: self.number_or(limit, "velocity", f64::INFINITY)?,
            }),
            None => None,
        };
        let (damping, friction) = match self.child(element, "dynamics") {
            Some(d) => (self.number_or(d, "damping", 0.0)?, self.number_or(d, "friction", 0.0)?),
            None => (0.0, 0.0),
        };
        let mimic = match self.child(element, "mimic") {
            Some(m) => Some(Mimic {
                joint: self.word(m, "joint")?,
                multiplier: self.number_or(m, "multiplier", 1.0)?,
                offset: self.number_or(m, "offset", 0.0)?,
            }),
            None => None,
        };
        let (line, origin) = (self.line(element), self.origin(element)?);
        Ok(JointElement {
            line,
            name,
            kind,
            parent,
            child,
            origin,
            axis,
            limits,
            damping,
            friction,
            mimic,
        })
    }
}
