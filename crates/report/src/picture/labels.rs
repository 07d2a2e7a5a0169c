//! Names beside what they name, moved apart where they would overlap.

/// Size of the letters.
const FONT: f64 = 12.0;
/// Room above the line on which letters stand, and below it.
const ABOVE: f64 = 10.0;
const BELOW: f64 = 3.0;
/// Distance of lines.
const LINE: f64 = 14.0;
/// A name may be so many lines away from its place.
const MOST_LINES: i32 = 4;
/// The title has the top.
const TITLE: f64 = 26.0;

/// A rectangle: left, right, upper and lower end.
type Room = [f64; 4];

/// Where names begin, by the places they belong to, on a sheet of some width and height. Each is at the upper right
/// of its place, or where else near it there is room.
pub(crate) fn apart(names: &[([f64; 2], String)], [width, height]: [f64; 2]) -> Vec<[f64; 2]> {
    let mut taken: Vec<Room> = Vec::new();
    let mut found = Vec::new();
    for ([x, y], name) in names {
        // 0.56 em is the mean width of such letters
        let length = 0.56 * FONT * name.chars().count() as f64;
        let room = |[left, line]: [f64; 2]| [left, left + length, line - ABOVE, line + BELOW];
        let inside = |[left, right, up, low]: Room| {
            left >= 0.0 && right <= width && up >= TITLE && low <= height
        };
        let free = |place: &[f64; 2]| {
            let room = room(*place);
            inside(room) && taken.iter().all(|other| !overlap(&room, other))
        };
        let usual = [x + 9.0, y - 8.0];
        let chosen = candidates([*x, *y], length).find(free).unwrap_or(usual);
        taken.push(room(chosen));
        found.push(chosen);
    }
    found
}

/// Places for a name, the best first: right and left, above and below, and farther away.
fn candidates([x, y]: [f64; 2], length: f64) -> impl Iterator<Item = [f64; 2]> {
    let sides = [x + 9.0, x - 9.0 - length];
    (0..MOST_LINES).flat_map(move |k| {
        let away = LINE * f64::from(k);
        let lines = [y - 8.0 - away, y + 18.0 + away];
        sides.into_iter().flat_map(move |left| lines.map(|line| [left, line]))
    })
}

fn overlap(a: &Room, b: &Room) -> bool {
    a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3]
}

#[cfg(test)]
mod tests {
    use super::{FONT, apart};

    #[test]
    fn names_of_one_place_do_not_overlap() {
        let names: Vec<_> =
            ["disc", "shaft", "bearing"].map(|name| ([320.0, 200.0], name.to_owned())).to_vec();
        let found = apart(&names, [640.0, 440.0]);
        assert_eq!(found[0], [329.0, 192.0], "the first has its usual place");
        for (i, a) in found.iter().enumerate() {
            for (b, (_, name)) in found.iter().zip(&names).take(i) {
                let length = 0.56 * FONT * name.chars().count() as f64;
                let apart = (a[1] - b[1]).abs() >= FONT || a[0] >= b[0] + length || a[0] < b[0];
                assert!(apart, "{found:?}");
            }
        }
    }

    #[test]
    fn a_name_at_the_edge_goes_to_the_other_side() {
        let names = vec![([630.0, 200.0], "a long name".to_owned())];
        let [left, _] = apart(&names, [640.0, 440.0])[0];
        assert!(left < 630.0 - 9.0, "{left}");
    }
}
