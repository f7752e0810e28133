import type { Block } from '../../src-main/contract/block.ts';
import type { AgentStatus } from '../../src-main/contract/chat/chat.ts';
import type { Approval } from '../../src-main/contract/mcp/approval.ts';
import type { TerminalView } from '../../src-main/contract/terminal.ts';
import { strings } from '../app/strings.ts';
import type { KeptLine } from '../composer/editor/LineEditor.ts';
import { Kills } from '../composer/line/Kills.ts';
import type { ReturnedLine } from '../composer/returnedLine.ts';
import { TypedAhead } from '../composer/TypedAhead.svelte.ts';
import { isWaiting } from '../conversation/chatWords.ts';

/** `erred`: the last command failed unseen; `waits`: an agent or a client needs an answer; `ready`: an agent waits for its next prompt. */
export type TabStatus = 'running' | 'idle' | 'rang' | 'waits' | 'erred' | 'ready' | 'exited' | 'failed';

/** One tab: the core's view of its terminal, and the window's own state of it. */
export class TerminalState {
  readonly id: string;
  readonly createdMs: number;
  #view = $state.raw<TerminalView>() as TerminalView;
  /** A state of its own: the order of the tabs depends on it, and would be computed again at each change of a view. */
  cwd = $state('');
  /** Shows cards, or the plain terminal. */
  mode = $state<'blocks' | 'terminal'>('blocks');
  /** Newest block; null without one, undefined until the core has answered. */
  lastBlock = $state.raw<Block | null | undefined>(undefined);
  /** Where typed keys go. Set by the composer's rules and by `Ctrl+.`. */
  keysTo = $state<'composer' | 'program'>('composer');
  /** When `Ctrl+.` was last pressed, ms of `performance.now`. */
  toggledMs = Number.NEGATIVE_INFINITY;
  /** Whether a command had the keys here when last checked; null before the first check. Returning to a tab does not count as a change. */
  isSettled: boolean | null = null;
  /** First line of a long command that ended in a background tab. */
  news = $state<string | null>(null);
  /** Lines typed ahead for a command that does not exist. A password may be among them, so only the person can show and run them. */
  held = $state.raw<readonly string[]>([]);
  #draft = $state('');
  /** The draft is a line that could not be sent, and the person has not touched it since. */
  returned: ReturnedLine | null = null;
  /** Id of the block that ran when the draft was begun; null at a prompt. */
  #draftedFor: string | null = null;
  /** Keys typed since Return, until their receiver is known. */
  readonly ahead = new TypedAhead();
  /** Text cut in the composer, which survives when the view removes the composer. */
  readonly kills = new Kills();
  /** Carets and undo history of the composer, kept likewise. Undefined before the first editor is removed. */
  line: KeptLine | undefined;

  readonly running = $derived.by(() => {
    const block = this.lastBlock;
    return block && block.id === this.view.runningBlockId ? block : null;
  });
  readonly #asked: () => Approval | undefined;
  /** The oldest approval that a client requests here. */
  readonly asked = $derived.by(() => this.#asked());
  /** The agent that runs in this terminal, or null. */
  readonly agent = $derived(agentOf(this.view));
  readonly isRunning = $derived(this.view.runningBlockId !== null);
  /** The current or last command, in full. */
  readonly command = $derived((this.running ?? lastCommand(this))?.cmd ?? null);
  /** Label of the tab: the person's name for it, else the current or last command, else the shell. */
  readonly label = $derived(this.view.name ?? shortHeadline(this.command) ?? this.view.shell);
  /** Name of the program that gets the keys when the composer does not, without its path. */
  readonly program = $derived.by(() => {
    if (!this.isRunning) return this.view.shell;
    const called = programName(this.running?.cmd);
    const { keyTaker } = this.view;
    if (called !== undefined && (keyTaker === null || keyTaker.words.includes(called))) return called;
    return this.agent?.label ?? keyTaker?.name ?? strings.tabs.theProgram;
  });
  readonly status = $derived.by((): TabStatus => {
    const { state, exitCode, signal } = this.view;
    // Without code and signal the end is unknown, as with most recordings.
    if (state === 'exited') return signal === null && (exitCode ?? 0) === 0 ? 'exited' : 'failed';
    if (this.asked || (this.agent && isWaiting(this.agent.state))) return 'waits';
    if (this.view.failure !== null) return 'erred';
    if (this.view.bell || this.news !== null) return 'rang';
    if (this.agent?.state === 'idle') return 'ready';
    return this.isRunning ? 'running' : 'idle';
  });

  get view(): TerminalView {
    return this.#view;
  }

  set view(view: TerminalView) {
    this.#view = view;
    this.cwd = view.cwd;
  }

  /** Text in the command editor. */
  get draft(): string {
    return this.#draft;
  }

  set draft(text: string) {
    if (this.#draft === '') this.#draftedFor = this.view.runningBlockId;
    this.#draft = text;
  }

  /** Id of the block for which the draft is a line. A program that a client has started since does not get it. */
  get draftedFor(): string | null {
    const { runningBlockId } = this.view;
    const isClients = this.running?.actor !== 'user';
    return this.#draft !== '' && isClients ? this.#draftedFor : runningBlockId;
  }

  /** The person has seen the running command and continues the draft for it. */
  seenRunning(): void {
    this.#draftedFor = this.view.runningBlockId;
  }

  /** `asked` must be reactive. */
  constructor(view: TerminalView, asked: () => Approval | undefined = () => undefined) {
    this.id = view.id;
    this.createdMs = view.createdMs;
    this.view = view;
    this.#asked = asked;
  }
}

/** A command with a leading space appears in no list. */
function lastCommand({ lastBlock, isRunning }: TerminalState): Block | null {
  return lastBlock && !isRunning && lastBlock.kind === 'command' && !lastBlock.ephemeral ? lastBlock : null;
}

/** An agent that has exited does not count. */
export function agentOf({ agent }: TerminalView): AgentStatus | null {
  return agent && agent.state !== 'exited' ? agent : null;
}

/** First line of a command, or undefined without one. */
export function headline(cmd: string | null | undefined): string | undefined {
  return cmd?.trim().split('\n', 1)[0] || undefined;
}

/**
 * `FOO=1 sudo /usr/bin/vim x` → `vim`. undefined if several programs may have the terminal, because the text does not show which one has it now.
 * A `|` in quotes also gives undefined.
 */
export function programName(cmd: string | null | undefined): string | undefined {
  const words = wordsOf(cmd);
  if (cmd && SEVERAL.test(cmd.trim().replace(/[;&]$/, ''))) return undefined;
  if (KEYWORDS.has(words[0] ?? '')) return undefined; // the shell itself runs it
  return (
    words
      .find(isProgram)
      ?.split('/')
      .at(-1)
      ?.replace(/[;&|"']+$/, '') || undefined
  );
}

/** `sudo /opt/long/bin/vim x` → `sudo vim x`: a tab has room only for the beginning, and the end of a program's path says more. */
export function shortHeadline(cmd: string | null | undefined): string | undefined {
  const line = headline(cmd);
  const path = wordsOf(cmd).find(isProgram);
  const [, folder, name] = /^(.*\/)([^/]+)$/.exec(path ?? '') ?? [];
  if (!line || path === undefined || folder === undefined || name === undefined) return line;
  const quote = /^["']/.exec(folder)?.[0] ?? '';
  return line.replace(path, () => `${quote}${name}`);
}

/** Words of the first line; quoted and escaped spaces do not end a word. */
function wordsOf(cmd: string | null | undefined): string[] {
  return headline(cmd)?.match(/(?:"[^"]*"|'[^']*'|\\.|\S)+/g) ?? [];
}

/** Neither an assignment, nor a word that starts another program, nor one of its options. */
function isProgram(word: string): boolean {
  return !/^[A-Za-z_]\w*=/.test(word) && !PREFIXES.has(word) && !word.startsWith('-');
}

/** Pipes, lists, background jobs, substitutions and further lines. The `&` of `2>&1` and `&>file` does not count. */
const SEVERAL = /[|;`\n]|(?<![<>])&(?!>)|\$\(|[<>]\(|\(\w+[\s)]/;

/** First words of a shell's compound commands. */
const KEYWORDS = new Set(['for', 'while', 'until', 'if', 'case', 'select', 'function', '{', '(', '((', '[[', '!']);

/** Words that start another program. */
const PREFIXES = new Set(['sudo', 'doas', 'env', 'exec', 'command', 'nohup', 'time', 'nice', 'builtin']);
