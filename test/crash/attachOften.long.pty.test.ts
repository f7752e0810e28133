import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Frame } from '../../src-main/contract/screen/frame.ts';
import { eventually, Installation, type RunningCli } from '../cli/Installation.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { AttachedTerminal } from '../support/AttachedTerminal.ts';
import { CLI } from '../support/builtProgram.ts';
import { timesOf } from '../support/fuzzRuns.ts';

const home = suiteFolder('attach-often');
const installation = new Installation({ isBuilt: true });
const DETACH = '\x1cd';
const TIMES = timesOf({ merge: 8, soak: 50 });
/** The attached terminal has the size of the other one, so that both draw the same. */
const SIZE = { cols: 80, rows: 24 };
/** One key per attach; no key leaves insert mode or quits the program. */
const KEYS = Array.from({ length: TIMES }, (_, at) => 'abcdefghijklmnop rstuvwxyz0123456789'.charAt(at % 36));
let served: RunningCli;
let core: ReturnType<RunningCli['connect']>;

beforeAll(async () => {
  served = installation.start(['serve', '--no-open'], { home });
  await served.url();
  core = served.connect();
});
afterAll(async () => {
  core.dispose();
  await served.end('SIGKILL');
  installation.dispose();
});

const write = (id: string, data: string) => core.api.terminal.write.mutate({ id, data });

async function start(line: string): Promise<string> {
  const { id } = await core.api.terminal.open.mutate({ shell: 'bash', ...SIZE });
  await eventually('a prompt', async () => (await core.api.terminal.submit.mutate({ id, text: line })).ok || undefined);
  return id;
}

async function screen(id: string): Promise<Frame> {
  const reading = await core.api.screen.read.query({ terminalId: id });
  if (!('full' in reading) || !reading.full) throw new Error(`no frame but ${JSON.stringify(reading)}`);
  return reading.frame;
}

const shown = async (id: string) => {
  const { rows, cursor, altScreen, title } = await screen(id);
  return { rows, cursor, altScreen, title };
};
const text = async (id: string) => (await screen(id)).rows.map((row) => row.text).join('\n');

/** Runs a real `hansard attach`, types one key, and detaches. */
async function attachAndType(id: string, key: string): Promise<void> {
  const terminal = new AttachedTerminal([process.execPath, CLI, 'attach', id], { home, ...SIZE });
  try {
    await terminal.until(() => terminal.text !== '');
    terminal.type(key);
    terminal.type(DETACH);
    expect(await terminal.exited).toEqual({ exitCode: 0, signal: null });
    expect(terminal.replies).toEqual([]);
  } finally {
    await terminal.dispose();
  }
}

const hasProgram = (name: string) => existsSync(`/usr/bin/${name}`);

test.skipIf(!hasProgram('vim'))(
  `${TIMES} times to vim: it gets the keys typed and nothing else, and shows what it shows without`,
  async () => {
    const line = (name: string) => `TERM=xterm-256color vim -u NONE -N -n -i NONE ${home}/${name}`;
    const [often, straight] = [await start(line('often')), await start(line('straight'))];
    for (const id of [often, straight]) {
      await eventually('vim', async () => (await screen(id)).altScreen || undefined);
      await write(id, 'i');
      await eventually('its insert mode', async () => (await text(id)).includes('-- INSERT --') || undefined);
    }
    for (const key of KEYS) await attachAndType(often, key);
    await write(straight, KEYS.join(''));
    await eventually('the last key', async () => (await text(often)).includes(KEYS.slice(-8).join('')) || undefined);
    await eventually('the last key', async () => (await text(straight)).includes(KEYS.slice(-8).join('')) || undefined);
    const [a, b] = [await shown(often), await shown(straight)];
    const named = (frame: typeof a) => JSON.parse(JSON.stringify(frame).replaceAll('often', 'straight')) as typeof a;
    expect(named(a)).toEqual(named(b));
    for (const [id, name] of [
      [often, 'often'],
      [straight, 'straight'],
    ] as const) {
      await write(id, '\x1b');
      await eventually('its normal mode', async () => !(await text(id)).includes('-- INSERT --') || undefined);
      await write(id, ':wq\r');
      await eventually('the file', async () => existsSync(join(home, name)) || undefined);
      await eventually(
        'its text',
        async () => readFileSync(join(home, name), 'latin1') === `${KEYS.join('')}\n` || undefined,
      );
    }
  },
  240_000,
);

test.skipIf(!hasProgram('python3'))(
  `${TIMES} times to a program that draws like an agent at work: only the keys typed, and the same picture in the end`,
  async () => {
    const ticks = 40 * TIMES;
    const program = join(import.meta.dirname, 'tickingProgram.py');
    const line = (name: string) => `python3 ${program} ${home}/${name}.keys ${ticks}`;
    const [often, straight] = [await start(line('often')), await start(line('straight'))];
    for (const id of [often, straight]) await eventually('it', async () => (await screen(id)).altScreen || undefined);
    for (const key of KEYS) await attachAndType(often, key);
    await write(straight, KEYS.join(''));
    for (const id of [often, straight]) {
      await eventually('its last tick', async () => (await text(id)).includes(`(${ticks} of ${ticks})`) || undefined);
      await eventually('the last key', async () => (await text(id)).includes(KEYS.slice(-8).join('')) || undefined);
    }
    expect(await shown(often)).toEqual(await shown(straight));
    for (const name of ['often', 'straight'])
      expect(readFileSync(join(home, `${name}.keys`), 'latin1')).toBe(KEYS.join(''));
    await write(often, 'q');
    await write(straight, 'q');
    for (const id of [often, straight]) {
      await eventually('the shell', async () => !(await screen(id)).altScreen || undefined);
    }
  },
  240_000,
);
