//! `cargo xtask test`: every check there is.
//!
//! Invariant: a failing step never hides a later one; the exit code and the closing line
//! `N passed, N failed` tell the whole truth. A step without tests of its own counts as one.

use crate::arguments::Arguments;
use crate::count::{self, Count};
use crate::process::Program;
use crate::progress::{Progress, seconds};
use crate::project::Project;
use crate::{browser, build, install, size};
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// When a step runs in a whole run: code and product are checked side by side, since compilers and linkers leave a
/// processor idle again and again; steps that drive pages in several browsers come last and have the machine for
/// themselves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lane {
    Code,
    Product,
    Browsers,
}

/// One step: when it runs, its name, its title, its function.
struct Step {
    lane: Lane,
    name: &'static str,
    title: &'static str,
    run: fn(&Project) -> Result<Count, String>,
}

/// Every step, in the order of running: the quick ones first, builds before the steps that need them.
const STEPS: &[Step] = &[
    Step {
        lane: Lane::Code,
        name: "fmt",
        title: "formatting (cargo fmt --check)",
        run: format,
    },
    Step {
        lane: Lane::Code,
        name: "clippy",
        title: "clippy, native, warnings denied",
        run: clippy,
    },
    Step {
        lane: Lane::Code,
        name: "clippy-wasm",
        title: "clippy, wasm32, warnings denied",
        run: clippy_wasm,
    },
    Step {
        lane: Lane::Code,
        name: "native",
        title: "native tests: units, golden scripts, models, crashes",
        run: native,
    },
    Step {
        lane: Lane::Code,
        name: "wasm-node",
        title: "tests compiled to WebAssembly, in Node",
        run: wasm_node,
    },
    Step {
        lane: Lane::Code,
        name: "wasm-chrome",
        title: "tests compiled to WebAssembly, in a browser",
        run: wasm_chrome,
    },
    Step {
        lane: Lane::Product,
        name: "build",
        title: "the engine, the npm package and the web app",
        run: build_all,
    },
    Step {
        lane: Lane::Product,
        name: "size",
        title: "size budgets",
        run: sizes,
    },
    Step {
        lane: Lane::Product,
        name: "lint",
        title: "formatting and lint of TypeScript and JavaScript (Biome)",
        run: lint,
    },
    Step {
        lane: Lane::Product,
        name: "types",
        title: "TypeScript (tsc)",
        run: types,
    },
    Step {
        lane: Lane::Product,
        name: "web",
        title: "web unit tests",
        run: web,
    },
    Step {
        lane: Lane::Product,
        name: "simulation",
        title: "the simulated deployment: tabs, locks, storage and their faults, by seeds",
        run: simulation,
    },
    Step {
        lane: Lane::Product,
        name: "package",
        title: "the packed npm package in a clean project",
        run: package,
    },
    Step {
        lane: Lane::Product,
        name: "toolchains",
        title: "the packed npm package in every bundler, runtime and test runner of its README",
        run: toolchains,
    },
    Step {
        lane: Lane::Browsers,
        name: "wasm-others",
        title: "wasm tests of IndexedDB in Firefox and WebKit, where they can be had",
        run: wasm_others,
    },
    Step {
        lane: Lane::Browsers,
        name: "e2e",
        title: "end-to-end tests in a browser",
        run: end_to_end,
    },
];

/// The outcome of a step.
struct Report {
    name: String,
    count: Count,
    failure: Option<String>,
    duration: Duration,
}

/// The verb.
pub fn run(project: &Project, arguments: &Arguments) -> Result<(), String> {
    if arguments.flag("list") {
        STEPS
            .iter()
            .for_each(|step| println!("{:<12} {}", step.name, step.title));
        return Ok(());
    }
    let only = arguments.list("only");
    if let Some(name) = only
        .iter()
        .find(|name| STEPS.iter().all(|step| step.name != **name))
    {
        return Err(format!(
            "there is no step `{name}` (see `cargo xtask test --list`)"
        ));
    }
    let steps: Vec<&Step> = STEPS
        .iter()
        .filter(|step| only.is_empty() || only.contains(&step.name))
        .collect();
    let begun = Instant::now();
    let mut reports = vec![install_report(project, &steps)];
    if only.is_empty() {
        reports.extend(run_lanes(project));
    } else {
        reports.extend(run_steps(project, &steps));
    }
    let written = match arguments.value("report") {
        Some(file) => write_reports(Path::new(file), &reports),
        None => Ok(()),
    };
    summary(&reports, begun.elapsed()).and(written)
}

fn run_steps(project: &Project, steps: &[&Step]) -> Vec<Report> {
    let run = |(number, step): (usize, &&Step)| {
        println!(
            "\n=== [{}/{}] {}: {}",
            number + 1,
            steps.len(),
            step.name,
            step.title
        );
        run_step(project, step)
    };
    steps.iter().enumerate().map(run).collect()
}

/// Runs all steps. The lane of the product is a run of this program by itself, whose lines are shown behind a mark as
/// they come.
fn run_lanes(project: &Project) -> Vec<Report> {
    let of = |lane: Lane| { STEPS.iter() }.filter(move |step| step.lane == lane);
    let (mut reports, product) = thread::scope(|scope| {
        let beside = scope.spawn(|| run_product(project, of(Lane::Product)));
        let reports = run_steps(project, &of(Lane::Code).collect::<Vec<_>>());
        (reports, beside.join())
    });
    match product.unwrap_or_else(|_| Err("the product's lane panicked".to_owned())) {
        Ok(product) => reports.extend(product),
        Err(message) => {
            println!("--- the product's lane failed: {message}");
            reports.extend(of(Lane::Product).map(|step| Report {
                name: step.name.to_owned(),
                count: Count {
                    passed: 0,
                    failed: 1,
                },
                failure: Some(message.clone()),
                duration: Duration::ZERO,
            }));
        }
    }
    reports.extend(run_steps(project, &of(Lane::Browsers).collect::<Vec<_>>()));
    reports
}

fn run_product(
    project: &Project,
    steps: impl Iterator<Item = &'static Step>,
) -> Result<Vec<Report>, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let file = project.target.join("product-lane.txt");
    // Reports of an earlier run must not pass for this one's.
    let _ = fs::remove_file(&file);
    let names: Vec<&str> = steps.map(|step| step.name).collect();
    // How it ended is in its reports; a run that left none has failed.
    Program::new(project, &own.to_string_lossy())
        .words("test --report")
        .argument(&file)
        .words("--only")
        .argument(names.join(","))
        .show_marked("product │ ")?;
    read_reports(&file)
}

/// Writes a line for each step: its name, the tests that passed and failed, milliseconds, and whether the step itself
/// failed.
fn write_reports(file: &Path, reports: &[Report]) -> Result<(), String> {
    let line = |report: &Report| {
        let Count { passed, failed } = report.count;
        let millis = report.duration.as_millis();
        let has_failed = report.failure.is_some();
        format!("{} {passed} {failed} {millis} {has_failed}\n", report.name)
    };
    let text: String = reports.iter().map(line).collect();
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

fn read_reports(file: &Path) -> Result<Vec<Report>, String> {
    let text = fs::read_to_string(file).map_err(|_| "the product's lane ended early")?;
    let read = |line: &str| {
        let mut words = line.split_whitespace();
        let name = words.next()?.to_owned();
        let mut number = || words.next()?.parse().ok();
        let count = Count {
            passed: number()?,
            failed: number()?,
        };
        let duration = Duration::from_millis(number()?);
        let failure = (words.next()? == "true").then(|| "see its lines above".to_owned());
        Some(Report {
            name,
            count,
            failure,
            duration,
        })
    };
    { text.lines().map(read) }
        .collect::<Option<_>>()
        .ok_or_else(|| format!("{} is no report of steps", file.display()))
}

fn run_step(project: &Project, step: &Step) -> Report {
    let begun = Instant::now();
    let (count, failure) = match (step.run)(project) {
        Ok(count) => (count, None),
        Err(message) => (
            Count {
                passed: 0,
                failed: 1,
            },
            Some(message),
        ),
    };
    if let Some(message) = &failure {
        println!("--- {} failed: {message}", step.name);
    }
    Report {
        name: step.name.to_owned(),
        count,
        failure,
        duration: begun.elapsed(),
    }
}

/// Installs the tools of the chosen steps. A failure here is reported and the steps run all the same: those that need
/// the missing tool fail by themselves, the others still tell something.
fn install_report(project: &Project, steps: &[&Step]) -> Report {
    let begun = Instant::now();
    let wanted = |names: &[&str]| steps.iter().any(|step| names.contains(&step.name));
    let mut progress = Progress::new(build::TEST_TOOLS + 5);
    let mut failures = Vec::new();
    let browsers = ["wasm-chrome", "toolchains", "e2e"];
    let runners = ["wasm-node", "wasm-chrome", "wasm-others"];
    let packages = [
        "native",
        "size",
        "lint",
        "types",
        "web",
        "package",
        "toolchains",
        "simulation",
        "wasm-others",
        "e2e",
    ];
    if (wanted(&["clippy-wasm"]) || wanted(&runners))
        && let Err(message) = progress.step("Rust's wasm target", || install::wasm_target(project))
    {
        failures.push(message);
    }
    if wanted(&packages)
        && let Err(message) = progress.step("npm packages of the web app", || {
            install::npm_packages(project, &project.web)
        })
    {
        failures.push(message);
    }
    if wanted(&["native"])
        && let Err(message) =
            progress.step("the shell's prelude, which golden scripts run with", || {
                npm(project, "build:prelude")
                    .run()
                    .map(|()| "built".to_owned())
            })
    {
        failures.push(message);
    }
    if wanted(&runners)
        && let Err(message) = build::test_tools(project, &mut progress)
    {
        failures.push(message);
    }
    if wanted(&browsers)
        && let Err(message) =
            progress.step("a browser and its driver", || browser::install(project))
    {
        failures.push(message);
    }
    if wanted(&["wasm-others", "e2e"])
        && let Err(message) = progress.step("Firefox and WebKit", || {
            Ok(browser::install_others(project))
        })
    {
        failures.push(message);
    }
    let failure = (!failures.is_empty()).then(|| failures.join("; "));
    if let Some(message) = &failure {
        println!("--- install failed: {message}");
    }
    let count = Count {
        passed: u64::from(failure.is_none()),
        failed: u64::from(failure.is_some()),
    };
    Report {
        name: "install".to_owned(),
        count,
        failure,
        duration: begun.elapsed(),
    }
}

fn summary(reports: &[Report], duration: Duration) -> Result<(), String> {
    let mut total = Count::default();
    println!(
        "\n{:<12} {:>12} {:>8} {:>8}",
        "step", "time", "passed", "failed"
    );
    for report in reports {
        total.add(report.count);
        println!(
            "{:<12} {:>12} {:>8} {:>8}{}",
            report.name,
            seconds(report.duration),
            report.count.passed,
            report.count.failed,
            if report.failure.is_some() || report.count.failed > 0 {
                "  <-- failed"
            } else {
                ""
            }
        );
    }
    println!("{:<12} {:>12}\n", "all", seconds(duration));
    for report in reports
        .iter()
        .filter(|report| report.failure.is_some() || report.count.failed > 0)
    {
        println!("again with: cargo xtask test --only {}", report.name);
    }
    println!("{} passed, {} failed", total.passed, total.failed);
    if total.failed == 0 {
        Ok(())
    } else {
        Err(String::new())
    }
}

/// Runs a program that has no tests of its own.
fn plain(program: Program) -> Result<Count, String> {
    program.run().map(|()| Count {
        passed: 1,
        failed: 0,
    })
}

/// Runs a test runner and counts its tests. A runner that fails without a failing test (it did not
/// compile, it crashed) counts as one failure, and so does one that ran nothing.
fn counted(program: Program) -> Result<Count, String> {
    let line = program.line();
    let finished = program.show_and_keep()?;
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

fn npm(project: &Project, script: &str) -> Program {
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
        "clippy --workspace --all-targets -- -D warnings",
    ))
}

fn clippy_wasm(project: &Project) -> Result<Count, String> {
    plain(cargo(
        project,
        "clippy --package quire --lib --test wasm --test browser --test lent \
         --target wasm32-unknown-unknown -- -D warnings",
    ))
}

fn native(project: &Project) -> Result<Count, String> {
    counted(cargo(
        project,
        "test --workspace --no-fail-fast --profile checked",
    ))
}

fn build_all(project: &Project) -> Result<Count, String> {
    let mut progress = Progress::new(build::STEPS);
    build::all(project, &mut progress, false)?;
    Ok(Count {
        passed: 1,
        failed: 0,
    })
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
    Ok(Count {
        passed: 1,
        failed: 0,
    })
}

/// Packs pkg/, and has each tool of `tests/toolchains` build and run a small project with that file.
fn toolchains(project: &Project) -> Result<Count, String> {
    let browser = browser::find(project).ok_or("no browser was found")?;
    let tools = install::toolchains(project)?;
    let packed = crate::release::pack(project)?;
    counted(
        Program::new(project, "node")
            .words("--test tests/toolchains/toolchains.test.mjs")
            .variable("CHROMIUM", browser)
            .variable("QUIRE_TOOLCHAINS", tools)
            .variable("QUIRE_PACKED", packed),
    )
}

/// Rust's tests that are compiled to WebAssembly.
fn wasm_tests(project: &Project, tests: &str) -> Program {
    cargo(project, "test --target")
        .argument(install::TARGET)
        .words(tests)
        .variable("CARGO_TARGET_DIR", &project.target)
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
        .variable("QUIRE_WASM_TESTS", install::wasm_tests_program(project))
        .show_and_keep()?;
    let mut count = count::in_output(&finished.output);
    if !finished.success && count.failed == 0 {
        count.failed = 1;
    }
    Ok(count)
}

fn end_to_end(project: &Project) -> Result<Count, String> {
    let browser = browser::find(project).ok_or("no browser was found")?;
    counted(npm(project, "e2e").variable("CHROMIUM", browser))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_fails_when_a_step_does() {
        let report = |failed| Report {
            name: "fmt".to_owned(),
            count: Count { passed: 1, failed },
            failure: None,
            duration: Duration::ZERO,
        };
        assert!(summary(&[report(0)], Duration::ZERO).is_ok());
        assert!(summary(&[report(0), report(2)], Duration::ZERO).is_err());
    }

    #[test]
    fn reports_are_read_as_they_were_written() {
        let file = std::env::temp_dir().join(format!("quire-reports-{}", std::process::id()));
        let report = |name: &str, failed, failure| Report {
            name: name.to_owned(),
            count: Count { passed: 7, failed },
            failure,
            duration: Duration::from_millis(1500),
        };
        let reports = [
            report("web", 0, None),
            report("size", 1, Some("too large".to_owned())),
        ];
        write_reports(&file, &reports).expect("the folder for such files can be written");
        let read = read_reports(&file).expect("it was written just now");
        let _ = fs::remove_file(&file);
        let seen: Vec<_> = { read.iter() }
            .map(|report| {
                (
                    report.name.as_str(),
                    report.count.failed,
                    report.failure.is_some(),
                )
            })
            .collect();
        assert_eq!(seen, [("web", 0, false), ("size", 1, true)]);
        assert_eq!(
            read.first().map(|report| report.duration.as_millis()),
            Some(1500)
        );
        assert!(read_reports(&file).is_err());
    }

    #[test]
    fn step_names_are_unique() {
        let mut names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STEPS.len());
    }
}
