import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { Policy } from '../../src-main/contract/mcp/policy.ts';
import { findTool } from '../../src-main/mcp/server/catalog.ts';
import { ROOT, sourceFiles } from '../support/sourceFiles.ts';

const TOP = [
  ...['README.md', 'AGENTS.md', 'ARCHITECTURE.md', 'GLOSSARY.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
];
const pages = [
  ...TOP.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
  ...sourceFiles('docs', ['.md']),
];

test('every link of a page leads to a file that is there', () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, to = '']) => to)
      .filter((to) => !/^[a-z]+:/.test(to) && !existsSync(join(ROOT, dirname(path), to)))
      .map((to) => `${path} links to ${to}`),
  );
  expect(broken).toEqual([]);
});

test('no page holds the marks of a merge', () => {
  const marked = pages.filter(({ text }) => /^(<{7}|={7}|>{7}|\|{7})( |$)/m.test(text));
  expect(marked.map(({ path }) => path)).toEqual([]);
});

/** Pages of the repository to which a page links. */
function linkedPages(path: string): string[] {
  const text = pages.find((page) => page.path === path)?.text ?? '';
  return [...text.matchAll(/\]\(([^)#\s]+\.md)[^)]*\)/g)].map(([, to = '']) => join(dirname(path), to));
}

test('every page is at most two clicks from the README', () => {
  const one = linkedPages('README.md');
  const reached = new Set(['README.md', ...one, ...one.flatMap(linkedPages)]);
  const lost = pages.map(({ path }) => path).filter((path) => !reached.has(path));
  expect(lost, 'link the page from docs/README.md').toEqual([]);
});

test('the README is short, and in the order in which a newcomer asks', () => {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8');
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(900);
  expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([
    ...['Why', 'Install', 'First five minutes', 'What it does to your machine', 'Status and limits', 'More'],
  ]);
});

test('the moving picture plays on any forge: small, without scripts, fonts and addresses', () => {
  const svg = readFileSync(join(ROOT, 'docs/images/demo.svg'), 'utf8');
  expect(svg.length).toBeLessThanOrEqual(400_000);
  expect(svg.match(/<script|@font-face|@import|url\(|<image|<foreignObject|\son\w+=|href/i)).toBeNull();
  expect(svg).toContain('@keyframes');
});

test('the policies that a page shows are valid', () => {
  const text = readFileSync(join(ROOT, 'docs/guide/policy.md'), 'utf8');
  const shown = [...text.matchAll(/```jsonc\n([\s\S]*?)```/g)].map(([, policy = '']) =>
    Policy.safeParse(parse(policy)),
  );
  expect(shown.length).toBeGreaterThan(3);
  expect(shown.filter(({ success }) => !success)).toEqual([]);
});

test('every path of the repository that a page names is there', () => {
  const roots = /^(?:src-main|src-preload|src-renderer|shell-hooks|resources|test|docs|bench)\//;
  const gone = pages
    .filter(({ path }) => path !== 'CHANGELOG.md')
    .flatMap(({ path, text }) =>
      [...text.matchAll(/`([\w./-]+)`/g)]
        .map(([, name = '']) => name)
        .filter((name) => roots.test(name) && !existsSync(join(ROOT, name)))
        .map((name) => `${path} names ${name}`),
    );
  expect(gone).toEqual([]);
});

test('every tool that a page names can be called', () => {
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:pty|blocks|chats)[._](?!jsonl|id\b)\w+)`/g)].map(([, name = '']) => ({ path, name })),
  );
  expect(new Set(named.map(({ name }) => name)).size).toBeGreaterThan(20);
  const unknown = named.filter(({ name }) => !findTool(name) && !OF_SEEDS.has(name) && !LOG_WORDS.test(name));
  expect(unknown.map(({ path, name }) => `${path} names ${name}, which is no tool of mcp/tools/all.ts`)).toEqual([]);
});

/** Names that docs/design/seeds.md quotes from a seed and maps to other names. */
const OF_SEEDS: ReadonlySet<string> = new Set(['pty_block_completed']);
/** Log messages whose names look like tools. */
const LOG_WORDS = /^pty_(?:alt_screen|attach)_/;
