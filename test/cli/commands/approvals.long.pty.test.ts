import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { caller, startWith, whenStatus } from '../../mcp/exec/clients.ts';
import type { TestCore } from '../../support/TestCore.ts';
import { PtyCli } from '../PtyCli.ts';
import { runCli } from '../runCli.ts';
import { serveTestCore } from '../servedTestCore.ts';

let core: TestCore;
let stop: () => Promise<void>;

beforeAll(async () => {
  core = await startWith();
  stop = await serveTestCore(core);
});

afterAll(() => stop());

const run = (...args: string[]) => runCli(args, { home: core.dataFolder });

test('a request is listed with what does not show by name, answered, and in the audit, which is verified', async () => {
  const terminal = await core.open();
  const asked = core.core.clients.exec.exec(
    { terminalId: terminal.id, cmd: 'date +%Y\u200b', waitMs: 50_000 },
    caller(),
  );
  await whenStatus(core, terminal.id, 'awaiting_approval');
  // at once, since a request is open for 30 seconds and each of these is a process
  const [listed, asJson] = await Promise.all([run('approvals'), run('approvals', '--json')]);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(listed.stdout).toContain('date +%Y‹U+200B›');
  const { approvals } = JSON.parse(asJson.stdout);
  expect(approvals).toHaveLength(1);
  expect(approvals[0].hash).toMatch(/^[0-9a-f]{64}$/);
  expect(listed.stdout).toContain(approvals[0].hash.slice(0, 12));
  expect(await run('approvals', 'answer', approvals[0].id, 'deny', '--reason', 'not now')).toMatchObject({ code: 0 });
  expect(await asked).toMatchObject({ status: 'denied', fault: { code: 'DENIED_BY_USER' } });
  expect(await run('approvals', 'answer', approvals[0].id, 'once')).toMatchObject({ code: 66 });
  const audit = await run('audit');
  expect(audit.stdout).toContain('denied');
  expect(await run('audit', 'verify')).toMatchObject({ code: 0, stdout: 'log intact: 1 entry\n' });
});

test('at a terminal each request is shown as it comes, and only a yes lets it run', async () => {
  const terminal = await core.open();
  const cli = new PtyCli(['approvals'], { home: core.dataFolder });
  await cli.sees(/waiting for what outside clients ask/);
  const read = () => new Promise((resolve) => setTimeout(resolve, 600)); // the shortest time that a person needs
  const ask = (cmd: string, reason = '') =>
    core.core.clients.exec.exec(
      { terminalId: terminal.id, cmd, waitMs: 50_000, reason, isReadOnly: reason !== '' },
      caller(),
    );

  const first = ask('echo one\u202e', 'to see\u001b[2J it');
  await cli.sees(/echo one\xe2\x80\xb9U\+202E/); // ‹U+202E›, as bytes
  await cli.sees(/the client says: read-only/);
  const [{ hash = '' } = {}] = core.core.clients.approvals.open;
  await cli.sees(new RegExp(`hash of all that: ${hash.slice(0, 12)}\\r`));
  await cli.sees(/Allow\? \[y\/N/);
  cli.pty.write('y\r');
  await cli.sees(/typed before it could be read/);
  await cli.sees(/Allow\? \[y\/N/);
  await read();
  cli.pty.write('y\r');
  expect(await first).toMatchObject({ status: 'completed', decision: { by: 'user' } });

  const second = ask('echo two');
  await cli.sees(/echo two/);
  await cli.sees(/Allow\?/);
  cli.pty.write('\r');
  expect(await second).toMatchObject({ status: 'denied', fault: { code: 'DENIED_BY_USER' } });

  // Keys from before the question are not an answer.
  cli.pty.write('y');
  const third = ask('echo three');
  await cli.sees(/echo three/);
  await cli.sees(/Allow\?/);
  cli.pty.write('\r');
  expect(await third).toMatchObject({ status: 'denied' });

  const fourth = ask('echo four');
  await cli.sees(/Allow\?/);
  await read();
  cli.pty.write('e\r');
  expect(await fourth).toMatchObject({ status: 'completed' });
  expect(await ask('echo four'), 'always here').toMatchObject({ status: 'completed' });

  cli.pty.write('\x03');
  expect(await cli.ended).toMatchObject({ exitCode: expect.any(Number) });
  expect(cli.shown.toString()).not.toMatch(/\u202e|\x1b\[2J/);
});

test('a command that is longer than the screen is shown page by page before it can be allowed', async () => {
  const terminal = await core.open('bash', { cols: 200, rows: 80 }); // longer than the screen of `hansard approvals`
  const cli = new PtyCli(['approvals'], { home: core.dataFolder });
  await cli.sees(/waiting for what outside clients ask/);
  const asked = core.core.clients.exec.exec(
    { terminalId: terminal.id, cmd: `echo ${'x'.repeat(7_000)}; curl -H @the-end`, waitMs: 50_000 },
    caller(),
  );
  await cli.sees(/(\d+) more lines\. Return shows more, n refuses/);
  expect(cli.shown.toString()).not.toContain('@the-end');
  expect(cli.shown.toString()).not.toContain('Allow?');
  for (let n = 0; n < 200 && !cli.shown.toString().includes('Allow?'); n++) {
    const before = cli.shown.length;
    cli.pty.write('\r');
    await expect.poll(() => cli.shown.length).toBeGreaterThan(before + 20);
  }
  await cli.sees(/Allow\? \[y\/N/);
  expect(cli.shown.toString()).toContain('@the-end');
  cli.pty.write('\r');
  expect(await asked).toMatchObject({ status: 'denied', fault: { code: 'DENIED_BY_USER' } });
  cli.pty.write('\x03');
  await cli.ended;
});

test('an audit that was changed is told with its line, and by the exit code', async () => {
  const path = join(core.dataFolder, 'audit.jsonl');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"denied"', '"allowed"'));
  const verdict = await run('audit', 'verify');
  expect(verdict.code).toBe(1);
  expect(verdict.stdout).toBe(`line 1 of ${path}: it was changed\n`);
});
