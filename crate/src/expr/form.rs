//! How an operator takes its arguments: the shapes that rows of the table have in common.
//!
//! Invariant: arity and argument names are checked at compile time with MongoDB's codes, so that
//! an operator's function always sees as many values as its form says.

use super::compile::Compiler;
use super::node::{Append, Call, Eager, Function, Lazy, Node, Result, Style};
use crate::bson::ValueRef;
use crate::error::CommandError;

/// Compiles one operator from its argument.
pub type Compile = fn(&'static str, ValueRef<'_>, &mut Compiler<'_>) -> Result<Node>;

/// The shape of an operator's argument.
#[derive(Clone, Copy)]
pub enum Form {
    /// An array of arguments, or a single one outside an array.
    Positional {
        least: usize,
        most: usize,
        function: Function,
    },
    /// An object of named arguments.
    Named(&'static Names, Function),
    /// Anything else.
    Custom(Compile),
}

/// The named arguments of an operator and the codes of its refusals.
pub struct Names {
    /// Every name, the required ones first.
    pub names: &'static [&'static str],
    /// The code for each required name when it is absent.
    pub missing: &'static [i32],
    pub not_object: i32,
    pub unknown: i32,
}

/// An operator of exactly `count` evaluated arguments.
pub const fn fixed(count: usize, function: Eager) -> Form {
    range(count, count, function)
}

/// An operator of `least` to `most` evaluated arguments.
pub const fn range(least: usize, most: usize, function: Eager) -> Form {
    Form::Positional {
        least,
        most,
        function: Function::Eager(function),
    }
}

/// An operator of exactly `count` arguments that evaluates them itself.
pub const fn fixed_lazy(count: usize, function: Lazy) -> Form {
    Form::Positional {
        least: count,
        most: count,
        function: Function::Lazy(function),
    }
}

/// An operator of any number of evaluated arguments.
pub const fn variadic(function: Eager) -> Form {
    range(0, usize::MAX, function)
}

/// An operator of any number of evaluated arguments, which appends to the first where that is growing.
pub const fn joining(function: Eager, append: Append) -> Form {
    Form::Positional {
        least: 0,
        most: usize::MAX,
        function: Function::Joining(function, append),
    }
}

/// An operator of any number of arguments that evaluates them itself.
pub const fn lazy(function: Lazy) -> Form {
    Form::Positional {
        least: 0,
        most: usize::MAX,
        function: Function::Lazy(function),
    }
}

/// An operator of named, evaluated arguments.
pub const fn named(names: &'static Names, function: Eager) -> Form {
    Form::Named(names, Function::Eager(function))
}

/// An operator of named arguments that evaluates them itself.
pub const fn named_lazy(names: &'static Names, function: Lazy) -> Form {
    Form::Named(names, Function::Lazy(function))
}

impl Form {
    /// Compiles an operator's argument.
    pub fn compile(
        self,
        name: &'static str,
        argument: ValueRef<'_>,
        compiler: &mut Compiler<'_>,
    ) -> Result<Node> {
        match self {
            Self::Custom(compile) => compile(name, argument, compiler),
            Self::Positional {
                least,
                most,
                function,
            } => {
                let arguments = compiler.arguments(argument)?;
                check_arity(name, arguments.len(), least, most)?;
                Ok(compiler.finish(Call::new(name, Style::Positional, function, arguments)))
            }
            Self::Named(names, function) => {
                let arguments = names.compile(name, argument, compiler)?;
                let style = Style::Named(names.names);
                Ok(compiler.finish(Call::new(name, style, function, arguments)))
            }
        }
    }
}

fn check_arity(name: &str, given: usize, least: usize, most: usize) -> Result<()> {
    if (least..=most).contains(&given) {
        return Ok(());
    }
    Err(if least == most {
        let noun = if least == 1 { "argument" } else { "arguments" };
        CommandError::location(
            16020,
            format!("Expression {name} takes exactly {least} {noun}. {given} were passed in."),
        )
    } else {
        CommandError::location(
            28667,
            format!(
                "Expression {name} takes at least {least} arguments, and at most {most}, but \
                 {given} were passed in."
            ),
        )
    })
}

/// The code for unknown fields of operators that MongoDB reads with its generic parser, which words alike for all.
const GENERIC_PARSER: i32 = 40415;
/// The code for unknown fields of the operators that take an `n`, which share a parser.
const COUNT_PARSER: i32 = 5_787_901;

impl Names {
    /// Compiles the fields of an argument object into the order of `names`.
    pub fn compile(
        &self,
        name: &'static str,
        argument: ValueRef<'_>,
        compiler: &mut Compiler<'_>,
    ) -> Result<Vec<Node>> {
        let values = self.split(name, argument)?;
        let mut nodes = Vec::with_capacity(values.len());
        for value in values {
            nodes.push(match value {
                ValueRef::Missing => Node::Absent,
                value => compiler.operand(value)?,
            });
        }
        Ok(nodes)
    }

    /// The fields of an argument object in the order of `names`; missing where not given.
    pub fn split<'b>(&self, name: &str, argument: ValueRef<'b>) -> Result<Vec<ValueRef<'b>>> {
        let ValueRef::Document(fields) = argument else {
            let message = match self.unknown {
                GENERIC_PARSER | COUNT_PARSER => {
                    format!("specification must be an object; found {name}: {argument}")
                }
                _ => format!(
                    "{name} only supports an object as its argument, found: {}",
                    argument.type_name()
                ),
            };
            return Err(CommandError::location(self.not_object, message));
        };
        let mut values = vec![ValueRef::Missing; self.names.len()];
        for field in fields.iter() {
            let Some(position) = self.names.iter().position(|held| *held == field.name) else {
                let given = field.name;
                let message = match self.unknown {
                    GENERIC_PARSER => format!("BSON field '{name}.{given}' is an unknown field."),
                    COUNT_PARSER => format!("Unknown argument for 'n' operator: {given}"),
                    _ => format!("Unrecognized argument to {name}: {given}"),
                };
                return Err(CommandError::location(self.unknown, message));
            };
            values[position] = field.value;
        }
        for (position, code) in self.missing.iter().enumerate() {
            if values[position].is_missing() {
                let lacking = self.names[position];
                let message = match self.unknown {
                    GENERIC_PARSER => {
                        format!("BSON field '{name}.{lacking}' is missing but a required field")
                    }
                    COUNT_PARSER => format!("Missing value for '{lacking}'"),
                    _ => format!("Missing '{lacking}' parameter to {name}"),
                };
                return Err(CommandError::location(*code, message));
            }
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::fails;

    #[test]
    fn refuses_a_wrong_number_of_arguments() {
        fails("{$divide: [1]}", "{}", 16020);
        fails("{$round: [1, 2, 3]}", "{}", 28667);
        fails("{$foo: 1}", "{}", 168);
        fails("{$add: [1], $divide: [1, 2]}", "{}", 15983);
    }
}
