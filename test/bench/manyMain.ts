import type { PtyInstance } from '../../src-main/terminal/PtyInstance.ts';
import { TestCore, until } from '../support/TestCore.ts';

/**
 * Entry point of a process with a real core and many terminals, driven by its parent: `open n`, `flood cmd n`, `settle`, `stop`.
 * Each floods as a shell command; `flood` answers when all blocks have ended.
 */
export type ManyRequest =
  | { type: 'open'; count: number }
  | { type: 'flood'; cmd: string; count: number }
  | { type: 'settle' }
  | { type: 'stop' };

export interface FloodFigures {
  /** Until the last block had ended and was shown. */
  ms: number;
  /** Of the core alone, all its threads: what a busy machine changes little of. */
  cpuMs: number;
  /** Bytes that each had by the time the first one had ended. */
  bytesAtFirstEnd: number[];
}

const core = await TestCore.start({
  // what a core finds worth noting (a worker that was replaced, a disk that refused) spoils a measurement
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
      await new Promise((resolve) => setTimeout(resolve, 2_000)); // timers of the last output: states are told after 1 s
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

/** A fresh viewer's first item is the state after everything that was written. */
async function shown(terminal: PtyInstance): Promise<void> {
  const stream = terminal.viewers.view({ clientId: 'bench', viewerId: 'shown' }, { replay: 'state' });
  await stream.next();
  await stream.return(undefined);
}
