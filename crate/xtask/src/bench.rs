//! `cargo xtask bench`: the garden-shop workload through the packed npm package's exports, in Chromium beside other
//! libraries and in Node; MongoDB's driver through the server; the playground's cold start; transactions and change
//! streams; and the engine by itself, natively.

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
    let parts = ["native", "chromium", "node", "replica", "server", "start"];
    let chosen = parts.map(|part| arguments.flag(part));
    let [native, chromium, node, replica, server, start] = if chosen.contains(&true) {
        chosen
    } else {
        [true; 6]
    };
    if native {
        println!("The engine by itself, natively (below every export), {count} products:");
        Program::new(project, "cargo")
            .words("bench --quiet --bench native -- --count")
            .argument(count.to_string())
            .run()?;
    }
    if chromium || node || replica || server || start {
        prepare(project)?;
    }
    if chromium {
        in_chromium(project, arguments, count)?;
    }
    if node {
        println!("\nThe package in Node:");
        packed(project, "node.mjs", count)?.run()?;
    }
    if replica {
        let rounds = arguments.number::<u32>("rounds")?.unwrap_or(3);
        let mut run = packed(project, "replica.mjs", count)?.argument(format!("--rounds={rounds}"));
        if let Some(before) = arguments.value("before") {
            let before =
                std::path::absolute(before).map_err(|error| format!("{before}: {error}"))?;
            run = run.argument(format!("--before={}", before.display()));
        }
        run.run()?;
    }
    if server {
        let rounds = arguments.number::<u32>("rounds")?.unwrap_or(3);
        println!(
            "\nMongoDB's Node driver through the package's server, and servers for test suites:"
        );
        packed(project, "server.mjs", count)?
            .argument(format!("--rounds={rounds}"))
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

fn in_chromium(project: &Project, arguments: &Arguments, count: u32) -> Result<(), String> {
    let rounds = arguments.number::<u32>("rounds")?.unwrap_or(3);
    let mut run = packed(project, "run.mjs", count)?.argument(format!("--rounds={rounds}"));
    if let Some(names) = arguments.value("adapters") {
        run = run.argument(format!("--adapters={names}"));
    }
    if let Some(kept) = arguments.value("keep") {
        let kept = std::path::absolute(kept).map_err(|error| format!("{kept}: {error}"))?;
        run = run.argument(format!("--keep={}", kept.display()));
    }
    run.run()
}
