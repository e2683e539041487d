/**
 * The border of one realm of the sandbox: commands come out of it as bytes and replies go in as values, each in one go.
 *
 * Invariant: memory that the sandbox cannot have is asked for before anything is written to it; the error that it
 * throws then is the script's error.
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

/** The members of a QuickJS context that its library keeps to itself: addresses, and calls of the WebAssembly. */
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
  /**
   * Makes the result of the crossing under way, or throws its error, in the library's own way; null: undefined is the
   * result.
   */
  #left: (() => QuickJSHandle) | null = null;

  /**
   * `shell` is the prelude's `quireShell`. `crossing` is the host's function that the prelude calls with a database, a
   * command, whether numbers are doubles, and the statements of a batch; it is to return `settle()`.
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
    // Kept as long as the realm: an object's kind is that of the sample whose shape or prototype it has.
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

  /** The result of the crossing under way; throws its error. */
  settle(): QuickJSHandle {
    const left = this.#left;
    this.#left = null;
    return left === null ? this.#context.undefined : left();
  }

  /**
   * Runs the command at the list of arguments. Gives the address of the reply's value; 0 for a command that has to
   * cross as text; null where the reply has to, which `settle` then gives.
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
