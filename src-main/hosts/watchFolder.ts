import type { PtyChatClient } from '../core/PtyChatClient.ts';
import { isInPlace } from '../store/files/folderIdentity.ts';
import type { Clock } from '../util/Clock.ts';
import { type IDisposable, toDisposable } from '../util/Disposables.ts';
import type { Log } from '../util/Log.ts';

const LOOK_EVERY_MS = 2_000;
const NOTICE = 'folder-moved';

interface WatchSpec {
  core: Pick<PtyChatClient, 'notices'>;
  dataFolder: string;
  clock: Clock;
  log: Log;
}

/** Raises a notice while the data folder is not at its path. */
export function watchFolder({ core, dataFolder, clock, log }: WatchSpec): IDisposable {
  let wasInPlace = true;
  const look = (): void => {
    timer = clock.after(LOOK_EVERY_MS, look);
    const isThere = isInPlace(dataFolder);
    if (isThere === wasInPlace) return;
    wasInPlace = isThere;
    log(isThere ? 'folder_back' : 'folder_moved', { dataFolder });
    if (isThere) return core.notices.clear(NOTICE, clock.nowMs());
    core.notices.raise({
      key: NOTICE,
      level: 'error',
      text: `The data folder ${dataFolder} was moved or removed while Hansard runs. Open terminals are recorded in it where it is now; new files, tabs and settings are not saved.`,
      action: 'Move it back, or quit Hansard and start it with HANSARD_HOME set to the new folder.',
      terminalId: null,
      atMs: clock.nowMs(),
    });
  };
  let timer = clock.after(LOOK_EVERY_MS, look);
  return toDisposable(() => timer.dispose());
}
