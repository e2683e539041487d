//! `cargo xtask check`: the quick loop of someone who works on the engine.

use crate::arguments::Arguments;
use crate::process::Program;
use crate::progress::{Progress, seconds};
use crate::project::Project;
use crate::steps::UNITS;

/// The verb.
pub fn run(project: &Project, _: &Arguments) -> Result<(), String> {
    let mut progress = Progress::new(4);
    let cargo = |words: &str| {
        Program::new(project, "cargo")
            .words(words)
            .run()
            .map(|()| "good".to_owned())
    };
    progress.step("formatting", || cargo("fmt --all --check"))?;
    progress.step("clippy", || {
        cargo("clippy --workspace --all-targets --profile checked -- -D warnings")
    })?;
    progress.step("unit tests", || {
        cargo(&format!(
            "test --quiet --workspace --profile checked {UNITS}"
        ))
    })?;
    progress.step("the house rules", || {
        cargo("test --quiet --workspace --profile checked --test tidy")
    })?;
    println!(
        "\nGood after {}. `cargo xtask test` is the whole.",
        seconds(progress.elapsed())
    );
    Ok(())
}
