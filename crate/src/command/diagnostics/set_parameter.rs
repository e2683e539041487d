//! `setParameter`: sets server parameters. Manual: reference/command/setParameter.

use super::parameters::{PARAMETERS, Parameters};
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::command::request::params::is_generic;
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let held = &context.deployment.parameters;
    let mut changed = held.clone();
    let mut reply = DocumentBuilder::new();
    let mut count = 0;
    let fields = request.document.iter().skip(1);
    for field in fields.filter(|field| !is_generic(field.name.as_bytes())) {
        let Some(at) = Parameters::find(field.name) else {
            return Err(CommandError::new(
                Code::InvalidOptions,
                format!(
                    "attempted to set unrecognized parameter [{}], use help:true to see options ",
                    field.name
                ),
            ));
        };
        changed.set(at, field.value)?;
        if count == 0 {
            held.append(at, "was", &mut reply);
        }
        count += 1;
        context.deployment.log.note(
            context.now_millis,
            "CONTROL",
            23_435,
            "Successfully set parameter",
            &|attributes| {
                attributes.append("parameterName", PARAMETERS[at].name);
                held.append(at, "oldValue", attributes);
                changed.append(at, "newValue", attributes);
            },
        );
    }
    if count == 0 {
        return Err(CommandError::new(
            Code::InvalidOptions,
            "no option found to set, use help:true to see options ",
        ));
    }
    context.deployment.parameters = changed;
    Ok(finish_ok(reply))
}
