import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import type { TerminalChange } from '../../src-main/contract/api.ts';
import { machineOf } from '../../src-main/shared/machineIds.ts';
import { onStrayError } from '../../src-main/util/strayErrors.ts';
import { TestCore } from '../support/TestCore.ts';
import { TestApi } from './TestApi.ts';

const MACHINE = fileURLToPath(new URL('rig/hostileMachine.mjs', import.meta.url));
const RUNS = Number(process.env.HANSARD_PROPERTY_RUNS ?? 1);
const TIME = { timeout: 60_000, interval: 50 };

const started: { dispose(): unknown }[] = [];
function owned<T extends { dispose(): unknown }>(one: T): T {
  started.push(one);
  return one;
}
afterEach(async () => {
  for (const each of started.splice(0).reverse()) await each.dispose();
});

/** A folder for PATH with an `ssh` that is the hostile machine. */
function hostileSsh(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-hostile-'));
  const path = join(folder, 'ssh');
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${MACHINE}'\n`);
  chmodSync(path, 0o755);
  owned({ dispose: () => rmSync(folder, { recursive: true }) });
  return folder;
}

test.each(Array.from({ length: RUNS }, (_, at) => at + 1))(
  'a machine that forges and breaks its messages touches nothing of ours (seed %i)',
  { timeout: 180_000 },
  async (seed) => {
    const stray: unknown[] = [];
    owned(onStrayError((_source, error) => stray.push(error)));
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      PATH: `${hostileSsh()}${delimiter}${process.env.PATH}`,
      HOSTILE_SEED: String(seed),
    };
    const core = owned(await TestCore.start({ env }));
    const own = await core.open();
    const before = own.view;
    const { machines, workspace, notifications } = core.core;
    const layout = JSON.stringify(workspace.value);
    env.HOSTILE_FORGED = [own.id, `on-000000-${own.id}`, '../x', ''].join(',');
    const api = owned(new TestApi(core.core));
    const changes = api.follow<TerminalChange>('terminal.onChange');
    await machines.connect('far');
    const [link] = [...machines.view.machines].map(({ key }) => machines.find(key));
    await vi.waitFor(() => expect(link?.view.info).toMatchObject({ hostName: 'far' }), TIME);
    await vi.waitFor(() => expect(machines.lists.terminals.all.length).toBeGreaterThan(0), TIME);
    const key = link?.view.key ?? '';
    for (const path of ['block.page', 'chat.list', 'screen.read', 'block.lines'])
      await api.query(path, { terminalId: `on-${key}-tfar`, blockId: 'b', from: 0, count: 1, limit: 1 }).catch(() => 0);
    const isLast = (change: TerminalChange): boolean =>
      (change.type === 'all' ? change.terminals : change.type === 'changed' ? [change.terminal] : []).some(
        ({ id }) => id === `on-${key}-tlast`,
      );
    await vi.waitFor(() => expect(changes.some(isLast)).toBe(true), TIME); // after thousands of forged ones

    for (const view of machines.lists.terminals.all) {
      expect(machineOf(view.id)).toBe(key);
      expect([typeof view.title, typeof view.atPrompt, typeof view.quality.reason]).toEqual([
        'string',
        'boolean',
        'string',
      ]);
    }
    for (const { terminalId } of notifications.all) expect(machineOf(terminalId)).toBe(key);
    const ofOurs = changes.filter((change) => change.type === 'removed' && machineOf(change.id) === null);
    expect(ofOurs).toEqual([]);
    expect(own.view).toEqual(before);
    expect(JSON.stringify(workspace.value)).toBe(layout);
    expect(Object.prototype).not.toHaveProperty('id');
    own.type('echo still "$((6 * 7))"\r');
    await vi.waitFor(
      async () => expect((await own.book.page({ limit: 9 })).blocks.at(-1)?.status).toBe('completed'),
      TIME,
    );
    expect(stray).toEqual([]);
  },
);
