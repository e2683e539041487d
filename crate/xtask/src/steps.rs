//! The steps of `cargo xtask test`: every check there is, what each runs, and what a quick run does of it.
//!
//! Invariant: a step fails when its program fails, also where no test of it did.

use crate::count::{self, Count};
use crate::process::Program;
use crate::progress::Progress;
use crate::project::Project;
use crate::{browser, build, install, loaded, size};

/// With which others a step runs in a whole run: code and product are checked side by side, each lane one step after
/// the other, since compilers, linkers and browsers leave a processor idle again and again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    Code,
    Product,
}

/// One step: when it runs, its name, its title, its work.
pub struct Step {
    pub lane: Lane,
    pub name: &'static str,
    pub title: &'static str,
    run: Work,
    /// What a quick run does of it, if anything.
    quick: Option<Work>,
}

/// The work of a step.
type Work = fn(&Project) -> Result<Count, String>;

impl Step {
    /// Whether a quick run has something of this step.
    pub fn is_quick(&self) -> bool {
        self.quick.is_some()
    }

    /// Does the step's work, or the quick run's part of it.
    pub fn work(&self, project: &Project, quick: bool) -> Result<Count, String> {
        match self.quick {
            Some(less) if quick => less(project),
            _ => (self.run)(project),
        }
    }
}

/// Every step, in the order of running: the quick ones first, builds before the steps that need them.
pub const STEPS: &[Step] = &[
    Step {
        lane: Lane::Code,
        name: "fmt",
        title: "formatting (cargo fmt --check)",
        run: format,
        quick: Some(format),
    },
    Step {
        lane: Lane::Code,
        name: "clippy",
        title: "clippy, native, warnings denied",
        run: clippy,
        quick: Some(clippy),
    },
    Step {
        lane: Lane::Code,
        name: "clippy-wasm",
        title: "clippy, wasm32, warnings denied",
        run: clippy_wasm,
        quick: None,
    },
    Step {
        lane: Lane::Code,
        name: "native",
        title: "native tests: units, golden scripts, models, crashes",
        run: native,
        quick: Some(native_quick),
    },
    Step {
        lane: Lane::Code,
        name: "wasm-node",
        title: "tests compiled to WebAssembly, in Node",
        run: wasm_node,
        quick: None,
    },
    Step {
        lane: Lane::Code,
        name: "wasm-chrome",
        title: "tests compiled to WebAssembly, in a browser",
        run: wasm_chrome,
        quick: None,
    },
    Step {
        lane: Lane::Code,
        name: "wasm-others",
        title: "wasm tests of IndexedDB in Firefox and WebKit, where they can be had",
        run: wasm_others,
        quick: None,
    },
    Step {
        lane: Lane::Product,
        name: "build",
        title: "the engine, the npm package and the web app",
        run: build_all,
        quick: Some(build_all),
    },
    Step {
        lane: Lane::Product,
        name: "size",
        title: "size budgets",
        run: sizes,
        quick: None,
    },
    Step {
        lane: Lane::Product,
        name: "lint",
        title: "formatting and lint of TypeScript and JavaScript (Biome)",
        run: lint,
        quick: Some(lint),
    },
    Step {
        lane: Lane::Product,
        name: "types",
        title: "TypeScript (tsc)",
        run: types,
        quick: Some(types),
    },
    Step {
        lane: Lane::Product,
        name: "web",
        title: "web unit tests",
        run: web,
        quick: Some(web_quick),
    },
    Step {
        lane: Lane::Product,
        name: "simulation",
        title: "the simulated deployment: tabs, locks, storage and their faults, by seeds",
        run: simulation,
        quick: None,
    },
    Step {
        lane: Lane::Product,
        name: "package",
        title: "the packed npm package in a clean project",
        run: package,
        quick: None,
    },
    Step {
        lane: Lane::Product,
        name: "toolchains",
        title: "the npm package in the bundlers, runtimes and test runners of its README, and its server by clients",
        run: toolchains,
        quick: None,
    },
    Step {
        lane: Lane::Product,
        name: "e2e",
        title: "end-to-end tests in a browser",
        run: end_to_end,
        quick: Some(end_to_end_quick),
    },
];

/// Runs a program that has no tests of its own.
fn plain(program: Program) -> Result<Count, String> {
    program.gathered().run().map(|()| Count::PASSED)
}

/// Runs a test runner and counts its tests. A runner that fails without a failing test (it did not
/// compile, it crashed) counts as one failure, and so does one that ran nothing.
fn counted(program: Program) -> Result<Count, String> {
    let line = program.line();
    let finished = program.gathered().show_and_keep()?;
    let mut count = count::in_output(&finished.output);
    if finished.success && count == Count::default() {
        return Err(format!("`{line}` ran no test"));
    }
    if !finished.success && count.failed == 0 {
        count.failed = 1;
    }
    if count.failed > 0 {
        println!("--- `{line}` failed");
    }
    Ok(count)
}

fn cargo(project: &Project, words: &str) -> Program {
    Program::new(project, "cargo").words(words)
}

/// A script of web/.
pub fn npm(project: &Project, script: &str) -> Program {
    Program::npm(project)
        .words("run --silent")
        .argument(script)
        .within(&project.web)
}

fn format(project: &Project) -> Result<Count, String> {
    plain(cargo(project, "fmt --all --check"))
}

fn clippy(project: &Project) -> Result<Count, String> {
    plain(cargo(
        project,
        "clippy --workspace --all-targets --profile checked -- -D warnings",
    ))
}

/// The engine as a page has it. What `tests/wasm.rs` needs beside it is compiled for tests alone, and linted natively.
fn clippy_wasm(project: &Project) -> Result<Count, String> {
    plain(cargo(
        project,
        "clippy --package quire --lib --test browser --test lent --no-default-features \
         --target wasm32-unknown-unknown -- -D warnings",
    ))
}

/// The unit tests. Those of the engine are not optimised: they are compiled in a quarter of the time, which is more
/// than they take longer to run. The crates that they use are those of the other tests.
pub const UNITS: &str = "--lib --bins --config profile.checked.package.quire.opt-level=0";

/// Tests that are compiled natively: programs, each as options of `cargo test`.
fn native_tests(project: &Project, programs: &[&str]) -> Result<Count, String> {
    let mut count = Count::default();
    for program in programs {
        let test = cargo(project, "test --workspace --no-fail-fast --profile checked");
        count.add(counted(test.words(program))?);
    }
    Ok(count)
}

fn native(project: &Project) -> Result<Count, String> {
    native_tests(project, &[UNITS, "--test *", "--doc"])
}

/// The units of the engine, the golden scripts and the house rules: most of what an everyday change can break.
fn native_quick(project: &Project) -> Result<Count, String> {
    native_tests(project, &[UNITS, "--test scripts --test tidy"])
}

fn build_all(project: &Project) -> Result<Count, String> {
    let mut progress = Progress::new(build::STEPS);
    build::all(project, &mut progress, false)?;
    Ok(Count::PASSED)
}

fn sizes(project: &Project) -> Result<Count, String> {
    size::measure(project)
}

fn lint(project: &Project) -> Result<Count, String> {
    plain(npm(project, "lint"))
}

fn types(project: &Project) -> Result<Count, String> {
    plain(npm(project, "check"))
}

fn web(project: &Project) -> Result<Count, String> {
    counted(npm(project, "test"))
}

/// Without the file that fills engines to the brim, which takes longest.
fn web_quick(project: &Project) -> Result<Count, String> {
    counted(npm(project, "test").words("-- --exclude test/brim.test.ts"))
}

/// The worker's code and the engine in a simulated browser.
fn simulation(project: &Project) -> Result<Count, String> {
    install::need_node(project)?;
    let program = Program::new(project, "node").words(
        "--test tests/simulation/simulation.test.mjs tests/simulation/moments.test.mjs \
         tests/simulation/room.test.mjs tests/simulation/meta.test.mjs",
    );
    counted(program)
}

/// Packs pkg/, installs the file into an empty project and imports its entry points there.
fn package(project: &Project) -> Result<Count, String> {
    crate::release::pack_and_try(project)?;
    Ok(Count::PASSED)
}

/// Packs pkg/, and has each tool of `tests/toolchains` build and run a small project with that file, and clients of
/// MongoDB use its server.
fn toolchains(project: &Project) -> Result<Count, String> {
    let browser = browser::find(project).ok_or("no browser was found")?;
    let tools = install::toolchains(project)?;
    let mongosh = install::mongosh(project)?;
    let packed = crate::release::pack(project)?;
    counted(
        Program::new(project, "node")
            .words("--test tests/toolchains/toolchains.test.mjs tests/toolchains/clients.test.mjs")
            .words("tests/toolchains/testing.test.mjs tests/toolchains/push.test.mjs")
            .variable("CHROMIUM", browser)
            .variable("QUIRE_TOOLCHAINS", tools)
            .variable("QUIRE_MONGOSH", mongosh)
            .variable("QUIRE_PACKED", packed),
    )
}

/// Tests in WebAssembly have no information for debuggers: it is half of each module, and the runner reads all of it
/// each time.
const WITHOUT_DEBUG: (&str, &str) = ("CARGO_PROFILE_DEV_DEBUG", "false");

/// Rust's tests that are compiled to WebAssembly.
fn wasm_tests(project: &Project, tests: &str) -> Program {
    cargo(project, "test --target")
        .argument(install::TARGET)
        .words(tests)
        .variable("CARGO_TARGET_DIR", &project.target)
        .variable(WITHOUT_DEBUG.0, WITHOUT_DEBUG.1)
        .variable(
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER",
            install::wasm_tests_program(project),
        )
}

fn wasm_node(project: &Project) -> Result<Count, String> {
    install::need_node(project)?;
    counted(wasm_tests(project, "--test wasm").variable("WASM_BINDGEN_TEST_ONLY_NODE", "1"))
}

fn wasm_chrome(project: &Project) -> Result<Count, String> {
    let driver = { project.find_program("chromedriver") }.ok_or("no chromedriver was found")?;
    counted(
        wasm_tests(project, "--test browser --test lent")
            .variable("WASM_BINDGEN_TEST_ONLY_WEB", "1")
            .variable("CHROMEDRIVER", driver),
    )
}

/// The IndexedDB tests in the browsers that the runner has no driver for. A browser that is missing is no failure, and
/// said.
fn wasm_others(project: &Project) -> Result<Count, String> {
    install::need_node(project)?;
    let finished = Program::new(project, "node")
        .argument("tests/e2e/rust-tests.mjs")
        .variable("CARGO_TARGET_DIR", &project.target)
        .variable(WITHOUT_DEBUG.0, WITHOUT_DEBUG.1)
        .variable("QUIRE_WASM_TESTS", install::wasm_tests_program(project))
        .gathered()
        .show_and_keep()?;
    let mut count = count::in_output(&finished.output);
    if !finished.success && count.failed == 0 {
        count.failed = 1;
    }
    Ok(count)
}

fn end_to_end(project: &Project) -> Result<Count, String> {
    let browser = browser::find(project).ok_or("no browser was found")?;
    let files = loaded::files(project, &[])?;
    counted(
        Program::new(project, "node")
            .words("--test")
            .argument(loaded::at_once(loaded::AT_ONCE))
            .arguments(&files)
            .variable("CHROMIUM", browser),
    )
}

/// The playground as a reader uses it first.
fn end_to_end_quick(project: &Project) -> Result<Count, String> {
    let browser = browser::find(project).ok_or("no browser was found")?;
    counted(
        Program::new(project, "node")
            .words("--test tests/e2e/playground.test.mjs")
            .variable("CHROMIUM", browser),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_names_are_unique() {
        let mut names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STEPS.len());
    }
}
