//! `cargo xtask release`: the npm package as a file, after everything was tested.

use crate::arguments::Arguments;
use crate::process::Program;
use crate::project::Project;
use crate::test;
use std::fs;
use std::path::PathBuf;

/// A clean project imports the package's entry points and asks the engine something.
const TRIAL: &str = include_str!("trial.mjs");

/// The verb.
pub fn run(project: &Project, arguments: &Arguments) -> Result<(), String> {
    test::run(project, arguments)?;
    let file = pack(project)?;
    let bytes = fs::metadata(&file)
        .map_err(|error| error.to_string())?
        .len();
    println!("\n{} ({} KB)", project.relative(&file), bytes / 1024);
    let digest = Program::new(project, "node")
        .words("--eval")
        .argument(
            "const c = require('node:crypto'), f = require('node:fs');\
             console.log(c.createHash('sha256').update(f.readFileSync(process.argv[1])).digest('hex'))",
        )
        .argument(&file)
        .read()?;
    println!("sha256 {}", digest.trim());
    Ok(())
}

/// Packs pkg/ into target/package/ and gives the file.
pub fn pack(project: &Project) -> Result<PathBuf, String> {
    let folder = project.target.join("package");
    let say = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(say)?;
    }
    fs::create_dir_all(&folder).map_err(say)?;
    Program::npm(project)
        .words("pack --silent --pack-destination")
        .argument(&folder)
        .within(&project.package)
        .read()?;
    fs::read_dir(&folder)
        .map_err(say)?
        .flatten()
        .map(|entry| entry.path())
        .find(|file| file.extension().is_some_and(|extension| extension == "tgz"))
        .ok_or_else(|| "npm pack left no file".to_owned())
}

/// Packs, installs the file into an empty project and imports it there.
pub fn pack_and_try(project: &Project) -> Result<(), String> {
    let file = pack(project)?;
    let folder = project.target.join("package").join("trial");
    fs::create_dir_all(&folder)
        .and_then(|()| {
            fs::write(
                folder.join("package.json"),
                "{\"private\":true,\"type\":\"module\"}\n",
            )
        })
        .and_then(|()| fs::write(folder.join("trial.mjs"), TRIAL))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    Program::npm(project)
        .words("install --silent --no-audit --no-fund --no-save --prefer-offline")
        .argument(&file)
        .within(&folder)
        .run()?;
    Program::new(project, "node")
        .argument("trial.mjs")
        .within(&folder)
        .run()
}
