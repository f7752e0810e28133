import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { writeChat } from '../support/chatRecords.ts';
import { connectTo } from '../support/coreClient.ts';
import { hostPid, killHost } from '../support/hostProcess.ts';
import { readView } from '../support/readView.ts';
import { soon } from '../support/soon.ts';
import { cutOffTalk, RESUME, SESSION } from './support/CutOffAgent.ts';

let app: BackgroundCore;
let core: CoreConnection;
let id: string;
let work: string;

const view = () => readView(core.api, id);
const offer = async () => (await core.api.agent.past.lastIn.query({ terminalId: id }))?.command ?? null;
const starts = () => readFileSync(join(work, 'starts'), 'utf8').split('\n').slice(0, -1);

/** A core, a PTY host and a shell of real processes; a stand-in for the agent notes the arguments of each start. */
beforeEach(async () => {
  work = mkdtempSync(join(tmpdir(), 'hansard-killed-'));
  app = new BackgroundCore({ HANSARD_PTY_HOST: 'on', PATH: `${work}:${process.env.PATH}` });
  writeFileSync(join(work, 'starts'), '');
  const claude = join(work, 'claude');
  writeFileSync(claude, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${work}/starts'\nexec sleep 300\n`);
  chmodSync(claude, 0o755);
  await begin();
  id = (await core.api.terminal.open.mutate({ shell: '/bin/bash', cwd: work, cols: 80, rows: 24 })).id;
  await submit('claude');
  await soon(starts).toEqual(['']);
  const { blocks } = await core.api.block.page.query({ terminalId: id, limit: 1 });
  await end(() => app.kill());
  writeChat(app.home, id, cutOffTalk(id, { blockId: blocks[0]?.id ?? '', cwd: work, hasPrompt: true }));
  await begin();
  await soon(async () => (await view())?.atPrompt).toBe(true);
  expect(await offer()).toBe(RESUME);
});

afterEach(async () => {
  core.dispose();
  await app.run('serve', 'stop', '--force');
  await app.dispose();
  rmSync(work, { recursive: true, force: true });
});

async function begin(): Promise<void> {
  await app.start();
  core = connectTo(app.home);
}

async function end(how: () => Promise<unknown>): Promise<void> {
  core.dispose();
  await how();
}

const submit = (text: string) => soon(async () => (await core.api.terminal.submit.mutate({ id, text })).ok).toBe(true);

async function continues(): Promise<void> {
  await soon(async () => (await view())?.atPrompt).toBe(true);
  expect(await offer()).toBe(RESUME);
  writeFileSync(join(work, 'starts'), '');
  expect(await core.api.agent.past.continueHere.mutate({ terminalId: id, isWanted: true })).toBe(true);
  await soon(starts).toEqual([`--resume ${SESSION}`]);
  expect(await offer()).toBeNull();
}

test('an offer is there again after a kill of the core alone, and continues once', async () => {
  await end(() => app.killCore());
  await begin();
  await continues();
});

test('an offer is there again after a kill of the core and all shells, and continues once', async () => {
  await end(() => app.kill());
  await begin();
  await continues();
});

test('an offer is there again when its shell starts again after a kill of the PTY host alone, and continues once', async () => {
  expect(hostPid(app.home)).not.toBeNull();
  killHost(app.home);
  await soon(async () => (await view())?.state).toBe('exited');
  await core.api.terminal.restart.mutate({ id });
  await continues();
});

test('what was continued is not offered again by the next core, while it runs and after', async () => {
  await continues();
  await end(() => app.killCore());
  await begin();
  expect(await offer()).toBeNull();
  expect(starts()).toHaveLength(1);
});
