import type { AppState } from './AppState.svelte.ts';
import { judgeUrl } from './links.ts';

/** Whether an address is opened only after the person was asked. `isDisguised`: the text of the link is not the address. */
export function asksFirst(address: string, isDisguised: boolean): boolean {
  return isDisguised || judgeUrl(address).verdict === 'ask';
}

/** Opens an address that output or an agent gave, after showing where it leads; what may not be opened says why. */
export async function openAddress(app: AppState, address: string, isDisguised: boolean): Promise<void> {
  const verdict = judgeUrl(address);
  if (verdict.verdict === 'never') {
    app.notices.say(`Not opened: ${verdict.reason}`);
    return;
  }
  if (asksFirst(address, isDisguised)) {
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
