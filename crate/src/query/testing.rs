//! For unit tests only: documents from the shell's notation, and a host that knows regular
//! expressions.
#![cfg(test)]

use crate::bson::extended_json::{self, Format};
use crate::bson::{Decimal, DocumentBuf, DocumentBuilder, ValueRef};
use crate::env::{Env, FunctionCall};
use crate::expr::CompileContext;
use crate::query::{Matcher, Projection};

/// A host for tests.
pub struct TestEnv;

impl Env for TestEnv {
    fn now_millis(&self) -> i64 {
        0
    }

    fn monotonic_millis(&self) -> f64 {
        0.0
    }

    fn fill_random(&self, bytes: &mut [u8]) {
        bytes.fill(0x40);
    }

    fn zone_offset_seconds(&self, _zone: &str, _utc_millis: i64) -> Option<i32> {
        None
    }

    fn call_function(&self, call: &FunctionCall<'_>) -> Result<String, String> {
        let FunctionCall { source, this, .. } = *call;
        if source != "this.a" {
            return Err("no such function".to_owned());
        }
        let this = extended_json::parse_document(this.unwrap_or("{}"))
            .map_err(|_| "not a document".to_owned())?;
        Ok(extended_json::to_string(this.get("a"), Format::Canonical))
    }
}

/// Compiles a filter written in the shell's notation.
pub fn matcher(filter: &str) -> Result<Matcher, String> {
    let filter = document(filter);
    Matcher::compile(filter.as_document(), &CompileContext::new(&TestEnv, 0))
        .map_err(|error| format!("{}: {}", error.code, error.message))
}

/// Whether a document matches a filter.
pub fn matches(filter: &str, subject: &str) -> bool {
    let subject = document(subject);
    matcher(filter)
        .and_then(|matcher| {
            matcher
                .matches(subject.as_document(), &TestEnv)
                .map_err(|error| error.message.clone())
        })
        .unwrap_or_else(|message| panic!("{filter}: {message}"))
}

/// The code and message a filter is refused with.
pub fn refusal(filter: &str) -> String {
    match matcher(filter) {
        Ok(_) => format!("{filter} is accepted"),
        Err(message) => message,
    }
}

/// The projection of a document, printed; or the refusal.
pub fn projected(projection: &str, filter: &str, subject: &str) -> String {
    let (projection, subject) = (document(projection), document(subject));
    let matcher = match matcher(filter) {
        Ok(matcher) => matcher,
        Err(message) => return message,
    };
    let mut output = DocumentBuilder::new();
    let result = Projection::compile(
        projection.as_document(),
        &matcher,
        &CompileContext::new(&TestEnv, 0),
    )
    .and_then(|projection| projection.apply(subject.as_document(), &mut output, &TestEnv));
    match result {
        Ok(()) => output.finish().as_document().to_string(),
        Err(error) => format!("{}: {}", error.code, error.message),
    }
}

/// A document in the shell's notation: unquoted names, `/regex/flags`, integers as int32, numbers with a
/// point as double, and `undefined`, `NaN`, `Infinity`, `minKey`, `maxKey`, `long(5)`, `oid(7)`, `bin(ff00)`,
/// `dec(1.5)`.
pub fn document(text: &str) -> DocumentBuf {
    let mut reader = Reader {
        text: text.as_bytes(),
        at: 0,
    };
    let mut builder = DocumentBuilder::new();
    reader.expect(b'{');
    reader.fields(&mut builder);
    builder.finish()
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> u8 {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn expect(&mut self, byte: u8) {
        let found = self.peek();
        assert_eq!(found as char, byte as char, "at {}", self.at);
        self.at += 1;
    }

    fn word(&mut self) -> String {
        self.peek();
        let start = self.at;
        let inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$.+-".contains(byte);
        while self.text.get(self.at).is_some_and(inside) {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.text[start..self.at]).into_owned()
    }

    fn until(&mut self, end: u8) -> String {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|byte| *byte != end) {
            self.at += 1;
        }
        self.at += 1;
        String::from_utf8_lossy(&self.text[start..self.at - 1]).into_owned()
    }

    fn quoted(&mut self) -> String {
        self.expect(b'"');
        self.until(b'"')
    }

    fn fields(&mut self, builder: &mut DocumentBuilder) {
        while self.peek() != b'}' {
            let name = match self.peek() {
                b'"' => self.quoted(),
                _ => self.word(),
            };
            self.expect(b':');
            self.value(&name, builder);
            if self.peek() == b',' {
                self.at += 1;
            }
        }
        self.at += 1;
    }

    fn argument(&mut self) -> String {
        self.expect(b'(');
        self.until(b')')
    }

    fn value(&mut self, name: &str, builder: &mut DocumentBuilder) {
        match self.peek() {
            b'{' => {
                self.at += 1;
                builder.begin_document(name);
                self.fields(builder);
                builder.end();
            }
            b'[' => {
                self.at += 1;
                builder.begin_array(name);
                let mut position = 0;
                while self.peek() != b']' {
                    self.value(&position.to_string(), builder);
                    position += 1;
                    if self.peek() == b',' {
                        self.at += 1;
                    }
                }
                self.at += 1;
                builder.end();
            }
            b'"' => {
                let text = self.quoted();
                builder.append(name, text.as_str());
            }
            b'/' => {
                self.at += 1;
                let pattern = self.until(b'/');
                let start = self.at;
                while self.text.get(self.at).is_some_and(u8::is_ascii_lowercase) {
                    self.at += 1;
                }
                let options = String::from_utf8_lossy(&self.text[start..self.at]).into_owned();
                builder.append(
                    name,
                    ValueRef::Regex {
                        pattern: pattern.as_str().into(),
                        options: options.as_str().into(),
                    },
                );
            }
            _ => self.plain(name, builder),
        }
    }

    fn plain(&mut self, name: &str, builder: &mut DocumentBuilder) {
        let word = self.word();
        let value = match word.as_str() {
            "null" => ValueRef::Null,
            "undefined" => ValueRef::Undefined,
            "true" => ValueRef::Boolean(true),
            "false" => ValueRef::Boolean(false),
            "NaN" => ValueRef::Double(f64::NAN),
            "Infinity" => ValueRef::Double(f64::INFINITY),
            "minKey" => ValueRef::MinKey,
            "maxKey" => ValueRef::MaxKey,
            "long" => ValueRef::Int64(self.argument().parse().expect("a 64-bit number")),
            "date" => ValueRef::DateTime(self.argument().parse().expect("milliseconds")),
            "dec" => {
                let decimal = Decimal::parse(&self.argument()).expect("a decimal");
                ValueRef::Decimal128(decimal.to_bits())
            }
            "oid" => {
                let mut id = [0; 12];
                id[11] = self.argument().parse().expect("a byte");
                ValueRef::ObjectId(id)
            }
            "bin" => {
                let digits = self.argument();
                let bytes: Vec<u8> = (0..digits.len() / 2)
                    .map(|at| u8::from_str_radix(&digits[at * 2..at * 2 + 2], 16).expect("hex"))
                    .collect();
                builder.append(
                    name,
                    ValueRef::Binary {
                        subtype: 0,
                        bytes: &bytes,
                    },
                );
                return;
            }
            number => match number.parse::<i32>() {
                Ok(int) => ValueRef::Int32(int),
                Err(_) => ValueRef::Double(number.parse().expect("a number")),
            },
        };
        builder.append(name, value);
    }
}
