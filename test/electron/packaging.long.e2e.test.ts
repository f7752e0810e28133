import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../support/sourceFiles.ts';
import { makeElectronDist } from './fakeElectronDist.ts';
import { runDriver } from './runDriver.ts';

/** The used functions of the packager's archive tool, which has no types. */
interface Asar {
  extractFile(archive: string, path: string): Buffer;
  listPackage(archive: string, options: object): string[];
  extractAll(archive: string, folder: string): void;
}

/** The opposite of every required fuse, so that the test shows that the packager sets each one. */
const WRONG_WIRE = '101100111';
const folder = mkdtempSync(join(tmpdir(), 'hansard-package-'));
const resources = join(folder, 'dist/linux-unpacked/resources');
const archive = join(resources, 'app.asar');
let asar: Asar;
let names: string[];

/** Runs the real packager with the real configuration; only Electron's files are fake. */
beforeAll(() => {
  makeElectronDist(join(folder, 'electron'), WRONG_WIRE);
  const options = [`-c.electronDist=${join(folder, 'electron')}`, `-c.directories.output=${join(folder, 'dist')}`];
  const cli = join(ROOT, 'node_modules/electron-builder/cli.js');
  const run = spawnSync(process.execPath, [cli, '--dir', '--linux', '--x64', ...options], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`the packager failed:\n${run.stdout}${run.stderr}`);
  asar = createRequire(join(ROOT, 'node_modules/app-builder-lib/package.json'))('@electron/asar') as Asar;
  names = asar.listPackage(archive, {}).map((name) => name.slice(1));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed app', () => {
  test('has every door closed that Electron leaves open', async () => {
    const wire = (await getCurrentFuseWire(join(folder, 'dist/linux-unpacked/hansard-desktop'))) as unknown as Record<
      number,
      FuseState
    >;
    const isOn = (fuse: FuseV1Options): boolean => wire[fuse] === FuseState.ENABLE;
    expect({
      runAsNode: isOn(FuseV1Options.RunAsNode),
      cookieEncryption: isOn(FuseV1Options.EnableCookieEncryption),
      nodeOptions: isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      inspect: isOn(FuseV1Options.EnableNodeCliInspectArguments),
      asarIntegrity: isOn(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
      onlyAsar: isOn(FuseV1Options.OnlyLoadAppFromAsar),
      ownSnapshot: isOn(FuseV1Options.LoadBrowserProcessSpecificV8Snapshot),
      filePrivileges: isOn(FuseV1Options.GrantFileProtocolExtraPrivileges),
    }).toEqual({
      runAsNode: false,
      cookieEncryption: true,
      nodeOptions: false,
      inspect: false,
      asarIntegrity: true,
      onlyAsar: true,
      ownSnapshot: false,
      filePrivileges: false,
    });
  });

  test('holds no sources, no maps, no tests and nothing of ours that it does not run', () => {
    const own = names.filter((name) => !name.startsWith('node_modules'));
    expect(new Set(own.map((name) => name.split('/')[0]))).toEqual(
      new Set(['LICENSE', 'out', 'package.json', 'resources', 'shell-hooks']),
    );
    expect(names.filter((name) => /\.(map|ts|svelte|tsbuildinfo)$|(^|\/)(test|__tests__)\//.test(name))).toEqual([]);
  });

  test('has the schema of the policy, and what pictures are made with: the renderer and the faces that are used', () => {
    expect(names).toContain('resources/schema/policy.json');
    expect(names).toContainEqual(expect.stringMatching(/^out\/main\/pngWorker-.*\.js$/));
    expect(names).toContain('node_modules/@resvg/resvg-wasm/index_bg.wasm');
    const fonts = names.filter((name) => name.startsWith('node_modules/@fontsource/') && /\.\w+$/.test(name));
    const faces = fonts.filter((name) => name.endsWith('.woff'));
    expect(faces).toHaveLength(20);
    expect(fonts.filter((name) => !faces.includes(name))).toEqual([
      'node_modules/@fontsource/ibm-plex-mono/package.json',
    ]);
    expect(names).toContain('node_modules/@fontsource/ibm-plex-mono/LICENSE');
  });

  test('has what cannot be used out of an archive beside it', () => {
    expect(existsSync(join(resources, 'app.asar.unpacked/shell-hooks/hansard.bash'))).toBe(true);
    const platform = `${process.platform}-${process.arch}`;
    const binary = `app.asar.unpacked/node_modules/node-pty/prebuilds/${platform}/pty.node`;
    expect(existsSync(join(resources, binary))).toBe(true);
  });

  test('has the bridge beside it, which any Node can start and which answers while the app is down', () => {
    const bin = join(resources, 'bridge/resources/bin/hansard.mjs');
    const said = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: said };
    const { stdout, status } = spawnSync(process.execPath, [bin, 'mcp'], {
      input: `${JSON.stringify(hello)}\n`,
      env: { PATH: '/usr/bin:/bin', HOME: folder, HANSARD_HOME: join(folder, 'none') },
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'hansard' } } });
    expect(status).toBe(0);
  });

  test('has the whole command line beside it, which runs with its own Node and no other', () => {
    const bin = join(resources, 'bridge/resources/bin/hansard');
    const home = join(folder, 'commandLine');
    const run = (...args: string[]) =>
      spawnSync(bin, args, { env: { PATH: '/usr/bin:/bin', HOME: folder, HANSARD_HOME: home }, encoding: 'utf8' });
    const node = spawnSync(join(resources, 'bridge/node/bin/node'), ['--version'], { encoding: 'utf8' });
    expect(node.stdout).toMatch(/^v24\./);
    expect(run('--version').stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
    const recorded = run('record', '--', 'echo', 'from the package');
    expect([recorded.status, recorded.stderr]).toEqual([0, expect.any(String)]);
    expect(run('ls', '--all').stdout + run('search', 'package').stdout).toContain('echo');
    expect(run('open', '--no-open', 'https://example.org/').status).toBe(64);
  });

  test('offers itself for links of the scheme, in its desktop entry', () => {
    const config = readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8');
    expect(config).toMatch(/^protocols:\n {2}- name: .*\n {4}schemes: \[hansard\]$/m);
  });

  test('starts, and runs a command, from what was packed and nothing else', async () => {
    const unpacked = join(folder, 'unpacked');
    asar.extractAll(archive, unpacked);
    const home = join(folder, 'home');
    const report = await runDriver<{ card: unknown; exitCode: number }>('driveApp.ts', {
      APP_ROOT: unpacked,
      HANSARD_HOME: home,
    });
    expect(report).toMatchObject({
      card: { cmd: 'echo hi from the desktop', exitCode: 0, text: 'hi from the desktop\n' },
      exitCode: 0,
    });
  });

  test('has one name: what Electron reports, the desktop entry and its file agree', () => {
    type Names = Record<'productName' | 'desktopName', string>;
    const packed = JSON.parse(asar.extractFile(archive, 'package.json').toString()) as Names;
    const config = readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8');
    const configured = (key: string) => new RegExp(`^ *${key}: (.*)$`, 'm').exec(config)?.[1];
    expect(packed).toMatchObject({
      productName: configured('productName'),
      desktopName: `${configured('executableName')}.desktop`,
    });
    expect(configured('syncDesktopName')).toBe('true');
  });

  test('gives its icon in all sizes a desktop asks for', () => {
    const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
    const found = sizes.map((size) => {
      const png = readFileSync(join(ROOT, `resources/icons/${size}x${size}.png`));
      return [png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)];
    });
    expect(found).toEqual(sizes.map((size) => ['PNG', size, size]));
  });
});
