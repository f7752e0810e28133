import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMPLETIONS } from '../../../src-main/cli/commands/maintain/completions.ts';
import { allCommands, commandTree } from '../../../src-main/cli/completions/commandTree.ts';
import { manPage } from '../../../src-main/cli/completions/manPage.ts';
import { buildProgram } from '../../../src-main/cli/program.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';

const folder = suiteFolder('completions');
const program = await buildProgram('1.2.3');
const tree = commandTree(program);

/** Path of a shell's completion script. */
function scriptOf(shell: string): string {
  const { fileName, format } = COMPLETIONS[shell] ?? { fileName: '', format: () => '' };
  const path = join(folder, fileName);
  writeFileSync(path, format(tree));
  return path;
}

function has(shell: string): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

function run(shell: string, args: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(shell, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder },
  });
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '')
    .filter(Boolean);
}

const CASES: [string, string[]][] = [
  ['hansard s', ['screen', 'search', 'serve', 'ssh']],
  ['hansard serve st', ['start', 'status', 'stop']],
  ['hansard chat --format ', ['cast', 'html', 'json', 'jsonl', 'md']],
  ['hansard completions ', ['bash', 'fish', 'zsh']],
  ['hansard mcp setup --pro', ['--profile']],
];

test.each(CASES)('bash completes `%s`', (line, expected) => {
  const words = line.split(' ').map((word) => `'${word}'`);
  const ask = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _hansard; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const found = run('bash', ['--noprofile', '--norc', '-c', `source '${scriptOf('bash')}'; ${ask}`]);
  expect(found.filter((word) => !word.startsWith('-') || line.includes(' -')).sort()).toEqual(expected);
});

test.each(CASES)('fish completes `%s`', (line, expected) => {
  if (!has('fish')) return;
  const found = run('fish', ['--no-config', '-c', `source '${scriptOf('fish')}'; complete -C '${line}'`]);
  expect(found.sort()).toEqual(expected);
});

test('zsh loads its script, which then completes hansard', () => {
  if (!has('zsh')) return;
  const init = `autoload -Uz compinit; compinit -u -d '${join(folder, 'dump')}'; source '${scriptOf('zsh')}'`;
  expect(run('zsh', ['-f', '-c', `${init}; print -r -- $_comps[hansard]`])).toEqual(['_hansard']);
});

test.each(Object.keys(COMPLETIONS))('%s gets every command and every option', (shell) => {
  const text = COMPLETIONS[shell]?.format(tree) ?? '';
  const names = allCommands(tree).flatMap(({ path, options }) => [
    ...(path === '' ? [] : [path.split(' ').at(-1) ?? '']),
    ...options.map(({ long }) => (shell === 'fish' ? `-l ${long.slice(2)}` : long)),
  ]);
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !text.includes(name))).toEqual([]);
});

describe('the help', () => {
  test('describes each command in one line that begins with a verb in the imperative', () => {
    const summaries = allCommands(tree)
      .slice(1)
      .map(({ path, summary }) => ({ path, summary }));
    expect(summaries.filter(({ summary }) => !/^[A-Z][a-z]+ [^.\n]*$/.test(summary))).toEqual([]);
    const top = tree.commands.filter(({ summary }) => summary.length > 47);
    expect(
      top.map(({ path }) => path),
      'shorten their `.description()` to 47 characters',
    ).toEqual([]);
  });

  test('puts each command under one of five headings', () => {
    const headings = program.commands.map((command) => command.helpGroup());
    expect(new Set(headings)).toEqual(new Set(['Use:', 'Read:', 'Record:', 'Agents:', 'Maintain:']));
  });
});

test('the man page has every command, and no line that roff would read as a request', () => {
  const page = manPage(program, '1.2.3');
  const plain = page.replaceAll('\\-', '-');
  const missing = allCommands(tree)
    .slice(1)
    .filter(({ path }) => path !== ' help' && !plain.includes(`\\fBhansard${path}`));
  expect(missing.map(({ path }) => path)).toEqual([]);
  const requests = page
    .split('\n')
    .filter((line) => /^[.']/.test(line) && !/^\.(?:TH|SH|SS|PP|TP|RS|RE|B|nf|fi)\b/.test(line));
  expect(requests).toEqual([]);
});
