import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Paths of the program's own files; the same from the sources, the build, and a packaged app. */
export interface AppFiles {
  root: string;
  /** False if the program runs from its sources. */
  isBuilt: boolean;
  version: string;
  hooksDir: string;
  /** The script that an agent runs at each event. */
  agentHook: string;
  /** Specs of commands for completion; written by the build. */
  specsDir: string;
  rendererDir: string;
  screenWorker: URL;
  searchWorker: URL;
  pictureWorker: URL;
  pastWorker: URL;
  /** The script of the PTY host; always the built one. */
  ptyHost: string;
  /** The script of the command line. */
  cli: string;
  /** The catalog that a bridge uses while the app is down; null in the sources, where it is built on demand. */
  mcpCatalog: string | null;
  /** The list for the general help; null in the sources, where the commands are loaded instead. */
  commandList: string | null;
}

/** Searches upwards from this file for the folder that contains `shell-hooks`. Throws if the installation is incomplete. */
export function findAppFiles(from: string = fileURLToPath(import.meta.url)): AppFiles {
  let root = dirname(from);
  while (!existsSync(join(root, 'shell-hooks')) || !existsSync(join(root, 'package.json'))) {
    if (root === dirname(root)) throw new Error(`The installation is incomplete: no shell-hooks above ${from}`);
    root = dirname(root);
  }
  const isSource = from.endsWith('.ts');
  const built = isSource ? [] : readdirSync(join(root, 'out/main'));
  const worker = (source: string): URL => pathToFileURL(join(root, isSource ? source : builtWorker(built, source)));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return {
    root,
    isBuilt: !isSource,
    version,
    hooksDir: join(unpacked(root), 'shell-hooks'), // shells read these files directly, so they cannot be in an archive
    agentHook: join(unpacked(root), 'resources/agent-hooks/hook.mjs'),
    specsDir: join(root, 'out/main/specs'),
    rendererDir: join(root, 'out/renderer'),
    screenWorker: worker('src-main/terminal/screen/screenWorker.ts'),
    searchWorker: worker('src-main/search/searchWorker.ts'),
    pictureWorker: worker('src-main/picture/pngWorker.ts'),
    pastWorker: worker('src-main/past/pastWorker.ts'),
    ptyHost: join(root, 'out/main/ptyHost.js'),
    cli: join(root, isSource ? 'src-main/cli/main.ts' : 'out/main/cli.js'),
    mcpCatalog: isSource ? null : join(root, 'out/main/mcpCatalog.json'),
    commandList: isSource ? null : join(root, 'out/main/commands.json'),
  };
}

/** The built file of a worker, beside its .js.map; its name has a hash of the content, see electron.vite.config.ts. */
function builtWorker(built: readonly string[], source: string): string {
  const name = basename(source, '.ts');
  return `out/main/${built.find((file) => file.startsWith(`${name}-`) && file.endsWith('.js')) ?? `${name}.js`}`;
}

function unpacked(path: string): string {
  return path.replace(/app\.asar(?=$|[\\/])/, 'app.asar.unpacked');
}
