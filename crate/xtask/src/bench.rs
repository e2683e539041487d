//! `cargo xtask bench`: the garden-shop workload through the packed npm package's exports, in Chromium beside other
//! libraries and in Node; places, texts and time series; MongoDB's driver through the server; the playground's cold
//! start; transactions and change streams; and the engine by itself, natively.

use crate::arguments::Arguments;
use crate::process::Program;
use crate::progress::Progress;
use crate::project::Project;
use crate::{browser, build, install, release, rows};
use std::path::PathBuf;

/// The verb.
pub fn run(project: &Project, arguments: &Arguments) -> Result<(), String> {
    if arguments.flag("counts") {
        return rows::count(project, arguments.value("against"));
    }
    let count = arguments.number::<u32>("count")?.unwrap_or(100_000);
    let parts = [
        "native", "chromium", "kinds", "node", "replica", "server", "start",
    ];
    let chosen = parts.map(|part| arguments.flag(part));
    let [native, chromium, kinds, node, replica, server, start] = if chosen.contains(&true) {
        chosen
    } else {
        [true; 7]
    };
    if native {
        println!("The engine by itself, natively (below every export), {count} products:");
        Program::new(project, "cargo")
            .words("bench --quiet --bench native -- --count")
            .argument(count.to_string())
            .run()?;
    }
    if chromium || kinds || node || replica || server || start {
        prepare(project)?;
    }
    if chromium {
        in_chromium(project, arguments, count)?;
    }
    if kinds {
        in_rounds(project, arguments, "kinds.mjs", count)?.run()?;
    }
    if node {
        println!("\nThe package in Node:");
        packed(project, "node.mjs", count)?.run()?;
    }
    if replica {
        let mut run = in_rounds(project, arguments, "replica.mjs", count)?;
        if let Some(before) = arguments.value("before") {
            let before =
                std::path::absolute(before).map_err(|error| format!("{before}: {error}"))?;
            run = run.argument(format!("--before={}", before.display()));
        }
        run.run()?;
    }
    if server {
        println!(
            "\nMongoDB's Node driver through the package's server, and servers for test suites:"
        );
        in_rounds(project, arguments, "server.mjs", count)?
            .variable("QUIRE_TOOLCHAINS", install::toolchains(project)?)
            .run()?;
    }
    if start {
        let rounds = arguments.number::<u32>("rounds")?.unwrap_or(9);
        peer(project, "start.mjs")
            .argument(format!("--rounds={rounds}"))
            .run()?;
    }
    Ok(())
}

fn peers(project: &Project) -> PathBuf {
    project.root.join("benches").join("peers")
}

/// A program of benches/peers, with the browser that there is.
fn peer(project: &Project, program: &str) -> Program {
    let run = Program::new(project, "node")
        .argument(program)
        .within(&peers(project));
    match browser::find(project) {
        Some(browser) => run.variable("CHROMIUM", browser),
        None => run,
    }
}

/// Builds the package, and installs the libraries and the browser that it is measured beside and in.
fn prepare(project: &Project) -> Result<(), String> {
    let mut progress = Progress::new(build::STEPS + 2);
    build::all(project, &mut progress, false)?;
    progress.step(
        "the libraries to compare with (npm ci in benches/peers/)",
        || install::npm_packages(project, &peers(project)),
    )?;
    progress.step("a browser", || browser::install(project))
}

/// A program that measures the package as its users get it.
fn packed(project: &Project, program: &str, count: u32) -> Result<Program, String> {
    let file = release::pack(project)?;
    Ok(peer(project, program)
        .argument(format!("--package={}", file.display()))
        .argument(format!("--count={count}")))
}

/// Such a program, which measures in rounds, and only the named adapters where some are named.
fn in_rounds(
    project: &Project,
    arguments: &Arguments,
    program: &str,
    count: u32,
) -> Result<Program, String> {
    let rounds = arguments.number::<u32>("rounds")?.unwrap_or(3);
    let run = packed(project, program, count)?.argument(format!("--rounds={rounds}"));
    Ok(match arguments.value("adapters") {
        Some(names) => run.argument(format!("--adapters={names}")),
        None => run,
    })
}

fn in_chromium(project: &Project, arguments: &Arguments, count: u32) -> Result<(), String> {
    let mut run = in_rounds(project, arguments, "run.mjs", count)?;
    if let Some(kept) = arguments.value("keep") {
        let kept = std::path::absolute(kept).map_err(|error| format!("{kept}: {error}"))?;
        run = run.argument(format!("--keep={}", kept.display()));
    }
    run.run()
}
