/**
 * The border of one realm of the sandbox: commands come out of it as bytes and replies go in as values, each in one go.
 *
 * Invariant: memory that the sandbox cannot have is asked for before anything is written to it; what it then throws is
 * the script's error.
 */
import { EJSON } from "bson";
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from "quickjs-emscripten-core";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { LEFT_OUT } from "../../shell/border-kinds.ts";
import { InwardWriter } from "./inward.ts";
import { OutwardReader } from "./outward.ts";
import { Places } from "./places.ts";

/**
 * Calls a function of the host's by its number with a list of so many arguments; gives the address of a value, or 0 for
 * undefined.
 */
type CallFunction = (context: number, self: number, count: number, list: number, number: number) => number;
const VALUE_BYTES = 8;

/** What a context has inside, which its library gives no other way to. */
interface Inside {
  readonly ctx: { readonly value: number };
  readonly rt: { readonly value: number };
  readonly module: { _malloc(length: number): number };
  readonly cToHostCallbacks: { callFunction: CallFunction };
  readonly getFunction: (number: number) => unknown;
  readonly ffi: {
    QTS_NewArrayBuffer(context: number, pointer: number, length: number): number;
    QTS_bjson_decode(context: number, value: number): number;
    QTS_FreeValuePointer(context: number, value: number): void;
  };
}

const addressOf = (handle: QuickJSHandle): number => (handle as unknown as { readonly value: number }).value;

export class Border {
  readonly #context: QuickJSContext;
  readonly #inside: Inside;
  readonly #memory: () => ArrayBufferLike;
  readonly #run: (command: Uint8Array) => Uint8Array;
  readonly #reader: OutwardReader;
  readonly #writer = new InwardWriter();
  readonly #samples: QuickJSHandle;
  /** What the library's own way is to give or to throw. */
  #left: (() => QuickJSHandle) | null = null;

  /**
   * `shell` is the prelude's `quireShell`; `crossing` the host's function which the prelude calls with a database, a
   * command, whether numbers are doubles, and the statements of a batch, and which is to give what `settle` gives.
   */
  constructor(
    module: QuickJSWASMModule,
    context: QuickJSContext,
    shell: QuickJSHandle,
    crossing: unknown,
    run: (command: Uint8Array) => Uint8Array,
  ) {
    this.#context = context;
    this.#inside = context as unknown as Inside;
    this.#memory = () => module.getWasmMemory().buffer;
    this.#run = run;
    const make = context.getProp(shell, "samples");
    // Kept as long as the realm: other objects are known by what these have in common with them.
    this.#samples = context.unwrapResult(context.callFunction(make, shell));
    make.dispose();
    this.#reader = new OutwardReader(() => new Places(this.#memory(), this.#inside.rt.value), addressOf(this.#samples));
    this.#shorten(crossing);
  }

  /**
   * Has `crossing` called without the objects that the library makes around each call, which take longer than most
   * commands.
   */
  #shorten(crossing: unknown): void {
    const inside = this.#inside;
    const callbacks = inside.cToHostCallbacks;
    const { callFunction } = callbacks;
    callbacks.callFunction = (context, self, count, list, number) => {
      if (inside.getFunction(number) !== crossing) return callFunction(context, self, count, list, number);
      try {
        const made = this.#exchange(list);
        if (made !== null) return made;
      } catch (error) {
        this.#left = () => {
          throw error;
        };
      }
      return callFunction(context, self, count, list, number);
    };
  }

  /** What the crossing under way gives or throws. */
  settle(): QuickJSHandle {
    const left = this.#left;
    this.#left = null;
    return left === null ? this.#context.undefined : left();
  }

  /**
   * Gives the address of the command's reply; 0 where only the command's text says what it means, null where
   * `settle` has it.
   */
  #exchange(list: number): number | null {
    const given = (place: number): number => list + place * VALUE_BYTES;
    const bytes = this.#reader.command(given(0), given(1), given(2), given(3));
    if (bytes === null) return 0;
    let reply = this.#run(bytes);
    const { left } = this.#reader;
    if (left > 0) reply = encode({ ...decode(reply, { numbers: "typed", bsonRegExp: true }), [LEFT_OUT]: left });
    this.#reader.release();
    const form = this.#writer.write(reply);
    if (form !== null) return this.#made(form);
    this.#left = () =>
      this.#context.newString(
        EJSON.stringify(decode(reply, { numbers: "typed", bsonRegExp: true }), { relaxed: false }),
      );
    return null;
  }

  /** A script's value as a document whose only field holds it; null where it cannot be read. */
  shown(value: QuickJSHandle): Uint8Array<ArrayBuffer> | null {
    const bytes = this.#reader.shown(addressOf(value))?.slice() ?? null;
    this.#reader.release();
    return bytes;
  }

  /** Lets go of the realm's objects, which could not be freed otherwise. */
  dispose(): void {
    this.#samples.dispose();
  }

  #made(form: Uint8Array): number {
    const { ffi, ctx, module } = this.#inside;
    const pointer = module._malloc(form.length);
    if (pointer === 0) throw new Error("out of memory");
    new Uint8Array(this.#memory()).set(form, pointer);
    this.#writer.release();
    // The buffer has the memory from here on, and gives it back.
    const buffer = ffi.QTS_NewArrayBuffer(ctx.value, pointer, form.length);
    const made = ffi.QTS_bjson_decode(ctx.value, buffer);
    ffi.QTS_FreeValuePointer(ctx.value, buffer);
    return made;
  }
}
