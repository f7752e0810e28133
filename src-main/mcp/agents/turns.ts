import type { AgentState, ChatMessage } from '../../contract/chat/chat.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';

const AT_WORK: ReadonlySet<AgentState | undefined> = new Set(['starting', 'working']);
/** An agent's state may be older than its text by this much, ms: right after an answered permission prompt it still seems to ask. */
const STATE_LAG_MS = 500;

export function isAtWork(state: AgentState | undefined): boolean {
  return AT_WORK.has(state);
}

/** Place of the newest message in a terminal's log; -1 before the first. */
export function lastOrder({ chat }: PtyInstance): number {
  return chat.lines.reduce((last, line) => ('kind' in line ? Math.max(last, line.order) : last), -1);
}

/** The source of the agent's last prompt: `by` is the client that sent it, null if the person typed it. */
export function askedBy(terminal: PtyInstance | undefined, by: string | undefined): string | null {
  if (!terminal || by === undefined) return null;
  const last = terminal.chat.lines.findLast((line): line is ChatMessage => 'kind' in line && line.kind === 'user');
  return last?.actor === 'user' ? null : by;
}

/**
 * Resolves when the agent has stopped working and, with `after`, has a message after that position. Also resolves after `waitMs`, when the client
 * disconnects, or when the terminal ends.
 */
export async function untilTurnEnds(
  terminal: PtyInstance,
  { after, waitMs, signal }: { after: number | null; waitMs: number; signal: AbortSignal },
): Promise<void> {
  const hasAnswered = (line: PtyInstance['chat']['lines'][number]): boolean =>
    'kind' in line && line.kind !== 'user' && line.order > (after ?? -1);
  const isOver = (): boolean => {
    const { state, agent } = terminal.view;
    if (state === 'exited' || !agent) return true;
    return !isAtWork(agent.state) && (after === null || terminal.chat.lines.some(hasAnswered));
  };
  // A message that may still grow contradicts a state that says that the turn is over.
  const isOpen = (): boolean => {
    const last = terminal.chat.lines.findLast((line): line is ChatMessage => 'kind' in line);
    return last?.kind === 'model' && !last.final;
  };
  if (waitMs <= 0 || (isOver() && !isOpen())) return;
  await new Promise<void>((resolve) => {
    let settling: NodeJS.Timeout | undefined;
    const done = (): void => {
      clearTimeout(timer);
      clearTimeout(settling);
      for (const one of following) one.dispose();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const look = (): void => {
      clearTimeout(settling);
      if (!isOver()) return;
      if (!isOpen()) return done();
      settling = setTimeout(done, STATE_LAG_MS);
    };
    const following = [terminal.onChanged(look), terminal.chat.onChange(look)];
    const timer = setTimeout(done, waitMs);
    signal.addEventListener('abort', done, { once: true });
    look();
  });
}
