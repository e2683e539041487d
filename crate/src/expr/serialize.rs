//! The canonical BSON form of a compiled expression, as explain prints it.

use super::node::{Call, Node, Style};
use crate::bson::{ArrayBuilder, DocumentBuilder, Value, ValueRef};

/// Appends a node as a field of a document.
pub fn append(node: &Node, name: &str, builder: &mut DocumentBuilder) {
    match node {
        Node::Absent => {}
        Node::Constant(value) if value.as_ref().is_missing() => {
            builder.append(name, "$$REMOVE");
        }
        Node::Constant(value) => {
            builder.begin_document(name);
            builder.append("$const", value.as_ref());
            builder.end();
        }
        Node::Field(path) => {
            builder.append(name, format!("${}", path.dotted()).as_str());
        }
        Node::Current => {
            builder.append(name, "$$CURRENT");
        }
        Node::Root(path) => {
            builder.append(name, variable("ROOT", &path.dotted()).as_str());
        }
        Node::Variable {
            name: variable_name,
            path,
            ..
        } => {
            builder.append(name, variable(variable_name, &path.dotted()).as_str());
        }
        Node::Object(fields) => {
            builder.begin_document(name);
            for (name, node) in fields {
                append(node, name, builder);
            }
            builder.end();
        }
        Node::Array(items) => append_list(items, name, builder),
        Node::Call(call) => {
            builder.begin_document(name);
            append_call(call, builder);
            builder.end();
        }
    }
}

fn variable(name: &str, path: &str) -> String {
    if path.is_empty() {
        format!("$${name}")
    } else {
        format!("$${name}.{path}")
    }
}

fn append_list(items: &[Node], name: &str, builder: &mut DocumentBuilder) {
    let mut list = ArrayBuilder::new();
    for item in items {
        list.push(single(item).as_ref());
    }
    builder.append(name, &list.finish());
}

/// A node as a value of its own.
fn single(node: &Node) -> Value<'static> {
    let mut holder = DocumentBuilder::new();
    append(node, "x", &mut holder);
    holder.finish().get("x").to_value()
}

fn append_call(call: &Call, builder: &mut DocumentBuilder) {
    match call.style {
        Style::Positional => append_list(&call.arguments, call.name, builder),
        Style::Constant => {
            builder.append(call.name, call.constant.as_ref());
        }
        Style::Named(names) => {
            builder.begin_document(call.name);
            for (position, name) in names.iter().enumerate() {
                if let "as" | "valueAs" | "arrayIndexAs" = *name {
                    // The variables stand in the order in which `binding::compile` got them: the item, the value of
                    // `$reduce`, the position. A usual name is left out, but for the `as` of `$filter` and `$map`.
                    let reduces = names.contains(&"valueAs");
                    let (place, usual) = match *name {
                        "as" if reduces => (0, "this"),
                        "as" => (0, ""),
                        "valueAs" => (1, "value"),
                        _ => (1 + usize::from(reduces), "IDX"),
                    };
                    if let Some((variable, _)) = call.variables.get(place)
                        && &**variable != usual
                    {
                        builder.append(name, &**variable);
                    }
                } else if *name == "sortBy" {
                    builder.append(name, call.constant.as_ref());
                } else if let Some(node) = call.arguments.get(position) {
                    append(node, name, builder);
                }
            }
            builder.end();
        }
        Style::Switch => {
            builder.begin_document(call.name);
            let mut branches = ArrayBuilder::new();
            for pair in call.arguments.chunks_exact(2) {
                let mut branch = DocumentBuilder::new();
                append(&pair[0], "case", &mut branch);
                append(&pair[1], "then", &mut branch);
                branches.push(&branch.finish());
            }
            builder.append("branches", &branches.finish());
            if call.arguments.len() % 2 == 1
                && let Some(default) = call.arguments.last()
            {
                append(default, "default", builder);
            }
            builder.end();
        }
        Style::Let => {
            builder.begin_document(call.name).begin_document("vars");
            for ((name, _), node) in call.variables.iter().zip(&call.arguments) {
                append(node, name, builder);
            }
            builder.end();
            if let Some(body) = call.arguments.last() {
                append(body, "in", builder);
            }
            builder.end();
        }
        Style::Zip => {
            let inputs = match call.constant.as_ref() {
                ValueRef::Int32(count) => usize::try_from(count).unwrap_or(0),
                _ => call.arguments.len(),
            };
            let (inputs, defaults) = call.arguments.split_at(inputs.min(call.arguments.len()));
            builder.begin_document(call.name);
            append_list(inputs, "inputs", builder);
            append_list(defaults, "defaults", builder);
            builder.append("useLongestLength", !call.variables.is_empty());
            builder.end();
        }
    }
}
