//! The engine in a web page: reads models, runs them in slices, and gives back whole reports.
//!
//! | file | concept |
//! |---|---|
//! | `lib` | what the page calls |
//! | `session` | a model that is run in slices |
//! | `answer` | what the page is told: facts of a model, or what is wrong and where |
//!
//! The page and the engine share no types, only bytes. The page asks for [`room`], writes a text there, calls
//! [`check`], [`begin`] or [`give`], and reads the answer between [`answer_start`] and [`answer_length`]. A run goes on only as
//! long as [`advance`] is called, so that the page stays in command of time. There is one engine and one run to a thread.

#![deny(unsafe_code)]

mod answer;
mod session;

use session::{Concluded, Session};
use std::cell::RefCell;

#[derive(Default)]
struct Engine {
    /// What the page has written.
    room: Vec<u8>,
    /// What it may read.
    answer: Vec<u8>,
    session: Option<Session>,
    /// The run that ended last.
    concluded: Option<Concluded>,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
}

impl Engine {
    fn answer(&mut self, text: impl Into<Vec<u8>>) {
        self.answer = text.into();
    }

    /// A name and what it names, which stand behind each other.
    fn named(&self, length: usize) -> (String, &[u8]) {
        let (name, content) = self.room.split_at(length.min(self.room.len()));
        (String::from_utf8_lossy(name).into_owned(), content)
    }

    fn model(&self, length: usize) -> (String, String) {
        let (name, text) = self.named(length);
        (name, String::from_utf8_lossy(text).into_owned())
    }
}

fn with<T>(task: impl FnOnce(&mut Engine) -> T) -> T {
    ENGINE.with_borrow_mut(task)
}

/// Room for so many bytes, which the page writes before its next call.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    with(|engine| {
        engine.room.clear();
        engine.room.resize(length, 0);
        engine.room.as_mut_ptr()
    })
}

/// Where the answer to the last call begins.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn answer_start() -> *const u8 {
    with(|engine| engine.answer.as_ptr())
}

/// How many bytes the answer to the last call has.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    with(|engine| engine.answer.len())
}

/// Takes a file that models may name: its name, of so many bytes, then its content.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn give(name: usize) {
    #[cfg(target_family = "wasm")]
    with(|engine| {
        let (name, content) = engine.named(name);
        rotula_files::give(std::path::Path::new(&name), content.to_vec());
    });
    #[cfg(not(target_family = "wasm"))]
    let _ = name;
}

/// Answers what a model is, or what is wrong with it: its name, of so many bytes, then its text.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn check(name: usize) {
    with(|engine| {
        let (name, text) = engine.model(name);
        engine.answer(answer::check(&name, &text).to_string());
    });
}

/// Begins a run of a model, in place of the one before: its name, of so many bytes, then its text. Answers as
/// [`check`] does.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn begin(name: usize) {
    with(|engine| {
        let (name, text) = engine.model(name);
        engine.session = None;
        let begun = Session::begin(&name, &text);
        match begun {
            Ok((session, facts)) => {
                engine.session = Some(session);
                engine.answer(facts.to_string());
            }
            Err(fault) => engine.answer(fault.to_string()),
        }
    });
}

/// Takes so many steps. Returns the part of the run that is done: 1 at its end, whether it succeeded or not, and less than 0
/// without a run.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn advance(steps: u32) -> f64 {
    with(|engine| engine.session.as_mut().map_or(-1.0, |session| session.advance(steps)))
}

/// The time that the run has reached.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn reached() -> f64 {
    with(|engine| engine.session.as_ref().map_or(f64::NAN, Session::reached))
}

/// Ends the run, here or early, and answers with its report; `seconds` is how long it took.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn conclude(seconds: f64) {
    with(|engine| {
        if let Some(session) = engine.session.take() {
            engine.concluded = Some(session.conclude(seconds));
        }
        let page = engine.concluded.as_ref().map_or(String::new(), Concluded::page);
        engine.answer(page);
    });
}

/// Answers with the table of the run that ended last: what a program writes as `trajectory.csv`.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn table() {
    with(|engine| {
        let table = engine.concluded.as_ref().map_or(String::new(), Concluded::table);
        engine.answer(table);
    });
}
