import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { installDrawnAgent } from '../../support/installDrawnAgent.ts';
import { soon } from '../../support/soon.ts';
import { begin, TestCore, until } from '../../support/TestCore.ts';

let core: TestCore;

beforeAll(async () => {
  core = await TestCore.start();
});

afterAll(() => core.dispose());

test('the list has the project and branch of an agent in a linked work tree, while it runs and when it has ended', async () => {
  const harbour = join(realpathSync(core.home), 'harbour');
  const linked = join(realpathSync(core.home), 'harbour-worktrees', 'parallel');
  mkdirSync(harbour);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: harbour });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'one');
  git('worktree', 'add', '-q', '-b', 'parallel', linked);
  const terminal = await core.open();
  await terminal.submit(`cd ${linked}`);
  await soon(() => terminal.view.gitBranch).toBe('parallel');
  await begin(terminal, `${installDrawnAgent(core.home)} ${join(core.home, 'answers')}`);
  await until(terminal, ({ view }) => view.agent?.state === 'idle');
  terminal.type('hello\r');
  const place = { cwd: linked, project: harbour, branch: 'parallel' };
  const rows = () => core.core.agents.board.list();
  await soon(rows).toMatchObject([{ ...place, state: 'idle', title: 'hello' }]);
  terminal.type('\x04');
  await until(terminal, ({ view }) => view.agent === null);
  await soon(rows).toMatchObject([{ ...place, state: 'exited' }]);
});
