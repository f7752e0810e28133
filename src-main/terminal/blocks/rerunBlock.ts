import type { RerunVerdict } from '../../contract/api.ts';
import type { PtyInstance } from '../PtyInstance.ts';

export interface RerunWish {
  blockId: string;
  /** The person has seen the command and the folder, and confirmed. */
  confirmed: boolean;
}

/** Runs a block's command again in its terminal, unless its text, origin or folder may differ from the person's expectation. */
export async function rerunBlock(
  terminal: Pick<PtyInstance, 'book' | 'view' | 'submit'>,
  { blockId, confirmed }: RerunWish,
): Promise<RerunVerdict> {
  const block = await terminal.book.get(blockId);
  if (!block || block.cmd === null) return { ok: false, reason: 'unknown-text' };
  if (!confirmed && !block.trusted) return { ok: false, reason: 'untrusted' };
  if (!confirmed && block.cwd !== null && block.cwd !== terminal.view.cwd) return { ok: false, reason: 'cwd-differs' };
  const verdict = await terminal.submit(block.cmd);
  if (verdict.ok) return verdict;
  return { ok: false, reason: verdict.reason === 'exited' ? 'exited' : 'busy' };
}
