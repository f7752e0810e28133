import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { ROOT, sourceFiles } from '../support/sourceFiles.ts';

/**
 * Words that make a sentence read like a translation, with the usual replacement. The test covers help, errors and documents, which people
 * read, but not names and comments.
 */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:told|tells?|telling)\b/i, 'reports, says, sends'],
  [/\b(?:heard|hears?)\b/i, 'receives, reports'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair'],
  [/\bso long as\b/i, 'while'],
  [/\bsuch\b(?! as\b)/i, 'this, these, or nothing'],
  [/\bnone\b/i, 'no …'],
  [/\bwhoever\b/i, 'anybody who, the client that'],
  [/\banew\b/i, 'again'],
  [/\bis it that\b/i, 'whether'],
  [/\bat rest\b/i, 'archived'],
  [/\btid(?:y|ies|ied)\b/i, 'prune'],
  [/(?:^|[.:;] )What (?:is|was|were)\b(?![^.]*\?)/, 'name the subject'],
];

/** Folders whose strings are checked. */
const STRINGS_IN = ['src-main/cli', 'src-main/hosts/electron', 'src-main/notices', 'src-renderer/app/strings'];
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'AGENTS.md', 'GLOSSARY.md'];
/** Decision records and design sources keep their original words. */
const LEFT_OUT = /^docs\/(?:adr|design)\//;

/** Reviewed lines where the word is right, as `file: part of the line` that identifies it. */
const EXCEPTIONS: readonly string[] = [];

interface Line {
  file: string;
  text: string;
}

/** Literals for people: those with a space. Checks the fixed parts of a template, not its values. */
function stringsOf({ path, text }: { path: string; text: string }): Line[] {
  const found: Line[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      if (node.text.trim().includes(' ')) found.push({ file: path, text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}

/** Lines of a page without code. */
function linesOf({ path, text }: { path: string; text: string }): Line[] {
  const prose = text
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '``')
    .replace(/\]\([^)]*\)/g, ']');
  return prose.split('\n').map((line) => ({ file: path, text: line }));
}

function hits(lines: readonly Line[]): string[] {
  return lines.flatMap(({ file, text }) =>
    BANNED.filter(([word]) => word.test(text))
      .filter(() => !EXCEPTIONS.some((known) => `${file}: ${text}`.includes(known)))
      .map(([word, better]) => `${file}: ${text.trim().slice(0, 160)} (${word.source}; better: ${better})`),
  );
}

describe('plain words', () => {
  test('in the command line, the window, its notices and dialogs', () => {
    expect(hits(STRINGS_IN.flatMap((folder) => sourceFiles(folder, ['.ts'])).flatMap(stringsOf))).toEqual([]);
  });

  test('in the documents', () => {
    const pages = [
      ...PAGES.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
      ...sourceFiles('docs', ['.md']).filter(({ path }) => !LEFT_OUT.test(path)),
    ];
    expect(hits(pages.flatMap(linesOf))).toEqual([]);
  });

  test('of the glossary are at most 40, each explained once', () => {
    const terms = readFileSync(join(ROOT, 'GLOSSARY.md'), 'utf8').match(/\*\*[^*]+\*\* –/g) ?? [];
    expect(terms.length).toBeLessThanOrEqual(40);
    expect(new Set(terms).size).toBe(terms.length);
  });

  test('are all of those that must be there: a banned word is found, and its neighbours are not', () => {
    const line = (text: string) => hits([{ file: 'x', text }]).length;
    expect(['stderr tells why', 'None runs', 'a fault that such a tool mends'].map(line)).toEqual([1, 1, 2]);
    expect(['shells such as bash', 'intellect', 'What is a card?', 'recommended'].map(line)).toEqual([0, 0, 0, 0]);
  });
});
