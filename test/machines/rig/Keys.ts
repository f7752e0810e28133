import type { FarMachine } from './FarMachine.ts';

const REFUSED = /is not connected, so nothing was sent/;

/** A person who types numbers into a program of a machine whatever the line does. One that was taken is typed once, one that was refused never. */
export class Keys {
  readonly #machine: FarMachine;
  readonly #id: string;
  readonly #typed: Promise<string>[] = [];
  refused = 0;

  constructor(machine: FarMachine, id: string) {
    this.#machine = machine;
    this.#id = id;
  }

  get count(): number {
    return this.#typed.length;
  }

  type(): void {
    const number = this.#typed.length;
    const write = async (): Promise<string> => {
      try {
        await this.#machine.near.api.terminal.write.mutate({ id: this.#id, data: `${number}\r` });
        return `${number}\n`;
      } catch (error) {
        if (!(error instanceof Error && REFUSED.test(error.message))) throw error;
        this.refused += 1;
        return '';
      }
    };
    const typed = write();
    typed.catch(() => undefined); // `taken` says so
    this.#typed.push(typed);
  }

  /** Resolves with the text that must be there once all keys were taken or refused. Rejects when of one it is not known. */
  async taken(): Promise<string> {
    return (await Promise.all(this.#typed)).join('');
  }
}
