/**
 * Runs as its own program until it is killed: archives terminal t1 of a data folder (argument 1) and restores it, in a loop.
 * Prints a line when it starts.
 */
import { restTerminal, wakeTerminal } from '../../src-main/store/archive/restTerminal.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';

const folder = new SessionFolder(process.argv[2] ?? '', 't1');
process.stdout.write('ready\n');
for (;;) {
  const { failed } = await restTerminal(folder, {});
  if (failed.length > 0) throw new Error(JSON.stringify(failed));
  await wakeTerminal(folder);
}
