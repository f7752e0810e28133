import type { StyledSpan } from '../block.ts';

/** One row of the screen, from its cells. Trailing cells without text and colour are left out. */
export interface FrameRow {
  /** Text of all spans; a wide character counts once, an unwritten cell is a space. */
  readonly text: string;
  /** The same text, cut where the attributes change. */
  readonly spans: readonly StyledSpan[];
  /** The row continues the one above it: the text was too long for one row. */
  readonly wrapped: boolean;
  /** Ranges [from, to) of `text` that the shell wrote: its prompt and the command line. Absent if there are none, or no shell hook reports them. */
  readonly shellText?: readonly (readonly [number, number])[];
}

export type CursorShape = 'block' | 'underline' | 'bar';

/** The visible screen at one `seq`. Frozen; rows may be shared with other frames. */
export interface Frame {
  readonly rows: readonly FrameRow[];
  /** Row and column from 0; `col` equals `cols` if the next character would wrap. */
  readonly cursor: {
    readonly row: number;
    readonly col: number;
    readonly visible: boolean;
    /** Absent until the program chooses one. */
    readonly shape?: CursorShape;
  };
  /** At most 1,024 characters, without control and bidi characters. */
  readonly title: string;
  readonly altScreen: boolean;
  readonly cols: number;
  readonly rowsCount: number;
  /** Number of rows above the screen. */
  readonly scrollbackTotal: number;
  /** Increases by one when something visible changed since the last frame. */
  readonly seq: number;
  /** Changes when the emulator was reset or rebuilt, so that `seq` and rows of another epoch cannot be compared. */
  readonly epoch: number;
}

/** Colours that answer colour queries, each `#rrggbb`. */
export interface TerminalColors {
  readonly foreground: string;
  readonly background: string;
  readonly cursor: string;
}
