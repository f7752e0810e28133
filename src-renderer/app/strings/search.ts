import { formatCount } from '../formatWords.ts';
import { counts } from './counts.ts';

/** The command palette, the search in everything, and the command history. */
export const search = {
  palette: { title: 'Command Palette', placeholder: 'Search commands…', noMatch: 'No matching commands' },

  history: {
    title: 'Command history',
    action: 'Search command history',
    placeholder: 'Search commands of all terminals',
    noMatch: (query: string) => `No commands match “${query}”`,
    empty: 'No commands yet',
  },

  title: 'Search everything',
  placeholder: 'Search terminals, commands and conversations',
  mode: 'Match',
  words: 'Words',
  wordsTip: 'Find blocks and messages with all of these words',
  exact: 'Exact',
  exactTip: 'Find this exact text in every file',
  regex: '.*',
  regexTip: 'Find a regular expression in every file',
  type: 'Type',
  all: 'All',
  commands: 'Commands',
  output: 'Output',
  conversations: 'Conversations',

  notOpen: 'not open',
  ownLog: (title: string) => `${title === '' ? 'Conversation' : title} · agent log`,
  titleNotOpen: (title: string) => `${title} · not open`,
  about: 'Search every command, output and conversation, in open and in closed terminals.',
  aboutModes: '“Words” finds all words in any order; put a phrase in quotes. “Exact” and “.*” search every file.',
  connectionLost: 'Connection to Hansard lost. Search again once it is back.',
  searching: 'Searching…',
  alsoSearching: '· searching…',
  noMatch: (query: string) => `No results for “${query}”`,
  allTypes: 'Search all types',
  partsOfWords: 'Match parts of words',

  speakers: {
    user: 'You',
    model: 'Agent',
    toolCall: 'Tool',
    toolResult: 'Tool result',
    command: 'Agent command',
    permission: 'Permission prompt',
    welcome: 'Welcome',
    notice: 'Notice',
    exit: 'Exit',
  },
  unknownCommand: 'Unknown command',
  running: 'running',
  exit: (code: number | null) => `exit ${code}`,
  moreLines: 'and more lines',
  middleUnread: 'The middle of this output was not searched: more lines may match',

  results: counts.results,
  newest: (count: number) => `Newest ${counts.results(count)}`,
  moreThan: (count: number) => `More than ${counts.results(count)}`,
  indexing: (percent: number) => `Index ${percent} % complete: older results may be missing`,
  indexPaused: 'Disk almost full: indexing is paused, and every file was searched instead',
  tooLong: (id: string, others: number) =>
    others === 0
      ? `${id} is too long and was not searched completely`
      : `${id} and ${formatCount(others)} more are too long and were not searched completely`,
  unread: ([first, ...others]: readonly { path: string; reason: string }[]) => {
    const more = others.length === 0 ? '' : ` and ${formatCount(others.length)} more`;
    return first ? `Not searched: ${first.path}${more} (${first.reason})` : '';
  },
  leftOut: (count: number) =>
    count === 1
      ? '1 very long output is not searched completely yet. Scroll down to search on.'
      : `${formatCount(count)} very long outputs are not searched completely yet. Scroll down to search on.`,
} as const;
