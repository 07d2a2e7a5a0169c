//! `rotula reduce`: a finite element mesh as a flexible body of a few shapes.

use crate::Ending;
use crate::args;
use crate::messages::{Fault, say};
use crate::numbers::{counted, enumeration, precise, short};
use rotula_elastic::read::{read_given, read_mesh};
use rotula_elastic::{
    Attachment, Damping, FlexibleBody, MaterialFault, Mesh, Method, Reduction, Snapshot, Units,
    Wanted, check_units, convert, flexible_body, give_material, reduce as reduce_mesh, write_flex,
    write_series,
};

/// Modes of vibration if the user does not say.
const MODES: usize = 10;
/// Frequencies that are printed.
const SHOWN: usize = 8;
/// Bodies longer or shorter than this, in metres, are doubted.
const LONG: f64 = 200.0;
const SHORT: f64 = 2e-4;
/// Largest displacement of a shape in its picture, as a part of the size of the body.
const EXAGGERATION: f64 = 0.1;

/// Reads, checks, reduces and writes.
pub(crate) fn reduce(options: &args::Reduce) -> Result<Ending, Fault> {
    let mut mesh = read(options)?;
    give_the_material(&mut mesh, options)?;
    convert(&mut mesh, units(options.units));
    check_units(&mesh)?;
    let method = method(options)?;
    let damping = damping(options)?;
    let notes = mesh.notes.clone();
    let reduction = reduce_mesh(mesh, &attachments(options), method)?;
    let title = options.mesh.file_stem().map_or("body".into(), |stem| stem.to_string_lossy());
    let body = flexible_body(&reduction, &title, damping)?;
    write_flex(&options.output, &body)?;
    if let Some(path) = &options.vtk {
        write_series(path, &body.surface, &shapes(&body), 1.0)?;
    }
    notes.iter().for_each(|note| say(note));
    odd_size(&body).iter().for_each(|note| say(note));
    say(&story(&reduction, &body, options));
    Ok(Ending::Done)
}

/// A mesh, or a body by its matrices.
fn read(options: &args::Reduce) -> Result<Mesh, Fault> {
    let matrix = options.mesh.extension().is_some_and(|end| end.eq_ignore_ascii_case("mtx"));
    match (&options.mass, &options.nodes) {
        (Some(mass), Some(nodes)) if matrix => Ok(read_given(&options.mesh, mass, nodes)?),
        (None, None) if matrix => Err(Fault::new(
            format!("{} is a stiffness without mass and nodes", options.mesh.display()),
            "give --mass M.mtx and --nodes NODES.csv, a table of node,x,y,z,components",
        )),
        (None, None) => Ok(read_mesh(&options.mesh)?),
        _ => Err(Fault::new(
            "--mass and --nodes belong to a stiffness",
            format!("leave them out, or give a .mtx file instead of {}", options.mesh.display()),
        )),
    }
}

fn units(choice: args::UnitsChoice) -> Units {
    match choice {
        args::UnitsChoice::Si => Units::Si,
        args::UnitsChoice::Mm => Units::Millimetres,
    }
}

/// Gives the material of the command line to solids and shells without one.
fn give_the_material(mesh: &mut Mesh, options: &args::Reduce) -> Result<(), Fault> {
    give_material(mesh, options.material, options.thickness).map_err(|fault| match fault {
        MaterialFault::NotNeeded => Fault::new(
            "--material is not needed: the mesh gives every element its material",
            "leave it out",
        ),
        MaterialFault::NoThickness => Fault::new(
            format!("{}: the mesh has shells without thickness", mesh.file),
            "give --thickness",
        ),
        MaterialFault::Missing => Fault::new(
            format!("{}: the mesh has no materials", mesh.file),
            "give --material E,NU,RHO, for example 2.1e11,0.3,7850",
        ),
    })
}

fn method(options: &args::Reduce) -> Result<Method, Fault> {
    let wanted = match options.below {
        Some(frequency) if frequency > 0.0 && frequency.is_finite() => Wanted::Below(frequency),
        Some(frequency) => {
            let message = format!("--below {frequency} is no frequency");
            return Err(Fault::new(message, "give a positive number of hertz"));
        }
        None => Wanted::Lowest(options.modes.unwrap_or(MODES)),
    };
    let asked = options.below.is_some() || options.modes.is_some();
    match options.method {
        args::MethodChoice::CraigBampton => Ok(Method::CraigBampton(wanted)),
        args::MethodChoice::PlainCraigBampton => Ok(Method::PlainCraigBampton(wanted)),
        args::MethodChoice::Free => Ok(Method::Free(wanted)),
        args::MethodChoice::Guyan if asked => Err(Fault::new(
            "Guyan's method has no modes of vibration",
            "leave out --modes and --below, or use --method craig-bampton",
        )),
        args::MethodChoice::Guyan => Ok(Method::Guyan),
    }
}

/// One ratio, or several from frequencies on.
fn damping(options: &args::Reduce) -> Result<Damping, Fault> {
    let refused = |word: &str, ratio: f64| {
        let message = format!("{word} {ratio} is no ratio of critical damping");
        Err(Fault::new(message, "give a number from 0 to 1, such as 0.01"))
    };
    if !(0.0..=1.0).contains(&options.damping) {
        return refused("--damping", options.damping);
    }
    let mut above = options.damping_above.clone();
    for (frequency, ratio) in &above {
        if !(0.0..=1.0).contains(ratio) {
            return refused("--damping-above", *ratio);
        }
        if !(*frequency > 0.0 && frequency.is_finite()) {
            let message = format!("--damping-above: {frequency} is no frequency");
            return Err(Fault::new(message, "give a positive number of hertz, as in 100=0.1"));
        }
    }
    above.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(match above.is_empty() {
        true => Damping::Ratio(options.damping),
        false => Damping::Bands { first: options.damping, above },
    })
}

fn attachments(options: &args::Reduce) -> Vec<Attachment> {
    let attachment = |(name, at): &(String, String), rigid: bool| Attachment {
        name: name.clone(),
        at: at.clone(),
        rigid,
    };
    let rigid = options.interfaces.iter().map(|pair| attachment(pair, true));
    rigid.chain(options.mean_interfaces.iter().map(|pair| attachment(pair, false))).collect()
}

/// Each shape as a state, of a size that can be seen.
fn shapes(body: &FlexibleBody) -> Vec<Snapshot> {
    let size = size(body);
    let longest = size.iter().fold(0.0_f64, |longest, side| longest.max(*side));
    let state = |k: usize| {
        let column = body.surface.displacement.column(k);
        let largest = column.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let mut amplitudes = vec![0.0; body.shapes()];
        amplitudes[k] = EXAGGERATION * longest / largest.max(f64::MIN_POSITIVE);
        Snapshot::at_rest(k as f64, &amplitudes)
    };
    (0..body.shapes()).map(state).collect()
}

/// Lengths of the box around the body.
fn size(body: &FlexibleBody) -> [f64; 3] {
    std::array::from_fn(|i| {
        let side = body.surface.positions.iter().skip(i).step_by(3);
        let (low, high) = side
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
        high - low
    })
}

/// A doubt about the unit of length, which plausible materials do not show.
fn odd_size(body: &FlexibleBody) -> Option<String> {
    let longest = size(body).into_iter().fold(0.0_f64, f64::max);
    let (guess, remedy) = match longest {
        _ if longest > LONG => (
            "millimetres",
            "write metres, or give modulus and density in MPa and t/mm³ and `--units mm`",
        ),
        _ if longest < SHORT => ("metres", "leave out `--units mm`, or write millimetres"),
        _ => return None,
    };
    let longest = short(longest);
    Some(format!("The body is {longest} m long. Are the nodes in {guess}? Then {remedy}."))
}

fn story(reduction: &Reduction, body: &FlexibleBody, options: &args::Reduce) -> String {
    let mesh = &reduction.body.mesh;
    let [x, y, z] = size(body).map(short);
    let centre = body.inertia.centre();
    let centre = [0, 1, 2].map(|i| short(if centre[i].abs() < 1e-12 { 0.0 } else { centre[i] }));
    let mut story = format!(
        "{}: {}{}, {} free components.\n\
         In metres it is {x} by {y} by {z}; its mass is {} kg, its centre is at ({}).\n",
        options.mesh.display(),
        match mesh.given {
            Some(_) => String::new(),
            None => format!("{}, ", counted(mesh.elements.len(), "element")),
        },
        counted(mesh.nodes.len(), "node"),
        reduction.body.freedom.count(),
        precise(body.inertia.mass),
        centre.join(", "),
    );
    let names: Vec<String> = body.frames.iter().map(|frame| frame.name.clone()).collect();
    let method = match reduction.method {
        Method::CraigBampton(_) => "by Craig and Bampton's method with residual shapes",
        Method::PlainCraigBampton(_) => "by Craig and Bampton's method",
        Method::Guyan => "by Guyan's method",
        Method::Free(_) => "by modes of the free body and residual shapes",
    };
    story += &format!("It was reduced to {} {method}", counted(body.shapes(), "shape"));
    story += &match names.is_empty() {
        true => ", without interfaces.\n".to_owned(),
        false => format!(", with {} {}.\n", plural(names.len()), enumeration(&names)),
    };
    let frequencies = body.frequencies();
    let shown: Vec<String> = frequencies.iter().take(SHOWN).map(|f| precise(*f)).collect();
    let held = if body.floats { "free" } else { "supported" };
    story += &format!("The lowest frequencies of the {held} body are {} Hz", enumeration(&shown));
    story += &match frequencies.last() {
        Some(last) if frequencies.len() > SHOWN => {
            format!("; the highest is {} Hz.\n", short(*last))
        }
        _ => ".\n".to_owned(),
    };
    story += &match body.cut_off {
        Some(cut_off) => format!(
            "The cut-off is {} Hz: trust frequencies below about {} Hz.\n",
            short(cut_off),
            short(0.5 * cut_off)
        ),
        None => "No modes of vibration are in it: trust it in statics only.\n".to_owned(),
    };
    if !body.floats {
        story += "Supports hold the mesh: the body's frame moves with them.\n";
    }
    story += &format!("The flexible body is in {}.", options.output.display());
    if let Some(path) = &options.vtk {
        story += &format!(" Its shapes are in {}.", path.display());
    }
    story
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "the interface" } else { "the interfaces" }
}
