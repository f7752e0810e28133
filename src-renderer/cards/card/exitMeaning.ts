import type { Block } from '../../../src-main/contract/block.ts';
import { strings } from '../../app/strings.ts';

/**
 * Look of a card's mark and badge. `ok`: open ring, no badge. `failed`: red. `neutral`: an end that is not a failure of the program.
 * `running`: the dot with a halo.
 */
export type ExitTone = 'ok' | 'failed' | 'neutral' | 'running';

export interface ExitMeaning {
  tone: ExitTone;
  /** Text of the badge; '' = no badge. */
  badge: string;
  /** The whole sentence, for the tooltip and for screen readers. */
  label: string;
}

const { exit: words, signals } = strings.cards;

/** Shells report a death by signal n as 128 + n (POSIX XCU 2.8.2 asks for more than 128; bash, zsh and fish use 128 + n). */
const SIGNAL_BASE = 128;

interface SignalWord {
  word: string;
  /** The person, a closed pipe or job control ended the program, so it did not fail. */
  isNeutral: boolean;
}

/** Signal numbers of Linux. Where macOS differs (SIGTSTP is 18), the block's `signal` name decides. */
const SIGNAL_NAMES: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
  19: 'SIGSTOP',
  20: 'SIGTSTP',
};

const SIGNAL_WORDS: Readonly<Record<string, SignalWord>> = {
  SIGHUP: { word: signals.SIGHUP, isNeutral: true },
  SIGINT: { word: signals.SIGINT, isNeutral: true },
  SIGQUIT: { word: signals.SIGQUIT, isNeutral: true },
  SIGILL: { word: signals.SIGILL, isNeutral: false },
  SIGABRT: { word: signals.SIGABRT, isNeutral: false },
  SIGBUS: { word: signals.SIGBUS, isNeutral: false },
  SIGFPE: { word: signals.SIGFPE, isNeutral: false },
  SIGKILL: { word: signals.SIGKILL, isNeutral: false },
  SIGSEGV: { word: signals.SIGSEGV, isNeutral: false },
  SIGPIPE: { word: signals.SIGPIPE, isNeutral: true },
  SIGALRM: { word: signals.SIGALRM, isNeutral: false },
  SIGTERM: { word: signals.SIGTERM, isNeutral: false },
  SIGSTOP: { word: signals.SIGSTOP, isNeutral: true },
  SIGTSTP: { word: signals.SIGTSTP, isNeutral: true },
};

/** Exit codes with a meaning of their own in every POSIX shell. */
const CODE_WORDS: Readonly<Record<number, string>> = { 126: words.notExecutable, 127: words.notFound };

type Ended = Pick<Block, 'status' | 'exitCode' | 'signal' | 'endedBy' | 'trusted' | 'kind'>;

export function exitMeaning(block: Ended): ExitMeaning {
  if (block.status === 'running') return { tone: 'running', badge: '', label: words.running };
  if (block.exitCode === null) return withoutCode(block);
  const known = codeMeaning(block.exitCode, block.signal);
  if (block.trusted || known.tone === 'ok') return known;
  // An exit code from an unverified marker is only a claim, so it never looks like a failure.
  return {
    tone: 'neutral',
    badge: words.claims(known.badge),
    label: words.claimsLabel(known.label),
  };
}

function codeMeaning(code: number, signal: string | undefined): ExitMeaning {
  if (code === 0) return { tone: 'ok', badge: '', label: words.code(0) };
  const word = SIGNAL_WORDS[signal ?? SIGNAL_NAMES[code - SIGNAL_BASE] ?? ''];
  if (word)
    return {
      tone: word.isNeutral ? 'neutral' : 'failed',
      badge: words.codeBadge(code, word.word),
      label: words.codeLabel(code, word.word),
    };
  const meaning = CODE_WORDS[code];
  if (meaning) return { tone: 'failed', badge: words.codeBadge(code, meaning), label: words.codeLabel(code, meaning) };
  return { tone: 'failed', badge: words.code(code), label: words.code(code) };
}

function withoutCode(block: Ended): ExitMeaning {
  if (block.kind !== 'command') return { tone: 'neutral', badge: '', label: words.ended };
  const signal = block.signal ? SIGNAL_WORDS[block.signal] : undefined;
  if (signal) return { tone: signal.isNeutral ? 'neutral' : 'failed', badge: signal.word, label: signal.word };
  if (block.endedBy === 'recovery') return { tone: 'neutral', badge: words.cutOff, label: words.cutOffLabel };
  if (block.endedBy === 'shell-exit')
    return { tone: 'neutral', badge: words.shellExited, label: words.shellExitedLabel };
  if (block.status === 'interrupted') return { tone: 'neutral', badge: words.interrupted, label: words.interrupted };
  return { tone: 'neutral', badge: words.unknown, label: words.unknownLabel };
}
