// Shells report which of the given words are aliases or functions.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parseShellWords } from '../../src-main/events/parseShellWords.ts';
import { RealShell, type RealShellOptions } from '../support/RealShell.ts';

let shell: RealShell;
afterEach(async () => await shell.dispose());

const WORDS = 'ls git ll';

async function start(name: string, rc: string, more: Partial<RealShellOptions> = {}): Promise<void> {
  const home = { [`.${name}rc`]: rc, words: `${WORDS}\n` };
  shell = await RealShell.start({ shell: name, home, env: (own) => ({ HANSARD_WORDS: join(own, 'words') }), ...more });
}

const prompts = () => shell.marks.filter(({ name }) => name === 'PROMPT').map(({ fields }) => fields);

/** The words reported under the id of the last prompt; null if there are no such words. */
function now() {
  const id = prompts().at(-1)?.words;
  const told = prompts().findLast(({ words, words_b64 }) => words === id && words_b64 !== undefined)?.words_b64;
  return told === undefined ? null : parseShellWords(Buffer.from(told, 'base64').toString());
}

const timesTold = (): number => prompts().filter(({ words_b64 }) => words_b64 !== undefined).length;

describe.each(['bash', 'zsh'])('%s', (name) => {
  test('tells at its first prompt which of the words are aliases, for what, and which are functions; and of no other', async () => {
    await start(name, "alias ls=\"echo it's; odd\" ll='' db='db --password=x'\ngit() { :; }\nother() { :; }");
    const words = now();
    expect([...(words?.aliases ?? [])].sort()).toEqual([
      ['ll', ''],
      ['ls', "echo it's; odd"],
    ]);
    expect(words?.functions).toEqual(new Set(['git']));
    expect(words?.checked).toEqual(new Set(['ls', 'git', 'll']));
  });

  test('tells again when one is defined, changed or taken away, and only then', async () => {
    await start(name, '');
    expect(timesTold()).toBe(1);
    await shell.run('true');
    await shell.run('cd /');
    expect(timesTold()).toBe(1);
    await shell.run("alias ls='rm -rf'");
    expect(now()?.aliases.get('ls')).toBe('rm -rf');
    await shell.run('alias ls=true');
    expect(now()?.aliases.get('ls')).toBe('true');
    await shell.run('unalias ls');
    expect(now()?.aliases.has('ls')).toBe(false);
    await shell.run('ls() { :; }');
    expect(now()?.functions).toEqual(new Set(['ls']));
    await shell.run('unset -f ls');
    expect(now()?.functions).toEqual(new Set());
    expect(timesTold()).toBe(6);
  });

  test('what it is asked about may change while it runs; where nobody says any more it stays as it was', async () => {
    await start(name, 'alias cat=rm ls=rm');
    shell.writeHome('words', 'cat\n');
    await shell.run('true');
    expect([now()?.aliases, now()?.checked]).toEqual([new Map([['cat', 'rm']]), new Set(['cat'])]);
    rmSync(join(shell.home, 'words'));
    await shell.run('true');
    expect(now()?.checked).toEqual(new Set(['cat']));
    expect(timesTold()).toBe(2);
  });

  test('an empty alias, and none at all, are told as they are', async () => {
    await start(name, 'unalias -a; alias ls=');
    expect(now()?.aliases).toEqual(new Map([['ls', '']]));
    await shell.run('unalias ls');
    expect(now()?.aliases).toEqual(new Map());
  });

  test("is not understood where an alias holds the report's own separators", async () => {
    await start(name, "alias ls=$'a\\x1eb'");
    expect(now()).toBeNull();
    await shell.run("alias ls=$'a\\x1fb'");
    expect(now()).toBeNull();
    await shell.run('unalias ls');
    expect(now()).not.toBeNull();
  });

  test('the words it is asked about reach no program', async () => {
    await start(name, '');
    await shell.run('env | grep -c HANSARD_WORDS');
    expect(shell.cards.at(-1)?.exit).toBe(1);
  });

  test.each([
    'set -u',
    'set -f',
    'IFS=:',
    name === 'bash' ? 'shopt -s nocasematch' : 'setopt ksh_arrays sh_word_split',
  ])('tells all the same under %s', async (option) => {
    await start(name, `alias ls=rm\ngit() { :; }\n${option}`);
    expect(now()?.aliases.get('ls')).toBe('rm');
    expect(now()?.functions).toEqual(new Set(['git']));
    expect(now()?.checked.size).toBe(3);
  });
});

test('bash: what prompt code changes is known behind the next prompt, and counts for nothing before', async () => {
  await start('bash', "PROMPT_COMMAND='alias ls=rm'");
  expect(now()).toBeNull();
  await shell.run('true');
  expect(now()?.aliases.get('ls')).toBe('rm');
});

test('zsh: global and suffix aliases are told as such', async () => {
  await start('zsh', 'alias -g L="| less"\nalias -s txt=cat');
  expect(now()?.globals).toEqual(new Set(['L']));
  expect(now()?.suffixes).toEqual(new Set(['txt']));
});

test('zsh: among two thousand functions and two hundred aliases the right ones are told', async () => {
  const rc =
    'for i in {1..2000}; do functions[f$i]=:; done; for i in {1..200}; do alias a$i="echo $i"; done; alias ls=rm; git() { :; }';
  await start('zsh', rc);
  expect(now()?.aliases).toEqual(new Map([['ls', 'rm']]));
  expect(now()?.functions).toEqual(new Set(['git']));
});
