/** The base class of the map's elements, which brings the words of the map's message table. */
import { mapMessagesOf, type MapMessages } from "../../messages/xray/map-words.ts";
import { XrayElement } from "../xray-element.ts";

export abstract class MapElement extends XrayElement {
  /** The map's words. */
  protected get m(): MapMessages {
    return mapMessagesOf(this.language);
  }
}
