//! `cargo xtask profile`: which functions are run often, counted by an engine with counters.
//!
//! The counters are LLVM's, put into the engine, `bson` and the standard library (`standard.rs`): with them in the
//! crates of wasm-bindgen its tool can no longer read the descriptions in these. Needs clang, for the counters' runtime
//! (crate `minicov`); the compiler is asked as its own bootstrap does, since leaving out its own runtime is no stable
//! option. Invariant: the engine is compiled by the release profile, so that its symbols are those of the release.

use crate::arguments::Arguments;
use crate::hot;
use crate::install;
use crate::process::Program;
use crate::progress::Progress;
use crate::project::Project;
use crate::standard;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Set where this program stands in the compiler's place.
const COUNTING: &str = "QUIRE_COUNTING";
/// The crates that get counters.
const COUNTED: [&str; 4] = ["alloc", "bson", "core", "quire"];
/// Functions of a few instructions go into their callers before counters are put in: they are no functions of the list.
const COUNTERS: [&str; 4] = [
    "-Cprofile-generate",
    "-Zno-profiler-runtime",
    "-Cllvm-args=-disable-vp=true",
    "-Cllvm-args=-preinline-threshold=10",
];
/// How often some part of a listed function runs: as often as a step that is done once for each of the products of
/// `benches/profile`, or ten times for each of its few other documents. Half of it adds 280 functions and 11 KB, and
/// makes fifteen everyday commands in Node 0.8 of a hundred faster.
const OFTEN: u64 = 23_000;
/// How often the parts of a listed function run in the mean: a large function of which few parts run that often is
/// dear.
const OFTEN_IN_MEAN: u64 = 2_500;
/// How often a listed function of the standard library's own runs: the library that Rust ships is compiled for speed as
/// a whole, and what runs at all in everyday commands is to be no slower.
const OFTEN_IN_LIBRARY: u64 = 500;
/// The engine's name in symbols.
const ENGINE: &str = "5quire";

/// Parts of the names of functions that are not listed however often they run. They take the values of a walk over a
/// document's fields: inlined into the walk, they push its own variables out of registers, and every scan takes an
/// eighth longer.
const APART: [&str; 4] = [
    "11path_readerNtB7_10PathReader9read_here",
    "10PathReader13read_by_names",
    "5query4scanNtB6_4Scan5holds0",
    "6KeySet4read0",
];

/// The verb.
pub fn run(project: &Project, _: &Arguments) -> Result<(), String> {
    let mut progress = Progress::new(6);
    progress.step("Rust's wasm target and its library's source", || {
        install::library_source(project)?;
        install::wasm_target(project)
    })?;
    progress.step("the maker of the engine's glue", || {
        install::glue_maker(project)
    })?;
    progress.step("LLVM's tools of the compiler's version", || {
        install::llvm_tools(project)
    })?;
    let folder = project.target.join("profile");
    progress.step("the engine, with counters", || {
        counting_engine(project, &folder)
    })?;
    let (raw, merged) = (
        folder.join("counts.profraw"),
        folder.join("counts.profdata"),
    );
    progress.step("the commands of benches/profile", || {
        Program::new(project, "node")
            .argument(project.root.join("benches/profile/run.mjs"))
            .argument(&folder)
            .argument(&raw)
            .run()?;
        Ok("counted".to_owned())
    })?;
    progress.step("crate/hot-functions.txt", || {
        let tool = llvm_profdata(project)?.to_string_lossy().into_owned();
        Program::new(project, &tool)
            .words("merge -o")
            .argument(&merged)
            .argument(&raw)
            .run()?;
        let text = Program::new(project, &tool)
            .words("show --all-functions --counts")
            .argument(&merged)
            .read()?;
        let names = often(&text);
        let path = hot::list(project);
        fs::write(&path, names.join("\n") + "\n")
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(format!("{} functions", names.len()))
    })
}

/// Compiles the engine with counters and makes its glue.
fn counting_engine(project: &Project, folder: &Path) -> Result<String, String> {
    let own = env::current_exe().map_err(|error| error.to_string())?;
    standard::cargo(project)
        .words("--package quire-page --features quire-page/counters --target-dir")
        .argument(folder)
        .variable("RUSTC_WRAPPER", own)
        .variable(
            "CARGO_ENCODED_RUSTFLAGS",
            standard::FLAGS.trim().replace('\n', "\x1f"),
        )
        .variable(COUNTING, "1")
        .run()?;
    Program::new(project, &install::glue_program(project).to_string_lossy())
        .argument(folder.join(install::released(standard::ENGINE)))
        .argument(folder)
        .run()?;
    Ok("built".to_owned())
}

/// Where rustup puts the tool.
fn llvm_profdata(project: &Project) -> Result<PathBuf, String> {
    let libraries = install::rust_libraries(project)?;
    let found = fs::read_dir(&libraries)
        .map_err(|error| format!("{}: {error}", libraries.display()))?
        .flatten()
        .map(|entry| {
            entry
                .path()
                .join("bin")
                .join(format!("llvm-profdata{}", env::consts::EXE_SUFFIX))
        })
        .find(|file| file.is_file());
    found.ok_or_else(|| format!("no llvm-profdata below {}", libraries.display()))
}

/// The functions of which some part was run often, of the output of `llvm-profdata show`, sorted.
fn often(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut name = "";
    for line in text.lines() {
        if let Some(counts) = line.trim_start().strip_prefix("Block counts: [") {
            let counts = counts.trim_end_matches(']').split(", ");
            let counts: Vec<u64> = counts.filter_map(|count| count.parse().ok()).collect();
            let (least, in_mean) = match name.contains(ENGINE) {
                true => (OFTEN, OFTEN_IN_MEAN),
                false => (OFTEN_IN_LIBRARY, 0),
            };
            let together: u64 = counts.iter().sum();
            if counts.iter().any(|count| *count >= least)
                && together >= in_mean * counts.len() as u64
            {
                names.push(name.to_owned());
            }
        } else if let Some(symbol) = line
            .strip_prefix("  ")
            .and_then(|rest| rest.strip_suffix(':'))
        {
            // A function that only its own part of the program knows has that part's name before it.
            name = symbol.rsplit(';').next().unwrap_or(symbol).trim();
        }
    }
    names.retain(|name| name.starts_with("_R") && !APART.iter().any(|part| name.contains(part)));
    names.sort();
    names.dedup();
    names
}

/// Runs the compiler in whose place this program was started, with counters where they belong; `None` when it was not.
pub fn compile_in_place_of_rustc() -> Option<ExitCode> {
    env::var_os(COUNTING)?;
    let mut arguments = env::args_os().skip(1);
    let mut compiler = Command::new(arguments.next()?);
    let arguments: Vec<OsString> = arguments.collect();
    let of_engine = |pair: &[OsString]| {
        pair[0] == "--crate-name" && COUNTED.iter().any(|name| pair[1] == *name)
    };
    let of_wasm = arguments.iter().any(|argument| argument == install::TARGET);
    compiler.args(&arguments);
    if of_wasm && arguments.windows(2).any(of_engine) {
        compiler.args(COUNTERS);
    }
    let good = compiler.status().is_ok_and(|status| status.success());
    Some(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_ran_often_are_found() {
        let (enough, fewer) = (OFTEN, OFTEN - 1);
        let text = format!(
            "Counters:\n  part.1;_RNv5quireB:\n    Hash: 0x02\n    Counters: 2\n    Block counts: [3, {enough}]\n  \
            _RNv5quireA:\n    Hash: 0x01\n    Counters: 1\n    Block counts: [{fewer}]\n  _RNv5quireD:\n    \
            Counters: 9\n    Block counts: [{enough}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]\n  _RNvC:\n    Counters: 1\n    Block counts: [500]\n  \
            memcpy:\n    Counters: 1\n    Block counts: [70000]\n  _RNvMs_4bson11path_readerNtB4_10PathReader13read_by_names:\n    \
            Counters: 1\n    Block counts: [70000]\nTotal functions: 5\n"
        );
        assert_eq!(often(&text), ["_RNv5quireB", "_RNvC"]);
    }
}
