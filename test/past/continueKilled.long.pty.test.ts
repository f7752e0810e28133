import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OneTerminal } from '../ptyHost/OneTerminal.ts';
import { writeChat } from '../support/chatRecords.ts';
import { hostPid, killHost } from '../support/hostProcess.ts';
import { soon } from '../support/soon.ts';
import { cutOffTalk, RESUME, SESSION } from './support/CutOffAgent.ts';

let one: OneTerminal;
let work: string;

const offer = async () => (await one.api.agent.past.lastIn.query({ terminalId: one.id }))?.command ?? null;
const starts = () => readFileSync(join(work, 'starts'), 'utf8').split('\n').slice(0, -1);

/** A core, a PTY host and a shell of real processes; a stand-in for the agent notes the arguments of each start. */
beforeEach(async () => {
  work = mkdtempSync(join(tmpdir(), 'hansard-killed-'));
  writeFileSync(join(work, 'starts'), '');
  const claude = join(work, 'claude');
  writeFileSync(claude, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${work}/starts'\nexec sleep 300\n`);
  chmodSync(claude, 0o755);
  const env = { PATH: `${work}:${process.env.PATH}` };
  one = await OneTerminal.open({ shell: '/bin/bash', cwd: work, env });
  await one.submit('claude');
  await soon(starts).toEqual(['']);
  const { id, app } = one;
  const { blocks } = await one.api.block.page.query({ terminalId: id, limit: 1 });
  const talk = cutOffTalk(id, { blockId: blocks[0]?.id ?? '', cwd: work, hasPrompt: true });
  await one.renew('all', () => writeChat(app.home, id, talk));
  expect(await offer()).toBe(RESUME);
});

afterEach(async () => {
  await one.dispose();
  rmSync(work, { recursive: true, force: true });
});

async function continues(): Promise<void> {
  await soon(async () => (await one.view())?.atPrompt).toBe(true);
  expect(await offer()).toBe(RESUME);
  writeFileSync(join(work, 'starts'), '');
  expect(await one.api.agent.past.continueHere.mutate({ terminalId: one.id, isWanted: true })).toBe(true);
  await soon(starts).toEqual([`--resume ${SESSION}`]);
  expect(await offer()).toBeNull();
}

test.each(['core', 'all'] as const)('an offer is there again after a kill of %s, and continues once', async (what) => {
  await one.renew(what);
  await continues();
});

test('an offer is there again when its shell starts again after a kill of the PTY host alone, and continues once', async () => {
  expect(hostPid(one.app.home)).not.toBeNull();
  killHost(one.app.home);
  await soon(async () => (await one.view())?.state).toBe('exited');
  await one.api.terminal.restart.mutate({ id: one.id });
  await continues();
});

test('what was continued is not offered again by the next core, while it runs and after', async () => {
  await continues();
  await one.renew('core');
  expect(await offer()).toBeNull();
  expect(starts()).toHaveLength(1);
  await one.api.terminal.write.mutate({ id: one.id, data: '\x03' });
  await soon(async () => (await one.view())?.atPrompt).toBe(true);
  expect(await offer()).toBeNull();
});
