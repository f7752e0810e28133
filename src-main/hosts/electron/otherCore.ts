import { join } from 'node:path';
import type { MessageBoxOptions } from 'electron';
import { readJsonFile } from '../../store/files/replaceFile.ts';
import { CoreAddress } from '../web/coreAddress.ts';
import { requestUrl } from '../web/requestUrl.ts';

/** A new address of the web front that owns the data folder; null if its core has no web front or does not answer. */
export async function findOtherCore(dataFolder: string): Promise<string | null> {
  const read = await readJsonFile(join(dataFolder, 'core.json'), CoreAddress);
  const answer = read.status === 'ok' ? await requestUrl(read.value) : null;
  return answer?.ok ? answer.url : null;
}

/** Two cores must not write one record, so this start only points to the running core. */
export function otherCoreQuestion(pid: number, url: string | null): MessageBoxOptions {
  return {
    type: 'info',
    title: 'Hansard',
    message: url ? 'Another version of Hansard is already running.' : 'Hansard is already running and does not answer.',
    detail: url
      ? `Process ${pid} records your terminals. Open its page. To use this window instead, run hansard serve stop first.`
      : `Process ${pid} uses the data folder. End it, then start Hansard again.`,
    buttons: url ? ['Open the page', 'Quit'] : ['Quit'],
    defaultId: 0,
    cancelId: url ? 1 : 0,
    noLink: true,
  };
}
