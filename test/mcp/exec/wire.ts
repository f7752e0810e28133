import { spawnNodePty } from '../../../src-main/pty/NodePty.ts';
import type { PtyProcess, PtySpec } from '../../../src-main/pty/PtyProcess.ts';

/** Records each write to a shell, by the shell's pid. */
export class Wire {
  readonly #writes = new Map<number, string[]>();

  readonly spawn = (spec: PtySpec): PtyProcess => {
    const pty = spawnNodePty(spec);
    const writes: string[] = [];
    this.#writes.set(pty.pid, writes);
    const write = pty.write.bind(pty);
    pty.write = (data) => {
      writes.push(typeof data === 'string' ? data : Buffer.from(data).toString('latin1'));
      write(data);
    };
    return pty;
  };

  of(pid: number | null): readonly string[] {
    return this.#writes.get(pid ?? 0) ?? [];
  }
}

/** The emulator's replies to queries, which neither the person nor a client wrote. */
const REPLY = /^\x1b(?:\[[?>]?[\d;]*[cRnu]|P|\])/;

/** Separates a terminal's writes: `followers` are the writes right after a client's command (`isOwn`), `persons` the rest without replies. */
export function splitWire(writes: readonly string[], isOwn: (text: string) => boolean) {
  const persons: string[] = [];
  const followers: string[] = [];
  let isBehind = false;
  for (const write of writes) {
    const pasted = /^\x1b\[200~([\s\S]*)\x1b\[201~$/.exec(write)?.[1];
    if (isBehind) followers.push(write);
    else if (pasted !== undefined && isOwn(pasted)) {
      isBehind = true;
      continue;
    } else if (!REPLY.test(write)) persons.push(pasted ?? write);
    isBehind = false;
  }
  return { persons, followers };
}
