//! `cargo xtask start`: from a clean clone to a playground on localhost.

use crate::arguments::Arguments;
use crate::progress::{Progress, seconds};
use crate::project::Project;
use crate::{build, serve};

/// The verb.
pub fn run(project: &Project, arguments: &Arguments) -> Result<(), String> {
    // Opened first: a port that is taken must not be learnt of after minutes of building.
    let listener = serve::listen(arguments.number("port")?)?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let mut progress = Progress::new(build::STEPS);
    build::all(project, &mut progress, arguments.flag("force"))?;
    println!(
        "\nReady after {}. Open http://localhost:{}/ (Ctrl-C ends it)",
        seconds(progress.elapsed()),
        address.port()
    );
    serve::serve(&listener, &project.site());
    Ok(())
}
