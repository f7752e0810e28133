import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type SourceFile, sourceFiles } from '../support/sourceFiles.ts';

/** Allowed imports, from the lowest layer up (ARCHITECTURE.md): a folder may import itself and the folders of its list, which come before it. */
const BASE = ['contract', 'util'];
const RECORD = [...BASE, 'store'];
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  util: [],
  shared: ['contract'],
  pty: BASE,
  shells: BASE,
  events: BASE,
  blocks: BASE,
  store: BASE,
  policy: BASE,
  completion: [...BASE, 'shells'],
  notices: BASE,
  notifications: [...RECORD, 'shared'],
  machines: [...RECORD, 'shared'],
  projects: [...RECORD, 'pty'],
  screen: [...BASE, 'shared'],
  picture: [...BASE, 'shared'],
  redaction: ['contract', 'shared', 'screen'],
  search: [...RECORD, 'blocks', 'events', 'redaction'],
  conversations: [...RECORD, 'pty', 'redaction', 'screen'],
  telemetry: [...RECORD, 'conversations', 'notices', 'redaction'],
  themes: [...RECORD, 'shared'],
  savedCommands: RECORD,
  terminal: [
    ...[...RECORD, 'blocks', 'conversations', 'events', 'notices', 'picture', 'pty', 'redaction', 'screen'],
    ...['search', 'shared', 'shells'],
  ],
  ptyHost: [...RECORD, 'events', 'pty'],
  past: [...RECORD, 'conversations'],
  worktrees: [...RECORD, 'projects'],
  changes: [...RECORD, 'projects'],
  agents: [...RECORD, 'changes', 'conversations', 'past', 'pty', 'shared', 'terminal'],
  recordings: [...RECORD, 'conversations', 'events', 'pty', 'screen', 'terminal'],
  mcp: [
    ...[
      ...RECORD,
      'agents',
      'blocks',
      'conversations',
      'events',
      'notices',
      'policy',
      'projects',
      'pty',
      'recordings',
      'redaction',
      'screen',
    ],
    ...['machines', 'search', 'shared', 'shells', 'terminal'],
  ],
  core: [
    'agents',
    'changes',
    ...RECORD,
    'completion',
    'conversations',
    'machines',
    'mcp',
    'notices',
    'notifications',
    'projects',
    'pty',
    'ptyHost',
    'recordings',
    'savedCommands',
    'screen',
    'search',
    'shared',
    'telemetry',
    'terminal',
    'themes',
    'worktrees',
  ],
  api: ['completion', 'contract', 'conversations', 'core', 'machines', 'mcp', 'shared', 'terminal', 'util'],
  hosts: [
    ...[
      ...RECORD,
      'api',
      'conversations',
      'core',
      'machines',
      'mcp',
      'notices',
      'past',
      'pty',
      'recordings',
      'screen',
      'shells',
    ],
    ...['ptyHost', 'terminal'],
  ],
  cli: [
    ...[...RECORD, 'blocks', 'changes', 'conversations', 'core', 'events', 'hosts', 'mcp', 'notices', 'recordings'],
    ...['past', 'redaction', 'savedCommands', 'screen', 'search', 'shared', 'terminal', 'themes'],
  ],
};

/** Packages that only one folder or file may import. */
const ONLY_IN: readonly { name: RegExp; place: RegExp; why: string }[] = [
  { name: /^node-pty$/, place: /^src-main\/pty\/NodePty\.ts$/, why: 'ask PtyProcess instead' },
  { name: /^@xterm\/headless$/, place: /^src-main\/(screen|shared\/xterm)\//, why: 'ask ScreenHost instead' },
  { name: /^@resvg\//, place: /^src-main\/picture\//, why: 'ask ScreenPictures instead' },
  { name: /^electron$/, place: /^src-(main\/hosts\/electron|preload)\//, why: 'the core must run without Electron' },
  { name: /^(ws|node:http)$/, place: /^src-main\/hosts\//, why: 'the core knows no transport' },
  { name: /^@trpc\/server/, place: /^src-main\/(api|hosts)\//, why: 'the core knows no transport' },
  { name: /^@modelcontextprotocol\//, place: /^src-main\/mcp\//, why: 'the core knows no protocol of agents' },
  { name: /^@opentelemetry\//, place: /^src-main\/telemetry\/otlp\.ts$/, why: 'it is loaded when something is sent' },
  { name: /^commander$/, place: /^src-main\/cli\//, why: 'options are read at the door' },
];

interface Import {
  from: string;
  to: string;
  isTypeOnly: boolean;
}

function importsOf({ path, text }: SourceFile): Import[] {
  const found = text.matchAll(/^\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm);
  return [...found].map(([, type, to = '']) => ({
    from: path,
    to: resolveImport(path, to),
    isTypeOnly: type !== undefined,
  }));
}

function resolveImport(from: string, to: string): string {
  return to.startsWith('.') ? posix.join(posix.dirname(from), to) : to;
}

function folderOf(path: string): string | undefined {
  return path.match(/^src-main\/([^/]+)\//)?.[1];
}

const core = sourceFiles('src-main', ['.ts']);
const renderer = sourceFiles('src-renderer', ['.ts', '.svelte']);

describe('layers', () => {
  test('every folder of src-main has its place in the law', () => {
    const folders = new Set(core.map(({ path }) => folderOf(path)));
    const missing = [...folders].filter((folder) => folder === undefined || !(folder in MAY_IMPORT));
    expect(missing, 'add the folder to MAY_IMPORT and to the table in ARCHITECTURE.md').toEqual([]);
  });

  test('no folder imports itself by way of others', () => {
    const reach = (folder: string, seen = new Set<string>()): Set<string> => {
      for (const next of MAY_IMPORT[folder] ?? []) if (!seen.has(next)) reach(next, seen.add(next));
      return seen;
    };
    expect(Object.keys(MAY_IMPORT).filter((folder) => reach(folder).has(folder))).toEqual([]);
  });

  test('a folder imports only what its layer may know', () => {
    const wrong = core.flatMap(importsOf).filter(({ from, to }) => {
      const target = folderOf(to);
      const source = folderOf(from) ?? '';
      return target !== undefined && target !== source && !MAY_IMPORT[source]?.includes(target);
    });
    expect(
      wrong.map(
        ({ from, to }) =>
          `${from} imports ${to}: MAY_IMPORT does not allow it. Put code that joins both into a folder above them`,
      ),
    ).toEqual([]);
  });

  test('the core never imports a window or a preload', () => {
    const wrong = core.flatMap(importsOf).filter(({ to }) => /^src-(renderer|preload)\//.test(to));
    expect(wrong.map(({ from, to }) => `${from} imports ${to}: move what both need into contract or shared`)).toEqual(
      [],
    );
  });

  test('a package with one owner is imported nowhere else', () => {
    const all = [...core, ...sourceFiles('src-preload', ['.ts'])].flatMap(importsOf);
    const wrong = all.flatMap(({ from, to }) =>
      ONLY_IN.filter(({ name, place }) => name.test(to) && !place.test(from)).map(
        ({ why }) => `${from} imports ${to}: ${why}`,
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('the window takes nothing by value that loads the schema library: it compiles code, which the page forbids', () => {
    const byPath = new Map(core.map((file) => [file.path, file]));
    const reach = (path: string, seen = new Set<string>()): boolean => {
      if (path === 'zod') return true;
      const file = byPath.get(path);
      if (!file || seen.has(path)) return false;
      seen.add(path);
      return importsOf(file).some(({ to, isTypeOnly }) => !isTypeOnly && reach(to, seen));
    };
    const wrong = renderer.flatMap(importsOf).filter(({ to, isTypeOnly }) => !isTypeOnly && reach(to));
    expect(
      wrong.map(({ from, to }) => `${from} imports ${to}: move what it needs into a file without schemas`),
    ).toEqual([]);
  });

  test('a core starts without the protocol of MCP clients, their tools and the highlighter', () => {
    const late = /^(@modelcontextprotocol\/|lowlight$)|^src-main\/mcp\/tools\/all\.ts$/;
    const byPath = new Map(core.map((file) => [file.path, file]));
    const from = new Map([['src-main/hosts/serveWeb.ts', '']]);
    for (const path of from.keys())
      for (const { to, isTypeOnly } of importsOf(byPath.get(path) ?? { path, text: '' }))
        if (!isTypeOnly && !from.has(to)) from.set(to, path);
    expect(from.size, 'the core is reached').toBeGreaterThan(300);
    const wrong = [...from].filter(([path]) => late.test(path));
    expect(wrong.map(([to, path]) => `${path} imports ${to}: load it with import() when it is first needed`)).toEqual(
      [],
    );
  });

  test('the window imports the contract and what is shared by value, the API by type, and nothing else of the core', () => {
    const wrong = renderer.flatMap(importsOf).filter(({ to, isTypeOnly }) => {
      const folder = folderOf(to);
      return folder !== undefined && folder !== 'contract' && folder !== 'shared' && !(folder === 'api' && isTypeOnly);
    });
    expect(
      wrong.map(({ from, to }) => `${from} imports ${to}: ask the API, or move what both need into contract or shared`),
    ).toEqual([]);
  });

  test('no component talks to the API itself', () => {
    const wrong = renderer
      .filter(({ path, text }) => path.endsWith('.svelte') && /@trpc|\btrpc\b/i.test(text))
      .map(({ path }) => path);
    expect(wrong, 'let a state class (*.svelte.ts) call the API').toEqual([]);
  });

  test('text is never rendered as HTML', () => {
    const wrong = renderer.filter(({ text }) =>
      /\{@html|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write/.test(text),
    );
    expect(
      wrong.map(({ path }) => path),
      'render it as text: {text} in a component, textContent in a script',
    ).toEqual([]);
  });

  test('no shell is named outside shells/ and shell-hooks/', () => {
    const named = /['"`](bash|zsh|fish|pwsh|powershell|dash|ksh|nu)['"`]/;
    const wrong = [...core, ...renderer].filter(
      ({ path, text }) => !path.startsWith('src-main/shells/') && named.test(text),
    );
    expect(
      wrong.map(({ path }) => path),
      'generic code names no shell: ask src-main/shells, or add a field to what describes a shell there',
    ).toEqual([]);
  });

  test('no agent is named outside its extractor', () => {
    const named = /\b(claude|codex|gemini|opencode|copilot|qwen)\b/i;
    const wrong = [...core, ...renderer].filter(
      ({ path, text }) =>
        !path.startsWith('src-main/conversations/extraction/extractors/agents/') &&
        !path.startsWith('src-main/mcp/setup/clients/') &&
        !path.startsWith('src-main/past/agents/') &&
        named.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
    );
    expect(
      wrong.map(({ path }) => path),
      "generic code names no agent: add a field to IExtractor (contract/chat/extractor.ts) and set it in the agent's file",
    ).toEqual([]);
  });

  test('no secret is compared by ===', () => {
    const wrong = core
      .filter(({ text }) => /\b(token|nonce)\s*===\s*(?!\s|undefined|null)/i.test(text))
      .map(({ path }) => path);
    expect(wrong, 'compare with timingSafeEqual').toEqual([]);
  });
});
