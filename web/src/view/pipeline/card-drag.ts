/**
 * Cards dragged to another place by mouse, pen or finger at their handle: a line shows where the card would go.
 *
 * Invariants: a press that does not move stays a click; Escape, or the browser taking the pointer away, leaves all
 * where it was; the order changes once, at the end.
 */
import { onDragEnd } from "../drag-ends.ts";

/** Pixels that a pointer moves before it drags. */
const slack = 4;
/** Within so many pixels of its ends the list's scroller scrolls. */
const edge = 40;

export interface CardDrag {
  readonly handle: HTMLElement;
  readonly card: HTMLElement;
  readonly cards: readonly HTMLElement[];
  readonly scroller: HTMLElement;
  /** Shows where the card would go: before the card of a number, or behind the last. */
  shows(before: number | null): void;
  moved(from: number, to: number): void;
}

/** Follows a press on a handle until it is over. */
export function followCard(drag: CardDrag, press: PointerEvent): void {
  const { handle, card, cards, scroller, shows, moved } = drag;
  const over = new AbortController();
  const { signal } = over;
  const from = cards.indexOf(card);
  let dragging = false;
  let before = from;

  const end = (keep: boolean): void => {
    over.abort();
    if (handle.hasPointerCapture(press.pointerId)) handle.releasePointerCapture(press.pointerId);
    if (!dragging) return;
    delete card.dataset["dragged"];
    shows(null);
    const to = before > from ? before - 1 : before;
    if (keep && to !== from) moved(from, to);
  };
  addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerId !== press.pointerId) return;
      if (!dragging && Math.abs(event.clientY - press.clientY) <= slack) return;
      if (!dragging) {
        dragging = true;
        handle.setPointerCapture(press.pointerId);
        card.dataset["dragged"] = "";
      }
      const box = scroller.getBoundingClientRect();
      if (event.clientY < box.top + edge) scroller.scrollTop -= 12;
      else if (event.clientY > box.bottom - edge) scroller.scrollTop += 12;
      before = cards.filter((one) => {
        const { top, height } = one.getBoundingClientRect();
        return event.clientY > top + height / 2;
      }).length;
      shows(before === from || before === from + 1 ? null : before);
    },
    { signal },
  );
  onDragEnd(press, signal, () => dragging, end);
}
