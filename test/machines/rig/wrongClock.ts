import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CLI } from '../../support/builtProgram.ts';
import type { Sshd } from './startSshd.ts';

/** Loaded before any other module, in each thread: the time of day alone is wrong, as where no time server answers. */
const preload = (byMs: number): string => `const now = Date.now;
globalThis.Date = class extends Date {
  constructor(...given) {
    if (given.length === 0) super(now() + ${byMs});
    else super(...given);
  }
  static now() {
    return now() + ${byMs};
  }
};
`;

/** Makes the built Hansard a command of the machine, where the time of day is `byMs` ahead of the real one. */
export function installWithClock(sshd: Sshd, byMs: number): void {
  sshd.write('clock.mjs', preload(byMs));
  const loaded = pathToFileURL(join(sshd.home, 'clock.mjs')).href;
  const script = `#!/bin/sh\nNODE_OPTIONS='--import=${loaded}' exec '${process.execPath}' '${CLI}' "$@"\n`;
  sshd.write('.local/bin/hansard', script, 0o755);
}
