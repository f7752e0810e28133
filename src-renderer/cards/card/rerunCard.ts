import type { RerunVerdict } from '../../../src-main/contract/api.ts';
import type { Block } from '../../../src-main/contract/block.ts';
import { strings } from '../../app/strings.ts';
import type { BlockPane } from '../list/BlockPane.svelte.ts';

const REFUSALS: Readonly<Record<Exclude<RerunVerdict, { ok: true }>['reason'], string>> = {
  untrusted: '',
  'cwd-differs': '',
  ...strings.cards.refusals,
};

/** Runs the card's command again. Asks first if the text is uncertain or the working directory differs. */
export async function rerunCard(pane: BlockPane, block: Block): Promise<void> {
  const verdict = await pane.app.rpc.block.rerun(pane.ref(block));
  if (verdict.ok) return pane.flow.toEnd();
  if (verdict.reason !== 'untrusted' && verdict.reason !== 'cwd-differs') {
    pane.app.notices.say(REFUSALS[verdict.reason]);
    return;
  }
  const ask = strings.cards.rerunQuestion;
  const isUntrusted = verdict.reason === 'untrusted';
  const folder = (path: string) => pane.app.machines.place(pane.terminal.id, path);
  const here = folder(pane.terminal.view.cwd);
  const yes = await pane.app.dialogs.ask({
    title: isUntrusted ? ask.untrusted : ask.elsewhere,
    body: isUntrusted ? ask.untrustedBody : ask.elsewhereBody(folder(block.cwd ?? ''), here),
    exact: block.cmd ?? '',
    confirm: ask.confirm,
    isDangerous: isUntrusted,
  });
  if (!yes) return;
  const second = await pane.app.rpc.block.rerun({ ...pane.ref(block), confirmed: true });
  if (second.ok) pane.flow.toEnd();
  else pane.app.notices.say(REFUSALS[second.reason] || strings.cards.notRun);
}
