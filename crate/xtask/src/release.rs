//! `cargo xtask release`: the npm packages as files, and their source maps, after everything was tested.
//!
//! Invariant: the weight of `quiredb` is held against its budget wherever it is packed.

use crate::arguments::Arguments;
use crate::process::Program;
use crate::project::Project;
use crate::{size, test};
use std::fs;
use std::path::{Path, PathBuf};

/// The packages, by their folders below pkg/; `quiredb` itself is the first.
const PACKAGES: [&str; 3] = ["", "inline", "playground"];

/// A clean project imports the package's entry points and asks the engine something.
const TRIAL: &str = include_str!("trial.mjs");

/// The verb.
pub fn run(project: &Project, arguments: &Arguments) -> Result<(), String> {
    test::run(project, arguments)?;
    pack(project)?;
    let folder = packed(project);
    let maps = folder.join("quiredb-source-maps.tgz");
    Program::new(project, "tar")
        .words("-czf")
        .argument(&maps)
        .words("-C")
        .argument(project.package.join("maps"))
        .argument(".")
        .run()?;
    println!();
    for file in files(&folder, "tgz")? {
        let bytes = fs::metadata(&file)
            .map_err(|error| error.to_string())?
            .len();
        println!("{} ({} KB)", project.relative(&file), bytes / 1024);
        let digest = Program::new(project, "node")
            .words("--eval")
            .argument(
                "const c = require('node:crypto'), f = require('node:fs');\
                 console.log(c.createHash('sha256').update(f.readFileSync(process.argv[1])).digest('hex'))",
            )
            .argument(&file)
            .read()?;
        println!("sha256 {}", digest.trim());
    }
    Ok(())
}

/// Where the packed packages lie.
fn packed(project: &Project) -> PathBuf {
    project.target.join("package")
}

/// The files of a folder with an ending, sorted.
fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, String> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|file| {
            file.extension()
                .is_some_and(|extension| extension == ending)
        })
        .collect();
    found.sort();
    Ok(found)
}

/// Packs the packages of pkg/ into target/package/ and gives the file of `quiredb`; the others lie beside it.
pub fn pack(project: &Project) -> Result<PathBuf, String> {
    let folder = packed(project);
    let say = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(say)?;
    }
    fs::create_dir_all(&folder).map_err(say)?;
    for package in PACKAGES {
        let program = Program::npm(project)
            .words("pack --json --pack-destination")
            .argument(&folder)
            .within(&project.package.join(package));
        let said = program.read()?;
        if package.is_empty() {
            size::hold_package(&said)?;
        }
    }
    let is_itself = |file: &PathBuf| {
        let name = file.file_name().and_then(|name| name.to_str());
        name.and_then(|name| name.strip_prefix("quiredb-"))
            .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    };
    { files(&folder, "tgz")?.into_iter() }
        .find(is_itself)
        .ok_or_else(|| "npm pack left no file".to_owned())
}

/// Packs, installs the files into an empty project, imports them there and has them write a site.
pub fn pack_and_try(project: &Project) -> Result<(), String> {
    pack(project)?;
    let packages = files(&packed(project), "tgz")?;
    let folder = packed(project).join("trial");
    fs::create_dir_all(&folder)
        .and_then(|()| {
            fs::write(
                folder.join("package.json"),
                "{\"private\":true,\"type\":\"module\"}\n",
            )
        })
        .and_then(|()| fs::write(folder.join("trial.mjs"), TRIAL))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    packages
        .iter()
        .fold(
            Program::npm(project)
                .words("install --silent --no-audit --no-fund --no-save --prefer-offline"),
            |program, file| program.argument(file),
        )
        .within(&folder)
        .run()?;
    Program::new(project, "node")
        .argument("trial.mjs")
        .within(&folder)
        .run()
}
