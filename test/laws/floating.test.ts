import { join, relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { ROOT, sourceFiles } from '../support/sourceFiles.ts';

/** In these folders an unhandled rejection would end the core; the renderer has the window's error handlers. */
const FOLDERS = ['src-main', 'src-preload'];

/** Statements with a promise that is not awaited, returned, stored or handled. */
function floatingIn(paths: readonly string[], inMemory?: { path: string; text: string }): string[] {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    ROOT,
  );
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (path) => (path === inMemory?.path ? inMemory.text : readFile(path));
  host.fileExists = (path) => path === inMemory?.path || fileExists(path);
  const program = ts.createProgram({
    rootNames: paths,
    options: { ...options, noEmit: true, skipLibCheck: true, types: ['node'] },
    host,
  });
  const checker = program.getTypeChecker();
  const found: string[] = [];
  const look = (node: ts.Node, file: ts.SourceFile): void => {
    const value = discardedValue(node);
    if (value && !isHandled(value) && isPromise(checker, value)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push(`${relative(ROOT, file.fileName)}:${line + 1}`);
    }
    ts.forEachChild(node, (child) => look(child, file));
  };
  for (const path of paths) {
    const file = program.getSourceFile(path);
    if (file) look(file, file);
  }
  return found;
}

/** The value that an expression statement or a `void` discards. */
function discardedValue(node: ts.Node): ts.Expression | null {
  if (ts.isVoidExpression(node)) return bare(node.expression);
  if (ts.isExpressionStatement(node)) return bare(node.expression);
  return null;
}

function bare(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ? bare(node.expression) : node;
}

/** Whether the expression awaits the promise, stores it by an assignment, or ends in `.catch(…)` or `.then(…, …)`. */
function isHandled(node: ts.Expression): boolean {
  if (ts.isBinaryExpression(node))
    return (
      node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
      node.operatorToken.kind <= ts.SyntaxKind.LastAssignment
    );
  if (ts.isAwaitExpression(node)) return true;
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression } = node.expression;
  if (name.text === 'finally') return isHandled(bare(expression));
  return name.text === 'catch' || (name.text === 'then' && node.arguments.length === 2);
}

function isPromise(checker: ts.TypeChecker, node: ts.Expression): boolean {
  const type = checker.getTypeAtLocation(node);
  const parts = type.isUnion() ? type.types : [type];
  return parts.some((part) => {
    const then = part.getProperty('then');
    return then !== undefined && checker.getTypeOfSymbolAtLocation(then, node).getCallSignatures().length > 0;
  });
}

test('no promise is left without anybody who sees it fail', () => {
  const paths = FOLDERS.flatMap((folder) => sourceFiles(folder, ['.ts'])).map(({ path }) => join(ROOT, path));
  expect(floatingIn(paths).map((place) => `${place}: use detach('Source', promise) or await it`)).toEqual([]);
}, 120_000);

test('the law sees what floats, and only that', () => {
  const path = join(ROOT, 'src-main/floating.ts');
  const text = `
    declare const maybe: { close(): Promise<void> } | undefined;
    async function work(): Promise<number> { return 1; }
    async function all(): Promise<void> {
      work();
      void work();
      maybe?.close();
      work().then(() => 1);
      const f = () => void work();
      work().finally(() => undefined);
      await work();
      work().catch(() => undefined);
      work().then(() => 1, () => 2);
      void work().catch(() => undefined);
      work().catch(() => undefined).finally(() => undefined);
      const kept = work();
      f();
      console.log(await kept);
    }
    all().catch(() => undefined);
  `;
  expect(floatingIn([path], { path, text })).toEqual([5, 6, 7, 8, 9, 10].map((line) => `src-main/floating.ts:${line}`));
}, 60_000);
