import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sourceFiles.ts';

interface Size {
  cols: number;
  rows: number;
}

/** Output of a real program and the sizes of its terminal; `at` is an offset in `bytes`. */
export interface Recording {
  name: string;
  bytes: Uint8Array;
  start: Size;
  resizes: readonly (Size & { at: number })[];
}

const FOLDERS = ['test/fixtures/recordings', 'test/fixtures/agents'];

/** Every recorded program of `test/fixtures`. */
export function recordings(): Recording[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .sort()
      .flatMap((file) => {
        const path = join(ROOT, folder, file);
        if (file.endsWith('.cast')) return [readCast(file, readFileSync(path, 'utf8'))];
        return file.endsWith('.raw') ? [readRaw(file.replace('.raw', ''), path)] : [];
      }),
  );
}

function readRaw(name: string, path: string): Recording {
  const sizes = JSON.parse(readFileSync(join(path, '../sizes.json'), 'utf8')) as {
    start: Size;
    resizes: Record<string, (Size & { at: number })[]>;
  };
  return { name, bytes: readFileSync(path), start: sizes.start, resizes: sizes.resizes[name] ?? [] };
}

function readCast(name: string, text: string): Recording {
  const [head = '', ...lines] = text.split('\n').filter(Boolean);
  const { width, height } = JSON.parse(head) as { width: number; height: number };
  const pieces: Buffer[] = [];
  const resizes: (Size & { at: number })[] = [];
  let at = 0;
  for (const line of lines) {
    const [, kind, data] = JSON.parse(line) as [number, string, string];
    if (kind === 'o') at += pieces[pieces.push(Buffer.from(data)) - 1]?.length ?? 0;
    const [cols = 0, rows = 0] = data.split('x').map(Number);
    if (kind === 'r') resizes.push({ at, cols, rows });
  }
  return { name, bytes: Buffer.concat(pieces), start: { cols: width, rows: height }, resizes };
}
