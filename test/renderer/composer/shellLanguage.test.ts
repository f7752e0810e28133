import { highlightTree } from '@lezer/highlight';
import { describe, expect, test } from 'vitest';
import { editorColors } from '../../../src-renderer/composer/editor/editorTheme.ts';
import { shellLanguage } from '../../../src-renderer/composer/editor/shellLanguage.ts';

/** The words that have a colour, with its name. */
function colored(line: string): string[] {
  const rules = editorColors.module?.getRules() ?? '';
  const words: string[] = [];
  highlightTree(shellLanguage.parser.parse(line), editorColors, (from, to, name) => {
    const color = rules
      .split('\n')
      .find((rule) => rule.includes(`.${name} `))
      ?.match(/--([\w-]+)/)?.[1];
    words.push(`${line.slice(from, to)}:${color}`);
  });
  return words;
}

describe('shell highlighting', () => {
  test.each([
    ['git commit -m "low water"', ['git:green', '-m:blue', '"low water":amber']],
    ['./build.sh | wc -l', ['./build.sh:green', '|:null', 'wc:green', '-l:blue']],
    ['make; npm test && ls', ['make:green', 'npm:green', 'ls:green']],
    ['man make', ['man:green']],
    ['sudo -n apt update', ['sudo:green', '-n:blue', 'apt:green']],
    ['if true; then ls; fi', ['if:ansi-5', 'true:green', 'then:ansi-5', 'ls:green', 'fi:ansi-5']],
    ['echo a \\\nb', ['echo:green']],
    ['echo a\nls', ['echo:green', 'ls:green']],
    ["echo 'one\nls two'", ['echo:green', "'one:amber", "ls two':amber"]],
    ['ls # all of them', ['ls:green', '# all of them:text-3-read']],
  ])('%j', (line, expected) => {
    expect(colored(line)).toEqual(expected.filter((word) => !word.endsWith(':null')));
  });
});
