import type { RerunVerdict } from '../../contract/api.ts';
import type { PtyInstance } from '../PtyInstance.ts';

export interface RerunWish {
  blockId: string;
  /** The person has seen the command and the folder, and wants it all the same. */
  confirmed: boolean;
}

/** Runs the command of a block again in its terminal, unless its text, its origin or the folder is not what the person takes it for. */
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
