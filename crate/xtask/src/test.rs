//! `cargo xtask test`: every check there is.
//!
//! A whole run has its steps in lanes, each a run of this program by itself: so their outputs are told apart, and their
//! processor times too. Invariant: a failing step never hides a later one; a step without tests of its own counts as
//! one.

use crate::apt::Needed;
use crate::arguments::Arguments;
use crate::count::Count;
use crate::process::Program;
use crate::processor;
use crate::progress::{Part, Progress, side_by_side};
use crate::project::Project;
use crate::reports::{self, Report, WholeRun};
use crate::steps::{Lane, STEPS, Step};
use crate::{apt, browser, failures, install, steps};
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// The verb.
pub fn run(project: &Project, arguments: &Arguments) -> Result<(), String> {
    if arguments.flag("list") {
        for step in STEPS {
            let mark = if step.is_quick() { "  (quick)" } else { "" };
            println!("{:<12} {}{mark}", step.name, step.title);
        }
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
    let quick = arguments.flag("quick");
    let steps: Vec<&Step> = STEPS
        .iter()
        .filter(|step| only.is_empty() || only.contains(&step.name))
        .filter(|step| step.is_quick() || !quick)
        .collect();
    let whole = (only.is_empty() && !quick).then(|| WholeRun::begin(project));
    let begun = Instant::now();
    let mut reports = Vec::new();
    let mut failures = Vec::new();
    if !arguments.flag("installed") {
        reports.push(report("install", || install_for(project, &steps)));
    }
    if only.is_empty() {
        let lanes = run_lanes(project, &steps, quick);
        reports.extend(lanes.reports);
        failures = lanes.failures;
    } else {
        reports.extend(run_steps(project, &steps, quick));
    }
    let written = match arguments.value("report") {
        Some(file) => reports::write(Path::new(file), &reports),
        None => Ok(()),
    };
    // A lane's run ends with the table of all.
    if !arguments.flag("installed") {
        let duration = begun.elapsed();
        let text = match whole {
            Some(whole) => whole.end(&reports, &failures, duration)?,
            None => reports::said(&failures) + &reports::table(&reports, duration),
        };
        print!("\n{text}");
    }
    written?;
    match reports::total(&reports).failed {
        0 => Ok(()),
        _ => Err(String::new()),
    }
}

fn run_steps(project: &Project, steps: &[&Step], quick: bool) -> Vec<Report> {
    let run = |(number, step): (usize, &&Step)| {
        println!(
            "\n=== [{}/{}] {}: {}",
            number + 1,
            steps.len(),
            step.name,
            step.title
        );
        report(step.name, || step.work(project, quick))
    };
    steps.iter().enumerate().map(run).collect()
}

/// Does something, and tells what became of it and what it took.
fn report(name: &str, work: impl FnOnce() -> Result<Count, String>) -> Report {
    let (begun, before) = (Instant::now(), processor::of_children());
    let (count, failure) = match work() {
        Ok(count) => (count, None),
        Err(message) => (Count::FAILED, Some(message)),
    };
    if let Some(message) = &failure {
        println!("--- {name} failed: {message}");
    }
    let spent = |(after, before): (Duration, Duration)| after.saturating_sub(before);
    Report {
        name: name.to_owned(),
        count,
        failure,
        duration: begun.elapsed(),
        processor: processor::of_children().zip(before).map(spent),
    }
}

/// What became of the steps of a lane, or of all lanes.
struct Lanes {
    reports: Vec<Report>,
    /// The lines of the output that tell of failures.
    failures: Vec<String>,
}

/// Runs the steps lane by lane. Each line of the product's lane is shown behind a mark.
fn run_lanes(project: &Project, steps: &[&Step], quick: bool) -> Lanes {
    let of = |lane: Lane| -> Vec<&Step> {
        { steps.iter().copied() }
            .filter(|step| step.lane == lane)
            .collect()
    };
    let lane = |lane: Lane, name: &str, mark: &'static str| {
        let steps = of(lane);
        run_lane(project, &steps, quick, name, mark).unwrap_or_else(|message| {
            println!("--- the lane `{name}` failed: {message}");
            let failed = |step: &&Step| Report {
                name: step.name.to_owned(),
                count: Count::FAILED,
                failure: Some(message.clone()),
                duration: Duration::ZERO,
                processor: None,
            };
            Lanes {
                reports: steps.iter().map(failed).collect(),
                failures: vec![message],
            }
        })
    };
    thread::scope(|scope| {
        let product = scope.spawn(|| lane(Lane::Product, "product", "product │ "));
        let mut lanes = lane(Lane::Code, "code", "");
        match product.join() {
            Ok(product) => {
                lanes.reports.extend(product.reports);
                lanes.failures.extend(product.failures);
            }
            Err(panicked) => std::panic::resume_unwind(panicked),
        }
        lanes
    })
}

fn run_lane(
    project: &Project,
    steps: &[&Step],
    quick: bool,
    name: &str,
    mark: &'static str,
) -> Result<Lanes, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let file = project.target.join(format!("lane-{name}.txt"));
    // Reports of an earlier run must not pass for this one's.
    let _ = fs::remove_file(&file);
    let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
    // How it ended is in its reports; a run that left none has failed.
    let finished = Program::new(project, &own.to_string_lossy())
        .words("test --installed --report")
        .argument(&file)
        .words("--only")
        .argument(names.join(","))
        .words(if quick { "--quick" } else { "" })
        .show_marked(mark)?;
    Ok(Lanes {
        reports: reports::read(&file)?,
        failures: failures::in_output(&finished.output),
    })
}

/// Installs the tools of the chosen steps, side by side: compilers, downloads and packages wait for different things. A
/// failure here is reported and the steps run all the same: those that need the missing tool fail by themselves, the
/// others still tell something.
fn install_for(project: &Project, steps: &[&Step]) -> Result<Count, String> {
    const BROWSERS: &[&str] = &["wasm-chrome", "toolchains", "e2e"];
    const RUNNERS: &[&str] = &["wasm-node", "wasm-chrome", "wasm-others"];
    const PACKAGES: &[&str] = &[
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
    let wanted = |names: &[&str]| steps.iter().any(|step| names.contains(&step.name));
    let has_runners = wanted(RUNNERS);
    let target = || {
        let target = install::wasm_target(project)?;
        match has_runners {
            true => Ok(format!("{target}, {}", install::wasm_tests(project)?)),
            false => Ok(target),
        }
    };
    let has_goldens = wanted(&["native"]);
    let packages = || {
        let packages = install::npm_packages(project, &project.web)?;
        if !has_goldens {
            return Ok(packages);
        }
        // Golden scripts run with the shell's prelude.
        steps::npm(project, "build:prelude").run()?;
        Ok(format!("{packages}, built"))
    };
    let others: &[_] = &[browser::FIREFOX, browser::WEBKIT];
    let system: Vec<&Needed> = [
        (BROWSERS, &[browser::CHROMIUM][..]),
        (&["wasm-others", "e2e"], others),
        (&["toolchains"], &[apt::C_DRIVER]),
    ]
    .into_iter()
    .filter(|(names, _)| wanted(names))
    .flat_map(|(_, things)| things)
    .collect();
    let of_system = || apt::provide(project, &system);
    let parts: [(_, Part<'_>); 3] = [
        (
            has_runners || wanted(&["clippy-wasm"]),
            ("Rust's wasm target and the runner of its tests", &target),
        ),
        (
            wanted(PACKAGES),
            ("npm packages of the web app and the prelude", &packages),
        ),
        (
            !system.is_empty(),
            ("browsers and libraries of the system", &of_system),
        ),
    ];
    let parts: Vec<Part<'_>> = { parts.into_iter() }
        .filter_map(|(is_wanted, part)| is_wanted.then_some(part))
        .collect();
    if parts.is_empty() {
        return Ok(Count::PASSED);
    }
    Progress::new(1).step("the tools of the tests", || side_by_side(&parts))?;
    Ok(Count::PASSED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_tells_what_its_work_took() {
        let busy = || {
            std::process::Command::new("sh")
                .args(["-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"])
                .status()
                .map(|_| Count::PASSED)
                .map_err(|error| error.to_string())
        };
        let told = report("busy", busy);
        assert_eq!((told.count, told.failure), (Count::PASSED, None));
        if cfg!(target_os = "linux") {
            assert!(told.processor.is_some_and(|time| !time.is_zero()));
        }
        let failed = report("fails", || Err("no".to_owned()));
        assert_eq!(
            (failed.count, failed.failure),
            (Count::FAILED, Some("no".to_owned()))
        );
    }
}
