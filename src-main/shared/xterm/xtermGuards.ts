import { keepSavedRow, keepScrolledUp } from './xtermScrollUp.ts';

/**
 * Guards against a few bytes of output that stop an xterm, or make it type. The core's headless emulator and every viewer's use
 * them, so that both have the same limits and agree on widths. They accept any emulator with the right shape.
 */

/** Most hyperlinks in one emulator, and longest target. tmux holds 5,000; browsers accept 2,083 characters. */
export const MAX_LINKS = 5000;
export const MAX_URI_CHARS = 2083;
/** Most rows of one hyperlink. Each row costs the emulator a marker that every line feed visits. */
export const MAX_LINK_ROWS = 256;
export const MAX_TITLE_CHARS = 1024;
/** Longest OSC or DCS payload to process; equal to tmux' input buffer. */
export const MAX_PAYLOAD_CHARS = 1024 * 1024;
/** Most characters joined into one cell. The longest emoji sequence has 10; without a limit, one cell could use any amount of memory. */
export const MAX_CLUSTER_CHARS = 32;

interface Disposable {
  dispose(): void;
}

interface SequenceId {
  prefix?: string;
  intermediates?: string;
  final: string;
}

type Params = (number | number[])[];

/** The part of `terminal.parser` used here. */
export interface ParserLike {
  registerCsiHandler(id: SequenceId, handler: (params: Params) => boolean): Disposable;
  registerDcsHandler(id: SequenceId, handler: (data: string, params: Params) => boolean): Disposable;
  registerOscHandler(ident: number, handler: (data: string) => boolean): Disposable;
}

/** Either build of xterm. */
export interface TerminalLike {
  readonly cols: number;
  readonly rows: number;
  readonly parser: ParserLike;
  onResize(listener: (size: { cols: number }) => void): Disposable;
}

interface CoreRows {
  lines: { length: number; get(row: number): { length: number; resize(cols: number, fill: object): void } | undefined };
  getNullCell(): object;
}

/** Internals of xterm 6.0.0 that allow changing a sequence instead of dropping it. */
interface Core {
  registerCsiHandler(id: SequenceId, handler: (params: { params: Int32Array }) => boolean): Disposable;
  _inputHandler: { setHyperlink(data: string): boolean };
  buffers: { active: { x: number; y: number }; alt: CoreRows };
  _oscLinkService: {
    addLineToLink(linkId: number, row: number): void;
    _dataByLinkId: Map<number, { lines: { line: number }[] }>;
  };
}

/** The emulator's internals, or undefined if this version of xterm hides them: the guards then drop sequences that they cannot fix. */
function coreOf(terminal: object): Core | undefined {
  const core = (terminal as { _core?: Partial<Core> })._core;
  const isKnown = core?.registerCsiHandler && core._inputHandler && core.buffers && core._oscLinkService?._dataByLinkId;
  return isKnown ? (core as Core) : undefined;
}

function all(parts: Disposable[]): Disposable {
  return {
    dispose() {
      for (const part of parts.splice(0)) part.dispose();
    },
  };
}

/** Sequences that repeat an action as often as their first parameter says, and the limit of a sensible count. */
const COUNTED: readonly [SequenceId, 'rows' | 'cols' | 'cells'][] = [
  [{ final: 'L' }, 'rows'],
  [{ final: 'M' }, 'rows'],
  [{ final: 'S' }, 'rows'],
  [{ final: 'T' }, 'rows'],
  [{ final: '@' }, 'cols'],
  [{ final: 'P' }, 'cols'],
  [{ final: 'X' }, 'cols'],
  [{ final: 'I' }, 'cols'],
  [{ final: 'Z' }, 'cols'],
  [{ intermediates: ' ', final: '@' }, 'cols'],
  [{ intermediates: ' ', final: 'A' }, 'cols'],
  [{ intermediates: "'", final: '}' }, 'cols'],
  [{ intermediates: "'", final: '~' }, 'cols'],
  [{ final: 'b' }, 'cells'],
];

/**
 * Limits the count of every CSI sequence to the size of the screen, beyond which nothing visible changes. Without it, xterm 6.0.0
 * works for minutes on `CSI 99999999 L`.
 */
function clampCounts(terminal: TerminalLike): Disposable {
  const core = coreOf(terminal);
  const limits = {
    rows: () => terminal.rows,
    cols: () => terminal.cols,
    cells: () => terminal.cols * terminal.rows,
  };
  return all(
    COUNTED.map(([id, bound]) => {
      const limit = limits[bound];
      if (!core) return terminal.parser.registerCsiHandler(id, (params) => Number(params[0]) > limit());
      return core.registerCsiHandler(id, ({ params }) => {
        const count = params[0] ?? 0;
        if (count > limit()) params[0] = limit();
        return false;
      });
    }),
  );
}

/**
 * With the cursor in the last cell of the screen, `CSI 1 J` makes xterm 6.0.0 throw, after which a viewer shows nothing more.
 * There it erases the whole screen, so `CSI 2 J` replaces it.
 */
function fixEraseAbove(terminal: TerminalLike): Disposable {
  const core = coreOf(terminal);
  if (!core) return all([]);
  const eraseAll = ({ params }: { params: Int32Array }) => {
    const { x, y } = core.buffers.active;
    if (params[0] === 1 && y === terminal.rows - 1 && x >= terminal.cols - 1) params[0] = 2;
    return false;
  };
  return all([
    core.registerCsiHandler({ final: 'J' }, eraseAll),
    core.registerCsiHandler({ prefix: '?', final: 'J' }, eraseAll),
  ]);
}

/**
 * On the alternate screen, xterm 6.0.0 keeps text beyond the margin when it becomes narrower, and shows it again when it becomes
 * wider, but only in viewers that were open before. This drops the text, like other terminals.
 */
function forgetBeyondMargin(terminal: TerminalLike): Disposable {
  const alt = coreOf(terminal)?.buffers.alt;
  if (!alt) return all([]);
  return terminal.onResize(({ cols }) => {
    for (let row = 0; row < alt.lines.length; row++) {
      const line = alt.lines.get(row);
      if (line && line.length > cols) line.resize(cols, alt.getNullCell());
    }
  });
}

/** Limits hyperlinks in number, length of target and rows. Text over a limit is shown without its link. */
function limitLinks(terminal: TerminalLike): Disposable {
  const core = coreOf(terminal);
  const endLink = () => core?._inputHandler.setHyperlink(';') ?? true;
  const handler = terminal.parser.registerOscHandler(8, (data) => {
    const uri = data.slice(data.indexOf(';') + 1);
    if (uri === '') return false;
    const isFull = (core?._oscLinkService._dataByLinkId.size ?? 0) >= MAX_LINKS;
    return isFull || uri.length > MAX_URI_CHARS ? endLink() : false;
  });
  if (core) boundLinkRows(core, endLink);
  return handler;
}

/** xterm searches all rows of a link for every character printed in it; this checks the newest row first and limits the rows. */
function boundLinkRows(core: Core, endLink: () => void): void {
  const links = core._oscLinkService;
  const addLineToLink = links.addLineToLink.bind(links);
  links.addLineToLink = (linkId, row) => {
    const lines = links._dataByLinkId.get(linkId)?.lines;
    if (lines?.at(-1)?.line === row) return;
    if (lines && lines.length >= MAX_LINK_ROWS) endLink();
    else addLineToLink(linkId, row);
  };
}

/** Control characters (C0, DEL, C1) and those that change the reading direction, which would falsify a title. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A title that can be shown: one line, at most `MAX_TITLE_CHARS` characters. */
export function cleanTitle(title: string): string {
  return title.slice(0, MAX_TITLE_CHARS).replace(UNPRINTABLE, '');
}

/** Handles titles itself, so that the emulator never stores a long one, and drops payloads over the limit. */
function limitPayloads(terminal: TerminalLike, onTitle: (title: string) => void): Disposable {
  const { parser } = terminal;
  const isTooLong = (data: string) => data.length > MAX_PAYLOAD_CHARS;
  const takeTitle = (data: string) => {
    onTitle(cleanTitle(data));
    return true;
  };
  return all([
    parser.registerOscHandler(0, takeTitle),
    parser.registerOscHandler(1, () => true),
    parser.registerOscHandler(2, takeTitle),
    ...[4, 8, 10, 11, 12, 104].map((ident) => parser.registerOscHandler(ident, isTooLong)),
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, isTooLong),
  ]);
}

/**
 * Applies all limits to an emulator. `onTitle` gets cleaned titles; the emulator's own title event never fires.
 * Call it before registering your own handlers, so that yours are called first.
 */
export function guardXterm(terminal: TerminalLike, onTitle: (title: string) => void): Disposable {
  const fixes = [
    fixEraseAbove(terminal),
    forgetBeyondMargin(terminal),
    keepSavedRow(terminal),
    keepScrolledUp(terminal),
  ];
  return all([clampCounts(terminal), ...fixes, limitLinks(terminal), limitPayloads(terminal, onTitle)]);
}

const QUERIES: readonly SequenceId[] = [
  { final: 'c' },
  { prefix: '>', final: 'c' },
  { prefix: '=', final: 'c' },
  { final: 'n' },
  { prefix: '?', final: 'n' },
  { final: 't' },
  { final: 'x' },
  { prefix: '>', final: 'q' },
  { prefix: '?', final: 'u' },
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
];

/**
 * Makes a viewer's emulator answer no query: only the core's answers, and a second answer would reach the program as typed
 * garbage. Does not affect the viewer's keys, mouse and focus.
 */
export function silenceReplies(terminal: TerminalLike): Disposable {
  const { parser } = terminal;
  const swallow = () => true;
  const swallowQuery = (data: string) => data.split(';').includes('?');
  return all([
    ...QUERIES.map((id) => parser.registerCsiHandler(id, swallow)),
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, swallow),
    parser.registerDcsHandler({ intermediates: '+', final: 'q' }, swallow),
    ...[4, 10, 11, 12].map((ident) => parser.registerOscHandler(ident, swallowQuery)),
  ]);
}

/** The part of a width table that xterm uses. */
interface WidthTable {
  readonly version: string;
  wcwidth(codepoint: number): 0 | 1 | 2;
  charProperties(codepoint: number, preceding: number): number;
}

interface UnicodeHandling {
  register(table: WidthTable): void;
  activeVersion: string;
}

/** Wraps a width table so that no cell takes more than `MAX_CLUSTER_CHARS` characters; the next character starts a new cell. */
function capClusters(table: WidthTable): WidthTable {
  let joined = 0;
  return {
    version: table.version,
    wcwidth: (codepoint) => table.wcwidth(codepoint),
    charProperties(codepoint, preceding) {
      const properties = table.charProperties(codepoint, preceding);
      const isJoined = (properties & 1) === 1; // lowest bit of xterm's packed properties: "belongs to the character before"
      joined = isJoined ? joined + 1 : 0;
      if (joined < MAX_CLUSTER_CHARS) return properties;
      joined = 0;
      return table.charProperties(codepoint, 0);
    },
  };
}

/** Loads a width add-on (unicode-graphemes) with bounded cells, and activates it. Both sides must do so to agree on columns. */
export function loadGraphemes<T extends { readonly unicode: object }>(
  terminal: T,
  addon: { activate(terminal: T): void },
): void {
  const unicode = terminal.unicode as UnicodeHandling;
  const capped: UnicodeHandling = {
    register: (table) => unicode.register(capClusters(table)),
    get activeVersion() {
      return unicode.activeVersion;
    },
    set activeVersion(version) {
      unicode.activeVersion = version;
    },
  };
  addon.activate({ unicode: capped } as unknown as T);
}
