/**
 * What the Watch panel shows: a bounded list of events, which of them are wanted, and how the stream is.
 *
 * Invariants: pure functions over one immutable value; the newest events stay, and how many older ones gave way is
 * known; at least the newest event stays, however large it is.
 */
import { watchKinds, type WatchEvent, type WatchKind } from "./event.ts";

/** How a stream began: with what happens next, or behind an event that was seen. */
export type Start =
  | { readonly kind: "now"; readonly at: number }
  /** `seen`: when that was, in milliseconds since 1970. */
  | { readonly kind: "behind"; readonly why: "reload" | "pause" | "end"; readonly seen: number };

/** Why a stream cannot be opened, or cannot go on. */
export type Obstacle =
  /** The oplog has not what follows the last event any more. */
  | "history"
  /** The deployment presents itself as a standalone. */
  | "standalone"
  | "other";

export type WatchStatus =
  | { readonly kind: "opening" }
  | { readonly kind: "live" }
  | { readonly kind: "paused"; readonly at: number }
  /** The stream ended with this event: the collection, or its database, is gone or has another name. */
  | { readonly kind: "ended"; readonly by: string }
  | { readonly kind: "failed"; readonly obstacle: Obstacle; readonly message: string };

export interface WatchState {
  readonly status: WatchStatus;
  readonly start: Start;
  /** The oldest first. */
  readonly events: readonly WatchEvent[];
  /** Events that gave way to newer ones since the list was empty. */
  readonly dropped: number;
  /** Events that came in all. */
  readonly came: number;
  readonly hidden: ReadonlySet<WatchKind>;
  /** The number of the event that is open; null where none is. */
  readonly opened: number | null;
  /** Whether documents are kept before and after a change; null before that is known. */
  readonly images: boolean | null;
}

/** How many events stay, and how many bytes of them. */
export const KEPT_EVENTS = 1000;
export const KEPT_BYTES = 48 * 1024 * 1024;

export function emptyWatch(start: Start): WatchState {
  return {
    status: { kind: "opening" },
    start,
    events: [],
    dropped: 0,
    came: 0,
    hidden: new Set(),
    opened: null,
    images: null,
  };
}

/** With more events; `skipped` others came before these and are not here. */
export function withEvents(state: WatchState, more: readonly WatchEvent[], skipped = 0): WatchState {
  if (more.length === 0 && skipped === 0) return state;
  // After a gap the older ones go too: the list has none.
  const all = skipped > 0 ? more : [...state.events, ...more];
  let from = all.length;
  for (let bytes = 0; from > 0 && all.length - from < KEPT_EVENTS; from -= 1) {
    bytes += (all[from - 1] as WatchEvent).bytes;
    if (bytes > KEPT_BYTES && from < all.length) break;
  }
  const events = from === 0 ? all : all.slice(from);
  const gone = from + (skipped > 0 ? state.events.length : 0);
  return {
    ...state,
    events,
    dropped: state.dropped + gone + skipped,
    came: state.came + more.length + skipped,
    opened: events.some(({ number }) => number === state.opened) ? state.opened : null,
  };
}

/** Without the events of the list, which goes on with those that come. */
export function cleared(state: WatchState): WatchState {
  return { ...state, events: [], dropped: 0, opened: null };
}

/** Shows or hides events of a kind. */
export function toggled(state: WatchState, kind: WatchKind): WatchState {
  const hidden = new Set(state.hidden);
  if (!hidden.delete(kind)) hidden.add(kind);
  return { ...state, hidden };
}

/** The events to list, the newest first. */
export function listed({ events, hidden }: WatchState): readonly WatchEvent[] {
  return (hidden.size === 0 ? events : events.filter(({ kind }) => !hidden.has(kind))).toReversed();
}

/** How many events of each kind are kept. */
export function countsOf({ events }: WatchState): Readonly<Record<WatchKind, number>> {
  const counts = Object.fromEntries(watchKinds.map((kind) => [kind, 0])) as Record<WatchKind, number>;
  for (const { kind } of events) counts[kind] += 1;
  return counts;
}
