import { posix } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { type SourceFile, sourceFiles } from '../support/sourceFiles.ts';

const FOLDERS = ['src-main', 'src-preload', 'src-renderer'];
const files = FOLDERS.flatMap((folder) => sourceFiles(folder, ['.ts', '.svelte']));
const byPath = new Map(files.map((file) => [file.path, file]));

/**
 * Files and functions that still exceed a limit, with their sizes. Entries must not be added or grow, and are removed when they meet the
 * limit, so the lists can only get shorter.
 */
const STILL_OVER = {
  lines: {},
  imports: {
    'src-main/core/PtyChatClient.ts': 36,
  },
  fields: {
    'src-main/events/PtyDataProcessor.ts PtyDataProcessor': 14,
    'src-main/recordings/importRecording.ts ReplayedTerminal': 16,
    'src-main/screen/rows/ScrolledOffRows.ts ScrolledOffRows': 13,
    'src-main/screen/worker/ScreenFeed.ts ScreenFeed': 17,
    'src-main/screen/worker/ScreenStepRecorder.ts ScreenStepRecorder': 19,
    'src-main/search/ByteScanner.ts ByteScanner': 14,
    'src-main/search/SearchIndexer.ts SearchIndexer': 18,
    'src-main/store/files/AppendFile.ts AppendFile': 16,
    'src-main/store/files/JsonLines.ts JsonLines': 19,
    'src-main/terminal/PtyInstance.ts PtyInstance': 16,
    'src-renderer/cards/list/VirtualList.svelte.ts VirtualList': 16,
    'src-renderer/terminal/LiveTerminal.svelte.ts LiveTerminal': 16,
  },
} as const satisfies Record<string, Readonly<Record<string, number>>>;

/** Lists of all members of a kind: a new tool or command adds one line. */
const LISTS = ['src-main/mcp/tools/all.ts', 'src-main/cli/program.ts'];

/** Expects `sizes` within `limit`, except for the files of the list, whose sizes must be exact. Each finding says what to do. */
function expectWithin(
  limit: number,
  sizes: ReadonlyMap<string, number>,
  { listed, advice }: { listed: Readonly<Record<string, number>>; advice: string },
): void {
  const grown = [...sizes].flatMap(([name, size]) => {
    const known = listed[name];
    if (size <= limit || size === known) return [];
    if (known === undefined) return [`${name} has ${size}, at most ${limit} are allowed: ${advice}`];
    if (size > known) return [`${name} has ${size} and may not grow beyond ${known}: ${advice}`];
    return [`${name} has only ${size} now: write ${size} for ${known} in STILL_OVER`];
  });
  const within = Object.keys(listed)
    .filter((name) => (sizes.get(name) ?? 0) <= limit)
    .map((name) => `${name} is within ${limit} now, or gone: remove it from STILL_OVER`);
  expect([...grown, ...within].sort()).toEqual([]);
}

interface Link {
  readonly from: string;
  readonly to: string;
}

/** Imported files, and packages by name. */
function linksOf({ path, text }: SourceFile, { types }: { types: boolean }): Link[] {
  const found = text.matchAll(/^\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm);
  return [...found]
    .filter(([, type]) => types || type === undefined)
    .map(([, , to = '']) => ({
      from: path,
      to: to.startsWith('.') ? posix.join(posix.dirname(path), to) : to,
    }));
}

/** Nodes on a cycle. */
function cyclic(links: readonly Link[]): string[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of links) next.set(from, (next.get(from) ?? new Set()).add(to));
  const reaches = (start: string): boolean => {
    const seen = new Set<string>();
    const open = [...(next.get(start) ?? [])];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at === start) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      open.push(...(next.get(at) ?? []));
    }
    return false;
  };
  return [...next.keys()].filter(reaches).sort();
}

/** `src-main/mcp/exec/x.ts` is in the group `exec` of `mcp`; files directly in `mcp` are the group `.`. */
function groupOf(path: string): { folder: string; group: string } {
  const [, folder = '', group = '.'] = posix.dirname(path).split('/');
  return { folder, group };
}

function privateFields({ path, text }: SourceFile): [string, number][] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: [string, number][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node)) {
      const fields = node.members.filter(
        (member) => ts.isPropertyDeclaration(member) && ts.isPrivateIdentifier(member.name),
      );
      found.push([`${path} ${node.name?.text ?? ''}`, fields.length]);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe('the house', () => {
  test('a folder has at most 25 files', () => {
    const counts = new Map<string, number>();
    for (const { path } of files) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
    const advice = 'give some of its files, such as those of one noun, a folder of their own';
    expectWithin(25, counts, { listed: {}, advice });
  });

  test('a file has at most 300 lines', () => {
    const lines = files.map(({ path, text }): [string, number] => [path, text.split('\n').length - 1]);
    expectWithin(300, new Map(lines), { listed: STILL_OVER.lines, advice: 'split the file by stage or noun' });
  });

  test('a file imports at most 20 others', () => {
    const imports = files
      .filter(({ path }) => !LISTS.includes(path))
      .map((file): [string, number] => [file.path, linksOf(file, { types: true }).length]);
    expectWithin(20, new Map(imports), { listed: STILL_OVER.imports, advice: 'move a part that needs some of them' });
  });

  test('a class has at most 12 private fields', () => {
    const fields = files.filter(({ path }) => path.endsWith('.ts')).flatMap(privateFields);
    expectWithin(12, new Map(fields), { listed: STILL_OVER.fields, advice: 'move fields that change together' });
  });

  test('no file imports itself by way of others', () => {
    // A component may import itself to draw itself recursively.
    const links = files
      .flatMap((file) => linksOf(file, { types: false }))
      .filter(({ from, to }) => byPath.has(to) && from !== to);
    expect(cyclic(links), 'these import each other in a circle: move what they share into a third').toEqual([]);
  });

  test('no group of a folder of the core imports itself by way of others', () => {
    const links = files
      .filter(({ path }) => path.startsWith('src-main/'))
      .flatMap((file) => linksOf(file, { types: false }))
      .filter(({ from, to }) => byPath.has(to) && groupOf(from).folder === groupOf(to).folder)
      .map(({ from, to }) => ({
        from: `${groupOf(from).folder}/${groupOf(from).group}`,
        to: `${groupOf(to).folder}/${groupOf(to).group}`,
      }))
      .filter(({ from, to }) => from !== to);
    expect(cyclic(links), 'these import each other in a circle: move what they share into a third').toEqual([]);
  });

  test('the law sees a cycle', () => {
    const [a, b, c] = ['a', 'b', 'c'];
    expect(
      cyclic([
        { from: a, to: b },
        { from: b, to: c },
        { from: c, to: b },
      ]),
    ).toEqual([b, c]);
  });
});
