import type { PtyInstance } from '../../src-main/terminal/PtyInstance.ts';
import { TestCore, until } from '../support/TestCore.ts';

/**
 * Entry point of a process with a real core and many terminals, driven by its parent's requests. `flood` runs a shell command in each of
 * `count` terminals and answers when all blocks have ended.
 */
export type ManyRequest =
  | { type: 'open'; count: number }
  | { type: 'flood'; cmd: string; count: number }
  | { type: 'settle' }
  | { type: 'stop' };

export interface FloodFigures {
  /** Time until the last block has ended and is on the screen. */
  ms: number;
  /** CPU time of all threads of the core, which other load changes little. */
  cpuMs: number;
  /** Output bytes of each terminal when the first one ends. */
  bytesAtFirstEnd: number[];
}

const core = await TestCore.start({
  // Every event that the core logs (a replaced worker, a failed write) spoils a measurement.
  log: (name, details) => process.stderr.write(`core: ${name} ${JSON.stringify(details)}\n`),
});
const terminals: PtyInstance[] = [];

process.on('message', (request: ManyRequest) => {
  perform(request).then(
    (value) => process.send?.({ ok: true, value }),
    (error: unknown) => process.send?.({ ok: false, reason: String(error) }),
  );
});
process.on('disconnect', () => void core.dispose().then(() => process.exit(0)));

async function perform(request: ManyRequest): Promise<unknown> {
  switch (request.type) {
    case 'open':
      for (let n = 0; n < request.count; n += 1) terminals.push(await core.open());
      return null;
    case 'flood':
      return flood(request.cmd, terminals.slice(0, request.count));
    case 'settle':
      await new Promise((resolve) => setTimeout(resolve, 2_000)); // lets the last timers run: states are sent after 1 s
      globalThis.gc?.();
      return process.memoryUsage();
    case 'stop':
      await core.dispose();
      return null;
  }
}

async function flood(cmd: string, flooded: readonly PtyInstance[]): Promise<FloodFigures> {
  const before = flooded.map(({ rawSize }) => rawSize);
  const startMs = performance.now();
  const startCpu = process.cpuUsage();
  let bytesAtFirstEnd: number[] = [];
  const endedMs = await Promise.all(
    flooded.map(async (terminal) => {
      const seq = terminal.book.lastSeq;
      const verdict = await terminal.submit(cmd);
      if (!verdict.ok) throw new Error(`submit was refused: ${verdict.reason}`);
      const isOver = ({ book, view }: PtyInstance): boolean =>
        book.lastSeq > seq && book.runningId === null && view.atPrompt;
      await until(terminal, isOver, 600_000);
      if (bytesAtFirstEnd.length === 0) bytesAtFirstEnd = flooded.map(({ rawSize }, n) => rawSize - (before[n] ?? 0));
      await shown(terminal);
      return performance.now() - startMs;
    }),
  );
  const { user, system } = process.cpuUsage(startCpu);
  return { ms: Math.max(...endedMs), cpuMs: (user + system) / 1000, bytesAtFirstEnd };
}

/** Resolves once the screen has caught up: a new viewer's first item is the state after all output so far. */
async function shown(terminal: PtyInstance): Promise<void> {
  const stream = terminal.viewers.view({ clientId: 'bench', viewerId: 'shown' }, { replay: 'state' });
  await stream.next();
  await stream.return(undefined);
}
