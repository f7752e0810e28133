import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { z } from 'zod';
import type { IDisposable } from '../../util/Disposables.ts';
import { toDisposable } from '../../util/Disposables.ts';
import { detach } from '../../util/strayErrors.ts';

/** An installation as a gzipped tar file. Its owner disposes it, which removes the file. */
export interface PackedServer extends IDisposable {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

const PackageFile = z.object({ files: z.array(z.string()), dependencies: z.record(z.string(), z.string()) });

/**
 * Files of packages that are not needed at run time: maps, documents, sources, and fonts in browser format (the window has its own, and pictures use
 * the other format).
 */
const LEFT_OUT = [
  ...['*.map', '*.md', '*.ts', '*.scss', '*.css.map', 'out/.built'],
  ...['node_modules/node-pty/src', 'node_modules/node-pty/deps', 'node_modules/node-pty/scripts'],
  ...[
    'node_modules/node-pty/third_party',
    'node_modules/node-pty/binding.gyp',
    'node_modules/node-pty/build/Release/obj*',
  ],
  ...['node_modules/@fontsource/*.woff2', 'node_modules/@fontsource/*.css'],
  'node_modules/@xterm/headless/src',
];

/**
 * Packs the installation at `root` for a machine of the same kind: the content of the npm package including the window (a person may serve it there),
 * its dependencies, and a Node. Rejects if it cannot be read.
 */
export async function packServer(root: string, signal: AbortSignal): Promise<PackedServer> {
  const { files, dependencies } = PackageFile.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const folder = await mkdtemp(join(tmpdir(), 'hansard-server-'));
  const remove = (): void => detach('packServer', rm(folder, { recursive: true, force: true }));
  try {
    // Links, which tar follows, because parts of an installation are in different folders.
    const stage = join(folder, 'stage');
    const own = ['package.json', ...files.filter(isPart).map((name) => name.replace(/\/\*\*$/, ''))];
    const parts = new Map(own.filter((name) => existsSync(join(root, name))).map((name) => [name, join(root, name)]));
    for (const name of Object.keys(dependencies)) parts.set(`node_modules/${name}`, packageFolder(root, name));
    parts.set('node/bin/node', findNode(root));
    for (const [name, target] of parts) {
      await mkdir(dirname(join(stage, name)), { recursive: true });
      await symlink(target, join(stage, name));
    }
    const path = join(folder, 'server.tgz');
    const sha256 = await writeTar(path, { stage, leftOut: [...LEFT_OUT, ...otherPlatforms(root)], signal });
    return Object.assign(toDisposable(remove), { path, bytes: statSync(path).size, sha256 });
  } catch (error) {
    remove();
    throw error;
  }
}

function isPart(name: string): boolean {
  return !name.startsWith('!');
}

/** The folder of a package, wherever npm has installed it. */
function packageFolder(root: string, name: string): string {
  const folders = createRequire(join(root, 'package.json')).resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json')));
  if (found === undefined) throw new Error(`this installation is incomplete: no package ${name} at ${root}`);
  return found;
}

/** A packaged app has a Node beside the command line, a clone has one in a package. Otherwise the Node that runs this. */
function findNode(root: string): string {
  const places = [join(root, 'node/bin/node'), join(root, 'node_modules/node/bin/node')];
  const found = places.find((path) => existsSync(path)) ?? (process.versions.electron ? null : process.execPath);
  if (found === null) throw new Error('this installation has no Node that could be copied');
  return found;
}

function otherPlatforms(root: string): string[] {
  const folder = join(packageFolder(root, 'node-pty'), 'prebuilds');
  const platforms = existsSync(folder) ? readdirSync(folder) : [];
  return platforms
    .filter((name) => name !== `${process.platform}-${process.arch}`)
    .map((name) => `node_modules/node-pty/prebuilds/${name}`);
}

/** Resolves with the checksum of the file. */
async function writeTar(
  path: string,
  { stage, leftOut, signal }: { stage: string; leftOut: readonly string[]; signal: AbortSignal },
): Promise<string> {
  const excluded = leftOut.map((pattern) => `--exclude=${pattern}`);
  const tar = spawn('tar', ['-c', '-h', '-f', '-', ...excluded, '-C', stage, ...readdirSync(stage)], {
    env: { ...process.env, COPYFILE_DISABLE: '1' }, // macOS would add a file with attributes for each file
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let said = '';
  tar.stderr.on('data', (data: Buffer) => {
    said = `${said}${data.toString()}`.slice(-500);
  });
  const ended = new Promise<void>((resolve, reject) => {
    tar.once('error', reject);
    tar.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`tar ended with ${code}: ${said.trim()}`))));
  });
  const hash = createHash('sha256');
  const count = new Transform({
    transform: (piece: Buffer, _, done) => {
      hash.update(piece);
      done(null, piece);
    },
  });
  await Promise.all([
    ended,
    pipeline(tar.stdout, createGzip({ level: 6 }), count, createWriteStream(path), { signal }),
  ]);
  return hash.digest('hex');
}
