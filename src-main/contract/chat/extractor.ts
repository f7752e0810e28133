import type { FrameRow } from '../screen/frame.ts';
import type { AgentState, ChatDoubt, ChatKind, ChatTool } from './chat.ts';
import type { PlanSource } from './progress.ts';

/** What an extractor reads: the agent's rows with their looks, scrollback since it started and the screen, or plain lines. */
export interface ChatSnapshot {
  readonly rows: readonly FrameRow[];
  /** Index of the screen's first row in `rows`. */
  readonly screenTop: number;
  readonly cols: number;
  readonly altScreen: boolean;
  readonly title: string;
  /** Row of the screen, or null when it is hidden. */
  readonly cursorRow: number | null;
  /** Rows that may not continue the row above: two snapshots were joined there by similarity. Absent: none. */
  readonly seams?: readonly number[];
}

/** The options of a question on the screen. */
export interface ShownQuestion {
  readonly options: readonly string[];
  /** Index of the option that Return chooses; null when no glyph points at one. */
  readonly pointed: number | null;
  /** The number of the first option; null for options without numbers. */
  readonly firstNumber: number | null;
}

/** A message as one snapshot shows it, before it is merged into the log. Rows are indices into the snapshot's. */
export interface ExtractedMessage {
  readonly kind: ChatKind;
  readonly text: string;
  readonly tool?: ChatTool;
  /** The options of a question: their labels, and the one that Return chooses. */
  readonly question?: ShownQuestion;
  readonly fromRow: number;
  /** First row behind it. */
  readonly toRow: number;
  /** Its first rows have scrolled out of the snapshot: `text` is the end of it. */
  readonly isHeadCut: boolean;
  /** Rows amid it are left free, for what is drawn later: in `text` a `GAP_LINE` stands for them. */
  readonly hasGap?: boolean;
  /** Rows that follow may still belong to it: it is the last one, and the agent is at work. */
  readonly isOpen: boolean;
  /** Its rows come from several snapshots without proof of their order: rows may be missing or repeated. */
  readonly doubt?: ChatDoubt;
  /** The agent printed below it that it was interrupted, so the message has no end. */
  readonly isStopped?: boolean;
  /** It stands in a picture with a seam: it may be an older one drawn once more. */
  readonly isInSeamed?: boolean;
  /** A prompt that nobody sent as it stands here: it may be an older one, drawn otherwise. */
  readonly isUnsent?: boolean;
  readonly confidence: number;
}

/** What one snapshot tells. */
export interface Extraction {
  readonly messages: readonly ExtractedMessage[];
  readonly state: AgentState;
  /** The rule that decided the state and the line it matched, for people. */
  readonly evidence: { readonly rule: string; readonly line: string } | null;
  /** Something covers the conversation (a dialog, a menu, a transcript overlay): add only, take nothing away. */
  readonly isCovered: boolean;
  /** What stands in the agent's input box: '' for an empty one, absent where none is seen. */
  readonly draft?: string;
  /** The id on its exit lines with which the agent can go on. */
  readonly resumeId?: string;
  /** The newest plan or to-do list that the screen shows. Absent: it shows none, or not so that it can be read. */
  readonly plan?: PlanSource;
}

/** Rows of a screen, `to` left out. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** All that is known of one agent. Pure: the same snapshot gives the same. */
export interface IExtractor {
  readonly name: string;
  /** As people call the agent, such as its speaker line in a conversation. */
  readonly label: string;
  readonly version: number;
  /** Nobody has described this agent's screens: what looks like a pointer counts as one only once a key has moved it. */
  readonly isGeneric?: true;
  /** Versions whose recordings tests compare with what was really said. Absent: none. */
  readonly checked?: readonly string[];
  /** The command line with which a person starts it. Absent: its name. */
  readonly start?: string;
  /** The provider of its models, as OpenTelemetry names it (`gen_ai.provider.name`). Absent: the person chooses a provider. */
  readonly provider?: string;
  /** The option of its command line for the name of a model. Absent: it has no option for that. */
  readonly modelFlag?: string;
  /** The command that installs it. Absent: npm installs its first package. */
  readonly install?: string;
  /** Names of the packages it comes in. */
  readonly packages?: readonly string[];
  /** Whether the words of a command line start this agent, whatever wraps it (a runtime, a launcher). Absent: never told from it. */
  isProgram?(argv: readonly string[]): boolean;
  /** What a title says of the state; null for one that tells nothing. */
  stateOfTitle?(title: string): { state: AgentState; rule: string } | null;
  /** What an OSC 9, 99 or 777 text says of the state; null for one that tells nothing. */
  stateOfNotification?(text: string): { state: AgentState; rule: string } | null;
  /** True if typed text goes into the option of this label while the pointer is at it. Absent: no option takes text. */
  takesText?(label: string): boolean;
  /** Rows of the screen in which the conversation scrolls; what is above never does (a row of tabs). Absent: all. */
  body?(screen: ChatSnapshot): RowRange;
  /** The row without what is no part of it (a clock or scroll bar at its edge, a column beside it). Absent: as it is. */
  mask?(row: FrameRow, screen: ChatSnapshot): FrameRow;
  /**
   * Of an agent that draws on the alternate screen and draws its whole last turn when it has room: how long it takes to do so
   * after the PTY has grown, ms. Absent: its lines are never swept.
   */
  readonly sweepMs?: number;
  /** Whether this is the agent's screen, 0 to 1, by its welcome or its input box. */
  recognise(snapshot: ChatSnapshot): number;
  extract(snapshot: ChatSnapshot): Extraction;
}

/** What left the screen since the step before, then what it shows. Rows may be shared between steps. */
export interface ScreenStep {
  /** Everything before this offset of output.raw has been parsed. */
  readonly at: number;
  /** ms since 1970. */
  readonly atMs: number;
  /** Of the frame; grows by one when something visible changed. */
  readonly seq: number;
  /** Rows that left through the top since the step before, in order, each once: scrolled off, or pushed out of a scroll region. */
  readonly left: readonly FrameRow[];
  /** Of the first step of a program on the normal screen alone: so many rows at its top are the shell's. Its own further up are in `left`. */
  readonly foreignRows?: number;
  /** The screen or what is above it was erased since then (ED 2, ED 3, RIS), or the buffer switched: what follows may be a drawing of old text. */
  readonly isErased: boolean;
  /** So many rows of `left` are not continued by those behind them: between, the screen was erased or drawn anew. Absent: none. */
  readonly leftApart?: number;
  /** It was drawn for another size: words were put where the screen has no cells, and it was not erased since. Absent: no sign of that. */
  readonly isMisfit?: boolean;
  /** What stood below the last row of `left` when it left a region, down to the first row with words. Absent: it was the normal screen's. */
  readonly below?: readonly FrameRow[];
  /** All rows of the screen. */
  readonly rows: readonly FrameRow[];
  readonly cols: number;
  readonly altScreen: boolean;
  readonly title: string;
  /** Null when the cursor is hidden. */
  readonly cursorRow: number | null;
}
