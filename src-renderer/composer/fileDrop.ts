import { machineOf } from '../../src-main/shared/machineIds.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import { sendFiles } from '../machines/sendFiles.ts';
import { type Desktop, findDesktop } from '../rpc/desktop.ts';
import type { Stop } from '../rpc/Rpc.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';
import { guard } from '../tabs/tabActions.ts';

/** Elements in which a paste is for a terminal. */
const TYPED = '[data-keys="line"], [data-keys="program"]';

/**
 * Inserts dropped files and pasted images as quoted paths where the person types: in the composer or in the running program. A file without a path on
 * that machine is copied there.
 */
export function followFileDrops(app: AppState): Stop {
  const stop = new AbortController();
  const { signal } = stop;
  window.addEventListener(
    'dragover',
    (event) => {
      if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    },
    { signal },
  );
  window.addEventListener(
    'drop',
    (event) => {
      if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      takeFiles(app, event.dataTransfer);
    },
    { signal },
  );
  window.addEventListener(
    'paste',
    (event) => {
      const { clipboardData: data, target } = event;
      const isTyped = target instanceof Element && target.closest(TYPED) !== null;
      if (!isTyped || !data || data.files.length === 0 || data.getData('text/plain') !== '') return;
      event.preventDefault();
      event.stopPropagation();
      takeFiles(app, data);
    },
    { signal, capture: true },
  );
  return () => stop.abort();
}

/** Absolute paths of the dropped files, as far as the host reveals them: the desktop app always, a browser rarely. */
export function droppedPaths(data: Pick<DataTransfer, 'files' | 'getData'>, desktop: Desktop | null): string[] {
  if (desktop) return [...data.files].map((file) => desktop.pathOf(file)).filter((path) => path !== '');
  return data
    .getData('text/uri-list')
    .split(/\r?\n/)
    .filter((line) => line.startsWith('file:///') && URL.canParse(line))
    .map((line) => decodeURIComponent(new URL(line).pathname));
}

/** Paths as words of a command line, for every POSIX shell, zsh and fish; a space follows, so that the person can continue. */
export function asWords(paths: readonly string[]): string {
  return paths.map((path) => `${/^[\w./@%+,:-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`} `).join('');
}

/** A path of this machine has no meaning on another one. */
function takeFiles(app: AppState, data: DataTransfer): void {
  const { active } = app.terminals;
  if (!active) return;
  const paths = machineOf(active.id) === null ? droppedPaths(data, findDesktop()) : [];
  if (paths.length > 0) insertPaths(app, active, paths);
  else
    guard(
      app,
      sendFiles(app, active.id, [...data.files]).then((sent) => insertPaths(app, active, sent)),
    );
}

function insertPaths(app: AppState, terminal: TerminalState, paths: readonly string[]): void {
  if (paths.length === 0) return;
  const text = asWords(paths);
  if (terminal.keysTo !== 'program' && app.focus.insertIntoPrompt(terminal.id, text)) return;
  guard(app, app.paste.into(terminal.id, text));
}

function hasFiles({ types }: DataTransfer): boolean {
  return types.includes('Files');
}
