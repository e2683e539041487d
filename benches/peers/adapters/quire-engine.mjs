/**
 * Quire's `Engine.command`: bytes in, bytes out, in this thread; encoded and decoded by the package's own functions.
 */
import { decode, encode } from "quiredb";
import { engineStore } from "./quire-engine-store.mjs";

export default engineStore((engine, command) => decode(engine.command(encode(command))));
