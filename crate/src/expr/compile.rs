//! Compiles expressions from BSON: paths, variables, literals, objects, operators.
//!
//! Follows the manual's "Expressions" and "Variables in Aggregation Expressions" pages. Invariant:
//! names are resolved here once; a call whose arguments are all constant is folded into one.

use super::context::{CompileContext, Scope};
use super::expression::Expression;
use super::node::{Bindings, Call, Node, Result};
use super::path::{FieldPath, check_field_name};
use super::table;
use crate::bson::{Array, Document, Value, ValueRef};
use crate::error::{Code, CommandError};

/// Compiles an expression. Unknown operators, wrong arities and undefined variables are errors.
pub fn compile(source: ValueRef<'_>, context: &CompileContext<'_>) -> Result<Expression> {
    let mut compiler = Compiler {
        context,
        locals: Vec::new(),
        lazy: 0,
    };
    Ok(Expression {
        root: compiler.operand(source)?,
    })
}

/// The state of one compilation: the context and the variables in sight.
pub struct Compiler<'c> {
    pub context: &'c CompileContext<'c>,
    /// Variables bound by enclosing operators, innermost last. A local's slot follows the
    /// context's own slots.
    locals: Vec<String>,
    /// How many enclosing operators may never evaluate the part that is being compiled.
    lazy: usize,
}

impl Compiler<'_> {
    /// Compiles an operand: a path, a variable, a literal, an expression.
    pub fn operand(&mut self, source: ValueRef<'_>) -> Result<Node> {
        match source {
            ValueRef::String(text) if text.has_dollar() => self.path(text.checked()?),
            ValueRef::Document(document) => self.object(document),
            ValueRef::Array(array) => self.array(array),
            other => {
                if let ValueRef::String(text) = other {
                    super::growth::allow_text(self.context.env, text.as_bytes().len())?;
                }
                Ok(Node::Constant(other.to_value()))
            }
        }
    }

    /// Compiles an argument list: the items of an array, or one operand by itself.
    pub fn arguments(&mut self, source: ValueRef<'_>) -> Result<Vec<Node>> {
        match source {
            ValueRef::Array(array) => array.iter().map(|item| self.operand(item)).collect(),
            other => Ok(vec![self.operand(other)?]),
        }
    }

    /// Binds a variable for the expressions that `inside` compiles; gives its slot.
    pub fn with_variables<T>(
        &mut self,
        names: &[&str],
        inside: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(Bindings, T)> {
        let depth = self.locals.len();
        let mut bound = Vec::with_capacity(names.len());
        for name in names {
            bound.push(((*name).into(), self.context.slots.len() + self.locals.len()));
            self.locals.push((*name).to_owned());
        }
        let result = inside(self);
        self.locals.truncate(depth);
        Ok((bound, result?))
    }

    /// Compiles a part that may never be reached, such as a branch of `$cond`: a failing constant in it is no error
    /// then.
    pub fn reached<T>(
        &mut self,
        is_reached: bool,
        inside: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.lazy += usize::from(!is_reached);
        let result = inside(self);
        self.lazy -= usize::from(!is_reached);
        result
    }

    /// Notes an evaluation that is known to fail, unless it may never be reached.
    pub fn note(&self, error: CommandError) {
        if self.lazy == 0 {
            self.context.failure.borrow_mut().get_or_insert(error);
        }
    }

    /// Folds a call of constants. A call that fails is kept, and noted unless it may never be reached.
    pub fn finish(&self, mut call: Call) -> Node {
        call.collation.clone_from(&self.context.collation);
        let constant = call
            .arguments
            .iter()
            .all(|node| matches!(node, Node::Absent | Node::Constant(_)));
        let node = Node::Call(Box::new(call));
        if constant {
            let scope = Scope::of(ValueRef::Missing, self.context.env);
            match node.evaluate(&scope) {
                Ok(value) => return Node::Constant(value.into_owned()),
                Err(error) => self.note(error),
            }
        }
        node
    }

    fn path(&self, text: &str) -> Result<Node> {
        if let Some(variable) = text.strip_prefix("$$") {
            return self.variable(variable);
        }
        let path = &text[1..];
        if path.is_empty() {
            return Err(CommandError::location(
                16872,
                "'$' by itself is not a valid FieldPath",
            ));
        }
        Ok(Node::Field(FieldPath::parse(path)?))
    }

    fn variable(&self, text: &str) -> Result<Node> {
        let (name, rest) = match text.split_once('.') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        check_variable_for_read(name)?;
        let path = match rest {
            Some(rest) => FieldPath::parse(rest)?,
            None => FieldPath::default(),
        };
        if name == "CURRENT" {
            return Ok(match rest {
                Some(_) => Node::Field(path),
                None => Node::Current,
            });
        }
        if let Some(position) = self.locals.iter().rposition(|local| local == name) {
            return Ok(Node::Variable {
                name: name.into(),
                slot: self.context.slots.len() + position,
                path,
            });
        }
        if let Some(slot) = self.context.slots.iter().rposition(|held| held == name) {
            return Ok(Node::Variable {
                name: name.into(),
                slot,
                path,
            });
        }
        let constants = self.context.constants.iter().rev();
        if let Some((_, value)) = { constants }.find(|(held, _)| held == name) {
            return Ok(Node::Constant(path.evaluate(value.as_ref()).into_owned()));
        }
        let unavailable = || {
            CommandError::location(
                51144,
                format!("Builtin variable '$${name}' is not available"),
            )
        };
        match name {
            "ROOT" => Ok(Node::Root(path)),
            "REMOVE" => Ok(Node::Constant(Value::MISSING)),
            "NOW" | "CLUSTER_TIME" if !self.context.has_clock => Err(unavailable()),
            "NOW" => {
                let now = ValueRef::DateTime(self.context.now_millis);
                Ok(Node::Constant(path.evaluate(now).into_owned()))
            }
            "CLUSTER_TIME" => {
                let time = { self.context.env.cluster_time() }.ok_or_else(unavailable)?;
                let time = ValueRef::from(time);
                Ok(Node::Constant(path.evaluate(time).into_owned()))
            }
            _ => Err(CommandError::location(
                17276,
                format!("Use of undefined variable: {name}"),
            )),
        }
    }

    fn array(&mut self, array: Array<'_>) -> Result<Node> {
        let items = array
            .iter()
            .map(|item| self.operand(item))
            .collect::<Result<Vec<_>>>()?;
        Ok(self.fold(Node::Array(items)))
    }

    fn object(&mut self, document: Document<'_>) -> Result<Node> {
        match document.iter().next() {
            Some(first) if first.name.starts_with('$') => self.operator(document),
            _ => self.literal_object(document),
        }
    }

    fn literal_object(&mut self, document: Document<'_>) -> Result<Node> {
        let mut fields: Vec<(Box<str>, Node)> = Vec::new();
        for field in document.iter() {
            check_field_name(field.name)?;
            if fields.iter().any(|(name, _)| &**name == field.name) {
                return Err(CommandError::location(
                    16406,
                    format!(
                        "duplicate field name specified in object literal: {}",
                        field.name
                    ),
                ));
            }
            fields.push((field.name.into(), self.operand(field.value)?));
        }
        Ok(self.fold(Node::Object(fields)))
    }

    fn fold(&self, node: Node) -> Node {
        let constant = match &node {
            Node::Array(items) => items.iter().all(|item| item.as_constant().is_some()),
            Node::Object(fields) => fields.iter().all(|(_, item)| item.as_constant().is_some()),
            _ => false,
        };
        if constant {
            let scope = Scope::of(ValueRef::Missing, self.context.env);
            if let Ok(value) = node.evaluate(&scope) {
                return Node::Constant(value.into_owned());
            }
        }
        node
    }

    fn operator(&mut self, document: Document<'_>) -> Result<Node> {
        let mut fields = document.iter();
        let (Some(field), None) = (fields.next(), fields.next()) else {
            return Err(CommandError::location(
                15983,
                "An object representing an expression must have exactly one field",
            ));
        };
        match table::find(field.name) {
            Some((name, form)) => form.compile(name, field.value, self),
            None if table::UNSUPPORTED.binary_search(&field.name).is_ok() => {
                Err(CommandError::new(
                    Code::NotImplemented,
                    format!("The expression '{}' is not supported", field.name),
                ))
            }
            None => Err(CommandError::new(
                Code::InvalidPipelineOperator,
                format!("Unrecognized expression '{}'", field.name),
            )),
        }
    }
}

fn check_characters(name: &str) -> Result<()> {
    let wrong = name
        .chars()
        .skip(1)
        .find(|c| c.is_ascii() && !c.is_ascii_alphanumeric() && *c != '_');
    match wrong {
        None => Ok(()),
        Some(wrong) => Err(CommandError::new(
            Code::FailedToParse,
            format!("'{name}' contains an invalid character for a variable name: '{wrong}'"),
        )),
    }
}

/// Refuses names that no variable can have.
pub fn check_variable_for_read(name: &str) -> Result<()> {
    let Some(first) = name.chars().next() else {
        return Err(CommandError::new(
            Code::FailedToParse,
            "empty variable names are not allowed",
        ));
    };
    if first.is_ascii() && !first.is_ascii_alphabetic() {
        return Err(CommandError::new(
            Code::FailedToParse,
            format!("'{name}' starts with an invalid character for a variable name"),
        ));
    }
    check_characters(name)
}

/// Refuses names that a user may not bind: all but `CURRENT` must begin with a lower-case letter.
pub fn check_variable_for_write(name: &str) -> Result<()> {
    if name == "CURRENT" {
        return Ok(());
    }
    let Some(first) = name.chars().next() else {
        return Err(CommandError::new(
            Code::FailedToParse,
            "empty variable names are not allowed",
        ));
    };
    if first.is_ascii() && !first.is_ascii_lowercase() {
        return Err(CommandError::new(
            Code::FailedToParse,
            format!("'{name}' starts with an invalid character for a user variable name"),
        ));
    }
    check_characters(name)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{evaluates, fails};

    #[test]
    fn resolves_literals_objects_and_system_variables() {
        evaluates("{a: '$x', b: [1, '$y']}", "{x: 5}", "{a: 5, b: [1, null]}");
        evaluates("'$$ROOT'", "{x: 5}", "{x: 5}");
        evaluates("'$$CURRENT.x'", "{x: 5}", "5");
        evaluates("'$$REMOVE'", "{x: 5}", "missing");
        evaluates("'$$NOW'", "{}", "Date(1000)");
        evaluates("'plain'", "{}", "'plain'");
        fails("'$$nope'", "{}", 17276);
        fails("'$$1x'", "{}", 9);
        fails("{a: 1, $b: 2}", "{}", 16410);
        fails("{'a.b': 1}", "{}", 16412);
    }
}
