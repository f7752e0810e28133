import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../support/sourceFiles.ts';

const COPIED = [
  'src-main',
  'src-preload',
  'src-renderer',
  'shell-hooks',
  'resources',
  'electron.vite.config.ts',
  'tsconfig.json',
  'LICENSE',
];
const PROTOCOL = 'src-main/contract/machines.ts';

/** Hansard in another version that speaks another protocol between machines, really built from this checkout's sources. The caller disposes it. */
export class OtherBuild {
  readonly root = mkdtempSync(join(tmpdir(), 'hansard-other-build-'));
  readonly version: string;

  constructor({ version, protocol }: { version: string; protocol: number }) {
    this.version = version;
    for (const name of COPIED) cpSync(join(ROOT, name), join(this.root, name), { recursive: true });
    for (const name of ['renderer', 'preload'])
      cpSync(join(ROOT, 'out', name), join(this.root, 'out', name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.root, 'node_modules'));
    this.#edit('package.json', /"version": "[^"]+"/, `"version": "${version}"`);
    this.#edit(PROTOCOL, /MACHINE_PROTOCOL = \d+/, `MACHINE_PROTOCOL = ${protocol}`);
    // The window and its bridge do not know the protocol, so only the core and the command line are built.
    const own = "import whole from './electron.vite.config.ts';\nexport default { main: whole.main };\n";
    writeFileSync(join(this.root, 'main.vite.config.ts'), own);
    const built = spawnSync(join(ROOT, 'node_modules/.bin/electron-vite'), ['build', '-c', 'main.vite.config.ts'], {
      cwd: this.root,
      encoding: 'utf8',
    });
    if (built.status !== 0) throw new Error(`the build ended with ${built.status}: ${built.stdout}${built.stderr}`);
  }

  get cli(): string {
    return join(this.root, 'out/main/quick.js');
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #edit(name: string, pattern: RegExp, text: string): void {
    const path = join(this.root, name);
    const before = readFileSync(name === 'package.json' ? join(ROOT, name) : path, 'utf8');
    const after = before.replace(pattern, text);
    if (after === before) throw new Error(`${name} has no ${pattern}`);
    writeFileSync(path, after);
  }
}
