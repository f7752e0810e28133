import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { suiteFolder } from '../store/suiteFolder.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { RunningCli } from './Installation.ts';

const MAX_PACKED_BYTES = 8 * 1024 ** 2;

/** A declaration with `using`, and an expression with flags of a group. */
const NEWER = /^\s*(?:await )?using \w+ =|\(\?[ims]+(?:-[ims]+)?:/m;

interface LockedPackage {
  dev?: boolean;
  devOptional?: boolean;
  hasInstallScript?: boolean;
}
interface Packed {
  filename: string;
  size: number;
  files: { path: string }[];
}

const folder = suiteFolder('npm-package');
const installed = join(folder, 'lib/node_modules/hansard');
const bin = join(installed, 'resources/bin/hansard.mjs');
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
/** Packages that npm installs with this package. */
const runtime = Object.entries(lock.packages).filter(
  ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional,
);
let packed: Packed;

/** Installs like `npm i -g hansard-….tgz --ignore-scripts`, but with the packages of this checkout instead of the registry's. */
beforeAll(() => {
  const pack = spawnSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (pack.status !== 0) throw new Error(`npm pack failed:\n${pack.stderr}`);
  packed = firstOf(JSON.parse(pack.stdout));
  spawnSync('mkdir', ['-p', installed]);
  spawnSync('tar', ['-xzf', join(folder, packed.filename), '-C', installed, '--strip-components=1']);
  for (const [path] of runtime) cpSync(join(ROOT, path), join(installed, path), { recursive: true, filter: isNeeded });
});

/** npm 11 prints a list, npm 12 an object by package name. */
function firstOf(report: Packed[] | Record<string, Packed>): Packed {
  const [first] = Object.values(report);
  if (!first) throw new Error('npm pack printed no report');
  return first;
}

/** Leaves out binaries of other systems and the compiler's inputs, which are large and are never loaded. */
function isNeeded(path: string): boolean {
  const [, platform] = /node-pty\/prebuilds\/([^/]+)/.exec(path) ?? [];
  if (platform !== undefined) return platform === `${process.platform}-${process.arch}`;
  return !/node-pty\/(?:build|deps|third_party)(?:\/|$)/.test(path);
}

describe('the npm package', () => {
  test('holds what runs: no sources, tests, maps or documents', () => {
    const names = packed.files.map(({ path }) => path);
    expect(new Set(names.map((name) => name.split('/')[0]))).toEqual(
      new Set(['LICENSE', 'README.md', 'out', 'package.json', 'resources', 'shell-hooks']),
    );
    expect(names.filter((name) => /\.(?:map|ts|svelte)$|(?:^|\/)(?:test|dev)\//.test(name))).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining(['out/main/cli.js', 'out/renderer/index.html', 'shell-hooks/zdotdir/.zshenv']),
    );
  });

  test('is small enough for a slow line', () => {
    expect(packed.size).toBeLessThan(MAX_PACKED_BYTES);
  });

  test('makes npm fetch neither Electron nor a compiler', () => {
    const names = runtime.map(([path]) => path.replace('node_modules/', ''));
    expect(names).toContain('node-pty');
    expect(names.filter((name) => /electron|typescript|node-gyp/.test(name))).toEqual([]);
  });

  test('needs no install script: the only package with one brings a binary for each platform', () => {
    const withScript = runtime.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
    expect(withScript).toEqual(['node_modules/node-pty']);
    const prebuilt = readdirSync(join(ROOT, 'node_modules/node-pty/prebuilds'));
    expect(prebuilt).toEqual(expect.arrayContaining(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']));
  });

  test('has no syntax that the oldest Node of its engines cannot read', () => {
    const files = packed.files.map(({ path }) => path).filter((path) => /^out\/main\/.*\.js$/.test(path));
    expect(files.length).toBeGreaterThan(20);
    // Node 24 supports this syntax, Node 22 does not.
    const newer = files.filter((path) => NEWER.test(readFileSync(join(installed, path), 'utf8')));
    expect(newer).toEqual([]);
  });

  test('has a command that npm can link', () => {
    expect(statSync(bin).mode & 0o111).toBe(0o111);
  });

  test('prints its version, and serves its page and a shell', async () => {
    const home = suiteFolder('npm-package-home');
    const version = new RunningCli([bin, '--version'], { home, cwd: folder });
    const code = (await version.gone)[0];
    const { version: expected } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect([code, version.stdout]).toEqual([0, `${expected}\n`]);

    const served = new RunningCli([bin, 'serve', '--no-open'], { home, cwd: folder });
    const page = await fetch(new URL('/', await served.url()));
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<!doctype html>')]);
    const core = served.connect();
    const { id } = await core.api.terminal.open.mutate({ cols: 80, rows: 24 });
    expect(id).not.toBe('');
    core.dispose();
    expect(await served.end()).toBe(0);
  });
});
