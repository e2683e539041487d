//! The functions of a wasm file: their bytes and parameters, and their names from its name section.
//!
//! Only these parts of the format are read: section headers, functions' types, the imports' count, the lengths of code
//! bodies and of data segments, and the names. Anything malformed is an error, never a panic.

/// The sections whose contents are counted here, by their numbers in the format.
const CUSTOM: u8 = 0;
const TYPE: u8 = 1;
const IMPORT: u8 = 2;
const FUNCTION: u8 = 3;
pub const CODE: u8 = 10;
const DATA: u8 = 11;
/// The part of the name section that names functions.
const FUNCTION_NAMES: u8 = 1;

/// The functions and the sizes of a wasm file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Name (empty when the file has none for it) and bytes of each function that has a body.
    pub functions: Vec<(String, usize)>,
    /// The number of each of these functions' type.
    pub types: Vec<usize>,
    /// How many parameters each type has.
    pub parameters: Vec<usize>,
    /// Bytes of all static data.
    pub data: usize,
    /// Bytes of all other sections but custom ones.
    pub other: usize,
}

impl Contents {
    /// How many parameters the function has that is at this place in `functions`.
    pub fn parameters(&self, function: usize) -> Result<usize, String> {
        let of = self.types.get(function).copied();
        let count = of.and_then(|of| self.parameters.get(of)).copied();
        count.ok_or_else(|| format!("function {function} has no type"))
    }
}

/// Reads a wasm file.
pub fn read(bytes: &[u8]) -> Result<Contents, String> {
    let mut reader = Reader { bytes, at: 0 };
    if reader.take(8)? != b"\0asm\x01\0\0\0" {
        return Err("this is no wasm file of version 1".to_owned());
    }
    let mut contents = Contents::default();
    let mut imported = 0;
    let mut names = Vec::new();
    while reader.at < bytes.len() {
        let (id, body) = reader.section()?;
        let length = body.len();
        let mut section = Reader { bytes: body, at: 0 };
        match id {
            CUSTOM => {
                if section.name()? == "name" {
                    names = function_names(&mut section)?;
                }
                continue;
            }
            TYPE => {
                contents.parameters = types_parameters(&mut section)?;
                contents.other += length;
            }
            FUNCTION => {
                for _ in 0..section.number()? {
                    contents.types.push(section.number()?);
                }
                contents.other += length;
            }
            IMPORT => {
                imported = imported_functions(&mut section)?;
                contents.other += length;
            }
            CODE => {
                for _ in 0..section.number()? {
                    let start = section.at;
                    let length = section.number()?;
                    section.take(length)?;
                    let bytes = section.at - start;
                    contents.functions.push((String::new(), bytes));
                }
            }
            DATA => contents.data += length,
            _ => contents.other += length,
        }
    }
    for (index, name) in names {
        let function = usize::checked_sub(index, imported);
        if let Some(function) = function.and_then(|index| contents.functions.get_mut(index)) {
            function.0 = name;
        }
    }
    Ok(contents)
}

/// A name without the hashes of its crates: `quire[8e59…]::bson` is `quire::bson`.
pub fn without_hashes(name: &str) -> String {
    let is_hash = |text: &str| text.len() >= 8 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let mut parts = name.split('[');
    let mut short = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(']') {
            Some((hash, rest)) if is_hash(hash) => short += rest,
            _ => {
                short.push('[');
                short += part;
            }
        }
    }
    short
}

/// The file with other names of its functions, which `name` makes of each function's name and bytes; it has no other
/// names then.
pub fn renamed(bytes: &[u8], name: impl Fn(&str, usize) -> String) -> Result<Vec<u8>, String> {
    let contents = read(bytes)?;
    let mut reader = Reader { bytes, at: 8 };
    let mut file = bytes[..8].to_vec();
    let mut imported = 0;
    while reader.at < bytes.len() {
        let start = reader.at;
        let (id, body) = reader.section()?;
        let mut section = Reader { bytes: body, at: 0 };
        if id == CUSTOM && section.name()? == "name" {
            continue;
        }
        if id == IMPORT {
            imported = imported_functions(&mut section)?;
        }
        file.extend(&bytes[start..reader.at]);
    }
    let mut names = number(contents.functions.len());
    for (index, (old, size)) in contents.functions.iter().enumerate() {
        names.extend(number(imported + index));
        names.extend(text(&name(old, *size)));
    }
    let section = [text("name"), part(FUNCTION_NAMES, &names)].concat();
    file.extend(part(CUSTOM, &section));
    Ok(file)
}

/// An unsigned number (LEB128).
pub fn number(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A text behind its length.
fn text(text: &str) -> Vec<u8> {
    [&number(text.len()), text.as_bytes()].concat()
}

/// A section, or a part of one.
pub fn part(id: u8, body: &[u8]) -> Vec<u8> {
    [&[id], &*number(body.len()), body].concat()
}

/// How many parameters each type of function has.
fn types_parameters(section: &mut Reader<'_>) -> Result<Vec<usize>, String> {
    let mut parameters = Vec::new();
    for _ in 0..section.number()? {
        section.byte()?;
        let count = section.number()?;
        section.take(count)?;
        parameters.push(count);
        let results = section.number()?;
        section.take(results)?;
    }
    Ok(parameters)
}

/// How many functions come from outside: they go first in the numbering.
fn imported_functions(section: &mut Reader<'_>) -> Result<usize, String> {
    let mut functions = 0;
    for _ in 0..section.number()? {
        section.name()?;
        section.name()?;
        match section.byte()? {
            0 => {
                section.number()?;
                functions += 1;
            }
            1 => {
                section.byte()?;
                section.limits()?;
            }
            2 => section.limits()?,
            3 => {
                section.take(2)?;
            }
            kind => return Err(format!("an import of the unknown kind {kind}")),
        }
    }
    Ok(functions)
}

fn function_names(section: &mut Reader<'_>) -> Result<Vec<(usize, String)>, String> {
    let mut names = Vec::new();
    while section.at < section.bytes.len() {
        let (id, body) = section.section()?;
        if id != FUNCTION_NAMES {
            continue;
        }
        let mut part = Reader { bytes: body, at: 0 };
        for _ in 0..part.number()? {
            let index = part.number()?;
            names.push((index, part.name()?));
        }
    }
    Ok(names)
}

/// Reads numbers and bytes one after the other.
pub struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl<'a> Reader<'a> {
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let end = self.at.checked_add(count);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or_else(|| format!("cut at byte {}", self.at))?;
        self.at += count;
        Ok(taken)
    }

    pub fn byte(&mut self) -> Result<u8, String> {
        Ok(self.take(1)?[0])
    }

    /// An unsigned number of at most 32 bits (LEB128).
    pub fn number(&mut self) -> Result<usize, String> {
        let mut number = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return usize::try_from(number).map_err(|error| error.to_string());
            }
        }
        Err(format!("a number without end at byte {}", self.at))
    }

    fn name(&mut self) -> Result<String, String> {
        let length = self.number()?;
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    pub fn section(&mut self) -> Result<(u8, &'a [u8]), String> {
        let id = self.byte()?;
        let length = self.number()?;
        Ok((id, self.take(length)?))
    }

    fn limits(&mut self) -> Result<(), String> {
        let flags = self.byte()?;
        self.number()?;
        if flags & 1 == 1 {
            self.number()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(id: u8, body: &[u8]) -> Vec<u8> {
        [&[id, body.len() as u8], body].concat()
    }

    #[test]
    fn reads_bodies_and_names() {
        let import = section(IMPORT, &[1, 1, b'm', 1, b'f', 0, 0]);
        let code = section(CODE, &[2, 2, 0, 0x0B, 4, 0, 0x41, 1, 0x0B]);
        let data = section(DATA, &[1, 0, 0x41, 0, 0x0B, 1, b'x']);
        let functions = [FUNCTION_NAMES, 7, 2, 1, 1, b'a', 2, 1, b'b'];
        let names = section(
            CUSTOM,
            &[&[4, b'n', b'a', b'm', b'e'][..], &functions].concat(),
        );
        let file = [b"\0asm\x01\0\0\0".to_vec(), import, code, data, names].concat();
        let contents = read(&file).expect("a well-formed file");
        let functions = vec![("a".to_owned(), 3), ("b".to_owned(), 5)];
        assert_eq!(contents.functions, functions);
        assert_eq!((contents.data, contents.other), (7, 7));
    }

    #[test]
    fn names_are_replaced() {
        let import = section(IMPORT, &[1, 1, b'm', 1, b'f', 0, 0]);
        let code = section(CODE, &[2, 2, 0, 0x0B, 4, 0, 0x41, 1, 0x0B]);
        let names = section(
            CUSTOM,
            &[4, b'n', b'a', b'm', b'e', FUNCTION_NAMES, 4, 1, 1, 1, b'a'],
        );
        let file = [b"\0asm\x01\0\0\0".to_vec(), names, import, code].concat();
        let long = "x".repeat(200);
        let other = renamed(&file, |name, bytes| format!("{name}{bytes}{long}"))
            .expect("a well-formed file");
        let functions = vec![(format!("a3{long}"), 3), (format!("5{long}"), 5)];
        assert_eq!(
            read(&other).expect("a well-formed file").functions,
            functions
        );
    }

    #[test]
    fn refuses_what_is_cut() {
        let whole = [b"\0asm\x01\0\0\0".to_vec(), section(CODE, &[1, 2, 0, 0x0B])].concat();
        assert!(read(&whole).is_ok());
        for length in 0..whole.len() {
            // Eight bytes alone are a file without sections.
            assert_eq!(
                read(&whole[..length]).is_ok(),
                length == 8,
                "{length} bytes"
            );
        }
    }
}
