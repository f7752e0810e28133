import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeSet, ConversationChanges } from '../../src-main/contract/changes.ts';
import type { PtyInstance } from '../../src-main/terminal/PtyInstance.ts';
import { runCli } from '../cli/runCli.ts';
import { installDrawnAgent } from '../support/installDrawnAgent.ts';
import { soon } from '../support/soon.ts';
import { TestCore } from '../support/TestCore.ts';

let test1: TestCore;
let work: string;
let log: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: work,
    stdio: 'pipe',
  }).toString();

beforeAll(async () => {
  test1 = await TestCore.start();
  installDrawnAgent(test1.home);
  work = join(realpathSync(test1.home), 'work');
  log = join(test1.home, 'answers');
  mkdirSync(work);
  git('init', '-q', '-b', 'main');
  writeFileSync(join(work, 'a.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-qm', 'one');
});

afterAll(() => test1.dispose());

/** Starts the drawn agent in a new terminal, in the repository. */
async function start(): Promise<PtyInstance> {
  const terminal = await test1.open();
  await terminal.submit(`cd ${work}; ${join(test1.home, 'bin', 'codex')} ${log}`);
  await soon(() => terminal.view.agent?.state).toBe('idle');
  return terminal;
}

const refOf = (terminal: PtyInstance) => ({
  terminalId: terminal.id,
  conversationId: terminal.view.agent?.conversationId ?? terminal.chat.conversations.at(-1)?.id ?? '',
});
const turns = async (terminal: PtyInstance): Promise<ConversationChanges> =>
  test1.core.agents.changes.turns(refOf(terminal));
const read = async (terminal: PtyInstance, turn: number | null): Promise<ChangeSet | null> =>
  test1.core.agents.changes.read({ ...refOf(terminal), turn });
const shown = async (terminal: PtyInstance, turn: number | null) =>
  (await read(terminal, turn))?.files.map(({ status, path, added, removed }) => [status, path, added, removed]);

/** Sends a prompt that edits one file; the agent edits it once the snapshot of the prompt exists. */
async function edit(terminal: PtyInstance, prompt: string, turn: number): Promise<void> {
  terminal.input.type(`${prompt}\r`);
  await soon(async () => (await turns(terminal)).turns[0]).toMatchObject({ turn, title: prompt, endedMs: null });
  writeFileSync(`${log}.go`, '');
  await soon(() => existsSync(`${log}.go`)).toBe(false);
}

const ended = (terminal: PtyInstance, turn: number) =>
  soon(async () => (await turns(terminal)).turns[0]).toMatchObject({ turn, endedMs: expect.any(Number), fault: null });

describe('an agent’s turns', { timeout: 120_000 }, () => {
  let terminal: PtyInstance;

  test('have what changed between prompt and end, and neither what was before nor what the person changed since', async () => {
    writeFileSync(join(work, 'mine.txt'), 'before\n');
    terminal = await start();
    await edit(terminal, 'edit a.txt two', 1);
    await ended(terminal, 1);
    expect(await shown(terminal, 1)).toEqual([['modified', 'a.txt', 1, 1]]);
    writeFileSync(join(work, 'mine.txt'), 'between\n');
    await edit(terminal, 'edit b.txt new', 2);
    await ended(terminal, 2);
    expect(await shown(terminal, 2)).toEqual([['added', 'b.txt', 1, 0]]);
    expect(await shown(terminal, 1)).toEqual([['modified', 'a.txt', 1, 1]]);
    expect(await shown(terminal, null)).toEqual([
      ['modified', 'a.txt', 1, 1],
      ['added', 'b.txt', 1, 0],
      ['modified', 'mine.txt', 1, 1],
    ]);
    const { terminalId, conversationId } = refOf(terminal);
    expect(await test1.core.agents.changes.files(terminalId, conversationId)).toBe(3);
    expect(git('status', '--porcelain').trim().split('\n').sort()).toEqual(
      ['M a.txt', '?? b.txt', '?? mine.txt'].sort(),
    );
  });

  test('show the folder as it is while they go on', async () => {
    terminal.input.type('edit c.txt later\r');
    await soon(async () => (await turns(terminal)).turns[0]).toMatchObject({ turn: 3, endedMs: null });
    writeFileSync(join(work, 'meanwhile.txt'), 'x\n');
    await soon(async () => shown(terminal, 3)).toEqual([['added', 'meanwhile.txt', 1, 0]]);
    expect((await read(terminal, 3))?.isLive).toBe(true);
    writeFileSync(`${log}.go`, '');
    await ended(terminal, 3);
    expect(await shown(terminal, 3)).toEqual([
      ['added', 'c.txt', 1, 0],
      ['added', 'meanwhile.txt', 1, 0],
    ]);
  });

  test('name an agent that worked in the folder at the same time', async () => {
    const other = await start();
    other.input.type('work\r');
    await soon(() => other.view.agent?.state).toBe('working');
    await edit(terminal, 'edit d.txt both', 4);
    await ended(terminal, 4);
    expect((await turns(terminal)).turns[0]?.others).toEqual(['Codex']);
    expect((await turns(terminal)).turns[1]?.others).toEqual([]);
    other.input.type('\x1b');
    await soon(async () => (await turns(other)).turns[0]).toMatchObject({ others: ['Codex'] });
    await test1.core.close(other.id, true);
  });

  test('give a file back as it was before, and a snapshot has what was replaced', async () => {
    const ref = refOf(terminal);
    const [file] = (await read(terminal, 1))?.files ?? [];
    writeFileSync(join(work, 'a.txt'), 'precious\n');
    const verdict = await test1.core.agents.changes.restore({ ...ref, turn: 1, fileId: file?.id ?? '' });
    expect(verdict).toMatchObject({ ok: true, isRemoved: false });
    expect(readFileSync(join(work, 'a.txt'), 'utf8')).toBe('one\n');
    const snapshot = verdict.ok ? verdict.snapshot : 0;
    expect(git('show', `refs/hansard/${ref.conversationId}/${snapshot}:a.txt`)).toBe('precious\n');
    const [added] = (await read(terminal, 2))?.files ?? [];
    const removed = await test1.core.agents.changes.restore({ ...ref, turn: 2, fileId: added?.id ?? '' });
    expect(removed).toMatchObject({ ok: true, isRemoved: true });
    expect(existsSync(join(work, 'b.txt'))).toBe(false);
  });

  test('are the same on the command line once the core has stopped, and their refs go with the terminal', async () => {
    const { terminalId, conversationId } = refOf(terminal);
    await test1.core.close(terminalId, true);
    await soon(async () => (await test1.core.agents.changes.turns({ terminalId, conversationId })).turns.length).toBe(
      4,
    );
    const expected = await shown(terminal, 2);
    await test1.core.stop();
    const env = { home: test1.dataFolder };
    const printed = JSON.parse((await runCli(['changes', conversationId, '--turn', '2', '--json'], env)).stdout);
    expect(
      printed.turns[0].files.map((one: ChangeSet['files'][0]) => [one.status, one.path, one.added, one.removed]),
    ).toEqual(expected);
    const { stdout: patch } = await runCli(['changes', conversationId, '--turn', '1', '--patch'], env);
    expect(patch).toContain('-one\n+two\n');
    expect(git('for-each-ref', `refs/hansard/${conversationId}`)).not.toBe('');
    await runCli(['prune', '--bytes', '1', '--yes', '--all'], env);
    expect(git('for-each-ref', `refs/hansard/${conversationId}`)).not.toBe(''); // the terminal can be restored from the trash
    await runCli(['prune', '--empty-trash', '--yes'], env);
    expect(git('for-each-ref', 'refs/hansard', '--format=%(refname)')).not.toContain(conversationId);
  });
});
