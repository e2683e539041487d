/**
 * Tabs dragged to another place by mouse, pen or finger: the tab follows the pointer, and a line shows where it would
 * go.
 *
 * Invariants: a press that does not move stays a click, and a finger that moves at once scrolls the strip; Escape, or
 * the browser taking the pointer away, leaves all where it was; the order changes once, at the end.
 */
import { onDragEnd } from "./drag-ends.ts";

/** Pixels that a mouse moves, and milliseconds that a finger rests, before it drags. */
const slack = 5;
const rest = 320;
/** Within so many pixels of its ends the strip scrolls. */
const edge = 28;

export interface TabDrag {
  readonly list: HTMLElement;
  readonly tab: HTMLElement;
  /** The line that shows where the tab would go. */
  readonly mark: HTMLElement;
  /** Dragging begins. */
  begun(): void;
  /** The tab is to go so many places further on. */
  moved(by: number): void;
}

/** Follows a press until it is over. */
export function followDrag({ list, tab, mark, begun, moved }: TabDrag, press: PointerEvent): void {
  const over = new AbortController();
  const { signal } = over;
  let dragging = false;
  let at = press.clientX;
  let scrolled = list.scrollLeft;
  let to = 0;
  let frame = 0;
  const tabs = (): readonly HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[role="tab"]')];

  const begin = (): void => {
    dragging = true;
    scrolled = list.scrollLeft;
    begun();
    // The strip has it, since the tab's own element may be put elsewhere meanwhile.
    list.setPointerCapture(press.pointerId);
    tab.dataset["dragged"] = "";
    frame = requestAnimationFrame(step);
    draw();
  };
  const draw = (): void => {
    const all = tabs();
    const from = all.indexOf(tab);
    const box = list.getBoundingClientRect();
    const pointer = at - box.left + list.scrollLeft;
    tab.style.setProperty("transform", `translateX(${at - press.clientX + list.scrollLeft - scrolled}px)`);
    const before = all.filter((one) => pointer > one.offsetLeft + one.offsetWidth / 2).length;
    to = before > from ? before - 1 : before;
    mark.hidden = to === from;
    const next = all[before];
    const last = all.at(-1);
    const end = (last?.offsetLeft ?? 0) + (last?.offsetWidth ?? 0);
    mark.style.setProperty("left", `${next === undefined ? end - 2 : Math.max(0, next.offsetLeft - 1)}px`);
  };
  const step = (): void => {
    const box = list.getBoundingClientRect();
    const by = at < box.left + edge ? -6 : at > box.right - edge ? 6 : 0;
    if (by !== 0) {
      list.scrollLeft += by;
      draw();
    }
    frame = requestAnimationFrame(step);
  };
  const end = (keep: boolean): void => {
    over.abort();
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    if (!dragging) return;
    const by = to - tabs().indexOf(tab);
    tab.style.removeProperty("transform");
    delete tab.dataset["dragged"];
    mark.hidden = true;
    if (list.hasPointerCapture(press.pointerId)) list.releasePointerCapture(press.pointerId);
    if (keep && by !== 0) moved(by);
  };
  const timer = press.pointerType === "mouse" ? 0 : setTimeout(begin, rest);

  addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerId !== press.pointerId) return;
      at = event.clientX;
      if (dragging) draw();
      else if (Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) > slack) {
        if (press.pointerType === "mouse") begin();
        else end(false);
      }
    },
    { signal },
  );
  addEventListener("contextmenu", (event) => dragging && event.preventDefault(), { signal });
  onDragEnd(press, signal, () => dragging, end);
}
