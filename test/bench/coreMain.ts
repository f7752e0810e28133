import type { PtyInstance } from '../../src-main/terminal/PtyInstance.ts';
import { TestCore, until } from '../support/TestCore.ts';
import type { CoreAnswer, CoreRequest, Memory, RunFigures } from './CoreProcess.ts';

/**
 * Entry point of a process with a real core, driven by its parent: real shells, files and screen worker, and one viewer that
 * acknowledges everything. Exits when the parent disconnects.
 */
const { BENCH_HOME, PATH } = process.env;
const core = await TestCore.start({
  // Every event that the core logs (a replaced worker, a failed write) spoils a measurement.
  log: (name, details) => process.stderr.write(`core: ${name} ${JSON.stringify(details)}\n`),
  ...(BENCH_HOME && { env: { PATH, HOME: BENCH_HOME, USER: 'tester', SHELL: '/bin/bash', LANG: 'C.UTF-8' } }),
});
const viewing = new AbortController();
let terminal: PtyInstance | null = null;
let viewedTo = 0;
/** Ids of ended blocks that have got their text from the screen, which may be before the viewer is served. */
const rendered = new Set<string>();
let whenViewed: { offset: number; resolve: () => void } | null = null;

process.on('message', (request: CoreRequest) => void answer(request));
process.on('disconnect', () => void core.dispose().then(() => process.exit(0)));

async function answer(request: CoreRequest): Promise<void> {
  try {
    reply({ id: request.id, ok: true, value: await perform(request) });
  } catch (error) {
    reply({ id: request.id, ok: false, reason: String(error) });
  }
}

function reply(value: CoreAnswer): void {
  process.send?.(value);
}

async function perform(request: CoreRequest): Promise<unknown> {
  switch (request.type) {
    case 'open':
      return open(request.shell);
    case 'run':
      return run(request.cmd);
    case 'collect':
      return collect();
    case 'stop':
      viewing.abort();
      await core.dispose();
      return null;
  }
}

function collect(): Memory {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { residentBytes: rss, liveBytes: heapUsed + external };
}

/** Milliseconds from the call to the shell's first trusted prompt. */
async function open(shell: string): Promise<number> {
  const startMs = performance.now();
  terminal = await core.open(shell);
  const ms = performance.now() - startMs;
  viewedTo = 0;
  noteRendered(terminal);
  void view(terminal);
  return ms;
}

const BENCH = { clientId: 'bench', viewerId: 'bench' };
const SHOWN = { clientId: 'bench', viewerId: 'shown' };

async function view(of: PtyInstance): Promise<void> {
  for await (const item of of.viewers.view(BENCH, { replay: 'state' }, viewing.signal)) {
    if (item.type === 'state') viewedTo = item.offset;
    if (item.type === 'bytes') viewedTo = item.offset + Buffer.byteLength(item.data, 'base64');
    of.viewers.ack(BENCH, viewedTo);
    if (whenViewed && viewedTo >= whenViewed.offset) whenViewed.resolve();
  }
}

/** Times a command until its block has ended, the viewer has its last byte and the screen shows it. */
async function run(cmd: string): Promise<RunFigures> {
  if (!terminal) throw new Error('No terminal was opened');
  const { book } = terminal;
  const before = book.lastSeq;
  const startMs = performance.now();
  const verdict = await terminal.submit(cmd);
  if (!verdict.ok) throw new Error(`submit was refused: ${verdict.reason}`);
  await until(
    terminal,
    ({ view: { atPrompt } }) => book.lastSeq > before && book.runningId === null && atPrompt,
    600_000,
  );
  const [block] = (await book.page({ limit: 1 })).blocks;
  if (!block || block.rawEnd === null) throw new Error('no block after the command');
  const { rawEnd } = block;
  await Promise.all([viewed(rawEnd), shown(terminal)]);
  const ms = performance.now() - startMs;
  const isRendered = block.addressed || block.usedAltScreen;
  if (isRendered) await until(terminal, () => rendered.has(block.id), 600_000);
  return { ms, textMs: performance.now() - startMs, rawBytes: block.outputBytes, lines: block.outputLines };
}

async function viewed(offset: number): Promise<void> {
  if (viewedTo >= offset) return;
  await new Promise<void>((resolve) => {
    whenViewed = { offset, resolve };
  });
  whenViewed = null;
}

/** Resolves once the screen has caught up: a new viewer's first item is the state after all output so far. */
async function shown(of: PtyInstance): Promise<void> {
  const stream = of.viewers.view(SHOWN, { replay: 'state' }, viewing.signal);
  await stream.next();
  await stream.return(undefined);
}

function noteRendered(of: PtyInstance): void {
  of.book.onChange((change) => {
    if (change.type === 'change' && change.block.status !== 'running') rendered.add(change.block.id);
  });
}
