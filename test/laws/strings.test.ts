import { type AST, parse } from 'svelte/compiler';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { type SourceFile, sourceFiles } from '../support/sourceFiles.ts';

/** The window's texts: the only files of src-renderer with sentences. */
const CATALOGUE = /^src-renderer\/app\/strings(?:\.ts$|\/)/;
/** Attributes, and properties of our components, that the window shows or a screen reader reads. */
const SHOWN =
  /^(?:about|advice|alt|aria-(?:description|label|placeholder|roledescription|valuetext)|every|label|placeholder|remark|text|title)$/;
const LETTER = /\p{L}/u;

/** Reviewed literals that are not texts of the window, as `file: literal`. */
const EXCEPTIONS: ReadonlySet<string> = new Set([
  'src-renderer/main.ts: index.html has no element with the id "app"', // an error for developers
  'src-renderer/cards/card/blockActions.ts: Enter Space', // two keys
  'src-renderer/rpc/token.ts: Bearer ', // a header
]);

type Node = Record<string, unknown> & { type: string };

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function literalsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(literalsIn);
  if (!isNode(value)) return [];
  if (value.type === 'Text') return [value.data as string];
  if (value.type === 'ExpressionTag') return literalsIn(value.expression);
  if (value.type === 'Literal') return typeof value.value === 'string' ? [value.value] : [];
  if (value.type === 'TemplateLiteral') return literalsIn(value.quasis);
  if (value.type === 'TemplateElement') return [(value.value as { raw: string }).raw];
  if (value.type === 'ConditionalExpression') return [value.consequent, value.alternate].flatMap(literalsIn);
  if (value.type === 'LogicalExpression') return [value.left, value.right].flatMap(literalsIn);
  return [];
}

/** Words between tags, and in SHOWN attributes and properties. */
function textsOfMarkup(fragment: AST.Fragment): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isNode(node) || node.type.endsWith('Directive')) return;
    if (node.type === 'Attribute') {
      if (SHOWN.test(String(node.name))) found.push(...literalsIn(node.value));
      return;
    }
    if (node.type === 'Text' || node.type === 'ExpressionTag') found.push(...literalsIn(node));
    for (const [key, value] of Object.entries(node)) if (key !== 'expression') visit(value);
  };
  visit(fragment);
  return found.map((text) => text.trim()).filter((text) => LETTER.test(text));
}

/** Whether a literal is a sentence or begins like a label (a capital, then a small letter or a space). Selectors, keys and styles do not. */
function isProse(text: string): boolean {
  return (
    /^\s*[“"]?\p{Lu}[\p{Ll}’]*\s+\S/u.test(text) ||
    /^[\p{Lu}][\p{Ll}]+[ …?!.]/u.test(text) ||
    /\p{Ll}{2,} \p{Ll}{2,} \p{Ll}{2,}/u.test(text)
  );
}

/** Literals of a script that read like a text for people. These include errors for developers, which EXCEPTIONS lists. */
function textsOfScript(script: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && isProse(node.text)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('script.ts', script, ts.ScriptTarget.Latest));
  return found;
}

function literalTexts({ path, text }: SourceFile): string[] {
  if (path.endsWith('.ts')) return textsOfScript(text);
  const { fragment, instance, module } = parse(text, { modern: true });
  const scripts = [instance, module].flatMap((script) => (script ? [script.content as unknown as AST.BaseNode] : []));
  return [...textsOfMarkup(fragment), ...scripts.flatMap(({ start, end }) => textsOfScript(text.slice(start, end)))];
}

describe('the texts of the window', () => {
  test('are in the catalogue, and in no component or script', () => {
    const outside = sourceFiles('src-renderer', ['.ts', '.svelte']).filter(({ path }) => !CATALOGUE.test(path));
    const found = outside.flatMap((file) => literalTexts(file).map((text) => `${file.path}: ${text}`));
    expect(
      found.filter((text) => !EXCEPTIONS.has(text)),
      'move the text into its part of src-renderer/app/strings; if no person reads it, add it to EXCEPTIONS',
    ).toEqual([]);
  });

  test.each([
    ['a text', '<p>Run again</p>', ['Run again']],
    ['a text within a block', '{#if a}<b>new</b>{/if}', ['new']],
    ['an attribute', '<button aria-label="Close">×</button>', ['Close']],
    ['an attribute with a value in it', '<i title="Branch {name}"></i>', ['Branch']],
    ['a choice', "<i title={on ? 'Hide' : 'Show'}>{on ? 'yes' : a.b}</i>", ['Hide', 'Show', 'yes']],
    ['a template', `<Row about={\`in \${a}\`} />`, ['in']],
    ['a script', "<script>const label = 'Not run: busy';</script>", ['Not run: busy']],
  ])('%s outside the catalogue is found', (_, text, found) => {
    expect(literalTexts({ path: 'a.svelte', text })).toEqual(found);
  });

  test.each([
    '<p class="quiet note">{strings.app.copy} · <kbd>⌘</kbd></p>',
    '<Sheet top="8vh" width={2} title={strings.app.copy} />',
    `<script>const keys = 'Mod+Shift+T'; const font = \`\${face} \${size}px\`;</script>`,
  ])('%s is not', (text) => {
    expect(literalTexts({ path: 'a.svelte', text })).toEqual([]);
  });
});
