import { CliError, EXIT } from '../print/exitCodes.ts';
import { isOfMachine, LiveCore, UnreachedMachine } from './LiveCore.ts';
import { currentDataFolder } from './RecordReader.ts';

/** Runs `use` with the running core. Without one it fails with the message `absent`; an unreached machine is no bug of ours. */
export async function withRunningCore<T>(absent: string, use: (core: LiveCore) => Promise<T>): Promise<T> {
  const found = await LiveCore.find(currentDataFolder());
  if (found.status === 'none') throw new CliError(`Hansard is not running, so ${absent}.`, EXIT.unavailable);
  if (found.status === 'silent')
    throw new CliError(`Hansard runs (process ${found.pid}) but ${found.reason}.`, EXIT.unavailable);
  try {
    return await use(found.core);
  } catch (error) {
    throw error instanceof Error && isOfMachine(error) ? new UnreachedMachine(error.message) : error;
  } finally {
    found.core.dispose();
  }
}
