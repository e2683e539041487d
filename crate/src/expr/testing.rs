//! Test support: BSON from a short JavaScript-like notation, and expression checks.

use super::compile::compile;
use super::context::{CompileContext, Scope};
use crate::bson::{ArrayBuilder, Decimal, DocumentBuf, DocumentBuilder, Value, ValueRef};
use crate::env::{Env, FunctionCall};

/// A host whose clock stands at second one and whose only zone is one hour east of UTC.
pub struct TestEnv;

impl Env for TestEnv {
    fn now_millis(&self) -> i64 {
        1000
    }

    fn monotonic_millis(&self) -> f64 {
        0.0
    }

    fn fill_random(&self, bytes: &mut [u8]) {
        bytes.fill(0x40);
    }

    fn zone_offset_seconds(&self, zone: &str, _: i64) -> Option<i32> {
        (zone == "Europe/Test").then_some(3600)
    }

    fn call_function(&self, call: &FunctionCall<'_>) -> Result<String, String> {
        let FunctionCall {
            source, arguments, ..
        } = *call;
        match arguments {
            [a, b] if source == "function(a, b) { return [b, a] }" => Ok(format!("[{b},{a}]")),
            [] if source == "i" => Ok("0".to_owned()),
            [a, b] if source.contains("const step = eval(__function$(\"f\"))") => {
                Ok(format!("[{a},{b}]"))
            }
            _ => Err("no such function".to_owned()),
        }
    }
}

/// Reads a value: `{a: 1, b: [2.5, 'x']}`, `NumberLong(1)`, `Date(0)`, `Decimal('1')`,
/// `ObjectId('…')`, `Regex('a', 'i')`, `missing`, `undefined`, `NaN`, `Infinity`.
pub fn value(text: &str) -> Value<'static> {
    let mut reader = Reader {
        rest: text.trim_start(),
    };
    let found = reader.value();
    assert!(reader.rest.is_empty(), "trailing text: {}", reader.rest);
    found
}

/// Reads a document.
pub fn document(text: &str) -> DocumentBuf {
    match value(text) {
        Value::Document(document) => document,
        other => panic!("not a document: {other:?}"),
    }
}

/// Compiles and evaluates, and compares type and value with the expected ones.
#[track_caller]
pub fn evaluates(expression: &str, input: &str, expected: &str) {
    let got = run(expression, input).unwrap_or_else(|error| panic!("{expression}: {error}"));
    let wanted = value(expected);
    assert_eq!(show(got.as_ref()), show(wanted.as_ref()), "{expression}");
}

/// Compiles and evaluates, and expects that error code.
#[track_caller]
pub fn fails(expression: &str, input: &str, code: i32) {
    match run(expression, input) {
        Ok(value) => panic!("{expression} gave {}", show(value.as_ref())),
        Err(error) => assert_eq!(error.code, code, "{expression}: {error}"),
    }
}

fn run(expression: &str, input: &str) -> Result<Value<'static>, crate::error::CommandError> {
    let source = value(expression);
    let input = document(input);
    let compiled = compile(source.as_ref(), &CompileContext::new(&TestEnv, 1000))?;
    let scope = Scope::of(ValueRef::Document(input.as_document()), &TestEnv);
    compiled.evaluate(&scope).map(Value::into_owned)
}

/// The paths an expression reads and whether it needs the whole document.
pub fn dependencies(expression: &str) -> (Vec<String>, bool) {
    let source = value(expression);
    let compiled = compile(source.as_ref(), &CompileContext::new(&TestEnv, 1000));
    let found = compiled.expect("the expression compiles").dependencies();
    (found.paths, found.whole_document)
}

/// The canonical form as field `x`.
pub fn canonical(expression: &str) -> String {
    let source = value(expression);
    let compiled = compile(source.as_ref(), &CompileContext::new(&TestEnv, 1000));
    let mut builder = DocumentBuilder::new();
    let compiled = compiled.expect("the expression compiles");
    compiled.to_bson("x", &mut builder);
    show(ValueRef::Document(builder.finish().as_document()))
}

/// Prints a value in the notation that `value` reads.
pub fn show(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Missing => "missing".to_owned(),
        ValueRef::Undefined => "undefined".to_owned(),
        ValueRef::Null => "null".to_owned(),
        ValueRef::Boolean(flag) => flag.to_string(),
        ValueRef::Int32(number) => number.to_string(),
        ValueRef::Int64(number) => format!("NumberLong({number})"),
        ValueRef::Double(number) => format!("{number:?}"),
        ValueRef::Decimal128(bits) => format!("Decimal('{}')", Decimal::from_bits(bits)),
        ValueRef::String(text) => format!("'{text}'"),
        ValueRef::DateTime(millis) => format!("Date({millis})"),
        ValueRef::ObjectId(id) => {
            let hex: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("ObjectId('{hex}')")
        }
        ValueRef::Document(document) => {
            let fields: Vec<String> = document
                .iter()
                .map(|field| format!("{}: {}", field.name, show(field.value)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        ValueRef::Array(array) => {
            let items: Vec<String> = array.iter().map(show).collect();
            format!("[{}]", items.join(", "))
        }
        other => format!("{other:?}"),
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn eat(&mut self, token: char) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: char) {
        assert!(self.eat(token), "expected {token} before: {}", self.rest);
    }

    fn word(&mut self) -> String {
        if self.rest.starts_with('\'') || self.rest.starts_with('"') {
            return self.string();
        }
        let end = self
            .rest
            .find(|c: char| !(c.is_alphanumeric() || "$_+-.".contains(c)))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        word.to_owned()
    }

    fn string(&mut self) -> String {
        let quote = if self.rest.starts_with('"') {
            '"'
        } else {
            '\''
        };
        let body = &self.rest[1..];
        let end = body.find(quote).expect("a string ends");
        self.rest = body[end + 1..].trim_start();
        body[..end].to_owned()
    }

    fn value(&mut self) -> Value<'static> {
        if self.eat('{') {
            let mut builder = DocumentBuilder::new();
            while !self.eat('}') {
                let name = self.word();
                self.expect(':');
                builder.append(&name, self.value().as_ref());
                self.eat(',');
            }
            return Value::Document(builder.finish());
        }
        if self.eat('[') {
            let mut builder = ArrayBuilder::new();
            while !self.eat(']') {
                builder.push(self.value().as_ref());
                self.eat(',');
            }
            return Value::Array(builder.finish());
        }
        if self.rest.starts_with('\'') || self.rest.starts_with('"') {
            return Value::from(self.string());
        }
        let word = self.word();
        if self.eat('(') {
            let first = self.word();
            let second = if self.eat(',') {
                self.word()
            } else {
                String::new()
            };
            self.expect(')');
            return constructed(&word, &first, &second);
        }
        match word.as_str() {
            "true" => Value::from(true),
            "false" => Value::from(false),
            "null" => Value::NULL,
            "undefined" => Value::Borrowed(ValueRef::Undefined),
            "missing" => Value::MISSING,
            "NaN" => Value::from(f64::NAN),
            "Infinity" | "inf" => Value::from(f64::INFINITY),
            "-Infinity" | "-inf" => Value::from(f64::NEG_INFINITY),
            number => match number.parse::<i32>() {
                Ok(small) => Value::from(small),
                Err(_) => Value::from(number.parse::<f64>().expect("a number")),
            },
        }
    }
}

fn constructed(kind: &str, first: &str, second: &str) -> Value<'static> {
    match kind {
        "NumberLong" => Value::from(first.parse::<i64>().expect("a long")),
        "Date" => Value::Borrowed(ValueRef::DateTime(first.parse().expect("milliseconds"))),
        "Decimal" => Value::from(Decimal::parse(first).expect("a decimal").to_bits()),
        "Regex" => ValueRef::Regex {
            pattern: first.into(),
            options: second.into(),
        }
        .to_value(),
        "Timestamp" => Value::Borrowed(ValueRef::Timestamp {
            time: first.parse().expect("seconds"),
            increment: second.parse().expect("an increment"),
        }),
        "Binary" => ValueRef::Binary {
            subtype: 0,
            bytes: first.as_bytes(),
        }
        .to_value(),
        "ObjectId" => {
            let mut id = [0; 12];
            for (position, byte) in id.iter_mut().enumerate() {
                let digits = &first[position * 2..position * 2 + 2];
                *byte = u8::from_str_radix(digits, 16).expect("hex");
            }
            Value::Borrowed(ValueRef::ObjectId(id))
        }
        other => panic!("unknown constructor {other}"),
    }
}
