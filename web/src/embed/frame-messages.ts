/**
 * The messages from an embedded playground to the element around it.
 *
 * Invariants: the page around learns as much of runs as the reader sees of them, as text, and never gives orders; a
 * message without the mark is somebody else's.
 */
import type { QuireEventDetails, QuireEventName } from "./events.ts";

const MARK = "quire-playground/1";

/** The query that tells the playground how it is embedded. */
export const EMBEDDED = "embedded";

export interface FrameMessage {
  readonly mark: typeof MARK;
  readonly name: QuireEventName;
  readonly detail: QuireEventDetails[QuireEventName];
}

export function frameMessage<Name extends QuireEventName>(name: Name, detail: QuireEventDetails[Name]): FrameMessage {
  return { mark: MARK, name, detail };
}

/** Whether a message is an embedded playground's. */
export function isFrameMessage(data: unknown): data is FrameMessage {
  const { mark, name } = (typeof data === "object" && data !== null ? data : {}) as Partial<FrameMessage>;
  return mark === MARK && (name === "ready" || name === "run" || name === "result" || name === "error");
}
