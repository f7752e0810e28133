import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TerminalMeta } from '../../src-main/contract/terminal.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { call, connectClient, refusal } from './mcpClient.ts';

const POLICY = { version: 1, clients: { '*': { scopes: ['exec'] } } };

/** Writes another owner into the record while no core runs, as if another client had opened the terminal. */
function changeOwner(core: BackgroundCore, id: string, change: (owner: string) => string): void {
  const { meta } = new SessionFolder(core.home, id);
  const { owner = '', ...rest } = JSON.parse(readFileSync(meta, 'utf8')) as TerminalMeta;
  expect(owner).toMatch(new RegExp(`^process:${process.pid}@\\d+@[0-9a-f]{8}$`));
  writeFileSync(meta, JSON.stringify({ ...rest, owner: change(owner) }));
}

test('the same process owns its terminals after a kill and a restart of the core, and no other process does', async () => {
  const core = new BackgroundCore();
  onTestFinished(() => core.dispose());
  writeFileSync(join(core.home, 'policy.json'), JSON.stringify(POLICY), { mode: 0o600 });
  await core.start();
  const before = await connectClient(core.home, { name: 'builder' });
  const [own, reused, booted, last] = await Promise.all(
    Array.from({ length: 4 }, async () => (await call(before.client, 'pty_open')).pty_id as string),
  );
  await before.close().catch(() => undefined);
  await core.killCore();
  changeOwner(core, reused ?? '', (owner) => owner.replace(/@\d+@/, '@1@'));
  changeOwner(core, booted ?? '', (owner) => owner.replace(/@[0-9a-f]{8}$/, '@00000000'));
  await core.start();
  const after = await connectClient(core.home, { name: 'another name' });
  for (const id of [reused, booted])
    expect(await refusal(after.client, 'pty_open', { close: id })).toMatchObject({ code: 'NOT_ALLOWED_SCOPE' });
  expect(await call(after.client, 'pty_open', { close: own })).toMatchObject({ outcome: 'closed' });
  await after.close().catch(() => undefined);
  expect((await core.run('serve', 'restart')).code).toBe(0);
  const again = await connectClient(core.home, { name: 'builder' });
  expect(await call(again.client, 'pty_open', { close: last })).toMatchObject({ outcome: 'closed' });
  await again.close();
}, 120_000);
