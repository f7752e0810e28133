/**
 * Runs telemetry on a data folder (argument 1) until it is killed. The folder has settings and conversations. The test writes later
 * conversations and sends the ids of their terminals on stdin, one per line.
 */
import { createInterface } from 'node:readline';
import { ConversationStore } from '../../../src-main/conversations/record/ConversationStore.ts';
import { SettingsStore } from '../../../src-main/core/SettingsStore.ts';
import { Notices } from '../../../src-main/notices/Notices.ts';
import { Telemetry } from '../../../src-main/telemetry/Telemetry.ts';
import { systemClock } from '../../../src-main/util/Clock.ts';

const [dataFolder = ''] = process.argv.slice(2);
const { settings } = await SettingsStore.open(dataFolder);
const telemetry = await Telemetry.open({
  ...{ dataFolder, settings, hostName: 'h', files: { version: '1' }, notices: new Notices() },
  // A hundred times as fast, so that a turn settles in a tenth of a second.
  clock: { ...systemClock, after: (delayMs, run) => systemClock.after(delayMs / 100, run) },
  chats: new ConversationStore(
    dataFolder,
    () => undefined,
    () => true,
  ),
  isPrivate: () => false,
  randomId: (bytes) => 'a'.repeat(bytes * 2),
});
telemetry.start();
createInterface({ input: process.stdin }).on('line', (id) => telemetry.poke(id));
process.stdout.write('ready\n');
