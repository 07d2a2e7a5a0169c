//! Runs the gallery entries of documents 002 and 004, and the invariants of contact.

fn reproduce(name: &str) {
    let entries = rotula_gallery::entries();
    let entry = entries.iter().find(|entry| entry.name == name).expect("an entry of this name");
    let finished = rotula_gallery::run(entry);
    let failed: Vec<_> = finished.checks.iter().filter(|check| !check.ok).collect();
    let list: String = failed
        .iter()
        .map(|check| {
            let deviation = check.value - check.expected;
            format!(
                "\n  {}: {:e} instead of {:e} (off by {deviation:.2e}, allowed {:.2e})",
                check.what, check.value, check.expected, check.tolerance
            )
        })
        .collect();
    let (count, of) = (failed.len(), finished.checks.len());
    assert!(finished.error.is_none(), "{name}: {}{list}", finished.error.unwrap_or_default());
    assert_eq!(finished.status, "pass", "{name}: {count} of {of} checks fail{list}");
}

#[test]
fn pendulum_levels() {
    reproduce("pendulum-levels");
}

#[test]
fn pendulum_order() {
    reproduce("pendulum-order");
}

#[test]
fn stiff_spring() {
    reproduce("stiff-spring");
}

#[test]
fn bushing() {
    reproduce("bushing");
}

#[test]
fn flexible_slider_crank() {
    reproduce("flexible-slider-crank");
}

#[test]
fn bouncing_pendulum() {
    reproduce("bouncing-pendulum");
}

#[test]
fn flexible_bouncing_pendulum() {
    reproduce("flexible-bouncing-pendulum");
}

#[test]
fn impacting_bar() {
    reproduce("impacting-bar");
}

#[test]
fn contact_laws() {
    reproduce("contact-laws");
}

#[test]
fn contact_rolling() {
    reproduce("contact-rolling");
}

#[test]
fn contact_rims() {
    reproduce("contact-rims");
}

#[test]
fn contact_friction() {
    reproduce("contact-friction");
}

#[test]
fn contact_passing() {
    reproduce("contact-passing");
}

#[test]
fn contact_machines() {
    reproduce("contact-machines");
}

#[test]
fn contact_bounces() {
    reproduce("contact-bounces");
}

#[test]
fn contact_simultaneous() {
    reproduce("contact-simultaneous");
}
