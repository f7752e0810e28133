import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { suiteFolder } from '../store/suiteFolder.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { runCli } from './runCli.ts';

/** Every `hansard …` of the README's table, as it is written there. */
const usages = readFileSync(join(ROOT, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `hansard'))
  .flatMap((line) => [...line.matchAll(/`((?:hansard|mcp|hooks|audit) [^`]+)`/g)].map(([, usage = '']) => usage))
  .map((usage) => usage.replaceAll('\\|', '|').replace(/^hansard /, ''));

/** `serve start|status|stop` is three commands; the words that follow in capitals, brackets or options are arguments. */
function commandsOf(usage: string): string[][] {
  const words = usage.split(' ');
  const end = words.findIndex((word) => !/^[a-z|]+$/.test(word));
  const [first = '', second = ''] = words.slice(0, end < 0 ? undefined : end);
  return second === '' ? [[first]] : second.split('|').map((each) => [first, each]);
}

test('the README names commands and options that there are', async () => {
  expect(usages.length).toBeGreaterThan(20);
  const home = suiteFolder('readme');
  const help = new Map<string, Promise<string>>();
  const helpOf = (command: readonly string[]): Promise<string> => {
    const key = command.join(' ');
    const known =
      help.get(key) ?? runCli([...command, '--help'], { home }).then(({ code, stdout }) => `${code}\n${stdout}`);
    help.set(key, known);
    return known;
  };
  const wrong: string[] = [];
  for (const usage of usages) {
    if (usage.startsWith('[')) continue; // `hansard [open] [dir]`
    for (const command of commandsOf(usage)) {
      const text = await helpOf(command);
      if (!text.startsWith('0\n') || !text.includes(`Usage: hansard ${command.join(' ')}`))
        wrong.push(command.join(' '));
    }
    const [main = []] = commandsOf(usage);
    const text = await helpOf(main);
    for (const [option] of usage.matchAll(/(?<=[ [])--?[a-z][\w-]*/g))
      if (!new RegExp(`(?:^|[ ,])${option}(?![\\w-])`, 'm').test(text)) wrong.push(`${main.join(' ')} ${option}`);
  }
  expect(wrong).toEqual([]);
});
