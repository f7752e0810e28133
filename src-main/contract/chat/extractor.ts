import type { FrameRow } from '../screen/frame.ts';
import type { AgentState, ChatDoubt, ChatKind, ChatTool } from './chat.ts';
import type { PlanSource } from './progress.ts';

/** Input of an extractor: the agent's rows with attributes (scrollback since its start, and the screen), or plain lines. */
export interface ChatSnapshot {
  readonly rows: readonly FrameRow[];
  /** Index of the screen's first row in `rows`. */
  readonly screenTop: number;
  readonly cols: number;
  readonly altScreen: boolean;
  readonly title: string;
  /** Row of the screen, or null if hidden. */
  readonly cursorRow: number | null;
  /** Rows of the screen above `body`, as they were drawn. Absent: `body` begins at the top. */
  readonly header?: readonly FrameRow[];
  /** Rows that may not continue the row above, because two snapshots were joined there by similarity. Absent: none. */
  readonly seams?: readonly number[];
}

/** The options of a question on the screen. */
export interface ShownQuestion {
  readonly options: readonly string[];
  /** Index of the option that Return chooses; null if no glyph points at one. */
  readonly pointed: number | null;
  /** Number of the first option; null for options without numbers. */
  readonly firstNumber: number | null;
}

/** A message in one snapshot, before it is merged into the log. Rows are indices into the snapshot's. */
export interface ExtractedMessage {
  readonly kind: ChatKind;
  readonly text: string;
  readonly tool?: ChatTool;
  /** The options of a question: their labels, and the one that Return chooses. */
  readonly question?: ShownQuestion;
  readonly fromRow: number;
  /** First row after it. */
  readonly toRow: number;
  /** Its first rows have scrolled out of the snapshot, so `text` is its end. */
  readonly isHeadCut: boolean;
  /** Rows inside it are blank, reserved for later drawing: a `GAP_LINE` in `text` represents them. */
  readonly hasGap?: boolean;
  /** Later rows may still belong to it: it is the last one, and the agent works. */
  readonly isOpen: boolean;
  /** Its rows come from several snapshots without proof of their order: rows may be missing or repeated. */
  readonly doubt?: ChatDoubt;
  /** The agent printed below it that it was interrupted, so the message has no end. */
  readonly isStopped?: boolean;
  /** It is on a screen with a seam, so it may be a redrawn older message. */
  readonly isInSeamed?: boolean;
  /** A prompt that was not sent with this text: it may be an older one, drawn differently. */
  readonly isUnsent?: boolean;
  readonly confidence: number;
}

/** The content of one snapshot. */
export interface Extraction {
  readonly messages: readonly ExtractedMessage[];
  readonly state: AgentState;
  /** The rule that decided the state, and the line it matched, for people. */
  readonly evidence: { readonly rule: string; readonly line: string } | null;
  /** The conversation is covered (a dialog, a menu, a transcript overlay): add messages, but remove none. */
  readonly isCovered: boolean;
  /** Text of the agent's input box: '' if empty, absent if no box is found. */
  readonly draft?: string;
  /** The input box runs its text as a shell command. */
  readonly isShell?: boolean;
  /** The id on its exit lines with which the agent can resume. */
  readonly resumeId?: string;
  /** The newest plan or to-do list on the screen. Absent if there is none, or it cannot be read. */
  readonly plan?: PlanSource;
}

/** Rows of a screen, `to` excluded. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Everything specific to one agent. Pure: equal snapshots give equal results. */
export interface IExtractor {
  readonly name: string;
  /** The agent's name for people, such as in its speaker line of a conversation. */
  readonly label: string;
  readonly version: number;
  /** An unknown agent without a description of its screens: a glyph counts as a pointer only after a key has moved it. */
  readonly isGeneric?: true;
  /** Versions whose recordings tests compare with the agent's real messages. Absent: none. */
  readonly checked?: readonly string[];
  /** The command line with which a person starts it. Absent: its name. */
  readonly start?: string;
  /** The provider of its models, as OpenTelemetry names it (`gen_ai.provider.name`). Absent: the person chooses a provider. */
  readonly provider?: string;
  /** The option of its command line for the name of a model. Absent: it has no option for that. */
  readonly modelFlag?: string;
  /** The command that installs it. Absent: npm installs its first package. */
  readonly install?: string;
  /** Names of its packages. */
  readonly packages?: readonly string[];
  /** Whether the words of a command line start this agent, even inside a runtime or launcher. Absent: the command line never shows it. */
  isProgram?(argv: readonly string[]): boolean;
  /** The state that a title reports; null if it reports none. */
  stateOfTitle?(title: string): { state: AgentState; rule: string } | null;
  /** The state that an OSC 9, 99 or 777 text reports; null if it reports none. */
  stateOfNotification?(text: string): { state: AgentState; rule: string } | null;
  /** True if typed text goes into the option of this label while the pointer is at it. Absent: no option takes text. */
  takesText?(label: string): boolean;
  /** Rows of the screen in which the conversation scrolls; rows above are fixed (a row of tabs). Absent: all. */
  body?(screen: ChatSnapshot): RowRange;
  /** The row without foreign parts (a clock or scroll bar at its edge, a column beside it). Absent: rows have none. */
  mask?(row: FrameRow, screen: ChatSnapshot): FrameRow;
  /**
   * For an agent on the alternate screen that draws its whole last turn when it has room: the time it takes after the PTY has
   * grown, ms. Absent: the agent gets no full redraw.
   */
  readonly sweepMs?: number;
  /** Probability, 0 to 1, that this is the agent's screen, by its welcome or its input box. */
  recognise(snapshot: ChatSnapshot): number;
  extract(snapshot: ChatSnapshot): Extraction;
}

/** The rows that left the screen since the last step, and the screen. Steps may share rows. */
export interface ScreenStep {
  /** All bytes before this offset of output.raw have been parsed. */
  readonly at: number;
  /** ms since 1970. */
  readonly atMs: number;
  /** The frame's; increases by one when something visible changed. */
  readonly seq: number;
  /** Rows that left through the top since the last step, in order, each once: scrolled off, or pushed out of a scroll region. */
  readonly left: readonly FrameRow[];
  /** Of the first step of a program on the normal screen alone: so many rows at its top are the shell's. Its own further up are in `left`. */
  readonly foreignRows?: number;
  /** The screen or the rows above were erased since then (ED 2, ED 3, RIS), or the buffer switched: the next rows may be redrawn old text. */
  readonly isErased: boolean;
  /** The first `leftApart` rows of `left` are not continued by the next: in between, the screen was erased or redrawn. Absent: none. */
  readonly leftApart?: number;
  /** The screen was drawn for another size, see `ResizeLag`. Absent: no sign of that. */
  readonly isMisfit?: boolean;
  /** The rows below the last row of `left` when it left a region, down to the first with words. Absent if it left the normal screen. */
  readonly below?: readonly FrameRow[];
  /** All rows of the screen. */
  readonly rows: readonly FrameRow[];
  readonly cols: number;
  readonly altScreen: boolean;
  readonly title: string;
  /** Null if the cursor is hidden. */
  readonly cursorRow: number | null;
}
