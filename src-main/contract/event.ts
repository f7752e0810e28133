import type { WordsMark } from './mcp/aliasWords.ts';
import type { NamesMark } from './shellNames.ts';

/**
 * Events that PtyDataProcessor finds in the bytes. `at` is the offset in output.raw at which the event's bytes start, `end` the offset
 * at which they end. Events come in the order of their offsets; `output` events contain every byte outside of our markers
 * exactly once.
 */
export type TerminalEvent =
  | OutputEvent
  | BlockMarkEvent
  | { type: 'altScreen'; at: number; end: number; on: boolean }
  /** ED 3, RIS, or ED 2 with the cursor home (as `clear` prints). Deletes nothing from the record. */
  | { type: 'screenCleared'; at: number; end: number; by: 'ED2' | 'ED3' | 'RIS' }
  /** The cursor left its line (CUP, CUU, IL, DECSTBM, …), so the text by lines differs from the screen. */
  | { type: 'addressed'; at: number }
  | { type: 'cwd'; at: number; path: string; by: 'OSC 7' | 'OSC 9;9' | 'OSC 1337' | 'OSC 633' }
  /** At most 1,024 characters, control and bidi characters removed. */
  | { type: 'title'; at: number; title: string }
  | { type: 'bell'; at: number }
  /** OSC 9, 777, 99. Text only. */
  | { type: 'notification'; at: number; title: string | null; body: string }
  /** OSC 9;4. `percent` is null while indeterminate. */
  | {
      type: 'progress';
      at: number;
      state: 'none' | 'normal' | 'error' | 'indeterminate' | 'paused';
      percent: number | null;
    }
  /** OSC 7501, with which an agent reports its state: `state=working:app=name`. At most 512 bytes, cleaned. */
  | { type: 'agentStatus'; at: number; body: string }
  /** OSC 52 with text to write; a read causes no event. At most 1 MiB decoded. */
  | { type: 'clipboardWrite'; at: number; text: string }
  /** One of our marks without the right nonce. Its bytes are ordinary output. */
  | { type: 'spoof'; at: number };

/** A view of the current chunk, valid until the next feed. Copy it to keep it. */
export interface OutputEvent {
  type: 'output';
  at: number;
  end: number;
  bytes: Uint8Array;
}

export type BlockMarkEvent =
  | {
      type: 'begin';
      at: number;
      /** First byte after the marker: the block's rawStart. */
      end: number;
      trusted: boolean;
      by: MarkSource;
      /** Exact text, if the mark has one. */
      cmd: string | null;
      cwd: string | null;
      /** The shell keeps lines with a leading space out of its history. */
      ignoresSpace: boolean;
      /** The command in the shell's history, with its lines joined and changed. It can prove a text, but is not the text. */
      joined?: string;
      /** The prompt of continued lines, if it is plain text. */
      continuation?: string;
      /** The last entered lines, as many as the command has; null for one that was edited. */
      typedLines?: readonly (string | null)[];
      /** Number of lines in which the command was typed, if there were several. */
      lines?: number;
      /** The shell writes control sequences before the command does. */
      hasLead?: true;
      /** The shell's count of commands, if the mark has it: the command's end has the same. */
      count?: number;
    }
  | { type: 'end'; at: number; end: number; trusted: boolean; by: MarkSource; exitCode: number | null; count?: number }
  /** The hook's own PROMPT: the shell is about to draw its prompt. */
  | {
      type: 'prompt';
      at: number;
      end: number;
      trusted: boolean;
      by: MarkSource;
      cwd: string | null;
      shell: string | null;
      version: string | null;
      degraded: string | null;
      /** From a hook that reports the shell's own words. */
      words?: WordsMark;
      /** The hook's report on the shell's commands, if any. */
      names?: NamesMark;
    }
  /** OSC 133;P / 133;A / 633;A: the prompt starts. */
  | { type: 'promptStart'; at: number; end: number }
  /** OSC 133;B / 633;B: the prompt ends, and the person types from here. */
  | { type: 'promptEnd'; at: number; end: number };

export type MarkSource = 'hook' | 'OSC 133' | 'OSC 633';
