import { judgeUrl } from '../model/links.ts';
import type { AppState } from './AppState.svelte.ts';

/** Opens an address that output or an agent gave, after showing where it leads; what may not be opened says why. */
export async function openAddress(app: AppState, address: string, isDisguised: boolean): Promise<void> {
  const verdict = judgeUrl(address);
  if (verdict.verdict === 'never') {
    app.notices.say(`Not opened: ${verdict.reason}`);
    return;
  }
  if (isDisguised || verdict.verdict === 'ask') {
    const question = {
      title: `Open ${verdict.host}?`,
      body: 'The output holds a link to',
      exact: verdict.url,
      confirm: 'Open',
    };
    if (!(await app.dialogs.ask(question))) return;
  }
  window.open(verdict.url, '_blank', 'noopener,noreferrer');
}
