import type { Reply } from '../scriptedModel/script.ts';

/** An action of the person during an answer, after `atChars` characters of it. */
export interface Meanwhile {
  readonly atChars: number;
  /** Index of the reply in the turn. Absent: the first. */
  readonly reply?: number;
  readonly does:
    | { readonly type: 'interrupt' }
    | { readonly type: 'resize'; readonly cols: number; readonly rows: number }
    | { readonly type: 'redraw' }
    | { readonly type: 'detach' }
    | { readonly type: 'attach' };
}

/** The person's answer to a permission prompt; `wait` allows after a pause. */
export type Decision = 'allow' | 'deny' | 'wait';

/** One action of the person. */
export type Step =
  | {
      readonly do: 'start';
      readonly agent?: string;
      /** The agent resumes its last conversation. */
      readonly resumes?: true;
      /** Starts in a new terminal, which later steps use too. */
      readonly elsewhere?: true;
    }
  | {
      readonly do: 'ask';
      readonly prompt: string;
      readonly replies: readonly Reply[];
      /** Whether the prompt is pasted. Absent: typed. */
      readonly isPasted?: boolean;
      /** Answers to dialogs, in order. Absent: allow all. */
      readonly decides?: readonly Decision[];
      readonly meanwhile?: readonly Meanwhile[];
      /** A prompt sent during the last answer. The agent asks it after that answer, or at once with `cuts`, if the agent supports it. */
      readonly queued?: { readonly prompt: string; readonly replies: readonly Reply[]; readonly cuts?: true };
    }
  | { readonly do: 'exit' | 'clear' | 'compact' | 'help' | 'redraw' | 'attach' | 'detach' }
  /** Types a character that opens a list above the agent's input box, waits, and deletes it. */
  | { readonly do: 'popup'; readonly key: string }
  | { readonly do: 'resize'; readonly cols: number; readonly rows: number }
  | { readonly do: 'shell'; readonly command: string };

export interface RigCase {
  readonly name: string;
  /** Purpose of the case, in one line. */
  readonly about: string;
  /** Names of the agents, if the case needs several. A variant applies to all of them. */
  readonly agents?: readonly string[];
  readonly size?: { readonly cols: number; readonly rows: number };
  /** An agent skips steps for which it has no command. */
  readonly isAdaptable?: true;
  /** The case itself resizes the window. */
  readonly resizes?: true;
  /** Files of the project at the start, path → text. */
  readonly files?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
