import type { TextMatch, WordMatcher } from '../store/index/WordMatcher.ts';
import { ByteScanner, scanPieces } from './ByteScanner.ts';
import { PatternHint } from './lines/LineHint.ts';
import type { SnippetSelector } from './lines/pickLines.ts';
import type { SearchTime } from './SearchTime.ts';

/** Most lines that a phrase may span. */
const PHRASE_LINES = 20;

interface WordScan {
  readonly matcher: WordMatcher;
  readonly doc: TextMatch;
  readonly picker: SnippetSelector;
  readonly time: SearchTime;
  readonly shown?: ((lines: Buffer) => Buffer) | undefined;
  /** Reports lines that are too long to search. */
  readonly onTooLong: (lines: readonly number[]) => void;
}

/** Searches the bytes of a text for words. False if the time ran out first. */
export async function scanWords(
  pieces: AsyncIterable<Uint8Array>,
  { matcher, doc, picker, time, shown, onTooLong }: WordScan,
): Promise<boolean> {
  const scanner = new ByteScanner({
    pattern: {
      next: (lines, from) => {
        const spans = lines.slice(from).map((line) => (matcher.mayMatch(line) ? [] : null));
        return { count: spans.length, spans };
      },
    },
    hint: new PatternHint(matcher.byteSign),
    context: matcher.hasLongPhrase ? PHRASE_LINES : 0,
    ...(shown && { shown }),
  });
  let next = 0;
  for await (const line of scanPieces(scanner, pieces)) {
    if (!line) {
      if (!(await time.goesOn())) return false;
      continue;
    }
    if (line.n !== next) doc.nextText(); // the skipped lines have no word of the query
    next = line.n + 1;
    doc.take(line.text);
    const match = matcher.line(line.text);
    if (match) picker.take(line.n, line.text, match);
    if (picker.isFull && doc.missing.size === 0) break;
  }
  if (scanner.tooLong.length > 0) onTooLong(scanner.tooLong);
  return true;
}
