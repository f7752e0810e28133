import { readdirSync, readFileSync } from 'node:fs';
import { readTarGz, type TarFile } from './tar.ts';

const VT = new URL('../fixtures/vt/', import.meta.url);

/** Files of a folder below test/fixtures/vt whose names end in `ending`, sorted by name. */
export function readFolder(folder: string, ending = ''): TarFile[] {
  const url = new URL(`${folder}/`, VT);
  const names = readdirSync(url).filter((name) => name.endsWith(ending));
  return names.sort().map((name) => ({ path: `${folder}/${name}`, bytes: readFileSync(new URL(name, url)) }));
}

/** Ghostty's fuzz inputs: hand-written and minimised ones, and the two on which xterm 6.0.0 hangs without our guards. */
export function readFuzzCorpora(): TarFile[] {
  return [
    ...['osc-initial', 'parser-initial', 'stream-initial', 'hangs-xtermjs-6.0.0'].flatMap((folder) =>
      readFolder(`ghostty-fuzz/${folder}`),
    ),
    ...readTarGz(readFileSync(new URL('ghostty-fuzz/cmin-corpora.tar.gz', VT))),
  ];
}

/** Inputs that have broken terminals, by id. Tests make the generated ones, which have no bytes in the file. */
export function readBadInputs(): Map<string, Uint8Array> {
  const lines = readFileSync(new URL('bad-inputs.jsonl', VT), 'utf8').trimEnd().split('\n');
  const inputs = lines.map((line) => JSON.parse(line) as { id: string; bytes_b64?: string | null });
  return new Map(inputs.flatMap(({ id, bytes_b64 }) => (bytes_b64 ? [[id, Buffer.from(bytes_b64, 'base64')]] : [])));
}
