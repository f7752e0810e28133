import type { WordsMark } from './mcp/aliasWords.ts';
import type { NamesMark } from './shellNames.ts';

/**
 * What PtyDataProcessor reads out of the bytes. `at` is an offset in output.raw: where the thing that the event tells of
 * starts; `end` is where it ends. Events come in the order of their offsets; `output` events hold every byte that is not a
 * marker of ours exactly once.
 */
export type TerminalEvent =
  | OutputEvent
  | BlockMarkEvent
  | { type: 'altScreen'; at: number; end: number; on: boolean }
  /** ED 3, RIS, or ED 2 with the cursor home (what `clear` prints). Nothing is deleted from the record. */
  | { type: 'screenCleared'; at: number; end: number; by: 'ED2' | 'ED3' | 'RIS' }
  /** The cursor was moved off its line (CUP, CUU, IL, DECSTBM, …), so line-wise text is not the picture. */
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
  /** OSC 7501, by which an agent says how it is: `state=working:app=name`. At most 512 bytes, cleaned. */
  | { type: 'agentStatus'; at: number; body: string }
  /** OSC 52 with text to write; a read is never an event. At most 1 MiB decoded. */
  | { type: 'clipboardWrite'; at: number; text: string }
  /** A mark of ours without the right nonce. Its bytes are output like any other. */
  | { type: 'spoof'; at: number };

/** A view on the chunk that was fed; valid until the next feed. Copy what you keep. */
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
      /** Exact text, when the mark carried one. */
      cmd: string | null;
      cwd: string | null;
      /** The shell keeps lines with a leading space out of its history. */
      ignoresSpace: boolean;
      /** The command as the shell's history has it, with its lines joined and changed. It can prove a text, but is not the text. */
      joined?: string;
      /** The prompt of continued lines, where it is plain text. */
      continuation?: string;
      /** The last lines that keys entered, as many as the command has; null for one that was edited. */
      typedLines?: readonly (string | null)[];
      /** How many lines the command was typed in, when there were several. */
      lines?: number;
      /** The shell itself writes control sequences before the command does. */
      hasLead?: true;
      /** The shell's own count of commands, when the mark carried it: its end carries the same. */
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
      /** Of the hook, where it tells what the shell's own words are. */
      words?: WordsMark;
      /** The hook's report on the commands of the shell, if it made one. */
      names?: NamesMark;
    }
  /** OSC 133;P / 133;A / 633;A: a prompt starts being drawn. */
  | { type: 'promptStart'; at: number; end: number }
  /** OSC 133;B / 633;B: the prompt is drawn, the person types from here. */
  | { type: 'promptEnd'; at: number; end: number };

export type MarkSource = 'hook' | 'OSC 133' | 'OSC 633';
