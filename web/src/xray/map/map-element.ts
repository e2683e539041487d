/** The base class of the map's elements, which brings the words of the map's message table. */
import { wordNumber } from "../../messages/figures.ts";
import { mapMessagesOf, type MapMessages } from "../../messages/xray/map-words.ts";
import { XrayElement } from "../xray-element.ts";

export abstract class MapElement extends XrayElement {
  /** The map's words. */
  protected get m(): MapMessages {
    return mapMessagesOf(this.language);
  }

  /** Metres as a reader would say them, or a length in the plane. */
  protected distance(length: number, isPlane: boolean): string {
    if (isPlane) return String(Number(length.toPrecision(4)));
    const kilometres = length / 1000;
    return length < 1000
      ? this.m["unit.metres"](wordNumber(length, 0))
      : this.m["unit.kilometres"](wordNumber(kilometres, kilometres < 100 ? 1 : 0));
  }
}
