import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import { type Desktop, findDesktop } from '../rpc/desktop.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { guard } from '../tabs/tabActions.ts';

/** Files dropped onto the window become their quoted paths where the person types: in the composer, or in the running program. */
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
      const paths = droppedPaths(event.dataTransfer, findDesktop());
      if (paths.length > 0) insertPaths(app, paths);
      else app.notices.say(strings.composer.noPath);
    },
    { signal },
  );
  return () => stop.abort();
}

/** Absolute paths of what was dropped, as far as the host reveals them: the desktop app always, a browser hardly ever. */
export function droppedPaths(data: Pick<DataTransfer, 'files' | 'getData'>, desktop: Desktop | null): string[] {
  if (desktop) return [...data.files].map((file) => desktop.pathOf(file)).filter((path) => path !== '');
  return data
    .getData('text/uri-list')
    .split(/\r?\n/)
    .filter((line) => line.startsWith('file:///') && URL.canParse(line))
    .map((line) => decodeURIComponent(new URL(line).pathname));
}

/** Paths as words of a command line, for every POSIX shell, zsh and fish; with a space behind, so that one can type on. */
export function asWords(paths: readonly string[]): string {
  return paths.map((path) => `${/^[\w./@%+,:-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`} `).join('');
}

function insertPaths(app: AppState, paths: readonly string[]): void {
  const { active } = app.terminals;
  if (!active) return;
  const text = asWords(paths);
  if (active.keysTo !== 'program' && app.focus.insertIntoPrompt(active.id, text)) return;
  guard(app, app.paste.into(active.id, text));
}

function hasFiles({ types }: DataTransfer): boolean {
  return types.includes('Files');
}
