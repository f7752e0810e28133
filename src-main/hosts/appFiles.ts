import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Where the program's own files are; the same from the sources, from the build, and from a packaged app. */
export interface AppFiles {
  root: string;
  version: string;
  hooksDir: string;
  /** What an agent runs at each event. */
  agentHook: string;
  /** What completion knows of commands; written by the build. */
  specsDir: string;
  rendererDir: string;
  screenWorker: URL;
  searchWorker: URL;
  pictureWorker: URL;
  pastWorker: URL;
  /** What Node runs as the PTY host; always the built one. */
  ptyHost: string;
  /** What Node runs as the command line. */
  cli: string;
  /** What a bridge says while the app is down; null in the sources, where it is made when it is asked for. */
  mcpCatalog: string | null;
  /** What the general help lists; null in the sources, where the commands themselves are asked. */
  commandList: string | null;
}

/** Looks upwards from this file for the folder that holds `shell-hooks`. Throws when the installation is incomplete. */
export function findAppFiles(from: string = fileURLToPath(import.meta.url)): AppFiles {
  let root = dirname(from);
  while (!existsSync(join(root, 'shell-hooks')) || !existsSync(join(root, 'package.json'))) {
    if (root === dirname(root)) throw new Error(`The installation is incomplete: no shell-hooks above ${from}`);
    root = dirname(root);
  }
  const isSource = from.endsWith('.ts');
  const worker = isSource ? 'src-main/terminal/screen/screenWorker.ts' : 'out/main/screenWorker.js';
  const searchWorker = isSource ? 'src-main/search/searchWorker.ts' : 'out/main/searchWorker.js';
  const pictureWorker = isSource ? 'src-main/picture/pngWorker.ts' : 'out/main/pngWorker.js';
  const pastWorker = isSource ? 'src-main/past/pastWorker.ts' : 'out/main/pastWorker.js';
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return {
    root,
    version,
    hooksDir: join(unpacked(root), 'shell-hooks'), // shells read these files themselves: they cannot lie inside an archive
    agentHook: join(unpacked(root), 'resources/agent-hooks/hook.mjs'),
    specsDir: join(root, 'out/main/specs'),
    rendererDir: join(root, 'out/renderer'),
    screenWorker: pathToFileURL(join(root, worker)),
    searchWorker: pathToFileURL(join(root, searchWorker)),
    pictureWorker: pathToFileURL(join(root, pictureWorker)),
    pastWorker: pathToFileURL(join(root, pastWorker)),
    ptyHost: join(root, 'out/main/ptyHost.js'),
    cli: join(root, isSource ? 'src-main/cli/main.ts' : 'out/main/cli.js'),
    mcpCatalog: isSource ? null : join(root, 'out/main/mcpCatalog.json'),
    commandList: isSource ? null : join(root, 'out/main/commands.json'),
  };
}

function unpacked(path: string): string {
  return path.replace(/app\.asar(?=$|[\\/])/, 'app.asar.unpacked');
}
