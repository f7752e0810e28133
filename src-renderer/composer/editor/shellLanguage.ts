import { StreamLanguage, type StreamParser, type StringStream } from '@codemirror/language';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { tags } from '@lezer/highlight';

interface ShellState {
  /** State of the base mode: its open quotes and heredocs. */
  inner: { tokens: unknown[] };
  /** The next word names a command. */
  isCommandNext: boolean;
  /** The previous line ended with a backslash. */
  isContinued: boolean;
}

const KEYWORD =
  /^(?:if|then|elif|else|fi|do|done|while|until|for|in|case|esac|select|function|time|[!{}]|\[\[)(?=[\s;]|$)/;
/** Words whose operand is a name or a pattern, not a command. */
const NO_COMMAND_AFTER = new Set(['for', 'case', 'select', 'function', 'in', 'fi', 'done', 'esac', '}', '[[']);
const WORD = /^[^\s|&;<>()$`'"\\#=]+(?=[\s|&;<>()]|$)/;
/** Words that run the command after them. */
const PREFIXES = new Set(['sudo', 'doas', 'env', 'exec', 'command', 'builtin', 'nohup', 'nice', 'xargs']);
const BEGINS_COMMAND = /^[|&;(]+$/;

/** CodeMirror's shell mode knows a fixed list of commands; this parser recognizes a command by its position. */
const parser: StreamParser<ShellState> = {
  name: 'shell',
  startState: () => ({ inner: { tokens: [] }, isCommandNext: true, isContinued: false }),
  copyState: (state) => ({ ...state, inner: { tokens: [...state.inner.tokens] } }),
  token(stream, state) {
    const isOpen = state.inner.tokens.length > 0;
    if (stream.sol() && !isOpen && !state.isContinued) state.isCommandNext = true;
    state.isContinued = false;
    if (!isOpen && state.isCommandNext) {
      const style = commandToken(stream, state);
      if (style !== undefined) return style;
    }
    return innerToken(stream, state, isOpen);
  },
  languageData: shell.languageData ?? {},
  tokenTable: { command: tags.function(tags.variableName) },
};

function commandToken(stream: StringStream, state: ShellState): string | null | undefined {
  if (stream.eatSpace()) return null;
  const keyword = stream.match(KEYWORD);
  if (keyword && keyword !== true) {
    state.isCommandNext = !NO_COMMAND_AFTER.has(keyword[0]);
    return 'keyword';
  }
  const word = stream.match(WORD);
  if (!word || word === true) return undefined;
  // An option of a prefix is not a command.
  if (word[0].startsWith('-')) return 'attribute';
  state.isCommandNext = PREFIXES.has(word[0]);
  return 'command';
}

function innerToken(stream: StringStream, state: ShellState, wasOpen: boolean): string | null {
  const start = stream.pos;
  const style = shell.token(stream, state.inner);
  const text = stream.string.slice(start, stream.pos);
  if (wasOpen || text.trim() === '') return style;
  state.isContinued = text === '\\' && stream.eol();
  if (BEGINS_COMMAND.test(text)) state.isCommandNext = true;
  else if (state.isCommandNext && style !== 'def' && style !== 'operator') state.isCommandNext = stream.peek() === '=';
  // A word from CodeMirror's list of commands and keywords is an argument here.
  const isWord = style === 'builtin' || style === 'keyword' || style === 'atom';
  return isWord && text !== 'in' ? null : style;
}

export const shellLanguage = StreamLanguage.define(parser);
