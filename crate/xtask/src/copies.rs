//! Copies of a known length in functions that run often, as loads and stores.
//!
//! # Why
//!
//! The compiler makes a copy of up to 32 bytes of loads and stores where it compiles for size, and of up to 64 where it
//! compiles for speed. One `memory.copy` is much shorter: with it for all that does not fit into one load the engine
//! takes 19 000 bytes of brotli less. But engines of WebAssembly call a function for it, and `$unwind` and `$project`
//! took a quarter more time. The compiler has one limit for all functions (`hot::FLAGS`), so the functions of
//! `crate/hot-functions.txt` get their loads and stores back here, 500 copies that take 3 000 bytes.
//!
//! Invariant: a copy loads all of its bytes before it stores the first, since `memory.copy` may have a source and a
//! destination that overlap.

use crate::names::{self, CODE, Reader, number, part};
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The longest copy that is made of loads and stores, the compiler's own limit for speed.
const LONGEST: usize = 64;
/// `memory.copy` within the one memory.
const COPY: [u8; 4] = [0xFC, 10, 0, 0];
const I32_CONST: u8 = 0x41;
const LOCAL_GET: u8 = 0x20;
const LOCAL_SET: u8 = 0x21;
/// The types of locals, as the format has them.
const I32: u8 = 0x7F;
const I64: u8 = 0x7E;
/// Bytes, load and store of each step of a copy, the widest first. All but the first are of an `i32`.
const STEPS: [(usize, u8, u8); 4] = [
    (8, 0x29, 0x37),
    (4, 0x28, 0x36),
    (2, 0x2F, 0x3B),
    (1, 0x2D, 0x3A),
];
/// Locals of type `i32` that copies of one function need: the addresses, and one for each narrow step.
const NARROW: usize = 5;
/// Locals of type `i64` that they need.
const WIDE: usize = LONGEST / 8;

/// Writes a wasm file anew, with loads and stores in the named functions.
pub fn write(from: &Path, hot: &[String], to: &Path) -> Result<(), String> {
    let say = |file: &Path, error: std::io::Error| format!("{}: {error}", file.display());
    let bytes = fs::read(from).map_err(|error| say(from, error))?;
    let hot: HashSet<&str> = hot.iter().map(String::as_str).collect();
    fs::write(to, expanded(&bytes, &hot)?).map_err(|error| say(to, error))
}

fn expanded(bytes: &[u8], hot: &HashSet<&str>) -> Result<Vec<u8>, String> {
    let contents = names::read(bytes)?;
    let mut file = bytes[..8].to_vec();
    let mut reader = Reader { bytes, at: 8 };
    while reader.at < bytes.len() {
        let start = reader.at;
        let (id, body) = reader.section()?;
        if id != CODE {
            file.extend(&bytes[start..reader.at]);
            continue;
        }
        let mut section = Reader { bytes: body, at: 0 };
        let mut code = number(section.number()?);
        for (index, (name, _)) in contents.functions.iter().enumerate() {
            let length = section.number()?;
            let mut function = section.take(length)?.to_vec();
            if hot.contains(name.as_str()) {
                function = with_steps(&function, contents.parameters(index)?)?;
            }
            code.extend(number(function.len()));
            code.extend(function);
        }
        file.extend(part(CODE, &code));
    }
    Ok(file)
}

/// A function's body with loads and stores in place of its copies.
fn with_steps(body: &[u8], parameters: usize) -> Result<Vec<u8>, String> {
    let mut reader = Reader { bytes: body, at: 0 };
    let groups = reader.number()?;
    let declared = reader.at;
    let mut first = parameters;
    for _ in 0..groups {
        first += reader.number()?;
        reader.take(1)?;
    }
    let mut function = number(groups + 2);
    function.extend(&body[declared..reader.at]);
    for (count, of) in [(NARROW, I32), (WIDE, I64)] {
        function.extend(number(count));
        function.push(of);
    }
    let mut has_copies = false;
    while reader.at < body.len() {
        let start = reader.at;
        match copied_bytes(&mut reader)? {
            Some(length) => {
                function.extend(steps(length, first));
                has_copies = true;
            }
            None => function.extend(&body[start..reader.at]),
        }
    }
    Ok(if has_copies { function } else { body.to_vec() })
}

/// Steps over one instruction, or over a copy of a known length, and gives that length.
fn copied_bytes(reader: &mut Reader<'_>) -> Result<Option<usize>, String> {
    if reader.bytes[reader.at] == I32_CONST {
        // Lengths up to 63 are one byte; 64 is two, since the number has a sign.
        let rest = &reader.bytes[reader.at + 1..];
        let found = match rest {
            [length @ 1..=0x3F, rest @ ..] => Some((usize::from(*length), 2, rest)),
            [0xC0, 0, rest @ ..] => Some((LONGEST, 3, rest)),
            _ => None,
        };
        if let Some((length, bytes, rest)) = found
            && rest.starts_with(&COPY)
        {
            reader.take(bytes + COPY.len())?;
            return Ok(Some(length));
        }
    }
    step_over(reader)?;
    Ok(None)
}

/// The loads and stores of a copy whose source and destination lie on the stack, with locals from `first` on.
fn steps(length: usize, first: usize) -> Vec<u8> {
    let (destination, source) = (first, first + 1);
    let (mut narrow, mut wide) = (first + 2, first + NARROW);
    let local = |instruction: u8, local: usize| [&[instruction], &*number(local)].concat();
    let at = |instruction: u8, offset: usize| [&[instruction, 0], &*number(offset)].concat();
    let mut loads = [local(LOCAL_SET, source), local(LOCAL_SET, destination)].concat();
    let mut stores = Vec::new();
    let mut offset = 0;
    for (bytes, load, store) in STEPS {
        while length - offset >= bytes {
            let next = if bytes == 8 { &mut wide } else { &mut narrow };
            loads.extend(
                [
                    local(LOCAL_GET, source),
                    at(load, offset),
                    local(LOCAL_SET, *next),
                ]
                .concat(),
            );
            stores.extend(
                [
                    local(LOCAL_GET, destination),
                    local(LOCAL_GET, *next),
                    at(store, offset),
                ]
                .concat(),
            );
            *next += 1;
            offset += bytes;
        }
    }
    [loads, stores].concat()
}

/// Steps over one instruction.
fn step_over(reader: &mut Reader<'_>) -> Result<(), String> {
    let instruction = reader.byte()?;
    let numbers = match instruction {
        // Blocks have a type, branches a depth; then calls, locals and globals, tables, and constants.
        0x02..=0x04 | 0x0C | 0x0D | 0x10 | 0x20..=0x26 | 0x3F..=0x42 | 0xD0 | 0xD2 => 1,
        // Loads and stores have an alignment and an offset.
        0x11 | 0x28..=0x3E => 2,
        0x0E => reader.number()? + 1,
        0x1C => reader.number()?,
        0x43 => return reader.take(4).map(drop),
        0x44 => return reader.take(8).map(drop),
        0xFC => match reader.number()? {
            0..=7 => 0,
            8 | 10 | 12 | 14 => 2,
            9 | 11 | 13 | 15..=17 => 1,
            other => return Err(format!("the unknown instruction 0xFC {other}")),
        },
        0x00 | 0x01 | 0x05 | 0x0B | 0x0F | 0x1A | 0x1B | 0x45..=0xC4 | 0xD1 => 0,
        other => return Err(format!("the unknown instruction 0x{other:02X}")),
    };
    for _ in 0..numbers {
        while reader.byte()? >= 0x80 {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GET: [u8; 4] = [LOCAL_GET, 0, LOCAL_GET, 1];

    #[test]
    fn a_copy_loads_all_before_it_stores() {
        let end = [0x0B];
        let copy = [I32_CONST, 12, 0xFC, 10, 0, 0];
        let body = [&[1, 1, I64][..], &GET, &copy, &end].concat();
        // The function's own locals are two parameters and one more.
        let (destination, source, narrow, wide) = (3, 4, 5, 8);
        let expected = [
            &[3, 1, I64, 5, I32, 8, I64][..],
            &GET,
            &[LOCAL_SET, source, LOCAL_SET, destination],
            &[LOCAL_GET, source, 0x29, 0, 0, LOCAL_SET, wide],
            &[LOCAL_GET, source, 0x28, 0, 8, LOCAL_SET, narrow],
            &[LOCAL_GET, destination, LOCAL_GET, wide, 0x37, 0, 0],
            &[LOCAL_GET, destination, LOCAL_GET, narrow, 0x36, 0, 8],
            &end,
        ]
        .concat();
        assert_eq!(with_steps(&body, 2).expect("well-formed"), expected);
    }

    #[test]
    fn each_length_is_copied_whole() {
        for length in 1..=LONGEST {
            let mut bytes = 0;
            let mut locals = HashSet::new();
            let made = steps(length, 0);
            let mut reader = Reader {
                bytes: &made,
                at: 0,
            };
            let mut before = 0;
            while reader.at < made.len() {
                let (start, instruction) = (reader.at, made[reader.at]);
                step_over(&mut reader).expect("an instruction");
                if let Some((width, ..)) = STEPS.iter().find(|step| step.2 == instruction) {
                    assert_eq!(usize::from(made[start + 2]), bytes);
                    bytes += width;
                    assert!(locals.insert(before), "a local of two steps");
                }
                before = usize::from(made[start + 1]);
            }
            assert_eq!(bytes, length);
            assert!(
                locals
                    .iter()
                    .all(|local| (2..NARROW + WIDE).contains(local))
            );
        }
    }

    #[test]
    fn what_is_no_short_copy_stays() {
        for body in [
            [&[0][..], &GET, &[I32_CONST, 0xC1, 0, 0xFC, 10, 0, 0, 0x0B]].concat(),
            [&[0][..], &GET, &[LOCAL_GET, 2, 0xFC, 10, 0, 0, 0x0B]].concat(),
            [&[0][..], &[0x44, I32_CONST, 8, 0xFC, 10, 0, 0, 0, 0, 0x0B]].concat(),
        ] {
            assert_eq!(with_steps(&body, 3).expect("well-formed"), body);
        }
        assert!(with_steps(&[0, 0xFE, 0x0B], 0).is_err());
        assert!(with_steps(&[0, 0x44, 0x0B], 0).is_err());
    }
}
