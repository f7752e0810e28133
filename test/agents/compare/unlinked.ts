import type { Expected } from './expected.ts';
import type { ReadChat } from './readChat.ts';

/** Messages that a resumed agent drew again without a link to an earlier conversation of the same run, one line each. */
export function unlinked(terminals: readonly { expected: Expected; recorded: ReadChat }[]): string[] {
  const earlier = new Set<string>();
  const faults: string[] = [];
  for (const { expected, recorded } of terminals) {
    recorded.conversations.forEach(({ id, messages }, at) => {
      const again = messages.filter(({ replayOf }) => replayOf !== undefined);
      const isLost = ({ replayOf }: (typeof again)[number]) => typeof replayOf !== 'string' || !earlier.has(replayOf);
      const lost = again.filter(isLost).length;
      if (lost > 0)
        faults.push(`${lost} of ${again.length} messages drawn again are not linked to where they were said`);
      if (again.length > 0 && !expected.conversations[at]?.isResumed)
        faults.push(`${again.length} messages are taken for history, and the agent was not resumed`);
      earlier.add(id);
    });
  }
  return faults;
}
