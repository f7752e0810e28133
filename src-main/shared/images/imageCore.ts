import type { CoreTile } from './imageTiles.ts';

/** Receives a sequence's text in pieces of code points from xterm's parser. */
export interface StringHandler {
  put(data: Uint32Array, start: number, end: number): void;
}
export interface DcsHandler extends StringHandler {
  hook(): void;
  unhook(isComplete: boolean): boolean;
}
export interface OscHandler extends StringHandler {
  start(): void;
  end(isComplete: boolean): boolean;
}

interface Disposable {
  dispose(): void;
}

/** A line's cells in xterm 6.0.0: three numbers each, and extended attributes of a few. */
export interface ImageLine {
  readonly _data: Uint32Array;
  readonly _extendedAttrs: Record<number, (object & { tile?: CoreTile }) | undefined>;
  readonly length: number;
  isWrapped: boolean;
  replaceCells(start: number, end: number, fill: object): void;
}

export interface ImageBuffer {
  x: number;
  y: number;
  readonly ybase: number;
  readonly lines: { readonly length: number; get(at: number): ImageLine | undefined };
  getNullCell(): object;
}

interface Transitions {
  readonly table: Uint8Array;
}

/** The internals of xterm 6.0.0 for placing images, equal in the core's emulator and the window's. */
export interface ImageCore {
  readonly buffers: { readonly active: ImageBuffer };
  readonly _inputHandler: {
    lineFeed(): boolean;
    readonly _curAttrData: { readonly extended: object };
    readonly _dirtyRowTracker: { markRangeDirty(from: number, to: number): void };
    readonly _parser: {
      _transitions: Transitions;
      readonly _dcsParser: { registerHandler(ident: number, handler: DcsHandler): Disposable };
      readonly _oscParser: { registerHandler(ident: number, handler: OscHandler): Disposable };
    };
  };
}

/** undefined if another version of xterm has moved them: no image is shown then, and the text is unchanged. */
export function imageCoreOf(terminal: object): ImageCore | undefined {
  const core = (terminal as { _core?: Partial<ImageCore> })._core;
  const handler = core?._inputHandler;
  const isKnown =
    typeof handler?.lineFeed === 'function' &&
    typeof handler._dirtyRowTracker?.markRangeDirty === 'function' &&
    typeof handler._parser?._dcsParser?.registerHandler === 'function' &&
    typeof handler._parser._oscParser?.registerHandler === 'function' &&
    handler._parser._transitions?.table instanceof Uint8Array &&
    typeof core?.buffers?.active?.lines.get(0)?.replaceCells === 'function';
  return isKnown ? (core as ImageCore) : undefined;
}

const ESC = 0x1b;
const APC = 0x5f;
const DCS = 0x50;
/** A byte that the parser collects at the start of a DCS, `$`. */
const COLLECTED = 0x24;
/** A state that the parser of xterm 6.0.0 does not have: it has 0 to 13, and room for 16. */
const AFTER_APC = 14;

/**
 * xterm 6.0.0 skips APC strings. This makes it read those that begin with one of `letters` as DCS strings, with the underscore before their
 * name, which no DCS can have: `ESC _ G` becomes the DCS named `_G`, and no handler of a real DCS is called. Other strings are still
 * skipped.
 */
export function readApc({ _inputHandler: { _parser } }: ImageCore, letters: string): void {
  const { table } = _parser._transitions;
  const escaped = stateOf(table[ESC]); // from the first state, the ground state
  const passing = stateOf(table[(escaped << 8) | APC]);
  const entry = stateOf(table[(escaped << 8) | DCS]);
  const own = table.slice();
  own.copyWithin(AFTER_APC << 8, passing << 8, (passing + 1) << 8);
  for (const letter of letters) {
    const code = letter.charCodeAt(0);
    own[(AFTER_APC << 8) | code] = table[(entry << 8) | code] ?? 0;
  }
  own[(escaped << 8) | APC] = (actionOf(table[(entry << 8) | COLLECTED]) << 4) | AFTER_APC;
  _parser._transitions = { table: own };
}

/** Name of an APC string that begins with `letter`, in the parser's form for handlers. */
export function apcName(letter: string): number {
  return (APC << 8) | letter.charCodeAt(0);
}

function stateOf(transition = 0): number {
  return transition & 15;
}

function actionOf(transition = 0): number {
  return transition >> 4;
}
