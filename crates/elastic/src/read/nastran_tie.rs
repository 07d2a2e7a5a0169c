//! Ties of Nastran: MPC, RBE2, RBE3.

use crate::error::MeshError;
use crate::mesh::{Tie, TieKind};
use crate::read::cards::Card;
use crate::read::components;
use crate::read::nastran::Reader;

/// Two terms stand in each line, with a blank field before and behind them.
pub(super) fn mpc(reader: &mut Reader, card: &Card) -> Result<(), MeshError> {
    let file = reader.mesh.file.clone();
    let mut terms = Vec::new();
    let lines = card.len().div_ceil(8);
    for start in (0..lines).flat_map(|line| [8 * line + 1, 8 * line + 4]) {
        if card.field(start).is_none() {
            continue;
        }
        let node = reader.node(card, start)?;
        let component = card.word(start + 1);
        let i = match component.text.parse::<usize>() {
            Ok(i @ 1..=6) => i - 1,
            _ => {
                let message = format!("`{}` is no component of a node", component.text);
                let help = "write one digit: 1 to 3 are translations, 4 to 6 rotations";
                return Err(component.fault(&file, message, help));
            }
        };
        terms.push((node, i, card.number(&file, start + 2, "coefficient")?));
    }
    let name = format!("the MPC of line {}", card.place.line);
    reader.mesh.ties.push(Tie { name, kind: TieKind::Sum { terms }, place: card.place });
    Ok(())
}

pub(super) fn rbe2(reader: &mut Reader, card: &Card) -> Result<(), MeshError> {
    let file = reader.mesh.file.clone();
    let label = card.label(&file, 0, "number")?;
    let reference = reader.node(card, 1)?;
    let components = components(&file, &card.word(2))?;
    let followers = reader.nodes(card, 3)?;
    if followers.is_empty() {
        let message = format!("RBE2 {label} has no nodes that follow");
        return Err(reader.mesh.fault(card.place, message, "list them behind the components"));
    }
    let kind = TieKind::Rigid { reference, followers, components };
    reader.mesh.ties.push(Tie { name: format!("RBE2 {label}"), kind, place: card.place });
    Ok(())
}

/// Reference and its components, then groups of weight, components and nodes. Whole numbers are
/// nodes; a number with a point begins a group.
pub(super) fn rbe3(reader: &mut Reader, card: &Card) -> Result<(), MeshError> {
    let file = reader.mesh.file.clone();
    let label = card.label(&file, 0, "number")?;
    let reference = reader.node(card, 2)?;
    let tied = components(&file, &card.word(3))?;
    let mut followers = Vec::new();
    let mut weight = None;
    let mut index = 4;
    while index < card.len() {
        let field = card.word(index);
        if field.text.contains('.') {
            weight = Some(field.number(&file, "the weight")?);
            let translations = components(&file, &card.word(index + 1))?;
            if translations != [true, true, true, false, false, false] {
                let message = format!("RBE3 {label} takes the mean of other components than 123");
                let help = "write 123: the mean is one of translations";
                return Err(card.word(index + 1).fault(&file, message, help));
            }
            index += 2;
            continue;
        }
        if field.text.eq_ignore_ascii_case("UM") || field.text.eq_ignore_ascii_case("ALPHA") {
            break;
        }
        if !field.is_blank() {
            let Some(weight) = weight else {
                let message = format!("RBE3 {label} has a node before any weight");
                return Err(field.fault(&file, message, "write the weight with a point: 1.0"));
            };
            followers.push((reader.node(card, index)?, weight));
        }
        index += 1;
    }
    if followers.is_empty() {
        let message = format!("RBE3 {label} has no nodes to take the mean of");
        return Err(reader.mesh.fault(card.place, message, "list weight, 123 and nodes"));
    }
    let kind = TieKind::Mean { reference, components: tied, followers };
    reader.mesh.ties.push(Tie { name: format!("RBE3 {label}"), kind, place: card.place });
    Ok(())
}
