//! `cargo xtask check`: the quick loop of someone who works on the engine.

use crate::arguments::Arguments;
use crate::process::Program;
use crate::progress::{Progress, seconds};
use crate::project::Project;

/// The verb.
pub fn run(project: &Project, _: &Arguments) -> Result<(), String> {
    let mut progress = Progress::new(3);
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
    progress.step("unit tests of the library and the house rules", || {
        cargo("test --quiet --profile checked --lib --test tidy")
    })?;
    println!(
        "\nGood after {}. `cargo xtask test` is the whole.",
        seconds(progress.elapsed())
    );
    Ok(())
}
