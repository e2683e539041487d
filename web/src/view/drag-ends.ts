/**
 * How every drag ends, whatever is dragged.
 *
 * Invariant: Escape is the drag's own while something is dragged: no dialog or menu below hears of it.
 */

/**
 * Calls `end` once the pointer of the press is lifted, with true, or when the browser takes it away or Escape is
 * pressed, with false. The signal ends the listening.
 *
 * @param isDragging whether the press has become a drag, which alone Escape ends
 */
export function onDragEnd(
  press: PointerEvent,
  signal: AbortSignal,
  isDragging: () => boolean,
  end: (keep: boolean) => void,
): void {
  addEventListener("pointerup", (event) => event.pointerId === press.pointerId && end(true), { signal });
  addEventListener("pointercancel", (event) => event.pointerId === press.pointerId && end(false), { signal });
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !isDragging()) return;
      event.preventDefault();
      event.stopPropagation();
      end(false);
    },
    { signal, capture: true },
  );
}
