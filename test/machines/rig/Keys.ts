import { isRefused } from './FarMachine.ts';

/** Types numbers into a program over any line. A taken number must arrive once, a refused one never. */
export class Keys {
  readonly #write: (data: string) => Promise<unknown>;
  readonly #typed: Promise<string>[] = [];
  refused = 0;

  constructor(write: (data: string) => Promise<unknown>) {
    this.#write = write;
  }

  get count(): number {
    return this.#typed.length;
  }

  type(): void {
    const number = this.#typed.length;
    const write = async (): Promise<string> => {
      try {
        await this.#write(`${number}\r`);
        return `${number}\n`;
      } catch (error) {
        if (!isRefused(error)) throw error;
        this.refused += 1;
        return '';
      }
    };
    const typed = write();
    typed.catch(() => undefined); // `taken` rejects with it
    this.#typed.push(typed);
  }

  /** Resolves with the text that must arrive once every key is taken or refused. Rejects when the fate of a key is unknown. */
  async taken(): Promise<string> {
    return (await Promise.all(this.#typed)).join('');
  }
}
