/**
 * Runs as its own program: tries to take the lock of a data folder (argument 1) at a time (argument 2, milliseconds since 1970),
 * prints `won` or `lost <pid>`, and runs until it is killed or its input ends.
 */
import { acquireLock } from '../../src-main/store/instance/lockFile.ts';

const [, , dataFolder = '', startAtMs = '0'] = process.argv;
while (Date.now() < Number(startAtMs)); // busy on purpose: all starters must hit the same instant
const lock = acquireLock(dataFolder, { url: `of ${process.pid}` });
process.stdout.write(lock.ok ? 'won\n' : `lost ${lock.pid}\n`);
process.stdin.resume().once('end', () => {
  if (lock.ok) lock.release();
  process.exit(0);
});
