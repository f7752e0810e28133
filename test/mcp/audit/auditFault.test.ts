import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ClientAudit } from '../../../src-main/mcp/audit/ClientAudit.ts';
import { Notices } from '../../../src-main/notices/Notices.ts';
import { readAuditPage } from '../../../src-main/store/audit/auditFiles.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { FakeClock } from '../../support/FakeClock.ts';

test('the person is told that the audit cannot be written, and again when it can; what waited is in it', async () => {
  const dataFolder = join(mkdtempSync(join(tmpdir(), 'hansard-audit-fault-')), 'data');
  onTestFinished(() => rmSync(join(dataFolder, '..'), { recursive: true, force: true }));
  mkdirSync(dataFolder);
  const clock = new FakeClock();
  const notices = new Notices();
  const audit = new ClientAudit({ dataFolder, clock, notices, log: silentLog, isTerminal: () => false });
  await audit.open();
  const look = (what: string) => {
    clock.advance(2_000); // the log checks once a second that its file still exists
    const caller = { name: what, terminalId: null, account: 'one' };
    audit.hasRead({ caller, terminalId: null, tool: 'pty_list', what, end: 'answered', bytes: 1 });
  };
  look('before');
  expect(notices.current).toEqual([]);
  rmSync(dataFolder, { recursive: true });
  look('meanwhile');
  expect(notices.current).toMatchObject([
    { key: 'audit', level: 'error', text: expect.stringContaining('the folder of the record is gone') },
  ]);
  mkdirSync(dataFolder);
  look('after');
  clock.advance(60_000);
  await expect.poll(() => notices.current).toEqual([]);
  await audit.close();
  const { lines } = await readAuditPage(join(dataFolder, 'audit.jsonl'), { limit: 9 });
  expect(lines.map(({ what }) => what)).toEqual(['after', 'meanwhile']);
});
