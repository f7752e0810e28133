import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const served = new ServedMcp();
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let client: Awaited<ReturnType<ServedMcp['start']>>['mcp']['client'];
let id = '';

beforeAll(async () => {
  ({
    link,
    id,
    mcp: { client },
  } = await served.start({ cols: 80, rows: 24 }));
}, 60_000);
afterAll(() => served.dispose());

test('a call that waits gives nothing of a terminal once the person has taken the right to look away', async () => {
  served.allow(['observe']);
  await runIn(link.api, id, 'true');
  const seen = call(client, 'pty_snapshot_wait', { pty_id: id, search: 'first', wait_ms: 20_000 });
  await runIn(link.api, id, 'echo first');
  expect((await seen).outcome).toBe('matched');
  const waiting = refusal(client, 'pty_snapshot_wait', { pty_id: id, search: 'sec[r]et', wait_ms: 20_000 });
  await new Promise((done) => setTimeout(done, 300)); // the call has entered: it is let in by the old policy
  served.allow([]);
  await runIn(link.api, id, 'echo secret');
  expect(await waiting).toMatchObject({ code: 'NOT_ALLOWED_SCOPE' });
});
