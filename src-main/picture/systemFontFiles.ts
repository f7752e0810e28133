import { closeSync, type Dirent, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FontFile } from './fontChoice.ts';

const MAX_DEPTH = 5;
const MAX_FILES = 5000;

/** Font folders of the systems. */
export function fontFolders(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home = homedir()): string[] {
  if (platform === 'darwin') return ['/System/Library/Fonts', '/Library/Fonts', join(home, 'Library/Fonts')];
  if (platform === 'win32')
    return [
      join(env.WINDIR ?? 'C:\\Windows', 'Fonts'),
      ...(env.LOCALAPPDATA === undefined ? [] : [join(env.LOCALAPPDATA, 'Microsoft/Windows/Fonts')]),
    ];
  return ['/usr/share/fonts', '/usr/local/share/fonts', join(home, '.local/share/fonts'), join(home, '.fonts')];
}

/** Finds all font files in the folders without reading them. Reads folders synchronously: use it in a worker. Skips unreadable folders. */
export function findFontFiles(folders: readonly string[]): FontFile[] {
  const files: FontFile[] = [];
  const look = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder)) {
      if (files.length >= MAX_FILES) return;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < MAX_DEPTH) look(path, depth + 1);
      else if (/\.(ttf|otf|ttc|otc)$/i.test(entry.name)) files.push(fontFile(path));
    }
  };
  for (const folder of folders) look(folder, 0);
  return files;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // most systems have only some of the folders
  }
}

function fontFile(path: string): FontFile {
  return {
    path,
    get size() {
      return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    },
    read: (offset, length) => readPart(path, offset, length),
  };
}

const NOTHING = new Uint8Array(0);

/** Empty if the file cannot be read: it was removed, or access is denied. */
function readPart(path: string, offset: number, length: number): Uint8Array {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return NOTHING;
  }
  try {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
  } catch {
    return NOTHING; // a folder with the name of a font
  } finally {
    closeSync(file);
  }
}
