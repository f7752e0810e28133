/** Runs as its own program until it is killed: takes snapshots of a work tree (argument 2) in a loop, without changing its files. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Snapshots } from '../../src-main/changes/Snapshots.ts';

const [dataFolder = '', root = ''] = process.argv.slice(2);
const snapshots = new Snapshots({ dataFolder, env: process.env });
process.stdout.write('begins\n');
for (let n = 1; ; n += 1) {
  await snapshots.take(root, { conversationId: `k${process.pid}`, n, before: null });
  rmSync(join(dataFolder, 'snapshots'), { recursive: true, force: true }); // so that each snapshot reads all files
}
