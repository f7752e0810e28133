// After the app is packed: the bridge that agents start, once more and beside the archive, which no Node can read. What the app itself runs
// stays within, under its seal. (Named as extra resources the packager would take these files out of the archive.)
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The chunks and the catalogue are the bridge's; `shell-hooks` marks the folder of the installation. Man page and completions are for people. */
const PARTS = [
  'package.json',
  'out/main/mcpBridge.js',
  'out/main/mcpCatalog.json',
  'out/main/chunks',
  'out/main/completions',
  'out/main/man',
  'resources/bin',
  'resources/agent-hooks',
  'shell-hooks',
];

/** What electron-builder calls with the unpacked app. */
export default async function packBridge({ appOutDir, packager }) {
  const folder = join(packager.getResourcesDir(appOutDir), 'bridge');
  for (const part of PARTS) {
    const target = join(folder, part);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(root, part), target, { recursive: true, filter: (path) => !path.endsWith('.map') });
  }
}
