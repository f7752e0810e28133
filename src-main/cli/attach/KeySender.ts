import { randomUUID } from 'node:crypto';
import type { CoreConnection } from '../../hosts/web/connectCore.ts';

/** Most bytes of keys that the core takes at once. */
const MAX_KEYS_BYTES = 64 * 1024;

/** Sends keys to one terminal of the core, numbered, so that the core types them in order and each once. */
export class KeySender {
  readonly #core: CoreConnection;
  readonly #terminalId: string;
  readonly #writer = randomUUID();
  #number = 0;
  #last: Promise<unknown> = Promise.resolve();
  readonly #refused: (error: unknown) => void;

  /** `refused` is called with the reason for each piece that was not taken. */
  constructor(core: CoreConnection, terminalId: string, refused: (error: unknown) => void) {
    this.#core = core;
    this.#terminalId = terminalId;
    this.#refused = refused;
  }

  /** Pending request with the last keys; it never rejects. */
  get last(): Promise<unknown> {
    return this.#last;
  }

  /** Never throws. */
  send(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += MAX_KEYS_BYTES) {
      const data = Buffer.from(bytes.subarray(at, at + MAX_KEYS_BYTES)).toString('latin1');
      const piece = { id: this.#terminalId, data, writer: this.#writer, number: this.#number };
      this.#number += 1;
      this.#last = this.#core.api.terminal.writeBinary.mutate(piece).catch(this.#refused);
    }
  }
}
