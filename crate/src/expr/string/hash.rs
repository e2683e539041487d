//! `$hash` and `$hexHash`: the digest of a string or of bytes, as bytes and as digits.
//!
//! Follows the manual's "$hash" and "$hexHash" pages.

use super::super::arguments::error;
use super::super::form::{Form, Names, named};
use super::super::node::{Invocation, Result};
use crate::algorithms::hexadecimal;
use crate::algorithms::md5::Md5;
use crate::algorithms::sha256::sha256;
use crate::algorithms::xxh64::xxh64;
use crate::bson::{Value, ValueRef};

/// How `$hash` takes its arguments.
pub const BYTES: Form = named(&NAMES, bytes);
/// How `$hexHash` takes its arguments.
pub const DIGITS: Form = named(&NAMES, digits);

const NAMES: Names = Names {
    names: &["input", "algorithm"],
    missing: &[9, 9],
    not_object: 9,
    unknown: 9,
};

fn bytes<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    Ok(digest(arguments)?.map_or(Value::NULL, |bytes| {
        let bytes = bytes.as_slice();
        ValueRef::Binary { subtype: 0, bytes }.to_value()
    }))
}

fn digits<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    Ok(digest(arguments)?.map_or(Value::NULL, |bytes| {
        let mut text = String::new();
        hexadecimal::write_upper(&mut text, &bytes);
        text.into()
    }))
}

/// The digest of the input; `None` where it is null.
fn digest(arguments: &[Value<'_>]) -> Result<Option<Vec<u8>>> {
    let (input, algorithm) = (arguments[0].as_ref(), arguments[1].as_ref());
    let refuse = |code, needed: &str, found: ValueRef<'_>| {
        let kind = found.type_name();
        error(
            code,
            format!("$hash requires that {needed}, found: {kind} with value {found}"),
        )
    };
    let bytes = match input {
        input if input.is_nullish() => return Ok(None),
        ValueRef::String(text) if text.to_str().is_some() => text.as_bytes(),
        ValueRef::Binary { bytes, .. } => bytes,
        other => {
            let needed = "'input' be a valid UTF-8 string or binData";
            return Err(refuse(10_754_000, needed, other));
        }
    };
    let Some(name) = algorithm.as_text() else {
        return Err(refuse(10_754_001, "'algorithm' be a string", algorithm));
    };
    Ok(Some(match name.as_bytes() {
        b"md5" => {
            let mut md5 = Md5::default();
            md5.update(bytes);
            md5.digest()
        }
        b"sha256" => sha256(bytes).into(),
        b"xxh64" => xxh64(bytes).to_be_bytes().into(),
        _ => {
            return Err(error(
                10_754_002,
                format!(
                    "Currently, the only supported algorithms for $hash are 'md5', 'sha256' and \
                     'xxh64', found: {name}"
                ),
            ));
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn hashes_text_and_bytes() {
        for (algorithm, digest) in [
            ("md5", "900150983CD24FB0D6963F7D28E17F72"),
            (
                "sha256",
                "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
            ),
            ("xxh64", "44BC2CF5AD770999"),
        ] {
            for input in ["'abc'", "Binary('abc')"] {
                let given = format!("{{input: {input}, algorithm: '{algorithm}'}}");
                evaluates(
                    &format!("{{$hexHash: {given}}}"),
                    "{}",
                    &format!("'{digest}'"),
                );
                evaluates(
                    &format!(
                        "{{$convert: {{input: {{$hash: {given}}}, to: 'string', format: 'hex'}}}}"
                    ),
                    "{}",
                    &format!("'{digest}'"),
                );
            }
        }
        evaluates("{$hash: {input: '$q', algorithm: 5}}", "{}", "null");
        fails("{$hash: {input: 1, algorithm: 'md5'}}", "{}", 10754000);
        fails("{$hash: {input: 'x', algorithm: null}}", "{}", 10754001);
        fails("{$hexHash: {input: 'x', algorithm: 'MD5'}}", "{}", 10754002);
        fails("{$hash: {input: 'x'}}", "{}", 9);
        fails("{$hash: {input: 'x', algorithm: 'md5', x: 1}}", "{}", 9);
    }
}
