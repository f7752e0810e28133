// Shells report the names of their commands.
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { RealShell, type RealShellOptions } from '../support/RealShell.ts';

let shell: RealShell;
afterEach(async () => await shell.dispose());

const RC: Readonly<Record<string, string>> = { bash: '.bashrc', zsh: '.zshrc', fish: '.config/fish/config.fish' };

async function start(name: string, rc: string, more: Partial<RealShellOptions> = {}): Promise<void> {
  shell = await RealShell.start({ shell: name, ...more, home: { [RC[name] ?? '']: rc, ...more.home } });
}

const prompts = () => shell.marks.filter(({ name }) => name === 'PROMPT').map(({ fields }) => fields);
const timesTold = () => prompts().filter(({ known }) => known !== undefined).length;

/** The names that the last prompt refers to; null if the shell has not reported any. */
function now(): { path: string; known: Set<string> } | null {
  const id = prompts().at(-1)?.names;
  const told = prompts().findLast(({ names, known }) => names === id && known !== undefined);
  return id === undefined || !told ? null : { path: told.path ?? '', known: new Set(told.known?.split(',')) };
}
const has = (...names: string[]) => names.map((name) => now()?.known.has(name));

describe.each(['bash', 'zsh', 'fish'].filter((name) => existsSync(`/usr/bin/${name}`)))('%s', (name) => {
  const define = (word: string) => (name === 'fish' ? `function ${word}; true; end` : `${word}() { true; }`);
  const undefine = (word: string) => (name === 'fish' ? `functions -e ${word}` : `unset -f ${word}`);

  test('reports aliases, functions, builtins and keywords, PATH, and nothing of what they are', async () => {
    await start(name, `${define('tides')}\nalias db='db --password=hunter2'`);
    expect(has('tides', 'db', 'cd', 'if', 'tdies')).toEqual([true, true, true, true, false]);
    expect(now()?.path).toBe('/usr/bin:/bin');
    expect(JSON.stringify(prompts())).not.toContain('hunter2');
  });

  test('reports again when one is defined or taken away, and only then', async () => {
    await start(name, '');
    await shell.run('true');
    const before = timesTold();
    await shell.run('cd /');
    await shell.run('true');
    expect(timesTold()).toBe(before);
    await shell.run(define('later'));
    expect(has('later')).toEqual([true]);
    await shell.run(undefine('later'));
    expect(has('later')).toEqual([false]);
    expect(timesTold()).toBe(before + 2);
  });

  test('reports a changed PATH', async () => {
    await start(name, '');
    await shell.run(name === 'fish' ? 'set -gx PATH /opt/x/bin $PATH' : 'PATH=/opt/x/bin:$PATH');
    expect(now()?.path).toBe('/opt/x/bin:/usr/bin:/bin');
  });

  test('leaves no trace in the output', async () => {
    await start(name, define('tides'));
    await shell.run('echo out');
    await shell.run('jobs');
    expect(shell.cards.map(({ output }) => output).join('')).not.toMatch(/known|tides|Done/);
    expect(shell.cards[0]?.output).toMatch(/out\r\n$/);
  });

  test('reports nothing that it would have to guess', async () => {
    const cdpath = {
      bash: 'shopt -s autocd; CDPATH=/usr',
      zsh: 'setopt auto_cd; cdpath=(/usr)',
      fish: 'abbr -a x --regex "v.*" y',
    };
    await start(name, cdpath[name as keyof typeof cdpath]);
    expect(now()).toBeNull();
  });

  test('reports nothing when there is too much', async () => {
    const many =
      name === 'fish'
        ? 'for i in (seq 1500); function func_with_a_long_name_$i; end; end'
        : 'for i in {1..1500}; do eval "func_with_a_long_name_$i() { :; }"; done';
    await start(name, many);
    expect(now()).toBeNull();
    await shell.run('echo still-here');
    expect(shell.cards.at(-1)?.cmd).toBe('echo still-here');
  });
});

test('bash: a program that was put elsewhere by hash -p counts, and what prompt code defines is not guessed', async () => {
  await start('bash', 'hash -p /opt/odd/tool tool');
  expect(has('tool')).toEqual([true]);
  await shell.dispose();
  await start('bash', 'PROMPT_COMMAND=\'eval "f$RANDOM() { :; }"\'');
  expect(now()).toBeNull();
});

test.skipIf(!existsSync('/usr/bin/zsh'))('zsh: autoloaded functions, global and suffix aliases count', async () => {
  await start('zsh', 'fpath=($HOME/fns $fpath)\nautoload -Uz tidal\nalias -g L="| less"\nalias -s txt=cat', {
    home: { 'fns/tidal': 'echo tidal' },
  });
  expect(has('tidal', 'L', '*.txt')).toEqual([true, true, true]);
});

test.skipIf(!existsSync('/usr/bin/fish'))('fish: autoloaded functions and abbreviations count', async () => {
  await start('fish', 'abbr -a gco git checkout', {
    home: { '.config/fish/functions/tidal.fish': 'function tidal; end' },
  });
  expect(has('tidal', 'gco')).toEqual([true, true]);
  expect(has('command_not_found_handle')).toEqual([false]);
  shell.writeHome('.config/fish/functions/fish_command_not_found.fish', 'function fish_command_not_found; end');
  await shell.run('true');
  expect(has('command_not_found_handle')).toEqual([true]);
});
