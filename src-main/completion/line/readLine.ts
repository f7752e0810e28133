import type { QuotingDialect } from '../../shells/shellLanguage.ts';
import { escapeChar, type Quote } from './quoting.ts';

/** The word that is being typed. A choice replaces `text.slice(from, to)`. */
export interface TypedWord {
  /** The word as the shell would read it, up to the caret. */
  value: string;
  from: number;
  to: number;
  /** The quote around the caret. */
  quote: Quote;
  /** The word has no quoted or escaped character. */
  isPlain: boolean;
  /** The word has a substitution or a variable, so its value is not known. */
  isExpanded: boolean;
}

export interface LinePlace {
  /** Finished words of the same simple command, without redirections. */
  words: string[];
  word: TypedWord;
  /** The word is the target of a redirection. */
  isRedirect: boolean;
  isComment: boolean;
}

interface Word {
  value: string;
  from: number;
  isPlain: boolean;
  isExpanded: boolean;
}

/** One level of nesting: the line itself, or a substitution in it. */
interface Level {
  closer: '' | ')' | '`';
  words: string[];
  word: Word | null;
  quote: Quote;
  isRedirect: boolean;
}

const level = (closer: Level['closer']): Level => ({ closer, words: [], word: null, quote: '', isRedirect: false });

/**
 * Splits the text before the caret, and returns the simple command at the caret. Reads each character once and never throws.
 * `caret` is clamped to the text.
 */
export function readLine(text: string, caret: number, dialect: QuotingDialect = 'posix'): LinePlace {
  const end = Math.max(0, Math.min(text.length, Math.trunc(caret) || 0));
  return new LineReader(text, end, dialect).read();
}

class LineReader {
  readonly #text: string;
  readonly #end: number;
  readonly #dialect: QuotingDialect;
  readonly #escape: string;
  readonly #levels: Level[] = [level('')];
  #at = 0;
  #isComment = false;

  constructor(text: string, end: number, dialect: QuotingDialect) {
    this.#text = text;
    this.#end = end;
    this.#dialect = dialect;
    this.#escape = escapeChar(dialect);
  }

  read(): LinePlace {
    for (; this.#at < this.#end; this.#at++) {
      const char = this.#text.charAt(this.#at);
      const { quote } = this.#top;
      if (this.#isComment) this.#isComment = char !== '\n';
      if (this.#isComment) continue;
      if (quote === "'") this.#inSingle(char);
      else if (quote === '"') this.#inDouble(char);
      else this.#unquoted(char);
    }
    const { words, word, quote, isRedirect } = this.#top;
    const from = word?.from ?? this.#end;
    const isClosed = quote !== '' && this.#text.charAt(this.#end) === quote; // an editor added the closing quote
    return {
      words,
      word: {
        value: word?.value ?? '',
        from,
        to: isClosed ? this.#end + 1 : this.#end,
        quote,
        isPlain: word?.isPlain ?? true,
        isExpanded: word?.isExpanded ?? false,
      },
      isRedirect,
      isComment: this.#isComment,
    };
  }

  get #top(): Level {
    return this.#levels.at(-1) as Level;
  }

  get #next(): string {
    return this.#at + 1 < this.#end ? this.#text.charAt(this.#at + 1) : '';
  }

  /** Returns the current word, or starts one. */
  #word(): Word {
    const top = this.#top;
    top.word ??= { value: '', from: this.#at, isPlain: true, isExpanded: false };
    return top.word;
  }

  #add(char: string): void {
    this.#word().value += char;
  }

  #inSingle(char: string): void {
    const isEscape = this.#dialect === 'backslash' && char === '\\' && /[\\']/.test(this.#next);
    if (isEscape) this.#skipAndAdd();
    else if (char === "'") this.#top.quote = '';
    else this.#add(char);
  }

  #inDouble(char: string): void {
    if (char === this.#escape && this.#next !== '' && `"\\$\`\n`.includes(this.#next)) this.#skipAndAdd();
    else if (char === '"') this.#top.quote = '';
    else if (!this.#expansion(char)) this.#add(char);
  }

  #unquoted(char: string): void {
    if (char === this.#escape) this.#escaped();
    else if (char === '"' || char === "'") {
      this.#word().isPlain = false;
      this.#top.quote = char;
    } else if (/[ \t\r\n]/.test(char)) {
      this.#finish();
      if (char === '\n') this.#newCommand();
    } else if (/[;|&<>()]/.test(char)) this.#operator(char);
    else if (char === '#' && this.#top.word === null) this.#isComment = true;
    else if (!this.#expansion(char)) this.#add(char);
  }

  #escaped(): void {
    if (this.#next === '\n') {
      this.#at++; // the line continues
      if (this.#top.word) this.#top.word.isPlain = false;
      return;
    }
    this.#word().isPlain = false;
    if (this.#next !== '') this.#skipAndAdd();
  }

  #skipAndAdd(): void {
    this.#word().isPlain = false;
    this.#at++;
    if (this.#text.charAt(this.#at) !== '\n') this.#add(this.#text.charAt(this.#at));
  }

  /** Handles `$(`, `${`, `$NAME` and backquotes. Returns whether the character starts or ends one. */
  #expansion(char: string): boolean {
    if (char === '`' && this.#dialect === 'posix') {
      if (this.#levels.some(({ closer }) => closer === '`')) this.#leave('`');
      else this.#enter('`');
      return true;
    }
    if (char !== '$') return false;
    if (this.#next === '(') {
      this.#word().isExpanded = true;
      this.#at++;
      this.#enter(')');
    } else if (this.#top.quote === '' && /["']/.test(this.#next) && this.#dialect === 'posix') {
      this.#word().isExpanded = true; // $'…' and $"…"
    } else {
      if (/[\w{]/.test(this.#next)) this.#word().isExpanded = true;
      this.#add('$');
    }
    return true;
  }

  #operator(char: string): void {
    const before = this.#text.charAt(this.#at - 1);
    if (char === '(') {
      const isRedirected = this.#top.isRedirect && /[<>]/.test(before); // <( and >(
      if (isRedirected) this.#top.isRedirect = false;
      this.#finish();
      this.#word().isExpanded = true;
      this.#enter(')');
    } else if (char === ')') {
      this.#leave(')');
    } else if (char === '<' || char === '>') {
      const top = this.#top;
      if (top.word && /^\d+$/.test(top.word.value)) top.word = null; // the number of a file descriptor
      this.#finish();
      top.isRedirect = true;
    } else if (char === '&' && (/[<>]/.test(before) || this.#next === '>')) {
      this.#finish();
    } else {
      this.#finish();
      this.#newCommand();
    }
  }

  #enter(closer: ')' | '`'): void {
    this.#word().isExpanded = true;
    this.#levels.push(level(closer));
  }

  #leave(closer: ')' | '`'): void {
    const at = this.#levels.findLastIndex((one) => one.closer === closer);
    if (at > 0) this.#levels.length = at;
    else {
      this.#finish();
      this.#newCommand();
    }
  }

  #finish(): void {
    const top = this.#top;
    if (!top.word) return;
    if (top.isRedirect) top.isRedirect = false;
    else top.words.push(top.word.value);
    top.word = null;
  }

  #newCommand(): void {
    this.#top.words = [];
    this.#top.isRedirect = false;
  }
}
