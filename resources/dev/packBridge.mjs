// electron-builder calls this after it packed the app. It puts a second copy of the command line next to the asar archive, because plain Node
// cannot read the archive. If the package is built on its target system, the copy gets its own Node. The app itself runs the sealed files in
// the archive. (The packager would remove these files from the archive if they were listed as extra resources.)
import { cp, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The parts of an installed npm package. Hansard finds its installation folder by `shell-hooks`. */
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
/** Packages that are not bundled. `LEFT_OUT` removes the files that are not needed at run time. */
const PACKAGES = ['@fontsource/ibm-plex-mono', '@resvg/resvg-wasm', '@xterm/headless', 'node-pty'];
const LEFT_OUT =
  /\.(map|md|ts|cts|mts|tsbuildinfo|woff2|css|scss)$|\/(src|test|tests|docs|typings|deps|scripts|third_party|scss)(\/|$)|-(100|200|300|500|700)-/;

/** electron-builder's `afterPack` hook. */
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

/** Copies the binary of the `node` package, which runs on this system only. Without it the command line uses the Node on the PATH. */
async function copyNode(folder) {
  const packageFile = createRequire(join(root, 'package.json')).resolve('node/package.json');
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  await mkdir(join(folder, 'node/bin'), { recursive: true });
  await cp(join(dirname(packageFile), 'bin', name), join(folder, 'node/bin', name), { dereference: true });
}

/** electron-builder passes an architecture as a number. */
function archName(arch) {
  return ['ia32', 'x64', 'armv7l', 'arm64', 'universal'][arch];
}
