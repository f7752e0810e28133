import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { readAuditPage } from '../../src-main/store/audit/auditFiles.ts';
import { verifyAudit } from '../../src-main/store/audit/verifyAudit.ts';
import { call, connectClient } from '../mcp/mcpClient.ts';
import { connectTo } from '../support/coreClient.ts';
import { timesOf } from '../support/fuzzRuns.ts';
import { ServedApp } from '../support/WebApp.ts';

/** Each run starts a whole core; test/store/auditKill.test.ts kills only the log, between any two system calls. */
const RUNS = timesOf({ merge: 3, soak: 10 });
const POLICY = {
  version: 1,
  clients: { '*': { scopes: ['input'] } },
  input: { default: 'allow' },
  limits: { reads_per_min: 10_000_000 },
};

const app = new ServedApp();
const path = join(app.home, 'audit.jsonl');
afterAll(() => app.dispose());

/** Types without a lease as fast as it can until the core is killed, and counts the refusals that arrive. */
async function beRefused(told: { refusals: number }): Promise<() => Promise<void>> {
  const { client, close } = await connectClient(app.home);
  let terminalId = '';
  while (terminalId === '') terminalId = (await call(client, 'pty_list')).ptys[0]?.pty_id ?? '';
  const asking = Array.from({ length: 4 }, async () => {
    for (;;) {
      const answer = await client
        .callTool({ name: 'pty_send', arguments: { pty_id: terminalId, lease_id: 'none', text: 'x' } })
        .catch(() => null); // the test kills the core during the call
      if (answer === null) return;
      if ((answer.structuredContent as { code?: string }).code === 'BUSY') told.refusals += 1;
    }
  });
  return async () => {
    await close();
    await Promise.all(asking);
  };
}

async function openOneTerminal(): Promise<void> {
  const connection = connectTo(app.home);
  await connection.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  connection.dispose();
}

test(`a core that is killed ${RUNS} times while a client is refused leaves an audit that is whole, with every refusal that was told`, async () => {
  const told = { refusals: 0 };
  writeFileSync(join(app.home, 'policy.json'), JSON.stringify(POLICY), { mode: 0o600 });
  for (let run = 0; run < RUNS; run++) {
    await app.start();
    if (run === 0) await openOneTerminal();
    const stop = await beRefused(told);
    const enough = told.refusals + 100 + ((run * 37) % 50);
    await expect.poll(() => told.refusals, { timeout: 60_000, interval: 1 }).toBeGreaterThan(enough);
    await app.crash();
    await stop();
    const { breaks, entries, trustedTo } = await verifyAudit(path);
    expect({ breaks, trustedTo }).toEqual({ breaks: [], trustedTo: 0 });
    expect(entries).toBeGreaterThanOrEqual(told.refusals);
  }
  // A log cut short afterwards fails verification, before and after the next start.
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const kept = lines.slice(0, -3).join('\n').length + 1;
  truncateSync(path, kept);
  expect((await verifyAudit(path)).breaks).toMatchObject([{ kind: 'missing-end' }]);
  await app.start();
  await app.stop();
  expect((await verifyAudit(path)).breaks).toMatchObject([{ kind: 'missing-end' }]);
}, 180_000);

test('what a killed core had only counted of a client’s reads is told by the next one, once', async () => {
  const counting = new ServedApp();
  onTestFinished(() => counting.dispose());
  await counting.start();
  const { client, close } = await connectClient(counting.home);
  for (let n = 0; n < 30; n++) await call(client, 'pty_list');
  const counts = join(counting.home, 'audit.counts.json');
  await expect
    .poll(() => (existsSync(counts) ? readFileSync(counts, 'utf8') : ''), { timeout: 15_000 })
    .toContain('29 more before Hansard was killed');
  await counting.stop('SIGKILL');
  await close();
  for (let start = 0; start < 2; start++) {
    await counting.start();
    await counting.stop(start === 0 ? 'SIGKILL' : 'SIGTERM');
  }
  const { lines } = await readAuditPage(join(counting.home, 'audit.jsonl'), { limit: 10 });
  expect(lines.map(({ tool, reads, what }) => [tool, reads, what])).toEqual([
    ['pty_list', 29, '29 more before Hansard was killed: open terminals'],
    ['pty_list', 1, 'open terminals'],
  ]);
}, 120_000);
