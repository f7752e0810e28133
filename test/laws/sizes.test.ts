import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { percentile, type SourceFile, sourceFiles } from '../support/sourceFiles.ts';

const scripts = ['src-main', 'src-preload', 'src-renderer'].flatMap((folder) => sourceFiles(folder, ['.ts']));
const components = sourceFiles('src-renderer', ['.svelte']);

interface Sized {
  name: string;
  lines: number;
}

function linesOf({ path, text }: SourceFile): Sized {
  return { name: path, lines: text.split('\n').length - 1 };
}

/** Each function of a file with its length in lines, nested functions too. */
function functionsOf({ path, text }: SourceFile): Sized[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Sized[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const first = file.getLineAndCharacterOfPosition(node.getStart(file)).line;
      const last = file.getLineAndCharacterOfPosition(node.getEnd()).line;
      found.push({ name: `${path}:${first + 1}`, lines: last - first + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function parametersOver(limit: number, { path, text }: SourceFile): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.parameters.length > limit) {
      found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function over(limit: number, sized: readonly Sized[]): string[] {
  return sized
    .filter(({ lines }) => lines > limit)
    .map(({ name, lines }) => `${name} has ${lines} lines: split it by stage or noun`);
}

describe('sizes', () => {
  const LONG = 'too many long ones: split those that you made longer';
  const files = scripts.map(linesOf);
  const functions = scripts.flatMap(functionsOf);

  test('95 of 100 files are at most 250 lines long', () => {
    expect(
      percentile(
        files.map(({ lines }) => lines),
        0.95,
      ),
      LONG,
    ).toBeLessThanOrEqual(250);
  });

  test('no function is over 60 lines, and 95 of 100 are at most 30', () => {
    expect(over(60, functions)).toEqual([]);
    expect(
      percentile(
        functions.map(({ lines }) => lines),
        0.95,
      ),
      LONG,
    ).toBeLessThanOrEqual(30);
  });

  test('no component is over 400 lines, and 95 of 100 are at most 140', () => {
    const sized = components.map(linesOf);
    expect(over(400, sized)).toEqual([]);
    expect(
      percentile(
        sized.map(({ lines }) => lines),
        0.95,
      ),
      LONG,
    ).toBeLessThanOrEqual(140);
  });

  test('a router file is at most 120 lines', () => {
    expect(
      over(
        120,
        files.filter(({ name }) => name.startsWith('src-main/api/')),
      ),
    ).toEqual([]);
  });

  test('no function takes more than four parameters', () => {
    expect(
      scripts.flatMap((file) => parametersOver(4, file)),
      'pass one object with names',
    ).toEqual([]);
  });
});
