/**
 * A deployment for a shell, whose commands are synchronous: a thread talks to it, by MongoDB's driver or over a file,
 * and this thread sleeps until the reply is there.
 *
 * Invariant: one command at a time; a failure of the thread is thrown where the command was asked for.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { PlaceError } from "./driver-place.ts";
import { type Around, openPlace, type Where, WRITING } from "./place.ts";

/** What the thread is told at its start. */
export interface ThreadData {
  readonly quiredbPlace: Around & { readonly where: Where };
  readonly port: MessagePort;
  readonly signal: SharedArrayBuffer;
}

type Answer = { readonly bytes: Uint8Array } | { readonly error: string } | { readonly open: true };

/** The thread's own part: opens the place, and answers until its port is closed. */
export async function answer({ quiredbPlace: { where, ...around }, port, signal }: ThreadData): Promise<void> {
  const state = new Int32Array(signal);
  const send = (message: Answer): void => {
    port.postMessage(message);
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
  };
  const worded = (error: unknown): Answer => ({ error: error instanceof Error ? error.message : String(error) });
  try {
    const place = await openPlace(where, around, WRITING);
    port.on("message", (bytes: Uint8Array | null) => {
      if (bytes === null) {
        void place
          .close()
          .then(
            () => send({ open: true }),
            (error: unknown) => send(worded(error)),
          )
          .finally(() => port.close());
        return;
      }
      place.commandBytes(bytes).then(
        (reply) => send({ bytes: reply }),
        (error: unknown) => send(worded(error)),
      );
    });
    send({ open: true });
  } catch (error) {
    send(worded(error));
    port.close();
  }
}

export interface WaitingPlace {
  runBytes(command: Uint8Array): Uint8Array;
  close(): void;
}

/**
 * Starts the thread, which runs `program`, and waits until the place is open. Throws a `PlaceError` where it cannot be.
 */
export function openWaiting(program: URL, place: ThreadData["quiredbPlace"]): WaitingPlace {
  const { port1, port2 } = new MessageChannel();
  const signal = new SharedArrayBuffer(4);
  const state = new Int32Array(signal);
  const worker = new Worker(program, {
    workerData: { quiredbPlace: place, port: port2, signal } satisfies ThreadData,
    transferList: [port2],
  });
  const received = (): Exclude<Answer, { error: string }> => {
    Atomics.wait(state, 0, 0);
    Atomics.store(state, 0, 0);
    const { message } = receiveMessageOnPort(port1) as { message: Answer };
    if ("error" in message) throw new PlaceError(message.error);
    return message;
  };
  const end = (): void => {
    port1.close();
    void worker.terminate();
  };
  try {
    received();
  } catch (error) {
    end();
    throw error;
  }
  return {
    runBytes(command) {
      port1.postMessage(command);
      const reply = received();
      return "bytes" in reply ? reply.bytes : new Uint8Array();
    },
    close() {
      port1.postMessage(null);
      try {
        received();
      } finally {
        end();
      }
    },
  };
}
