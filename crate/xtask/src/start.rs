//! `cargo xtask start`: from a clean clone to a playground on localhost.

use crate::arguments::Arguments;
use crate::process::Program;
use crate::progress::{Progress, seconds};
use crate::project::Project;
use crate::{build, install};

/// The verb.
pub fn run(project: &Project, arguments: &Arguments) -> Result<(), String> {
    install::need_node(project)?;
    let mut server = Program::new(project, "node")
        .argument(project.root.join("web/scripts/serve.mjs"))
        .argument(project.site());
    if let Some(port) = arguments.number::<u16>("port")? {
        server = server.argument(port.to_string());
    }
    // Begun first: a port that is taken must not be learnt of after minutes of building.
    let (server, address) = server.begin()?;
    let mut progress = Progress::new(build::STEPS);
    build::all(project, &mut progress, arguments.flag("force"))?;
    println!(
        "\nReady after {}. Open {address} (Ctrl-C ends it)",
        seconds(progress.elapsed())
    );
    server.wait()
}
