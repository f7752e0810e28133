import { existsSync, readFileSync } from 'node:fs';
import { onTestFinished, test } from 'vitest';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { TerminalRecord } from '../../src-main/terminal/TerminalRecord.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { SmallDisk } from '../support/SmallDisk.ts';
import { soon } from '../support/soon.ts';

test('reports that a full disk refuses leave no earlier ones behind, which would be believed', async ({ skip }) => {
  const disk = new SmallDisk(1024 * 1024);
  onTestFinished(() => disk.dispose());
  if (!disk.isMounted) skip('no tmpfs can be mounted here');
  const folder = new SessionFolder(disk.path, 'ta-00000001');
  folder.create();
  const meta = {
    ...{ version: 1 as const, id: folder.id, shell: 'bash', argv: ['bash'], cwd: '/', cols: 80, rows: 24 },
    ...{ createdMs: 0, title: '' },
  };
  const record = new TerminalRecord(folder, { meta, rawSize: 0 }, { log: silentLog, clock: new FakeClock() });
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
