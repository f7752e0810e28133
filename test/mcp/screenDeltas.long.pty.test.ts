import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FoldedScreen, foldDelta } from '../../src-main/contract/screen/foldDelta.ts';
import type { NamedDelta, StreamedDelta } from '../../src-main/contract/screen/screen.ts';
import { call } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const SECRET = `AKIA${'QZ7K2M4N5P6R7S8T'}`;

const served = new ServedMcp();
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let client: Awaited<ReturnType<ServedMcp['start']>>['mcp']['client'];
let id = '';

beforeAll(async () => {
  const started = await served.start({ cols: 60, rows: 12 });
  ({ link, id } = started);
  client = started.mcp.client;
  await runIn(link.api, id, 'true');
}, 60_000);
afterAll(() => served.dispose());

interface Page {
  deltas: NamedDelta[];
  resume_cursor: number;
  truncated: boolean;
}

async function page(uri: string): Promise<Page> {
  const { contents } = await client.readResource({ uri });
  return JSON.parse((contents[0] as { text: string }).text);
}

/** Subscribes as a client does: at each update, it reads from its cursor on and folds the deltas. */
async function follow(): Promise<{ screen(): FoldedScreen | null; seen: string[] }> {
  const uri = `term://pty/${id}/deltas`;
  const seen: string[] = [];
  let screen: FoldedScreen | null = null;
  let cursor: number | null = null;
  let reading: Promise<void> = Promise.resolve();
  const take = async (): Promise<void> => {
    const { deltas, resume_cursor } = await page(cursor === null ? uri : `${uri}/${cursor}`);
    cursor = resume_cursor;
    for (const delta of deltas) {
      seen.push(JSON.stringify(delta));
      screen = foldDelta(screen, delta);
    }
  };
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    if (params.uri === uri) reading = reading.then(take);
  });
  await client.subscribeResource({ uri });
  return { screen: () => screen, seen };
}

test('a subscriber that reads on at each notification has the screen, without its secrets', async () => {
  const { screen, seen } = await follow();
  await runIn(link.api, id, `printf 'key %s%s\\n' ${SECRET.slice(0, 6)} ${SECRET.slice(6)}`);
  await runIn(link.api, id, 'for i in $(seq 1 40); do echo "row $i"; sleep 0.02; done');
  await runIn(link.api, id, 'tput smcup; echo on the other screen');
  const { seq, text } = await call(client, 'pty_snapshot', { pty_id: id });
  expect(text).toContain('on the other screen');
  await expect.poll(() => screen()?.seq).toBeGreaterThanOrEqual(seq);
  expect(screen()?.rows.map((row) => row.text)).toContain('on the other screen');
  expect(screen()?.altScreen).toBe(true);
  for (const delta of seen) {
    expect(JSON.parse(delta)).toMatchObject({ type: 'screen_delta', pty_id: id });
    expect(delta).not.toContain(SECRET);
  }
  expect(seen.join()).toContain('[redacted');
  const { deltas } = await call(client, 'pty_screen_deltas', { pty_id: id });
  expect(deltas[0]).toMatchObject({ type: 'screen_delta', pty_id: id, keyframe: true });
});

test("the window's API streams the same, and a reader that comes back starts from a keyframe", async () => {
  const streamed = (until: (delta: StreamedDelta) => boolean) =>
    new Promise<StreamedDelta[]>((resolve, reject) => {
      const all: StreamedDelta[] = [];
      const acks: Promise<void>[] = [];
      const reading = { terminalId: id, readerId: 'r' };
      const following = link.api.screen.follow.subscribe(reading, {
        onData: (delta) => {
          if (delta.type === 'screen_closed') return reject(new Error('the terminal was closed'));
          all.push(delta);
          acks.push(link.api.screen.ack.mutate({ ...reading, n: delta.n }));
          if (!until(delta)) return;
          following.unsubscribe();
          Promise.all(acks).then(() => resolve(all), reject);
        },
        onError: reject,
      });
    });
  const [first] = await streamed(() => true);
  expect(first).toMatchObject({ n: 1, type: 'screen_delta', pty_id: id, keyframe: true });
  const shows = (delta: StreamedDelta) => delta.rows.some(({ text }) => text === 'streamed 60');
  const following = streamed(shows);
  await runIn(link.api, id, 'for i in $(seq 1 60); do echo "streamed $i"; sleep 0.05; done');
  const all = await following;
  expect(all[0]).toMatchObject({ n: 1, keyframe: true });
  expect(all.map(({ n }) => n)).toEqual(all.map((_, at) => at + 1));
});

test("the window's stream ends with a last message when the terminal is closed", async () => {
  const { id: closing } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  await runIn(link.api, closing, 'true');
  const began = Promise.withResolvers<void>();
  const ended = new Promise<object[]>((resolve, reject) => {
    const all: object[] = [];
    link.api.screen.follow.subscribe(
      { terminalId: closing, readerId: 'closing' },
      {
        onData: (message) => {
          all.push(message);
          began.resolve();
        },
        onComplete: () => resolve(all),
        onError: reject,
      },
    );
  });
  await began.promise;
  await link.api.terminal.close.mutate({ id: closing, force: true });
  expect((await ended).at(-1)).toMatchObject({ type: 'screen_closed', pty_id: closing, n: expect.any(Number) });
}, 60_000);
