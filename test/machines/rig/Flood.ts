import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { CoreConnection } from '../../../src-main/hosts/web/connectCore.ts';
import { withoutMachine } from '../../../src-main/shared/machineIds.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { soon } from '../../support/soon.ts';

const PROGRAM = fileURLToPath(new URL('numberedFlood.mjs', import.meta.url));

/** The machine that a flood runs on, seen from a core. */
export interface FloodedMachine {
  readonly api: CoreConnection['api'];
  /** Of the core that records the flood. */
  readonly dataFolder: string;
  open(): Promise<string>;
  begin(id: string, text: string): Promise<void>;
  give<T>(act: () => Promise<T>): Promise<T>;
  /** Writes a file into the working directory of its shells. */
  write(path: string, text: string): void;
}

/** A flood of known bytes on a machine. */
export class Flood {
  readonly #machine: FloodedMachine;
  readonly id: string;

  private constructor(machine: FloodedMachine, id: string) {
    this.#machine = machine;
    this.id = id;
  }

  /** `pauseMs`: pause after every hundred lines, which are 5 KB; 0 is full speed. `terminalId`: at its prompt; without it, a new one. */
  static async start(machine: FloodedMachine, pauseMs: number, terminalId?: string): Promise<Flood> {
    const id = terminalId ?? (await machine.open());
    await machine.begin(id, `'${process.execPath}' '${PROGRAM}' ${pauseMs}`);
    return new Flood(machine, id);
  }

  /** Ends the flood and checks the machine's record by SHA-256, and the lines that our core reads. Returns the number of bytes. */
  async stop(): Promise<number> {
    this.#machine.write('stop', '');
    const { api } = this.#machine;
    await soon(async () => (await this.#block()).status).toBe('completed');
    const { id, rawStart, rawEnd } = await this.#block();
    const folder = new SessionFolder(this.#machine.dataFolder, withoutMachine(this.id));
    const raw = readFileSync(folder.raw).subarray(rawStart, rawEnd ?? undefined);
    const count = Number(/end (\d+)\r\n$/.exec(raw.subarray(-40).toString())?.[1]);
    const whole = createHash('sha256');
    for (let line = 0; line < count; line += 1)
      whole.update(`${createHash('sha256').update(String(line)).digest('base64')} ${line}\r\n`);
    whole.update(`end ${count}\r\n`);
    expect(createHash('sha256').update(raw).digest('hex')).toBe(whole.digest('hex'));
    const { lines, total } = await this.#machine.give(() =>
      api.block.lines.query({ terminalId: this.id, blockId: id, from: -1, count: 1 }),
    );
    expect([total, lines[0]?.spans[0]?.text]).toEqual([count + 1, `end ${count}`]);
    return raw.length;
  }

  async #block() {
    const { api } = this.#machine;
    const { blocks } = await this.#machine.give(() => api.block.page.query({ terminalId: this.id, limit: 1 }));
    const [block] = blocks;
    if (!block) throw new Error('the flood has no block');
    return block;
  }
}
