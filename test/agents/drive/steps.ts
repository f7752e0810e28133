import type { Reply } from '../scriptedModel/script.ts';

/** What the person does while an answer comes, once so much of its text has been sent. */
export interface Meanwhile {
  readonly atChars: number;
  /** Of which reply of the turn. Absent: the first. */
  readonly reply?: number;
  readonly does:
    | { readonly type: 'interrupt' }
    | { readonly type: 'resize'; readonly cols: number; readonly rows: number }
    | { readonly type: 'redraw' }
    | { readonly type: 'detach' }
    | { readonly type: 'attach' };
}

/** What the person says when the agent asks whether a tool may run; `wait` looks at the dialog for a while, then allows. */
export type Decision = 'allow' | 'deny' | 'wait';

/** One thing the person does. */
export type Step =
  | {
      readonly do: 'start';
      readonly agent?: string;
      /** It goes on with its last conversation. */
      readonly resumes?: true;
      /** In a new terminal; the person stays there. */
      readonly elsewhere?: true;
    }
  | {
      readonly do: 'ask';
      readonly prompt: string;
      readonly replies: readonly Reply[];
      /** How the prompt comes: typed (the default), or pasted. */
      readonly isPasted?: boolean;
      /** For each dialog, in order. Absent: all are allowed. */
      readonly decides?: readonly Decision[];
      readonly meanwhile?: readonly Meanwhile[];
      /** Typed and sent while the last answer comes; the agent asks it once that is over, or `cuts` it off where an agent can. */
      readonly queued?: { readonly prompt: string; readonly replies: readonly Reply[]; readonly cuts?: true };
    }
  | { readonly do: 'exit' | 'clear' | 'compact' | 'help' | 'redraw' | 'attach' | 'detach' }
  /** A sign that opens a list above the composer is typed, looked at, and taken back. */
  | { readonly do: 'popup'; readonly key: string }
  | { readonly do: 'resize'; readonly cols: number; readonly rows: number }
  | { readonly do: 'shell'; readonly command: string };

export interface RigCase {
  readonly name: string;
  /** What it is for, in one line. */
  readonly about: string;
  /** Agents that take part, by name, where it is not one agent alone. The variants are those of all of them. */
  readonly agents?: readonly string[];
  readonly size?: { readonly cols: number; readonly rows: number };
  /** An agent leaves out of it what it has no command for. */
  readonly isAdaptable?: true;
  /** Changes the window itself. */
  readonly resizes?: true;
  /** Files of the project before the agent starts. */
  readonly files?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
