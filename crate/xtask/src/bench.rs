//! `cargo xtask bench`: the garden-shop workload, natively and in Chromium beside other libraries.

use crate::arguments::Arguments;
use crate::process::Program;
use crate::progress::Progress;
use crate::project::Project;
use crate::{browser, build, install};

/// The verb.
pub fn run(project: &Project, arguments: &Arguments) -> Result<(), String> {
    let count = arguments.number::<u32>("count")?.unwrap_or(100_000);
    let (native, chromium) = match (arguments.flag("native"), arguments.flag("chromium")) {
        (false, false) => (true, true),
        chosen => chosen,
    };
    if native {
        println!("Native engine, {count} products:");
        Program::new(project, "cargo")
            .words("bench --quiet --bench native -- --count")
            .argument(count.to_string())
            .run()?;
    }
    if chromium {
        in_chromium(project, arguments, count)?;
    }
    Ok(())
}

fn in_chromium(project: &Project, arguments: &Arguments, count: u32) -> Result<(), String> {
    let peers = project.root.join("benches").join("peers");
    let mut progress = Progress::new(build::STEPS + 2);
    build::tools(project, &mut progress)?;
    build::all(project, &mut progress, false)?;
    progress.step(
        "the libraries to compare with (npm ci in benches/peers/)",
        || install::npm_packages(project, &peers),
    )?;
    progress.step("a browser", || browser::install(project))?;
    let rounds = arguments.number::<u32>("rounds")?.unwrap_or(3);
    let mut run = Program::new(project, "node")
        .argument("run.mjs")
        .argument(format!("--count={count}"))
        .argument(format!("--rounds={rounds}"))
        .within(&peers);
    if let Some(browser) = browser::find(project) {
        run = run.variable("CHROMIUM", browser);
    }
    if let Some(names) = arguments.value("adapters") {
        run = run.argument(format!("--adapters={names}"));
    }
    run.run()
}
