import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const served = new ServedMcp();
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let client: Awaited<ReturnType<ServedMcp['start']>>['mcp']['client'];
let id = '';

beforeAll(async () => {
  const started = await served.start({ cols: 80, rows: 24 });
  ({ link, id } = started);
  client = started.mcp.client;
  await runIn(link.api, id, 'true');
}, 60_000);
afterAll(() => served.dispose());

const show = (args: object = {}) => call(client, 'pty_snapshot', { pty_id: id, ...args });
const wait = (args: object) => call(client, 'pty_snapshot_wait', { pty_id: id, ...args });
/** The text within a frame. */
const within = (framed: string) => framed.split('\n').slice(1, -1).join('\n');

describe('what is told of a screen', () => {
  test('max_chars bounds text and scrollback together, the newest first', async () => {
    await runIn(link.api, id, 'seq 1 400; echo last-line');
    const { text, scrollback, omitted } = await show({ scrollback: 1000, max_chars: 600 });
    const chars = within(text).length + within(scrollback).length;
    expect(chars).toBeLessThanOrEqual(600);
    expect(chars).toBeGreaterThan(550);
    expect(within(text)).toContain('last-line');
    const last = Number(within(scrollback).split('\n').at(-1));
    expect(within(text).startsWith(`${last + 1}\n`)).toBe(true);
    const all = await show({ scrollback: 1000, max_chars: 100_000 });
    expect(omitted.chars).toBe(within(all.text).length + within(all.scrollback).length - chars);
    const least = await show({ scrollback: 1000, max_chars: 200 });
    expect(within(least.text).length + within(least.scrollback ?? '').length).toBeLessThanOrEqual(200);
  });

  test('a long line that was joined is cut as well', async () => {
    await runIn(link.api, id, "clear; printf '%01000d\\n' 7");
    const { text, omitted } = await show({ include: ['wrapped'], max_chars: 200 });
    expect(within(text).length).toBeLessThanOrEqual(200);
    expect(omitted.chars).toBeGreaterThan(700);
  });

  test('a difference tells size, cursor, title, buffer and state, as the whole screen does', async () => {
    await runIn(link.api, id, 'clear');
    const whole = await show();
    await runIn(link.api, id, 'echo more');
    const diff = await show({ since: whole.seq });
    expect(diff).toMatchObject({
      full: false,
      cols: 80,
      rows_count: 24,
      cursor: { row: expect.any(Number), col: expect.any(Number), visible: true },
      alt_screen: false,
      scrollback_total: expect.any(Number),
      title: expect.any(String),
      state: 'idle',
    });
    expect(whole.state).toEqual(expect.any(String));
  });

  test('the state is that of pty_list', async () => {
    const running = runIn(link.api, id, 'sleep 0.5');
    await expect.poll(async () => (await show()).state, { interval: 10 }).toBe('busy');
    await running;
    const { id: ended } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
    await runIn(link.api, ended, 'true');
    await link.api.terminal.write.mutate({ id: ended, data: 'exit 3\r' });
    await expect.poll(async () => (await call(client, 'pty_snapshot', { pty_id: ended })).state).toBe('exited');
    const told = async () => (await call(client, 'pty_status', { pty_id: ended })).exited;
    await expect.poll(told).toEqual({ exit_code: 3, signal: null, ts: expect.any(Number) });
  });

  test('a difference tells the looks and links of the rows that it tells', async () => {
    await runIn(link.api, id, "clear; printf '\\e[7mold bar\\e[0m\\n'");
    const { seq } = await show();
    await runIn(link.api, id, "printf '\\e[7mnew bar\\e[0m \\e]8;;https://example.org/\\e\\\\here\\e]8;;\\e\\\\\\n'");
    const diff = await show({ since: seq, include: ['highlights', 'links'] });
    expect(diff.full).toBe(false);
    const bars = diff.highlights.filter(({ attr }: { attr: string }) => attr === 'inverse');
    expect(bars).toEqual([{ row: expect.any(Number), col: 0, len: 7, attr: 'inverse' }]);
    expect(diff.links).toEqual([{ row: bars[0].row, col: 8, len: 4, uri: 'https://example.org/' }]);
  });

  test('columns are cells', async () => {
    await runIn(
      link.api,
      id,
      "clear; printf '\\e[3;1H漢字\\e[7m漢字sel\\e[0m \\e]8;;https://e.org/\\e\\\\wo\\e]8;;\\e\\\\ END\\n'",
    );
    const { highlights, links } = await show({ include: ['highlights', 'links'] });
    expect(highlights).toContainEqual({ row: 2, col: 4, len: 7, attr: 'inverse' });
    expect(links).toEqual([{ row: 2, col: 12, len: 2, uri: 'https://e.org/' }]);
    expect((await wait({ search: 'END', wait_ms: 0 })).match).toMatchObject({ row: 2, col: 15 });
    // omits a wide character that the region's edge cuts
    const cut = await show({ region: { top: 2, left: 1, bottom: 2, right: 8 }, include: ['highlights', 'links'] });
    expect(within(cut.text)).toBe('字漢字s');
    expect(cut.highlights).toEqual([{ row: 2, col: 4, len: 5, attr: 'inverse' }]);
    expect(cut.links).toEqual([]);
  });

  test('a region cuts a difference too', async () => {
    await runIn(link.api, id, "clear; printf '\\e[10;1H'");
    const { seq } = await show();
    await runIn(link.api, id, "printf '\\e[3;1Habcdef\\e[5;1Hghijkl\\e[12;1H'");
    const { changes } = await show({ since: seq, region: { top: 4, left: 2, bottom: 6, right: 3 } });
    expect(changes).toEqual([{ row: 4, kind: 'added', text: 'ij' }]);
  });

  test('modes that a program has set', async () => {
    expect(await call(client, 'pty_status', { pty_id: id })).toMatchObject({
      sync_output: false,
      app_cursor: false,
      mouse_mode: 'none',
    });
    const running = runIn(link.api, id, "printf '\\e[?1h\\e[?1002h\\e[?2004h'; sleep 1");
    await expect
      .poll(() => call(client, 'pty_status', { pty_id: id }), { interval: 20 })
      .toMatchObject({ app_cursor: true, mouse_mode: 'drag', bracketed_paste: true });
    await running;
    await runIn(link.api, id, "printf '\\e[?1l\\e[?1002l'");
  });

  test('the shell has a process id', async () => {
    const { ptys } = await call(client, 'pty_list');
    await runIn(link.api, id, 'clear; echo "pid:$$"');
    const { text } = await show();
    expect(ptys[0].pid).toBe(Number(/pid:(\d+)\n/.exec(text)?.[1]));
  });
});

test('the terminal that the person looks at is told while a window shows it', async () => {
  const focused = async () => (await call(client, 'pty_whoami')).app_focused_pty ?? null;
  expect(await focused()).toBeNull();
  await link.api.system.looksAt.mutate({ terminalId: id });
  expect(await focused()).toBeNull(); // a window that does not show the terminal cannot focus it
  const stream = link.api.terminal.stream.subscribe({ id, viewerId: 'v' }, { onData: () => undefined });
  const look = () => link.api.system.looksAt.mutate({ terminalId: id }).then(focused);
  await expect.poll(look).toBe(id);
  await link.api.system.looksAt.mutate({ terminalId: null });
  expect(await focused()).toBeNull();
  await expect.poll(look).toBe(id);
  stream.unsubscribe(); // the window closes without a report
  await expect.poll(focused).toBeNull();
});

describe('a wait', () => {
  test('counts as one by its older name as well', async () => {
    const all = Array.from({ length: 6 }, () =>
      client.callTool({
        name: 'pty_snapshot_wait',
        arguments: { pty_id: id, search: 'never', search_scope: 'new_output', timeout: 700 },
      }),
    );
    const refused = (await Promise.all(all)).filter(({ isError }) => isError);
    expect(refused.map(({ structuredContent }) => (structuredContent as { code: string }).code)).toEqual([
      'RATE_LIMITED',
      'RATE_LIMITED',
    ]);
  });

  test('finds what is in the scrollback', async () => {
    await runIn(link.api, id, 'echo needle-"in"-hay; seq 1 100; clear -x');
    expect((await wait({ search: 'needle-in-hay', wait_ms: 0 })).outcome).toBe('deadline');
    const found = await wait({
      search: '^needle-in-hay$',
      search_flags: 'm',
      search_scope: 'scrollback',
      wait_ms: 0,
    });
    expect(found).toMatchObject({
      outcome: 'immediate',
      match: { row: expect.any(Number), col: 0, text: 'needle-in-hay' },
    });
    expect(found.match.row).toBeLessThan(0);
    const above = await show({ scrollback: -found.match.row, max_chars: 50_000 });
    expect(within(above.scrollback).split('\n')[0]).toBe('needle-in-hay');
  });

  test('goes on behind a match: the same text is not found twice, the next one is', async () => {
    await runIn(link.api, id, 'clear; echo step 1; echo step 2');
    const first = await wait({ search: '^step (\\d)', search_flags: 'm', wait_ms: 0 });
    expect(first.match).toMatchObject({ text: 'step 1', resume_cursor: expect.any(String) });
    const next = { search: '^step (\\d)', search_flags: 'm', wait_ms: 0 };
    const second = await wait({ ...next, resume_cursor: first.match.resume_cursor });
    expect(second.match).toMatchObject({ text: 'step 2', groups: ['2'] });
    expect((await wait({ ...next, resume_cursor: second.match.resume_cursor })).outcome).toBe('deadline');
    const third = wait({ ...next, wait_ms: 20_000, resume_cursor: second.match.resume_cursor });
    await runIn(link.api, id, 'echo step 3');
    expect((await third).match).toMatchObject({ text: 'step 3' });
    expect(await refusal(client, 'pty_snapshot_wait', { pty_id: id, search: 'x', resume_cursor: '7' })).toMatchObject({
      code: 'BAD_INPUT',
      suggestion: expect.stringContaining('match.resume_cursor'),
    });
  });

  test('with all and an agent is no bad input, and is not met without one', async () => {
    await runIn(link.api, id, 'clear; echo here');
    const both = { search: 'here', for: ['agent_idle'], wait_ms: 200 };
    expect((await wait({ ...both, mode: 'all' })).outcome).toBe('deadline');
    expect((await wait({ ...both, mode: 'any' })).outcome).toBe('immediate');
  });

  test('for stillness passes over a clock with ignore_rows auto', async () => {
    const ticking = runIn(
      link.api,
      id,
      "clear; for i in $(seq 1 40); do printf '\\e7\\e[1;60Htick %s\\e8' $i; sleep 0.1; done",
    );
    await wait({ search: 'tick', wait_ms: 10_000 });
    const still = { stable_ms: 900, wait_ms: 2_500 };
    const [plain, auto] = await Promise.all([wait(still), wait({ ...still, ignore_rows: 'auto' })]);
    expect([plain.outcome, auto.outcome]).toEqual(['deadline', 'settled']);
    await ticking;
  }, 30_000);
});
