//! Slopes at the points of a table, for cubics between them.

/// Slopes for which no piece overshoots: weighted harmonic means of the slopes of the neighbouring lines, and zero where
/// these change sign (Fritsch and Butland, 1984). At the ends the slope of the parabola through three points, kept within
/// the bounds of monotony; a periodic table has no ends.
pub(crate) fn monotone(x: &[f64], y: &[f64], periodic: bool) -> Vec<f64> {
    let (widths, secants) = pieces(x, y);
    let count = secants.len();
    if count == 1 {
        return vec![if periodic { 0.0 } else { secants[0] }; 2];
    }
    let inner = |before: usize, after: usize| {
        let (a, b) = (secants[before], secants[after]);
        if a * b <= 0.0 {
            return 0.0;
        }
        let (w1, w2) = (2.0 * widths[after] + widths[before], widths[after] + 2.0 * widths[before]);
        (w1 + w2) / (w1 / a + w2 / b)
    };
    let end = |at: usize, next: usize| {
        let (h, secant, other) = (widths[at], secants[at], secants[next]);
        let slope = ((2.0 * h + widths[next]) * secant - h * other) / (h + widths[next]);
        if slope * secant <= 0.0 {
            0.0
        } else if secant * other <= 0.0 && slope.abs() > 3.0 * secant.abs() {
            3.0 * secant
        } else {
            slope
        }
    };
    let ends = match periodic {
        true => [inner(count - 1, 0); 2],
        false => [end(0, 1), end(count - 1, count - 2)],
    };
    let mut slopes = vec![ends[0]];
    slopes.extend((1..count).map(|k| inner(k - 1, k)));
    slopes.push(ends[1]);
    slopes
}

/// Slopes for which the curvature is continuous too. The first two and the last two pieces are one cubic each ("not a
/// knot"); of a periodic table the last piece goes on as the first.
pub(crate) fn spline(x: &[f64], y: &[f64], periodic: bool) -> Vec<f64> {
    let (h, d) = pieces(x, y);
    let count = d.len();
    match (periodic, count) {
        (true, 1) => return vec![0.0; 2],
        (true, 2) => {
            // the two conditions differ only in which slope they count twice
            return vec![(h[1] * d[0] + h[0] * d[1]) / (h[0] + h[1]); 3];
        }
        (false, 1) => return vec![d[0]; 2],
        (false, 2) => {
            let bend = (d[1] - d[0]) / (h[0] + h[1]);
            return vec![d[0] - h[0] * bend, d[0] + h[0] * bend, d[1] + h[1] * bend];
        }
        _ => {}
    }
    // between pieces a and b the curvatures agree: h_b m₋ + 2(h_a + h_b) m + h_a m₊ = 3(h_b d_a + h_a d_b)
    let row =
        |a: usize, b: usize| ([h[b], 2.0 * (h[a] + h[b]), h[a]], 3.0 * (h[b] * d[a] + h[a] * d[b]));
    if periodic {
        let rows: Vec<_> = (0..count).map(|k| row((k + count - 1) % count, k)).collect();
        let mut slopes = cyclic(&rows);
        slopes.push(slopes[0]);
        return slopes;
    }
    let mut rows = Vec::with_capacity(count + 1);
    let edge = |near: usize, next: usize| {
        let (a, b) = (h[near], h[next]);
        let right = ((a + 2.0 * (a + b)) * b * d[near] + a * a * d[next]) / (a + b);
        (b, a + b, right)
    };
    let (diagonal, beside, right) = edge(0, 1);
    rows.push(([0.0, diagonal, beside], right));
    rows.extend((1..count).map(|k| row(k - 1, k)));
    let (diagonal, beside, right) = edge(count - 1, count - 2);
    rows.push(([beside, diagonal, 0.0], right));
    tridiagonal(&rows)
}

/// Widths and slopes of the lines between neighbours.
fn pieces(x: &[f64], y: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let widths: Vec<f64> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let secants = y.windows(2).zip(&widths).map(|(pair, h)| (pair[1] - pair[0]) / h).collect();
    (widths, secants)
}

type Row = ([f64; 3], f64);

/// Solves rows of (below, diagonal, above), which need no pivots here.
fn tridiagonal(rows: &[Row]) -> Vec<f64> {
    let mut above = Vec::with_capacity(rows.len());
    let mut right: Vec<f64> = Vec::with_capacity(rows.len());
    for (k, ([a, b, c], r)) in rows.iter().enumerate() {
        let (before, known) = if k == 0 { (0.0, 0.0) } else { (above[k - 1], right[k - 1]) };
        let pivot = b - a * before;
        above.push(c / pivot);
        right.push((r - a * known) / pivot);
    }
    for k in (0..rows.len() - 1).rev() {
        right[k] -= above[k] * right[k + 1];
    }
    right
}

/// The same where the first and last row reach round to each other (Sherman and Morrison).
fn cyclic(rows: &[Row]) -> Vec<f64> {
    let last = rows.len() - 1;
    let (corner, other) = (rows[0].0[0], rows[last].0[2]);
    let gamma = -rows[0].0[1];
    let mut plain = rows.to_vec();
    plain[0].0[0] = 0.0;
    plain[0].0[1] -= gamma;
    plain[last].0[2] = 0.0;
    plain[last].0[1] -= corner * other / gamma;
    let solution = tridiagonal(&plain);
    for (k, row) in plain.iter_mut().enumerate() {
        row.1 = if k == 0 {
            gamma
        } else if k == last {
            other
        } else {
            0.0
        };
    }
    let change = tridiagonal(&plain);
    let ratio = corner / gamma;
    let factor = (solution[0] + ratio * solution[last]) / (1.0 + change[0] + ratio * change[last]);
    solution.iter().zip(&change).map(|(s, c)| s - factor * c).collect()
}
