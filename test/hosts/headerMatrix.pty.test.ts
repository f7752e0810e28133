import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../support/sourceFiles.ts';
import { formatRequest, sendRaw, UPGRADE } from './rawHttp.ts';
import { type RunningHost, startHost, stopHost } from './TestHost.ts';

interface Row {
  transport: 'http' | 'ws';
  headers: Record<string, string>;
  expect: number;
  why: string;
}

const rows = JSON.parse(readFileSync(join(ROOT, 'test/fixtures/security/http-ws-header-matrix.json'), 'utf8')) as Row[];

let running: RunningHost;
beforeAll(async () => {
  running = await startHost();
});
afterAll(() => stopHost(running));

/** The expected status. The host does not bind `[::1]`, so that name is foreign. */
function expected({ expect: status, why }: Row): number {
  return why.includes('if bound') ? 403 : status;
}

function bytesOf({ transport, headers }: Row): string {
  const fill = (text: string): string =>
    text.replaceAll('{PORT}', String(running.port)).replaceAll('{TOKEN}', running.keys.token);
  const { method = 'GET', path = '/', ...rest } = headers;
  const filled = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, fill(value)]));
  return formatRequest(`${method} ${path}`, { ...(transport === 'ws' && UPGRADE), ...filled });
}

describe('every row of the header matrix', () => {
  test.each(rows.map((row) => [`${row.transport} ${row.why}`, row] as const))('%s', async (_, row) => {
    const answer = await sendRaw({ port: running.port }, bytesOf(row));
    expect(answer.status).toBe(expected(row));
  });

  test('the list is the whole of it', () => {
    expect(rows).toHaveLength(23);
  });
});
