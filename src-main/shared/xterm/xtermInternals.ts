import type { IBuffer, IBufferCell, IBufferLine, Terminal } from '@xterm/headless';
import type { CursorShape } from '../../contract/screen/frame.ts';

/**
 * Internals of xterm 6.0.0 that the screen needs: synchronous parsing (the public `write` waits for a
 * timer each time), modes without a public API, and a cell's underline and link. `internalsOf` throws at once if another
 * version of xterm has moved them, so that an upgrade cannot break this silently.
 */
export interface XtermCore {
  readonly _inputHandler: {
    parse(bytes: Uint8Array): void;
    /** The parser calls it by this name for each run of text. */
    print(data: Uint32Array, start: number, end: number): void;
    eraseInDisplay(params: { params: number[] }): boolean;
    readonly _curAttrData: CellLook;
    readonly _parser: { readonly currentState: number; readonly precedingJoinState: number };
  };
  readonly _bufferService: { scroll(look: object, isWrapped?: boolean): void };
  readonly coreService: {
    readonly isCursorHidden: boolean;
    readonly modes: { readonly insertMode: boolean };
    readonly decPrivateModes: DecModes;
  };
  readonly coreMouseService: { readonly activeProtocol: string; readonly activeEncoding: string };
  readonly buffers: { readonly normal: CoreBuffer; readonly alt: CoreBuffer; readonly active: CoreBuffer };
  readonly _charsetService: {
    readonly glevel: number;
    readonly charset: Charset | undefined;
    readonly _charsets: (Charset | undefined)[];
  };
  readonly _oscLinkService: { getLinkData(linkId: number): { id?: string; uri: string } | undefined };
  readonly options: { convertEol: boolean };
  /** Without the checks of the public options. */
  readonly optionsService: { readonly rawOptions: { readonly scrollback: number } };
}

/** Replacements of ASCII characters. */
export type Charset = Record<string, string>;

export interface DecModes {
  readonly applicationCursorKeys: boolean;
  readonly applicationKeypad: boolean;
  readonly bracketedPasteMode: boolean;
  readonly cursorBlink: boolean | undefined;
  readonly cursorStyle: CursorShape | undefined;
  readonly origin: boolean;
  readonly reverseWraparound: boolean;
  readonly sendFocus: boolean;
  synchronizedOutput: boolean;
  readonly wraparound: boolean;
}

/** One of the two buffers. Rows from 0 at the top of the screen, columns from 0; `savedY` counts from the top of the scrollback. */
export interface CoreBuffer {
  readonly x: number;
  readonly y: number;
  readonly ybase: number;
  /** All kept lines, those above the screen first. */
  readonly lines: { get(at: number): CoreLine | undefined };
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly savedX: number;
  readonly savedY: number;
  readonly savedCurAttrData: CellLook;
  readonly savedCharset: Charset | undefined;
  readonly tabs: Record<number, boolean | undefined>;
}

/** The attributes of a cell, as xterm packs them into `fg`, `bg` and `extended`. */
export interface CellLook
  extends Pick<
    IBufferCell,
    | 'getFgColor'
    | 'getBgColor'
    | 'isFgRGB'
    | 'isBgRGB'
    | 'isFgPalette'
    | 'isBgPalette'
    | 'isBgDefault'
    | 'isBold'
    | 'isDim'
    | 'isItalic'
    | 'isBlink'
    | 'isInverse'
    | 'isInvisible'
    | 'isStrikethrough'
    | 'isOverline'
  > {
  readonly fg: number;
  bg: number;
  readonly extended: { readonly ext: number; readonly urlId: number; readonly _ext: number };
}

/** A cell of the public API with its attributes. */
export type Cell = IBufferCell & CellLook;

/** Parser state between sequences: the next byte starts something new. */
export const PARSER_GROUND = 0;

export function internalsOf(terminal: Terminal): XtermCore {
  const core = (terminal as unknown as { _core?: XtermCore })._core;
  const isKnown =
    typeof core?._inputHandler?.parse === 'function' &&
    typeof core._inputHandler.print === 'function' &&
    typeof core._inputHandler._parser?.currentState === 'number' &&
    typeof core.coreService?.decPrivateModes?.wraparound === 'boolean' &&
    typeof core.buffers?.normal?.scrollBottom === 'number' &&
    coreLineOf({ _line: core.buffers.normal.lines?.get(0) } as never) !== undefined &&
    typeof core._bufferService?.scroll === 'function' &&
    typeof core._oscLinkService?.getLinkData === 'function' &&
    typeof core.optionsService?.rawOptions?.scrollback === 'number' &&
    Array.isArray(core._charsetService?._charsets);
  if (!core || !isKnown)
    throw new Error('This version of @xterm/headless keeps its state elsewhere: see xtermInternals.ts');
  return core;
}

/** The internal line of a public one: its cells as numbers, `length` cells. */
export interface CoreLine {
  readonly _data: Uint32Array;
  readonly length: number;
  readonly isWrapped: boolean;
}

export function coreLineOf(line: IBufferLine | undefined): CoreLine | undefined {
  const own = (line as unknown as { _line?: CoreLine } | undefined)?._line;
  return own?._data instanceof Uint32Array ? own : undefined;
}

/** A reusable cell, so that reading a screen allocates nothing per cell. */
export function scratchCell(buffer: IBuffer): Cell {
  return buffer.getNullCell() as Cell;
}
