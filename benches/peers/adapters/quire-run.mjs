/** Quire's `Engine.run`: an object in, an object out, in this thread. */
import { engineStore } from "./quire-engine-store.mjs";

export default engineStore((engine, command) => engine.run(command));
