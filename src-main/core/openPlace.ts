import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { quoted } from '../terminal/HookLoader.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** A file location, as compilers print it. `line` and `col` from 1, null if missing. */
export interface Place {
  path: string;
  line: number | null;
  col: number | null;
}

/** How to open a location: with a program that has its own windows, or with one that needs a terminal. */
export type EditorPlan = { kind: 'window'; argv: string[] } | { kind: 'terminal'; command: string };

/** Editors with their own windows, and their arguments for a line. Without this list, such an editor would be started in a tab. */
const WINDOWED: Readonly<Record<string, readonly string[]>> = {
  code: ['-g', '{file}:{line}:{col}'],
  'code-insiders': ['-g', '{file}:{line}:{col}'],
  codium: ['-g', '{file}:{line}:{col}'],
  cursor: ['-g', '{file}:{line}:{col}'],
  windsurf: ['-g', '{file}:{line}:{col}'],
  zed: ['{file}:{line}:{col}'],
  subl: ['{file}:{line}:{col}'],
  gvim: ['+{line}', '{file}'],
  mate: ['-l', '{line}', '{file}'],
  kate: ['-l', '{line}', '{file}'],
  gedit: ['+{line}', '{file}'],
};
const IN_TERMINAL: readonly string[] = ['nano', 'vim', 'vi'];

/** Splits `src/a.ts:14:3` into its parts. An extra number belongs to the path. */
export function parsePlace(text: string): Place {
  const [, path = text, line, col] = /^(.+?)(?::(\d{1,7}))?(?::(\d{1,5}))?$/s.exec(text) ?? [];
  return { path, line: line === undefined ? null : Number(line), col: col === undefined ? null : Number(col) };
}

/** The file for a path relative to the command's folder; null if there is no such regular file. */
export function findFile(path: string, { cwd, home }: { cwd: string | null; home: string }): string | null {
  const full = path.startsWith('~/') ? join(home, path.slice(2)) : path;
  if (!isAbsolute(full) && cwd === null) return null;
  const found = resolve(cwd ?? '/', full);
  return statSync(found, { throwIfNoEntry: false })?.isFile() ? found : null;
}

/**
 * Chooses the editor. `setting` is the person's own (`editor.command`, words with {file}, {line}, {col}; the file is appended if not named); else a
 * known windowed editor in $VISUAL or $EDITOR; else $VISUAL, $EDITOR, or the first of nano, vim, vi, in a tab. Null if there is none.
 */
export function planEditor({ path, line, col }: Place, setting: string, env: Env): EditorPlan | null {
  const fill = (word: string) =>
    word.replace(/\{(file|line|col)\}/g, (_, name: string) =>
      name === 'file' ? path : String((name === 'line' ? line : col) ?? 1),
    );
  const words = setting.trim().split(/\s+/).filter(Boolean);
  if (words.length > 0) {
    const hasFile = words.some((word) => word.includes('{file}'));
    return { kind: 'window', argv: [...words, ...(hasFile ? [] : ['{file}'])].map(fill) };
  }
  for (const chosen of [env.VISUAL, env.EDITOR]) {
    const program = chosen?.trim().split(/\s+/)[0];
    const args = WINDOWED[program?.split('/').at(-1) ?? ''];
    if (program && args) return { kind: 'window', argv: [program, ...args.map(fill)] };
  }
  const editor = env.VISUAL?.trim() || env.EDITOR?.trim() || IN_TERMINAL.find((name) => isOnPath(name, env.PATH ?? ''));
  if (!editor) return null;
  return { kind: 'terminal', command: `${editor} ${line === null ? '' : `+${line} `}${quoted(path)}` };
}

/** Starts the editor without a shell. Resolves with the system's error, or null. */
export function startEditor([program = '', ...args]: readonly string[], env: Env): Promise<string | null> {
  return new Promise((done) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true, env: { ...env } });
    child.on('error', (error) => done(error.message));
    child.on('spawn', () => {
      child.unref();
      done(null);
    });
  });
}

function isOnPath(name: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false; // not in this folder
    }
  });
}
