import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AuditFolder, anEntry } from '../../store/auditFolder.ts';
import { runCli } from '../runCli.ts';

let audit: AuditFolder;
beforeEach(() => {
  audit = new AuditFolder();
});
afterEach(() => audit.dispose());

const run = (...args: string[]) => runCli(['audit', ...args], { home: audit.folder });
const SMALL = { maxFileBytes: 1200 };
const runs = (count: number) => Array.from({ length: count }, (_, at) => `run ${at + 1}`);

test('the newest entries are listed over files, the newest last, as a table and as JSON', async () => {
  await audit.write(runs(9), SMALL);
  const [table, json] = await Promise.all([run('--last', '5'), run('--last', '5', '--json')]);
  expect(table.stdout.match(/run \d/g)).toEqual(['run 5', 'run 6', 'run 7', 'run 8', 'run 9']);
  expect(JSON.parse(json.stdout).lines.map(({ n }: { n: number }) => n)).toEqual([5, 6, 7, 8, 9]);
});

test('what clients did and what they read are had apart, however few there are of one among many of the other', async () => {
  const { log } = await audit.open();
  await log.write(anEntry({ what: 'the screen', tool: 'pty_snapshot', rule: 'observe', reads: 1 }));
  for (const what of runs(60)) await log.write(anEntry({ what }));
  await log.close();
  const whats = async (only: string) => JSON.parse((await run('--only', only, '--json')).stdout).lines;
  expect(await whats('read')).toMatchObject([{ what: 'the screen', reads: 1 }]);
  const did: { what: string; reads: number | null }[] = await whats('did');
  expect(did.map(({ what }) => what)).toEqual(runs(60).slice(-50));
  expect(did.every(({ reads }) => reads === null)).toBe(true);
  expect((await run('--only', 'both')).code).toBe(64);
});

test('verify checks all files, and says what was removed for its age', async () => {
  await audit.write(runs(9), SMALL);
  const files = audit.names.length - 1;
  expect(await run('verify')).toMatchObject({
    code: 0,
    stdout: `log intact: 9 entries in ${files} files\n`,
  });
  await audit.write(runs(12), { ...SMALL, keptFiles: 1 });
  const { code, stdout } = await run('verify');
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^log intact: \d+ entries.*\nentries before \d+ were removed because of their age\n$/),
  ]);
});

test('verify tells how many entries are missing at the end, by its exit code too', async () => {
  await audit.write(runs(4));
  truncateSync(audit.path, (audit.lines()[0]?.length ?? 0) + 1);
  const head = join(audit.folder, 'audit.head.json');
  expect(await run('verify')).toMatchObject({ code: 1, stdout: `${head}: 3 entries are missing at the end\n` });
  const asJson = await run('verify', '--json');
  expect(asJson.code).toBe(1);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    version: 1,
    ok: false,
    entries: 1,
    breaks: [{ kind: 'missing-end', n: 2 }],
  });
});

test('verify names the line and the file of what was changed, and goes on behind it', async () => {
  await audit.write(runs(9), SMALL);
  const [first = ''] = audit.names;
  const path = join(audit.folder, first);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"run 2"', '"run X"'));
  rmSync(join(audit.folder, 'audit.head.json'));
  const { code, stdout } = await run('verify');
  expect(code).toBe(1);
  expect(stdout.split('\n')[0]).toBe(`line 2 of ${path}: it was changed`);
  expect(stdout.split('\n')[1]).toContain('audit.head.json is not there');
});
