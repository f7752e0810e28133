import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { AuditLine } from '../../src-main/contract/mcp/audit.ts';
import type { ExecResult } from '../../src-main/contract/mcp/exec.ts';
import { PtyChatClient } from '../../src-main/core/PtyChatClient.ts';
import { verifyAudit } from '../../src-main/store/audit/verifyAudit.ts';
import { TestCore } from '../support/TestCore.ts';
import { execKillChild } from './execChild.ts';

const child = execKillChild();
afterAll(() => child.dispose());

/**
 * Kills a core process that has one running command, one held behind it, and one that awaits approval, and restarts it on the same folder.
 */
test('a kill of the core sends nothing again, and what is recorded is what ran', async () => {
  writeFileSync(
    join(child.folder, 'policy.json'),
    JSON.stringify({
      version: 1,
      clients: { '*': { scopes: ['exec'] } },
      exec: { allow: [{ argv: ['sleep'] }, { argv: ['touch'] }] },
    }),
    { mode: 0o600 },
  );
  const told: readonly ExecResult[] = await child.start();
  expect(told.map(({ status }) => status)).toEqual(['running', 'held', 'awaiting_approval']);
  await child.kill();

  const again = await TestCore.start({ dataFolder: child.folder });
  try {
    expect(again.core).toBeInstanceOf(PtyChatClient);
    const [id = ''] = again.core.workspace.value.order;
    const terminal = again.core.terminal(id);
    await sleep(1500); // long enough for a command to be sent again
    const { blocks } = await terminal.book.page({ limit: 100 });
    expect(blocks.map(({ id: blockId, cmd, actor, status }) => ({ blockId, cmd, actor, status }))).toEqual([
      { blockId: told[0]?.blockId, cmd: 'sleep 300', actor: 'agent:tester', status: 'interrupted' },
    ]);
    for (const { blockId } of told) expect(again.core.clients.exec.byId(blockId)).toBeNull();
    expect(again.core.clients.approvals.open).toEqual([]);
    const audit = readFileSync(join(child.folder, 'audit.jsonl'), 'utf8').trimEnd().split('\n');
    expect(
      audit.map((line) => AuditLine.parse(JSON.parse(line))).map(({ what, decision }) => [what, decision]),
    ).toEqual([['sleep 300', 'allowed']]);
    expect(await verifyAudit(join(child.folder, 'audit.jsonl'))).toMatchObject({ ok: true, entries: 1 });
  } finally {
    await again.stop();
  }
}, 60_000);
