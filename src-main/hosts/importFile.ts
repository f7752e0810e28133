import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { type Imported, importRecording } from '../recordings/importRecording.ts';
import { openRecording, type RecordingOptions } from '../recordings/openRecording.ts';
import { ScreenHost } from '../screen/worker/ScreenHost.ts';
import { ensurePrivateFolder } from '../store/instance/dataFolder.ts';
import { systemClock } from '../util/Clock.ts';
import { silentLog } from '../util/Log.ts';
import { findAppFiles } from './appFiles.ts';

/** Imports a file with its own emulator, whether or not a core runs on the data folder. */
export async function importFile(
  dataFolder: string,
  path: string,
  options: RecordingOptions & { title?: string | undefined; agent?: string | undefined },
): Promise<Imported & { format: string }> {
  ensurePrivateFolder(dataFolder);
  const recording = await openRecording(path, options);
  const screens = new ScreenHost({ workerUrl: findAppFiles().screenWorker, log: silentLog, clock: systemClock });
  try {
    const imported = await importRecording(recording, options.title ?? null, {
      dataFolder,
      screens,
      log: silentLog,
      hostName: hostname(),
      randomId: (bytes) => randomBytes(bytes).toString('hex'),
      agent: options.agent,
    });
    return { ...imported, format: recording.format };
  } finally {
    screens.dispose();
  }
}
