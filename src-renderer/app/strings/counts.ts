import { formatCount } from '../formatWords.ts';

function counted(one: string, many: string): (count: number) => string {
  return (count) => (count === 1 ? `1 ${one}` : `${formatCount(count)} ${many}`);
}

/** Numbers with their noun: `1 line`, `1,284 lines`. */
export const counts = {
  calls: counted('call', 'calls'),
  cards: counted('card', 'cards'),
  commands: counted('command', 'commands'),
  characters: counted('character', 'characters'),
  conversations: counted('conversation', 'conversations'),
  entries: counted('entry', 'entries'),
  files: counted('file', 'files'),
  lines: counted('line', 'lines'),
  messages: counted('message', 'messages'),
  newLines: counted('new line', 'new lines'),
  newMessages: counted('new message', 'new messages'),
  places: counted('integrity problem', 'integrity problems'),
  results: counted('result', 'results'),
  spans: counted('span', 'spans'),
  secrets: counted('secret', 'secrets'),
  terminals: counted('terminal', 'terminals'),
  turns: counted('turn', 'turns'),
} as const;
