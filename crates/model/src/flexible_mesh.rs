//! `reduce = { … }` of a flexible body: its shapes are found from a finite element mesh when the model is read.

use crate::fault::fault_at;
use crate::fields::Fields;
use crate::reading::keys::Kind;
use crate::reading::{ModelError, Scope};
use crate::table::{Count, Named, NotNegative, Positive, Value, table, words};
use rotula_elastic::read::read_mesh;
use rotula_elastic::{
    Attachment, Damping, FlexibleBody, MeshError, Method, Wanted, check_units, flexible_body,
    reduce,
};
use std::path::Path;

words! {
    /// How a mesh is reduced.
    MethodWord {
        CraigBampton = "craig-bampton",
        PlainCraigBampton = "plain-craig-bampton",
        Guyan = "guyan",
        Free = "free",
    }
}

/// Frequencies and ratios of damping from there on.
pub(crate) enum Bands {}

impl<'a> Value<'a> for Bands {
    const KIND: Kind = Kind::Points(2);
    type Read = Vec<[f64; 2]>;

    fn read(
        fields: &Fields<'a>,
        key: &str,
        scope: &mut Scope,
    ) -> Result<Option<Vec<[f64; 2]>>, ModelError> {
        fields.points(key, scope)
    }
}

table! {
    /// How a mesh is reduced to shapes.
    ReduceWords {
        /// Names of interfaces, each with the number of its node: `{ hub = 1, tip = 17 }`.
        needed interfaces: Named;
        /// Which shapes: as `rotula reduce --method`. Default "craig-bampton".
        optional method: MethodWord;
        /// How many modes of vibration. Default 10.
        optional modes: Count;
        /// All modes of vibration below this frequency, instead.
        optional below: Positive, "Hz";
        /// Ratio of critical damping.
        usual damping: NotNegative = 0.0;
        /// Other ratios from frequencies on, as in [[100, 0.1], [1000, 1]].
        optional damping_above: Bands, "Hz";
    }
}

/// Reads a mesh and reduces it.
pub(crate) fn reduced(
    outer: &Fields,
    words: &ReduceWords,
    path: &Path,
    scope: &mut Scope,
) -> Result<FlexibleBody, ModelError> {
    let ReduceWords { fields, interfaces, method, modes, below, damping, damping_above } = words;
    fields.refuse_together(&["modes", "below"])?;
    let mut attachments = Vec::new();
    for entry in *interfaces {
        let node = scope.constant(&entry.item, &fields.at("interfaces"))?;
        if node.fract() != 0.0 || node < 0.0 {
            let message = format!("{}.{} is {node}", fields.at("interfaces"), entry.key);
            let error = ModelError::new(&entry.item.place, message);
            return Err(error.with_help("give the number of a node of the mesh"));
        }
        let at = format!("{}", node as u64);
        attachments.push(Attachment { name: entry.key.clone(), at, rigid: true });
    }
    let wanted = below.map_or(Wanted::Lowest(modes.unwrap_or(10)), Wanted::Below);
    let method = match method {
        None | Some(MethodWord::CraigBampton) => Method::CraigBampton(wanted),
        Some(MethodWord::PlainCraigBampton) => Method::PlainCraigBampton(wanted),
        Some(MethodWord::Free) => Method::Free(wanted),
        Some(MethodWord::Guyan) => {
            fields.refuse(&["modes", "below"], "Guyan's method has no modes of vibration")?;
            Method::Guyan
        }
    };
    let mut above: Vec<(f64, f64)> =
        damping_above.iter().flatten().map(|[frequency, ratio]| (*frequency, *ratio)).collect();
    if above.iter().any(|(frequency, ratio)| *frequency <= 0.0 || *ratio < 0.0) {
        let message = format!("{} has a negative number", fields.at("damping_above"));
        let error = fault_at(fields, "damping_above", message);
        return Err(error.with_help("give pairs of a frequency in hertz and a ratio"));
    }
    above.sort_by(|a, b| a.0.total_cmp(&b.0));
    let damping = Damping::Bands { first: *damping, above };
    let refused = |error: MeshError| {
        let message = format!("{}: {}", error.file(), error.message());
        fault_at(outer, "from", message).with_help(error.help())
    };
    let mesh = read_mesh(path).map_err(refused)?;
    check_units(&mesh).map_err(refused)?;
    let title = path.file_stem().map_or("body".into(), |stem| stem.to_string_lossy());
    let reduction = reduce(mesh, &attachments, method).map_err(refused)?;
    flexible_body(&reduction, &title, damping).map_err(refused)
}
