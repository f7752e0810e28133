import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { begin, runCommand, TestCore, until } from '../support/TestCore.ts';

/** Reads all that a program of the same user can read of its ancestors without a debugger, and every file in the given folders. */
const SPY = String.raw`import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
const [out, ...folders] = process.argv.slice(2);
const seen = [];
for (let pid = process.pid; pid > 1; ) {
  seen.push(readFileSync('/proc/' + pid + '/environ', 'latin1'), readFileSync('/proc/' + pid + '/cmdline', 'latin1'));
  pid = Number(/\nPPid:\t(\d+)/.exec(readFileSync('/proc/' + pid + '/status', 'latin1'))[1]);
  if (pid === Number(process.env.SPY_STOP)) break;
}
for (const folder of folders)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) seen.push(entry.name, readFileSync(entry.parentPath + '/' + entry.name, 'latin1'));
writeFileSync(out, seen.join('\n'));
`;
const NONCE = /Zj[0-9a-f]{32}/;

let core: TestCore;
afterEach(() => core.dispose());

async function start(): Promise<() => string> {
  core = await TestCore.start();
  core.write('spy.mjs', SPY);
  return () => readFileSync(join(core.home, 'seen'), 'latin1');
}
const spy = (): string =>
  `SPY_STOP=${process.pid} ${process.execPath} ~/spy.mjs ~/seen ${core.dataFolder}/run ${core.home}`;
const left = (): string[] => readdirSync(join(core.dataFolder, 'run')).filter((name) => /nonce|join/.test(name));

const RC: Record<string, string> = { bash: '.bashrc', zsh: '.zshenv' };

describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
  test('leaves the nonce in no environment, argument or file that a command can read', async () => {
    const seen = await start();
    const terminal = await core.open(shell);
    await runCommand(terminal, spy());
    expect(seen()).toContain('SPY_STOP=');
    expect(lines(seen())).toEqual([]);
    expect(left()).toEqual([]);
  });

  test('leaves it nowhere in a nested shell that has joined, under any option', async () => {
    const seen = await start();
    const terminal = await core.open('bash');
    const plain: Record<string, string> = { bash: 'bash --norc -ax', zsh: 'zsh -fax', fish: 'fish --private' };
    await begin(terminal, `BASH_XTRACEFD=9 ${plain[shell]} 9> ~/traced`);
    await until(terminal, ({ book }) => book.running?.nested !== undefined);
    expect(terminal.input.joinNested()).toEqual({ ok: true });
    await until(terminal, ({ view }) => view.atPrompt);
    expect((await runCommand(terminal, spy())).trusted).toBe(true);
    expect(seen()).toContain('SPY_STOP=');
    expect(lines(seen())).toEqual([]);
    expect(left()).toEqual([]);
  });
});

test.each(['bash', 'zsh'])('%s has read it before a start-up file of the person runs', async (shell) => {
  const seen = await start();
  core.write(RC[shell] ?? '', `${spy()}\n`);
  await core.open(shell);
  expect(seen()).toContain('SPY_STOP=');
  expect(lines(seen())).toEqual([]);
});

test('only the person can reach the file while it waits to be removed', async () => {
  await start();
  core.write('.bashrc', `stat -c %a%s ${core.dataFolder}/run/nonce-* > ~/seen\n`);
  await core.open('bash');
  const folder = statSync(join(core.dataFolder, 'run')).mode & 0o777;
  expect([readFileSync(join(core.home, 'seen'), 'utf8'), folder.toString(8)]).toEqual(['6000\n', '700']);
});

/** The entries that contain a nonce. */
function lines(text: string): string[] {
  return text.split(/[\n\0]/).filter((line) => NONCE.test(line));
}
