import type { Block } from '../../src-main/contract/block.ts';
import type { AgentStatus } from '../../src-main/contract/chat/chat.ts';
import type { Approval } from '../../src-main/contract/mcp/approval.ts';
import type { TerminalView } from '../../src-main/contract/terminal.ts';
import { strings } from '../app/strings.ts';
import type { KeptLine } from '../composer/editor/LineEditor.ts';
import { Kills } from '../composer/line/Kills.ts';
import { TypedAhead } from '../composer/TypedAhead.svelte.ts';
import { isWaiting } from '../conversation/chatWords.ts';

/** `erred`: the last command failed unseen; `waits`: an agent wants an answer, here or from outside; `ready`: an agent waits for nothing but the next thing to do. */
export type TabStatus = 'running' | 'idle' | 'rang' | 'waits' | 'erred' | 'ready' | 'exited' | 'failed';

/** One tab: what the core says of its terminal, and what the window remembers about it. */
export class TerminalState {
  readonly id: string;
  view = $state.raw<TerminalView>() as TerminalView;
  /** Blocks ⇄ Terminal. */
  mode = $state<'blocks' | 'terminal'>('blocks');
  /** Newest block; null when there is none, undefined until the core has answered. */
  lastBlock = $state.raw<Block | null | undefined>(undefined);
  /** Where typed keys go. Set by the composer's rules and by `Ctrl+.`. */
  keysTo = $state<'composer' | 'program'>('composer');
  /** Whether a command was last seen to have the keys here; null before anything was seen. Coming back to a tab is no news. */
  isSettled: boolean | null = null;
  /** A long command ended while nobody looked: its first line. */
  news = $state<string | null>(null);
  /** How the last command failed, until somebody looks at the tab. */
  failure = $state.raw<Failure | null>(null);
  /** Lines typed ahead for a command that does not exist. A password may be among them: they are shown and run by nobody but the person. */
  held = $state.raw<readonly string[]>([]);
  #draft = $state('');
  /** What ran when the draft was begun, null at a prompt. */
  #draftedFor: string | null = null;
  /** What was typed since Return, until it is known whose it is. */
  readonly ahead = new TypedAhead();
  /** The composer comes and goes with the view; what was cut in it stays. */
  readonly kills = new Kills();
  /** So do its carets and what can be undone. Undefined before the first editor goes. */
  line: KeptLine | undefined;

  readonly running = $derived.by(() => {
    const block = this.lastBlock;
    return block && block.id === this.view.runningBlockId ? block : null;
  });
  readonly #asked: () => Approval | undefined;
  /** What an outside client asks for here, the oldest of it. */
  readonly asked = $derived.by(() => this.#asked());
  /** The agent that has this terminal now, or null. */
  readonly agent = $derived(agentOf(this.view));
  readonly isRunning = $derived(this.view.runningBlockId !== null);
  /** What runs: the person's name for the tab, else the command that runs or ran last, else the shell. */
  readonly label = $derived(this.view.name ?? headline((this.running ?? lastCommand(this))?.cmd) ?? this.view.shell);
  /** Who gets the keys when they do not go to the composer: the program's own name, without its path. */
  readonly program = $derived.by(() => {
    if (!this.isRunning) return this.view.shell;
    const called = programName(this.running?.cmd);
    const { keyTaker } = this.view;
    if (called !== undefined && (keyTaker === null || keyTaker.words.includes(called))) return called;
    return this.agent?.label ?? keyTaker?.name ?? strings.tabs.theProgram;
  });
  readonly status = $derived.by((): TabStatus => {
    const { state, exitCode, signal } = this.view;
    // Neither code nor signal: how it ended is not known, as with most recordings.
    if (state === 'exited') return signal === null && (exitCode ?? 0) === 0 ? 'exited' : 'failed';
    if (this.asked || (this.agent && isWaiting(this.agent.state))) return 'waits';
    if (this.failure !== null) return 'erred';
    if (this.view.bell || this.news !== null) return 'rang';
    if (this.agent?.state === 'idle') return 'ready';
    return this.isRunning ? 'running' : 'idle';
  });

  /** What stands in the command editor. */
  get draft(): string {
    return this.#draft;
  }

  set draft(text: string) {
    if (this.#draft === '') this.#draftedFor = this.view.runningBlockId;
    this.#draft = text;
  }

  /** What the draft is a line for: a program that an outside client has begun since is not meant. */
  get draftedFor(): string | null {
    const { runningBlockId } = this.view;
    const isClients = this.running?.actor !== 'user';
    return this.#draft !== '' && isClients ? this.#draftedFor : runningBlockId;
  }

  /** The person has seen what runs now and goes on with the draft. */
  seenRunning(): void {
    this.#draftedFor = this.view.runningBlockId;
  }

  /** `asked` is read again whenever what it reads changes. */
  constructor(view: TerminalView, asked: () => Approval | undefined = () => undefined) {
    this.id = view.id;
    this.view = view;
    this.#asked = asked;
  }
}

/** A command that ended with an error. */
export interface Failure {
  atMs: number;
  exitCode: number | null;
  signal: string | null;
}

/** Ctrl+C and a closed pipe are the person's own ends, no failures. */
const OWN_ENDS = new Set([130, 141]);

/** How the command failed; null for one that did not, or whose end is not known. */
export function failureOf({ exitCode, signal, endedMs }: Block): Failure | null {
  if (endedMs === null || exitCode === null || exitCode === 0 || OWN_ENDS.has(exitCode)) return null;
  return { atMs: endedMs, exitCode, signal: signal ?? null };
}

/** One with a leading space is kept out of every list. */
function lastCommand({ lastBlock, isRunning }: TerminalState): Block | null {
  return lastBlock && !isRunning && lastBlock.kind === 'command' && !lastBlock.ephemeral ? lastBlock : null;
}

/** One that has ended has the terminal no more. */
export function agentOf({ agent }: TerminalView): AgentStatus | null {
  return agent && agent.state !== 'exited' ? agent : null;
}

/** First line of a command, or undefined when there is none. */
export function headline(cmd: string | null | undefined): string | undefined {
  return cmd?.trim().split('\n', 1)[0] || undefined;
}

/**
 * `FOO=1 sudo /usr/bin/vim x` → `vim`. Where more than one program may have the terminal nobody can tell from the text which one has it
 * now: undefined. Quoting is not parsed, so a `|` in quotes is one reason too many to say nothing.
 */
export function programName(cmd: string | null | undefined): string | undefined {
  const words = headline(cmd)?.split(/\s+/) ?? [];
  if (cmd && SEVERAL.test(cmd.trim().replace(/[;&]$/, ''))) return undefined;
  if (KEYWORDS.has(words[0] ?? '')) return undefined; // the shell itself runs it
  const word = words.find((part) => !/^[A-Za-z_]\w*=/.test(part) && !PREFIXES.has(part) && !part.startsWith('-'));
  return (
    word
      ?.split('/')
      .at(-1)
      ?.replace(/[;&|]+$/, '') || undefined
  );
}

/** Pipes, lists, substitutions and further lines. */
const SEVERAL = /[|;`\n]|&&|\$\(|[<>]\(|\(\w+[\s)]/;

/** Words with which a shell's own compound commands begin. */
const KEYWORDS = new Set(['for', 'while', 'until', 'if', 'case', 'select', 'function', '{', '(', '((', '[[', '!']);

/** Words that start another program. */
const PREFIXES = new Set(['sudo', 'doas', 'env', 'exec', 'command', 'nohup', 'time', 'nice', 'builtin']);
