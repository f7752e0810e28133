import { existsSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { TerminalMeta } from '../../src-main/contract/terminal.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { TerminalRecord } from '../../src-main/terminal/TerminalRecord.ts';
import { TerminalStatus } from '../../src-main/terminal/TerminalStatus.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { SmallDisk } from '../support/SmallDisk.ts';
import { soon } from '../support/soon.ts';

const data = suiteFolder('terminal-record');
const deps = { log: silentLog, clock: new FakeClock() };
const metaOf = (id: string): TerminalMeta => ({
  ...{ version: 1, id, shell: 'bash', argv: ['bash'], cwd: '/', cols: 80, rows: 24, createdMs: 0, title: '' },
});

test('a new shell is marked for all of its output, also when the record has become shorter', async () => {
  const folder = new SessionFolder(data, 'ta-00000002');
  folder.create();
  const meta = { ...metaOf(folder.id), unseenTo: 5_000 };
  const record = new TerminalRecord(folder, { meta, rawSize: 0 }, deps);
  const status = new TerminalStatus(record.meta, () => undefined);
  status.event({ type: 'bell', at: 10 });
  expect(status.view.bell).toBe(true);
  record.unseen(status.unseen);
  expect(record.meta.unseenTo).toBe(0);
  await record.close();
});

test('reports that a full disk refuses leave no earlier ones behind, which would be believed', async ({ skip }) => {
  const disk = new SmallDisk(1024 * 1024);
  onTestFinished(() => disk.dispose());
  if (!disk.isMounted) skip('no tmpfs can be mounted here');
  const folder = new SessionFolder(disk.path, 'ta-00000001');
  folder.create();
  const record = new TerminalRecord(folder, { meta: metaOf(folder.id), rawSize: 0 }, deps);
  record.keepReports('"first"');
  await soon(() => existsSync(folder.shellJson) && readFileSync(folder.shellJson, 'utf8')).toBe('"first"');
  disk.fill();
  record.keepReports('"second"');
  await soon(() => existsSync(folder.shellJson)).toBe(false);
  disk.free();
  record.keepReports('"third"');
  await soon(() => existsSync(folder.shellJson) && readFileSync(folder.shellJson, 'utf8')).toBe('"third"');
  await record.close();
});
