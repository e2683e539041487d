/** The button of a notice that undoes the change which it tells. */
import type { Messages } from "../../messages/messages.ts";
import type { Notice } from "../../state/model.ts";

/** `moment`: the number of the moment after the change; null where it cannot be undone. */
export function undoOf(m: Messages, moment: number | null): Notice["offer"] {
  if (moment === null) return undefined;
  return { label: m["undo"], action: { kind: "going-asked", going: { to: "undo", of: moment, sure: [] } } };
}
