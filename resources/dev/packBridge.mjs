// After the app is packed: the command line, once more and beside the archive, which no Node can read, with a Node of its own where the
// package is made on the system that it is for. What the app itself runs stays within, under its seal. (Named as extra resources the
// packager would take these files out of the archive.)
import { cp, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What an installed npm package has, too: `shell-hooks` marks the folder of the installation. */
const PARTS = [
  'LICENSE',
  'package.json',
  'out/main',
  'out/renderer',
  'resources/bin',
  'resources/agent-hooks',
  'resources/schema',
  'shell-hooks',
];
/** The packages that stay outside of the bundles, and of them only what runs. */
const PACKAGES = ['@fontsource/ibm-plex-mono', '@resvg/resvg-wasm', '@xterm/headless', 'node-pty'];
const LEFT_OUT =
  /\.(map|md|ts|cts|mts|tsbuildinfo|woff2|css|scss)$|\/(src|test|tests|docs|typings|deps|scripts|third_party|scss)(\/|$)|-(100|200|300|500|700)-/;

/** What electron-builder calls with the unpacked app. */
export default async function packBridge({ appOutDir, packager, arch }) {
  const folder = join(packager.getResourcesDir(appOutDir), 'bridge');
  const copy = async (part, keep) => {
    await mkdir(dirname(join(folder, part)), { recursive: true });
    await cp(join(root, part), join(folder, part), { recursive: true, dereference: true, filter: keep });
  };
  for (const part of PARTS) await copy(part, (path) => !path.endsWith('.map'));
  for (const name of PACKAGES) {
    const place = join('node_modules', name);
    await copy(place, (path) => !LEFT_OUT.test(path.slice(join(root, place).length)));
  }
  if (packager.platform.nodeName === process.platform && archName(arch) === process.arch) await copyNode(folder);
}

/** The Node of the `node` package: for this system alone. Without it the command line takes the one on the PATH. */
async function copyNode(folder) {
  const packageFile = createRequire(join(root, 'package.json')).resolve('node/package.json');
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  await mkdir(join(folder, 'node/bin'), { recursive: true });
  await cp(join(dirname(packageFile), 'bin', name), join(folder, 'node/bin', name), { dereference: true });
}

/** electron-builder counts architectures. */
function archName(arch) {
  return ['ia32', 'x64', 'armv7l', 'arm64', 'universal'][arch];
}
