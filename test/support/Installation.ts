import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './sourceFiles.ts';

/** The hash in the name of a built file, and what an earlier `update` added to it. */
const HASH = /-([\w-]{8})(?:\.\d+)?(?=\.(?:js|css)\b)/g;
const TEXT = /\.(js|css|html)$/;

/** A copy of the built program, as npm installs it, which can be updated while it runs. */
export class Installation implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'hansard-installed-'));
  readonly cli = join(this.root, 'out/main/cli.js');

  constructor() {
    for (const part of ['package.json', 'out', 'shell-hooks', 'resources'])
      cpSync(join(ROOT, part), join(this.root, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.root, 'node_modules'));
  }

  /** Puts a program of the same source in place of this one: every file whose name has a hash gets another name. */
  update(version: string): void {
    const next = mkdtempSync(join(tmpdir(), 'hansard-next-'));
    cpSync(join(this.root, 'out'), next, { recursive: true });
    const build = version.replaceAll('.', '');
    for (const entry of readdirSync(next, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || !TEXT.test(entry.name)) continue;
      writeFileSync(path, readFileSync(path, 'utf8').replace(HASH, `-$1.${build}`));
      renameSync(path, join(entry.parentPath, entry.name.replace(HASH, `-$1.${build}`)));
    }
    rmSync(join(this.root, 'out'), { recursive: true });
    cpSync(next, join(this.root, 'out'), { recursive: true });
    rmSync(next, { recursive: true });
    const facts = JSON.parse(readFileSync(join(this.root, 'package.json'), 'utf8')) as object;
    writeFileSync(join(this.root, 'package.json'), JSON.stringify({ ...facts, version }));
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
