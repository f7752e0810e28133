import { z } from 'zod';
import type { TerminalView } from './terminal.ts';
import { NewWorktree, type WorktreeRefusal } from './worktrees.ts';

/** An agent that Hansard knows, installed or not. */
export interface KnownAgent {
  readonly name: string;
  readonly label: string;
  /** True if its program is on the PATH of the person's login shell. */
  readonly isInstalled: boolean;
  /** The command that installs it; null if no package registry is known to have it. */
  readonly install: string | null;
  /** True if it can be started with the name of a model. */
  readonly takesModel: boolean;
}

export const StartAgent = z.object({
  /** Name of the agent. */
  name: z.string().max(64),
  cwd: z.string().min(1).max(4096),
  /** The new work tree for the agent, in the repository around `cwd`. */
  worktree: NewWorktree.optional(),
  /** Sent when the agent takes input. */
  prompt: z.string().trim().min(1).max(200_000).optional(),
  /** Name of a model, as the agent expects it. */
  model: z
    .string()
    .regex(/^[\w.:/@-]{1,100}$/)
    .optional(),
});
export type StartAgent = z.infer<typeof StartAgent>;

/** `agent`: it is not installed, and `detail` is the command that installs it. The others say why nothing was created. */
export type StartVerdict =
  | { readonly ok: true; readonly terminal: TerminalView }
  | { readonly ok: false; readonly reason: WorktreeRefusal | 'agent'; readonly detail: string };
