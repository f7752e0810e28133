import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ROOT, sourceFiles } from '../support/sourceFiles.ts';

function builtFiles(folder: string, ending: RegExp): { path: string; text: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => ({ path: name, text: readFileSync(join(ROOT, folder, name), 'utf8') }));
}

/** Names that Electron's own types give to the main process. */
function mainProcessNames(): Set<string> {
  const types = readFileSync(join(ROOT, 'node_modules/electron/electron.d.ts'), 'utf8');
  const block = (from: string, to: string): string => types.slice(types.indexOf(from), types.indexOf(to));
  const main = block('namespace Main {', 'namespace Renderer {') + block('namespace Common {', 'namespace Main {');
  return new Set([...main.matchAll(/^\s*(?:const|class) (\w+)/gm)].map(([, name = '']) => name));
}

describe('the built window', () => {
  test('has no script in its page but its own file', () => {
    const html = readFileSync(join(ROOT, 'out/renderer/index.html'), 'utf8');
    const scripts = [...html.matchAll(/<script\b([^>]*)>([^<]*)/g)].map(([, attributes = '', body = '']) => [
      attributes.match(/src="([^"]*)"/)?.[1],
      body.trim(),
    ]);
    expect(scripts).toEqual([[expect.stringMatching(/^\.?\/assets\/[\w.-]+\.js$/), '']]);
    expect(html).not.toMatch(/\son\w+=|javascript:|<base|<iframe|http-equiv/i);
  });

  test('loads nothing from another place', () => {
    const files = [...builtFiles('out/renderer', /\.(html|css)$/)];
    const loads = files.flatMap(({ text }) => [
      ...text.matchAll(/(?:src|href)="(?!data:)([^"]*)"|url\((?!["']?data:)["']?([^"')]+)|@import\s+["']([^"']+)/g),
    ]);
    const addresses = loads.map(([, a, b, c]) => a ?? b ?? c ?? '');
    expect(addresses.length).toBeGreaterThan(2);
    expect(addresses.filter((address) => /^[a-z][\w+.-]*:|^\/\//i.test(address))).toEqual([]);
  });

  test('is at most 350 KB when it is first loaded, compressed', () => {
    const read = (name: string): string => readFileSync(join(ROOT, 'out/renderer', name), 'utf8');
    const named = [...read('index.html').matchAll(/(?:src|href)="\.?\/(assets\/[\w.-]+\.(?:js|css))"/g)];
    const first = new Set(named.map(([, name = '']) => name));
    // The first load also includes the window's own chunk, which loads while the core answers, and all that both import.
    const all = readdirSync(join(ROOT, 'out/renderer/assets'));
    const window = all.filter((name) => /^openWindow-[\w-]+\.(?:js|css)$/.test(name)).map((name) => `assets/${name}`);
    expect(window).toHaveLength(2);
    for (const name of window) first.add(name);
    for (const name of first)
      for (const [, imported = ''] of read(name).matchAll(/(?:from|^import|;import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
        first.add(`assets/${imported}`);
    const bytes = [...first].map((name) => gzipSync(read(name)).length);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(350 * 1024);
  });

  test('asks no other place by script', () => {
    const calls = /(?:fetch|import|importScripts|EventSource|WebSocket|Worker|sendBeacon)\(\s*["'`](?:https?|wss?):/;
    expect(
      builtFiles('out/renderer', /\.js$/)
        .filter(({ text }) => calls.test(text))
        .map(({ path }) => path),
    ).toEqual([]);
  });
});

describe('the built main process', () => {
  test('imports of Electron only what the main process has, or it would not load', () => {
    const known = mainProcessNames();
    expect([known.has('BrowserWindow'), known.has('ipcRenderer')]).toEqual([true, false]);
    const imports = builtFiles('out/main', /\.js$/).flatMap(({ text }) => [
      ...text.matchAll(/import \{([^}]*)\} from ["']electron["']/g),
    ]);
    const names = imports.flatMap(([, list = '']) => list.split(',').map((item) => item.trim().split(' ')[0] ?? ''));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test('holds the bridge itself: an installation without Electron would have to fetch the bridge with its peer Electron', () => {
    const wrong = builtFiles('out/main', /\.js$/).filter(({ text }) =>
      /["'](?:electron-trpc|trpc-electron)\//.test(text),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test('has Electron in its own entry and in the updater, which that loads when it is asked: the command line and the worker run without', () => {
    const withElectron = builtFiles('out/main', /\.js$/).filter(({ text }) =>
      /(from|require\()\s*["']electron["']/.test(text),
    );
    const [chunk = '', ...others] = withElectron.map(({ path }) => path).filter((path) => path !== 'electron.js');
    expect([withElectron.length, others]).toEqual([2, []]);
    const loading = builtFiles('out/main', /\.js$/).filter(
      ({ path, text }) => path !== chunk && text.includes(chunk.replace('chunks/', '')),
    );
    expect(loading.map(({ path }) => path)).toEqual(['electron.js']);
    expect(loading[0]?.text).toMatch(new RegExp(`import\\("\\./${chunk}"\\)`)); // a dynamic import, which loads only when called
  });
});

describe('the sources', () => {
  test('import Electron by value in two files: the entry and the preload', () => {
    const sources = [
      ...sourceFiles('src-main', ['.ts']),
      ...sourceFiles('src-preload', ['.ts']),
      ...sourceFiles('src-renderer', ['.ts', '.svelte']),
    ];
    const importing = sources.filter(({ text }) => /^import (?!type\b)[^;]*from 'electron';/m.test(text));
    expect(importing.map(({ path }) => path).sort()).toEqual([
      'src-main/hosts/electron/main.ts',
      'src-preload/preload.ts',
    ]);
  });

  test('register one address scheme with the system, in one place, and claim no kind of file', () => {
    const registering = sourceFiles('src-main', ['.ts']).filter(({ text }) =>
      /setAsDefaultProtocolClient\(|'open-url'/.test(text),
    );
    expect(registering.map(({ path }) => path)).toEqual(['src-main/hosts/electron/runDesktop.ts']);
    const config = readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8');
    expect(config.match(/^ *schemes: .*$/gm)).toEqual(['    schemes: [hansard]']);
    expect(config).not.toMatch(/^\s*(fileAssociations|mimeTypes):/m);
  });
});

describe('the installed Electron', () => {
  /** First versions without CVE-2026-102676; a newer major has it from its start. */
  const FLOORS: Readonly<Record<number, readonly number[]>> = {
    41: [41, 10, 6],
    42: [42, 9, 2],
    43: [43, 4, 1],
    44: [44, 0, 0],
  };

  test('is of a major that is kept up, and not older than its last known hole', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules/electron/package.json'), 'utf8')) as {
      version: string;
    };
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
    const [, floorMinor = 0, floorPatch = 0] = FLOORS[major] ?? [];
    expect(major).toBeGreaterThanOrEqual(43);
    expect(minor * 1000 + patch).toBeGreaterThanOrEqual(floorMinor * 1000 + floorPatch);
  });
});
