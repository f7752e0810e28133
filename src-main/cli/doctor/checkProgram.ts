import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type AppFiles, findAppFiles } from '../../hosts/appFiles.ts';
import { type Check, checksOf, quotePath } from './Check.ts';

const check = checksOf('program');

/** From package.json, "engines". */
const NEEDED_NODE = [22, 13] as const;

/** Checks Node, the build, the PTY library, the desktop app and a browser. */
export function checkProgram(): Check[] {
  const files = findAppFiles();
  return [checkNode(files), checkBuild(files), checkPty(files), checkElectron(files), checkBrowser()];
}

function checkNode({ root }: AppFiles): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isEnough = major > NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor >= NEEDED_NODE[1]);
  if (isEnough) return check.ok('node', `Node ${process.versions.node}`);
  return check.bad(
    'node',
    `Node ${process.versions.node} is too old: ${NEEDED_NODE.join('.')} or newer is needed`,
    `npm ci --prefix ${quotePath(root)}`,
  );
}

function checkBuild({ rendererDir, root, version }: AppFiles): Check {
  if (existsSync(join(rendererDir, 'index.html'))) return check.ok('build', `Hansard ${version} is built`);
  return check.bad(
    'build',
    `the window is not built: no index.html in ${rendererDir}`,
    `npm start --prefix ${quotePath(root)}`,
  );
}

/** npm installs the library for one platform, so a folder copied from another machine lacks ours. */
function checkPty({ root }: AppFiles): Check {
  const folder = join(root, 'node_modules/node-pty');
  const places = ['build/Release', `prebuilds/${process.platform}-${process.arch}`];
  if (places.some((place) => existsSync(join(folder, place, 'pty.node'))))
    return check.ok('pty', 'the PTY library is there');
  return check.bad(
    'pty',
    `no PTY library for ${process.platform}-${process.arch}`,
    `npm rebuild node-pty --prefix ${quotePath(root)}`,
  );
}

function checkElectron({ root }: AppFiles): Check {
  const folder = join(root, 'node_modules/electron');
  const pathFile = join(folder, 'path.txt');
  const isThere = existsSync(pathFile) && existsSync(join(folder, 'dist', readFileSync(pathFile, 'utf8').trim()));
  if (isThere) return check.ok('electron', 'the desktop app (Electron) is there');
  return check.note(
    'electron',
    'no desktop app (Electron) on this machine: `hansard open` fetches it where there is a screen, else the web front is used',
  );
}

const BROWSERS = ['xdg-open', 'firefox', 'chromium', 'google-chrome', 'microsoft-edge'];

function checkBrowser(): Check {
  if (process.platform !== 'linux') return check.ok('browser', 'the platform opens the browser');
  const found = BROWSERS.find(isOnPath);
  const hasDisplay = Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  if (found && hasDisplay) return check.ok('browser', `a browser can be opened (${found})`);
  const why = hasDisplay ? 'no known browser is on PATH' : 'there is no display';
  return check.note('browser', `no browser is opened here (${why}): use the URL that \`hansard serve\` prints`);
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && isExecutable(join(folder, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // missing or not executable: both prevent a start
  }
}
