//! The compiled tree of an expression and its evaluation.
//!
//! Invariant: evaluation borrows from the document and from constants of the tree where it can; a
//! value that outlives the frame of a variable is detached by the operator that bound it.

use super::context::Scope;
use super::growth::{self, Growing};
use super::item_index::ItemIndex;
use super::metadata::Metadata;
use super::path::FieldPath;
use crate::bson::{ArrayBuilder, DocumentBuilder, Value};
use crate::collation::Collation;
use crate::env::Env;
use crate::error::CommandError;
use crate::pattern::Pattern;
use std::cell::RefCell;
use std::rc::Rc;

/// The result of compiling and of evaluating.
pub type Result<T> = std::result::Result<T, CommandError>;

/// An operator whose arguments are all evaluated first.
pub type Eager = for<'v> fn(&[Value<'v>], Invocation<'_>) -> Result<Value<'v>>;

/// An operator that decides itself which of its arguments are evaluated, and with which variables.
pub type Lazy = for<'v> fn(&'v Call, &Scope<'v>) -> Result<Value<'v>>;

/// An operator that gives one of its arguments as it is: which one, or an error.
pub type Choose = fn(&Call, &Scope<'_>) -> Result<usize>;

/// Appends the other arguments of an operator to its first one, which `growth::grow` makes grow. Where the operator
/// does not append, such as `$concat` of a null, gives its value instead.
pub type Append =
    fn(&mut Growing, &[Value<'static>], Invocation<'_>) -> Result<Option<Value<'static>>>;

/// The kinds of operator.
#[derive(Clone, Copy)]
pub enum Function {
    Eager(Eager),
    Lazy(Lazy),
    Choosing(Choose),
    Joining(Eager, Append),
}

/// The call of an eager operator, beside its arguments.
#[derive(Clone, Copy)]
pub struct Invocation<'a> {
    pub name: &'static str,
    pub env: &'a dyn Env,
    pub regex: &'a RegexCache,
    pub collation: &'a Collation,
}

/// The last regular expression a call compiled: it is nearly always the same one.
pub type RegexCache = RefCell<Option<CachedRegex>>;

/// A compiled regular expression with its text and options.
pub struct CachedRegex {
    pub pattern: String,
    pub options: String,
    pub program: Rc<Pattern>,
}

/// A compiled expression.
pub enum Node {
    /// An argument that was not given; evaluates to missing.
    Absent,
    Constant(Value<'static>),
    /// `$a.b`, from `$$CURRENT`.
    Field(FieldPath),
    /// `$$CURRENT` itself.
    Current,
    /// `$$ROOT` and paths below it.
    Root(FieldPath),
    /// A variable of a frame and a path below it.
    Variable {
        name: Box<str>,
        slot: usize,
        path: FieldPath,
    },
    Object(Vec<(Box<str>, Node)>),
    Array(Vec<Node>),
    Call(Box<Call>),
}

/// The variables an operator binds: names and slots.
pub type Bindings = Vec<(Box<str>, usize)>;

/// How a call is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `{$op: [a, b]}`
    Positional,
    /// `{$op: {name: a, other: b}}`
    Named(&'static [&'static str]),
    /// `{$op: {branches: [{case, then}…], default}}`
    Switch,
    /// `{$op: {vars: {…}, in: …}}`
    Let,
    /// `{$op: {inputs: […], defaults: […], useLongestLength}}`
    Zip,
    /// `{$op: constant}`
    Constant,
}

/// An operator with its arguments.
pub struct Call {
    pub name: &'static str,
    pub style: Style,
    pub function: Function,
    pub arguments: Vec<Node>,
    /// The variables the operator binds: name and slot.
    pub variables: Bindings,
    /// A value that an operator made at compile time and needs again (a sort pattern, a count of inputs).
    pub constant: Value<'static>,
    pub regex: RegexCache,
    /// The array that the call looked for an item in last.
    pub index: RefCell<Option<Box<ItemIndex>>>,
    /// How the operation compares strings.
    pub collation: Collation,
    /// The row's metadata, for a call that asks for one kind by the name in `constant`.
    pub metadata: Option<Rc<Metadata>>,
}

impl Call {
    /// A call without variables.
    pub fn new(name: &'static str, style: Style, function: Function, arguments: Vec<Node>) -> Self {
        Self {
            name,
            style,
            function,
            arguments,
            variables: Vec::new(),
            constant: Value::MISSING,
            regex: RefCell::new(None),
            index: RefCell::new(None),
            collation: Collation::SIMPLE,
            metadata: None,
        }
    }

    /// Whether an argument was given.
    pub fn has(&self, position: usize) -> bool {
        !matches!(self.arguments.get(position), None | Some(Node::Absent))
    }

    /// Evaluates one argument; missing when it was not given.
    pub fn argument<'v>(&'v self, position: usize, scope: &Scope<'v>) -> Result<Value<'v>> {
        match self.arguments.get(position) {
            Some(node) => node.evaluate(scope),
            None => Ok(Value::MISSING),
        }
    }

    /// The call as eager helpers need it.
    pub fn invocation<'a>(&'a self, env: &'a dyn Env) -> Invocation<'a> {
        Invocation {
            name: self.name,
            env,
            regex: &self.regex,
            collation: &self.collation,
        }
    }

    fn evaluate<'v>(&'v self, scope: &Scope<'v>) -> Result<Value<'v>> {
        let function = match self.function {
            Function::Lazy(function) => return function(self, scope),
            Function::Choosing(choose) => return self.argument(choose(self, scope)?, scope),
            Function::Eager(function) | Function::Joining(function, _) => function,
        };
        let invocation = self.invocation(scope.env);
        match self.arguments.as_slice() {
            [] => function(&[], invocation),
            [one] => function(&[one.evaluate(scope)?], invocation),
            [one, two] => {
                let values = [one.evaluate(scope)?, two.evaluate(scope)?];
                function(&values, invocation)
            }
            [one, two, three] => {
                let values = [
                    one.evaluate(scope)?,
                    two.evaluate(scope)?,
                    three.evaluate(scope)?,
                ];
                function(&values, invocation)
            }
            more => {
                let mut values = Vec::with_capacity(more.len());
                for node in more {
                    values.push(node.evaluate(scope)?);
                }
                function(&values, invocation)
            }
        }
    }
}

impl Node {
    /// A constant.
    pub fn constant(value: impl Into<Value<'static>>) -> Self {
        Self::Constant(value.into())
    }

    /// The constant this node is, if it is one.
    pub fn as_constant(&self) -> Option<&Value<'static>> {
        match self {
            Self::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Evaluates the node in a scope.
    pub fn evaluate<'v>(&'v self, scope: &Scope<'v>) -> Result<Value<'v>> {
        Ok(match self {
            Self::Absent => Value::MISSING,
            Self::Constant(value) => Value::Borrowed(value.as_ref()),
            Self::Field(path) => scope.field(path, scope.current),
            Self::Current => Value::Borrowed(scope.current),
            Self::Root(path) => scope.field(path, scope.root),
            Self::Variable { slot, path, .. } => path.evaluate(scope.variable(*slot)),
            Self::Object(fields) => {
                let mut builder = DocumentBuilder::new();
                for (name, node) in fields {
                    node.append_to(name, scope, &mut builder)?;
                }
                Value::Document(builder.finish())
            }
            Self::Array(items) => {
                let mut builder = ArrayBuilder::new();
                for node in items {
                    builder.push(node.evaluate(scope)?.as_ref());
                    growth::allow_document(scope.env, builder.byte_len())?;
                }
                Value::Array(builder.finish())
            }
            Self::Call(call) => return call.evaluate(scope),
        })
    }

    /// Evaluates the node straight into a document under construction; missing appends nothing.
    pub fn append_to(
        &self,
        name: &str,
        scope: &Scope<'_>,
        builder: &mut DocumentBuilder,
    ) -> Result<()> {
        match self {
            Self::Object(fields) => {
                builder.begin_document(name);
                for (name, node) in fields {
                    node.append_to(name, scope, builder)?;
                }
                builder.end();
            }
            other => {
                builder.append(name, other.evaluate(scope)?.as_ref());
                growth::allow_document(scope.env, builder.len())?;
            }
        }
        Ok(())
    }

    /// Calls `visit` for this node and every node below it.
    pub fn visit(&self, visit: &mut dyn FnMut(&Node)) {
        visit(self);
        match self {
            Self::Object(fields) => fields.iter().for_each(|(_, node)| node.visit(visit)),
            Self::Array(items) => items.iter().for_each(|node| node.visit(visit)),
            Self::Call(call) => call.arguments.iter().for_each(|node| node.visit(visit)),
            _ => {}
        }
    }
}
