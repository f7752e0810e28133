import type { AppState } from './AppState.svelte.ts';
import { judgeUrl } from './links.ts';
import { strings } from './strings.ts';

/** Whether an address is opened only after the person was asked. `isDisguised`: the text of the link is not the address. */
export function asksFirst(address: string, isDisguised: boolean): boolean {
  return isDisguised || judgeUrl(address).verdict === 'ask';
}

/** Opens an address that output or an agent gave, after showing where it leads; what may not be opened says why. */
export async function openAddress(app: AppState, address: string, isDisguised: boolean): Promise<void> {
  const verdict = judgeUrl(address);
  if (verdict.verdict === 'never') {
    app.notices.say(strings.app.link.refused(verdict.reason));
    return;
  }
  if (asksFirst(address, isDisguised)) {
    const question = {
      title: strings.app.link.title(verdict.host),
      body: strings.app.link.body,
      exact: verdict.url,
      confirm: strings.app.link.confirm,
    };
    if (!(await app.dialogs.ask(question))) return;
  }
  window.open(verdict.url, '_blank', 'noopener,noreferrer');
}
