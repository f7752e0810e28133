/**
 * One line of `<id>.idx`: logical line `line` (from 0) starts at byte `out` of `.out` and at byte `src` of the source;
 * `sgr` are the bytes that bring a fresh reader into the state there (attributes, link, charsets), '' if none.
 */
export interface IndexEntry {
  line: number;
  out: number;
  src: number;
  sgr: string;
}
