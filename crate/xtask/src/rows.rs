//! `cargo xtask bench --counts`: the instructions of the everyday commands of `benches/rows`, one line a row.
//!
//! callgrind counts them, so that another load on the machine changes nothing. The counts are left in
//! `target/row-counts.txt`; a copy of that file is what `--against` compares a later state with.

use crate::process::Program;
use crate::project::Project;
use std::collections::BTreeMap;
use std::fs;

/// Counts each row once, prints it, and beside it the share of the earlier count.
pub fn count(project: &Project, against: Option<&str>) -> Result<(), String> {
    let earlier = match against {
        None => BTreeMap::new(),
        Some(file) => {
            let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
            parse(&text)
        }
    };
    let bench = built(project)?;
    let mut kept = String::new();
    let mut ratios = Vec::new();
    for line in Program::new(project, &bench)
        .argument("--list")
        .read()?
        .lines()
    {
        let (name, runs) = line.split_once('\t').unwrap_or((line, "1"));
        let runs: f64 = runs.parse().map_err(|_| format!("{name}: runs `{runs}`"))?;
        let each = (instructions(project, &bench, name)? as f64 / runs).round();
        kept += &format!("{each}\t{name}\n");
        match earlier.get(name) {
            Some(before) => {
                ratios.push((each / before, name.to_owned()));
                println!("{name:<36} {each:>14} {:>8.3}", each / before);
            }
            None => println!("{name:<36} {each:>14}"),
        }
    }
    let file = project.root.join("target").join("row-counts.txt");
    fs::write(&file, kept).map_err(|error| format!("{}: {error}", file.display()))?;
    if let Some((mean, worst, name)) = summary(&ratios) {
        println!("geometric mean {mean:.3}, worst {worst:.3} ({name})");
    }
    println!("kept in {}", file.display());
    Ok(())
}

/// Builds the bench and gives its file.
fn built(project: &Project) -> Result<String, String> {
    let built = Program::new(project, "cargo")
        .words("bench --bench rows --no-run")
        .show_and_keep()?;
    let line = built
        .output
        .lines()
        .find(|line| line.contains("Executable"));
    let file = line.and_then(|line| line.rsplit_once('(')?.1.strip_suffix(')'));
    match file {
        Some(file) if built.success => Ok(project.root.join(file).display().to_string()),
        _ => Err("the rows bench was not built".to_owned()),
    }
}

fn instructions(project: &Project, bench: &str, row: &str) -> Result<u64, String> {
    let said = Program::new(project, "valgrind")
        .words("--tool=callgrind --collect-atstart=no --toggle-collect=rows::measured*")
        .words("--callgrind-out-file=/dev/null --log-fd=1")
        .argument(bench)
        .argument(row)
        .read()?;
    let collected = said.lines().find_map(|line| line.split_once("Collected :"));
    collected
        .and_then(|(_, number)| number.trim().parse().ok())
        .ok_or_else(|| format!("`{row}` was not counted:\n{said}"))
}

fn parse(text: &str) -> BTreeMap<String, f64> {
    let row = |line: &str| {
        let (count, name) = line.split_once('\t')?;
        Some((name.to_owned(), count.parse().ok()?))
    };
    text.lines().filter_map(row).collect()
}

/// The geometric mean, the largest ratio and its row.
fn summary(ratios: &[(f64, String)]) -> Option<(f64, f64, &str)> {
    let (worst, name) = ratios.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let logarithms: f64 = ratios.iter().map(|(ratio, _)| ratio.ln()).sum();
    Some(((logarithms / ratios.len() as f64).exp(), *worst, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_they_are_kept() {
        let read = parse("120\tfind by _id\n7\tping\n");
        assert_eq!(read.get("find by _id"), Some(&120.0));
        assert_eq!(read.len(), 2);
    }

    #[test]
    fn the_summary_names_the_row_that_grew_most() {
        let ratios = [(0.5, "a".to_owned()), (2.0, "b".to_owned())];
        let (mean, worst, name) = summary(&ratios).expect("there are ratios");
        assert!((mean - 1.0).abs() < 1e-9);
        assert_eq!((worst, name), (2.0, "b"));
        assert_eq!(summary(&[]), None);
    }
}
