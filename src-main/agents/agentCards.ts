import type { ChangesSpec } from '../changes/Changes.ts';
import type { BoardSpec } from './AgentsBoard.ts';

/** Limits of blocks per terminal and lines per output. The commands of a turn are among the newest. */
const MAX_BLOCKS = 200;
const MAX_LINES = 200;

/** Reads the cards of the open terminals, for the list of commands of a turn. */
export function agentCards(terminals: BoardSpec['terminals']): ChangesSpec['cards'] {
  return {
    since: async (atMs) => {
      const pages = await Promise.all(terminals.all.map(({ book }) => book.page({ limit: MAX_BLOCKS })));
      return pages.flatMap(({ blocks }) => blocks.filter(({ startedMs }) => startedMs >= atMs));
    },
    outputEnd: async ({ terminalId, id }) => {
      const read = await terminals.find(terminalId)?.book.reader.lines(id, -MAX_LINES, MAX_LINES);
      return (read?.lines ?? []).map(({ spans }) => spans.map(({ text }) => text).join('')).join('\n');
    },
  };
}
