//! `getParameter`: the values of server parameters. Manual: reference/command/getParameter.

use super::parameters::{PARAMETERS, Parameters};
use crate::bson::{DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::params::is_generic;
use crate::command::request::{Params, Request};
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    // Which parameters are wanted: all, or those that the other fields name.
    let (mut all, mut details, mut set_at) = (false, false, None);
    match request.argument() {
        ValueRef::Document(options) => {
            let params = Params::new(options, "getParameter", None);
            all = params.safe_bool("allParameters")?.unwrap_or(false);
            details = params.safe_bool("showDetails")?.unwrap_or(false);
            set_at = params.string("setAt")?;
            params.finish()?;
        }
        star if star.as_str() == Some("*") => all = true,
        _ => {}
    }
    if let Some(other) = set_at.filter(|set_at| !["runtime", "startup"].contains(set_at)) {
        return Err(CommandError::new(
            Code::BadValue,
            format!(
                "Enumeration value '{other}' for field 'getParameter.setAt' is not a valid value."
            ),
        ));
    }
    let parameters = &context.deployment.parameters;
    let mut reply = DocumentBuilder::new();
    let append = |at: usize, reply: &mut DocumentBuilder| {
        let parameter = &PARAMETERS[at];
        if details {
            reply.begin_document(parameter.name);
            parameters.append(at, "value", reply);
            reply.append("settableAtRuntime", parameter.at_runtime);
            reply.append("settableAtStartup", false).end();
        } else {
            parameters.append(at, parameter.name, reply);
        }
    };
    let mut found = false;
    if all {
        for (at, parameter) in PARAMETERS.iter().enumerate() {
            let is_asked = match set_at {
                Some("runtime") => parameter.at_runtime,
                // There is no command line to set one at.
                Some(_) => false,
                None => true,
            };
            if is_asked {
                append(at, &mut reply);
            }
        }
        found = true;
    } else {
        let named = request.document.iter().skip(1);
        for field in named.filter(|field| !is_generic(field.name.as_bytes())) {
            if let Some(at) = Parameters::find(field.name) {
                append(at, &mut reply);
                found = true;
            }
        }
    }
    match found {
        true => Ok(finish_ok(reply)),
        false => Err(CommandError::new(
            Code::InvalidOptions,
            "no option found to get",
        )),
    }
}
