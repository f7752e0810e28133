import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allCommands, type CommandNode, commandTree } from '../../src-main/cli/completions/commandTree.ts';
import { buildProgram } from '../../src-main/cli/program.ts';
import { ROOT, sourceFiles } from '../support/sourceFiles.ts';

const tree = commandTree(await buildProgram(''));
const nodes = new Map(allCommands(tree).map((node) => [node.path, node]));
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'AGENTS.md'].map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  })),
  // Without the reference, which is generated from the commands, and decisions and seeds, which are history.
  ...sourceFiles('docs', ['.md']).filter(({ path }) => !/^docs\/(?:reference|adr|design)\//.test(path)),
];

/** Every `hansard …` of a page, inline or in a code block, without the comment after it. */
function usagesOf({ text }: { text: string }): string[] {
  const spans = [...text.matchAll(/`((?:hansard|mcp|hooks|audit) [^`]+)`/g)].map(([, usage = '']) => usage);
  const code = [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.split('\n'));
  const lines = code.flatMap((line) => /(?:^|[(] ?)(hansard [^)#|]*)/.exec(line)?.[1] ?? []);
  return [...spans, ...lines].map((usage) =>
    usage
      .replaceAll('\\|', '|')
      .replace(/^hansard /, '')
      .trim(),
  );
}

/** `serve start|status|stop` is three commands; the words that follow are arguments. */
function commandsOf(usage: string): string[] {
  const words = usage.split(' ');
  const [first = '', second = ''] = words;
  const subs = second.split('|').map((each) => ` ${first} ${each}`);
  return nodes.get(` ${first}`)?.commands.length && subs.every((path) => nodes.has(path)) ? subs : [` ${first}`];
}

function faultsOf(usage: string): string[] {
  if (/^[[~/-]|^\w+-/.test(usage)) return []; // `hansard [open] [dir]`, `hansard --version`
  return commandsOf(usage).flatMap((path) => {
    const node = nodes.get(path);
    return node ? unknownOptions(usage, node) : [`no command: ${usage}`];
  });
}

function unknownOptions(usage: string, node: CommandNode): string[] {
  const [, parent = ''] = /^( \S+) \S+$/.exec(node.path) ?? [];
  const options = [...node.options, ...(nodes.get(parent)?.options ?? [])];
  const known = new Set(options.flatMap(({ long, short }) => [long, short ?? '']));
  const named = (usage.split(' -- ')[0] ?? '').match(/(?<=[ [])--?[a-z][\w-]*/g) ?? [];
  return named.filter((option) => !known.has(option)).map((option) => `no ${option}: ${usage}`);
}

test('the pages name commands and options that there are', () => {
  const usages = pages.flatMap(usagesOf);
  expect(usages.length).toBeGreaterThan(70);
  expect(usages.flatMap(faultsOf)).toEqual([]);
  expect(['nope', 'ls --nope', 'serve start --open'].map((usage) => faultsOf(usage).length)).toEqual([1, 1, 0]);
});

test('the guide to the command line has every command', () => {
  const guide = readFileSync(join(ROOT, 'docs/guide/command-line.md'), 'utf8');
  expect(
    tree.commands
      .map(({ path }) => path.trim())
      .filter((name) => name !== 'help' && !guide.includes(`hansard ${name}`) && name !== 'open'),
    'add them to the table of docs/guide/command-line.md',
  ).toEqual([]);
});
