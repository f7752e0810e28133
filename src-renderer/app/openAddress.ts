import type { AppState } from './AppState.svelte.ts';
import { judgeUrl } from './links.ts';
import { strings } from './strings.ts';

/** Whether the person has to confirm before an address opens. `isDisguised`: the text of the link is not the address. */
export function asksFirst(address: string, isDisguised: boolean): boolean {
  return isDisguised || judgeUrl(address).verdict === 'ask';
}

/** Opens an address from output or an agent after it shows the target; shows why an address is not allowed. */
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
