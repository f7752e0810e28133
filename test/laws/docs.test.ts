import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findTool } from '../../src-main/mcp/catalog.ts';
import { ROOT, sourceFiles } from '../support/sourceFiles.ts';

const TOP = ['README.md', 'AGENTS.md', 'ARCHITECTURE.md', 'GLOSSARY.md', 'CHANGELOG.md'];
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
  const named = pages.flatMap(({ text }) =>
    [...text.matchAll(/`((?:pty|blocks|chats)[._](?!jsonl|id\b)\w+)`/g)].map(([, name]) => name),
  );
  expect(new Set(named).size).toBeGreaterThan(20);
  const unknown = named.filter((name = '') => !findTool(name) && !OF_SEEDS.has(name) && !LOG_WORDS.test(name));
  expect(unknown).toEqual([]);
});

/** What docs/design/seeds.md quotes of a seed and maps to another name. */
const OF_SEEDS: ReadonlySet<string> = new Set(['pty_block_completed']);
/** Words of the log, which look like tools. */
const LOG_WORDS = /^pty_(?:alt_screen|attach)_/;
