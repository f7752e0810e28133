import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import type { StreamItem } from '../../../src-main/contract/terminal.ts';
import { SWEEP_ROWS } from '../../../src-main/conversations/tracking/FullRedraw.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { installDrawnAgent } from '../../support/installDrawnAgent.ts';
import { begin, TestCore, until } from '../../support/TestCore.ts';

const SIZE = { cols: 100, rows: 30 };
const ALL_ROWS = 60;
const cores: TestCore[] = [];

afterEach(async () => {
  for (const core of cores.splice(0)) await core.dispose();
});

async function atWork(settings: { 'agents.sweep'?: boolean } = {}): Promise<{ core: TestCore; terminal: PtyInstance }> {
  const core = await TestCore.start();
  cores.push(core);
  await core.core.settings.update(settings);
  const program = installDrawnAgent(core.home);
  const terminal = await core.open('bash', SIZE);
  await begin(terminal, program);
  await until(terminal, ({ view }) => view.agent?.state === 'idle');
  return { core, terminal };
}

/** Resolves with the answers so far once `isEnough` accepts them. */
async function answers(terminal: PtyInstance, isEnough: (texts: string[]) => boolean): Promise<string[]> {
  const controller = new AbortController();
  const late = setTimeout(() => controller.abort(), 40_000);
  const texts = (): string[] =>
    terminal.chat.lines
      .filter((line): line is ChatMessage => 'kind' in line)
      .filter(({ kind }) => kind === 'model')
      .map(({ text }) => text);
  for await (const _ of terminal.chat.follow(controller.signal)) if (isEnough(texts())) break;
  clearTimeout(late);
  return texts();
}

const rowsIn = (text: string | undefined) => text?.match(/Row \d\d/g)?.length ?? 0;

interface Resize {
  type: string;
  atMs: number;
  rows: number;
  sweep?: true;
}

function resizes(core: TestCore, { id }: PtyInstance): Resize[] {
  const text = readFileSync(join(core.dataFolder, 'terminals', id, 'events.jsonl'), 'utf8');
  const events = text.split('\n').filter(Boolean);
  return events.map((line) => JSON.parse(line) as Resize).filter(({ type }) => type === 'resize');
}

/** The stream items that a window gets during `during`. */
async function watching(terminal: PtyInstance, during: () => Promise<void>): Promise<StreamItem[]> {
  const items: StreamItem[] = [];
  const controller = new AbortController();
  const view = { clientId: 'window', viewerId: 'pane' };
  const watched = (async () => {
    for await (const item of terminal.viewers.view(view, { replay: 'state', size: SIZE }, controller.signal)) {
      items.push(item);
      if (item.type === 'bytes') terminal.viewers.ack(view, item.offset + Buffer.from(item.data, 'base64').length);
    }
  })();
  await during();
  controller.abort();
  await watched;
  return items;
}

describe('who asked', () => {
  test('is told with each message: the person, or the client whose Return it was', async () => {
    const { terminal } = await atWork();
    const all = () => terminal.chat.lines.filter((line): line is ChatMessage => 'kind' in line && line.kind === 'user');
    terminal.type('mine\r');
    await answers(terminal, () => all().length === 1);
    terminal.type('theirs', 'agent:helper');
    terminal.type('\r', 'agent:helper');
    await answers(terminal, () => all().length === 2);
    const asked = all();
    expect(asked.map(({ text, actor }) => [text, actor])).toEqual([
      ['mine', 'user'],
      ['theirs', 'agent:helper'],
    ]);
  });
});

test('a status row that vanishes ends the work, though all rows above it move down', async () => {
  const { terminal } = await atWork({ 'agents.sweep': false });
  terminal.type('hello\r');
  await answers(terminal, (texts) => rowsIn(texts.at(-1)) > 0);
  await until(terminal, ({ view }) => view.agent?.state === 'idle');
  terminal.type('think\r');
  await until(terminal, ({ view }) => view.agent?.state === 'working');
  terminal.type('\x1b');
  await until(terminal, ({ view }) => view.agent?.state === 'idle');
});

describe('lines that an agent did not draw', () => {
  test('are swept for: the answer is whole, and no viewer sees how', async () => {
    const { core, terminal } = await atWork();
    const seen = await watching(terminal, async () => {
      terminal.type('go\r');
      const [text] = await answers(terminal, ([first]) => rowsIn(first) === ALL_ROWS);
      expect(rowsIn(text)).toBe(ALL_ROWS);
      expect(text).not.toContain('lines not drawn');
      await until(terminal, ({ view }) => view.agent?.state === 'idle');
      await expect.poll(() => resizes(core, terminal).length, { timeout: 5000 }).toBe(2); // back to its previous height
      await terminal.screen.wait({
        conditions: [{ type: 'stable', ms: 300, ignoreRows: [] }],
        mode: 'all',
        timeoutMs: 5000,
        scrollback: 0,
      });
    });
    expect(resizes(core, terminal).map(({ rows, sweep }) => ({ rows, sweep }))).toEqual([
      { rows: SWEEP_ROWS, sweep: true },
      { rows: SIZE.rows, sweep: true },
    ]);
    expect(seen.filter(({ type }) => type === 'resize')).toEqual([]);
    expect(seen.filter((item) => item.type === 'state').every(({ rows }) => rows === SIZE.rows)).toBe(true);
    const sent = seen
      .map((item) => (item.type === 'bytes' ? Buffer.from(item.data, 'base64').toString() : ''))
      .join('');
    expect(sent).not.toContain(`\x1b[${SWEEP_ROWS - 1};1H`);
    expect(terminal.view.rows).toBe(SIZE.rows);
    expect(
      JSON.parse(readFileSync(join(core.dataFolder, 'terminals', terminal.id, 'meta.json'), 'utf8')),
    ).toMatchObject(SIZE);
  });

  test('are not swept for a second time when nothing new was said', async () => {
    const { core, terminal } = await atWork();
    terminal.type('go\r');
    await answers(terminal, ([first]) => rowsIn(first) === ALL_ROWS);
    terminal.type('x');
    terminal.type('\x7f');
    await terminal.screen.wait({
      conditions: [{ type: 'stable', ms: 1500, ignoreRows: [] }],
      mode: 'all',
      timeoutMs: 8000,
      scrollback: 0,
    });
    expect(resizes(core, terminal).filter(({ rows }) => rows === SWEEP_ROWS)).toHaveLength(1);
  });

  test('are left alone as soon as somebody types', async () => {
    const { core, terminal } = await atWork();
    terminal.type('go\r');
    const began = Date.now();
    while (resizes(core, terminal).length === 0 && Date.now() - began < 10_000)
      await new Promise((resolve) => setTimeout(resolve, 10));
    terminal.type('n');
    await until(terminal, () => resizes(core, terminal).length === 2);
    const [tall, back] = resizes(core, terminal);
    expect((back?.atMs ?? 0) - (tall?.atMs ?? 0)).toBeLessThan(250);
    const shown = await terminal.screen.wait({
      conditions: [{ type: 'match', pattern: '^› n$', flags: 'm', scope: 'screen' }],
      mode: 'all',
      timeoutMs: 5000,
      scrollback: 0,
    });
    expect(shown).toMatchObject({ outcome: 'met' });
  });

  test('are marked where sweeping is switched off', async () => {
    const { core, terminal } = await atWork({ 'agents.sweep': false });
    terminal.type('go\r');
    const [text] = await answers(terminal, ([first]) => (first ?? '').includes('Row 60'));
    expect(text).toMatch(/^… lines not drawn\n/);
    expect(rowsIn(text)).toBeLessThan(ALL_ROWS);
    expect(resizes(core, terminal)).toEqual([]);
  });
});
