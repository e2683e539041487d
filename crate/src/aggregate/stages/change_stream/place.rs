//! Where the stages of change streams may stand.

use super::{source, split};
use crate::error::{Code, CommandError};

/// The name of the stage.
pub const NAME: &str = "$changeStream";

/// Checks a stage's place beside change streams: `position` and the number of stages, and the stage whose pipeline it
/// is.
///
/// # Errors
/// 20 `IllegalOperation` for a stage that may not stand behind a change stream, or only there; 51047 within another
/// stage; 7182802.
pub fn check_place(
    name: &str,
    is_stream: bool,
    (position, count): (usize, usize),
    within: Option<&str>,
) -> Result<(), CommandError> {
    let refuse = |what: String| Err(CommandError::new(Code::IllegalOperation, what));
    let is_split = name == split::NAME;
    if let (Some(within), true) = (within, name == NAME || is_split) {
        return Err(CommandError::location(
            51047,
            format!("{name} is not allowed within a {within}'s sub-pipeline"),
        ));
    }
    if is_split && !is_stream {
        return refuse(format!("{name} can only be used in a {NAME} pipeline"));
    }
    if is_stream && name != NAME && !source::STAGES_BEHIND.contains(&name) {
        return refuse(format!("{name} is not permitted in a {NAME} pipeline"));
    }
    if is_split && position + 1 != count {
        return Err(CommandError::location(
            7_182_802,
            format!("{name} must be the last stage in the pipeline"),
        ));
    }
    Ok(())
}

/// The error of a stream that is to go on behind a fragment of an event.
pub fn needs_split() -> CommandError {
    CommandError::new(
        Code::ChangeStreamFatalError,
        "To resume from a split event, the $changeStream pipeline must include a $changeStreamSplitLargeEvent stage",
    )
}
