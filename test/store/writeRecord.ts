/** Runs as its own program: writes one file of each kind into a data folder (argument 1). */
import { writeFileSync } from 'node:fs';
import { AppendFile } from '../../src-main/store/files/AppendFile.ts';
import { JsonLines } from '../../src-main/store/files/JsonLines.ts';
import { acquireLock } from '../../src-main/store/instance/lockFile.ts';
import { BlockFiles } from '../../src-main/store/record/BlockFiles.ts';
import { recoverTerminal } from '../../src-main/store/record/recover.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';

const deps = { log: silentLog, clock: systemClock };
const folder = new SessionFolder(process.argv[2] ?? '', 't1');
folder.create();
acquireLock(folder.dataFolder);
writeFileSync(folder.raw, 'open to all', { mode: 0o666 });
writeFileSync(folder.blocksJsonl, '{"torn', { mode: 0o666 });
await recoverTerminal(folder, { nowMs: 1, log: silentLog });
const raw = AppendFile.open(folder.raw, deps);
raw.append(Buffer.from('bytes'));
await raw.close();
await JsonLines.open(folder.blocksJsonl, deps).close();
const files = BlockFiles.open(folder, 'b1', { ...deps, source: 'ren' });
files.appendText(Buffer.from('text'));
files.appendRendered(Buffer.from('text'));
await files.close();
