//! What a wrong name was probably meant to be.

/// The nearest of the candidates as a question, and else all of them.
pub fn did_you_mean(name: &str, candidates: Vec<&str>) -> String {
    match near(name, &candidates) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("choose one of {}", list(&candidates)),
    }
}

/// The candidate that `name` is probably meant to be. One letter is no typing error of another.
pub fn near<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let other_case = |candidate: &&&str| candidate.to_lowercase() == name.to_lowercase();
    match candidates.iter().find(other_case) {
        Some(candidate) => Some(candidate),
        None if name.chars().nth(1).is_none() => None,
        None => rotula_formula::nearest(name, candidates.iter().copied()),
    }
}

/// `a, b, c`, at most twenty of them.
pub fn list(names: &[&str]) -> String {
    const MOST: usize = 20;
    let mut text =
        names.iter().take(MOST).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        text.push_str(&format!(" and {} more", names.len() - MOST));
    }
    text
}
