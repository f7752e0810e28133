import type { Block } from '../../../src-main/contract/block.ts';

/**
 * How a card's mark and badge look. `ok`: open ring, no badge. `failed`: red. `neutral`: an end that is nobody's failure.
 * `running`: the haloed dot.
 */
export type ExitTone = 'ok' | 'failed' | 'neutral' | 'running';

export interface ExitMeaning {
  tone: ExitTone;
  /** What the badge says; '' = no badge. */
  badge: string;
  /** The whole sentence, for the tooltip and for screen readers. */
  label: string;
}

/** Shells report a death by signal n as 128 + n (POSIX XCU 2.8.2 asks for more than 128; bash, zsh and fish use 128 + n). */
const SIGNAL_BASE = 128;

interface SignalWord {
  word: string;
  /** The person, a closed pipe or job control ended it; the program did nothing wrong. */
  isNeutral: boolean;
}

/** Numbers as Linux has them; where a Mac differs (SIGTSTP is 18) the block's `signal` name decides. */
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
  SIGHUP: { word: 'hung up', isNeutral: true },
  SIGINT: { word: 'interrupted', isNeutral: true },
  SIGQUIT: { word: 'quit', isNeutral: true },
  SIGILL: { word: 'illegal instruction', isNeutral: false },
  SIGABRT: { word: 'aborted', isNeutral: false },
  SIGBUS: { word: 'bus error', isNeutral: false },
  SIGFPE: { word: 'arithmetic error', isNeutral: false },
  SIGKILL: { word: 'killed', isNeutral: false },
  SIGSEGV: { word: 'segmentation fault', isNeutral: false },
  SIGPIPE: { word: 'pipe closed', isNeutral: true },
  SIGALRM: { word: 'timed out', isNeutral: false },
  SIGTERM: { word: 'terminated', isNeutral: false },
  SIGSTOP: { word: 'stopped', isNeutral: true },
  SIGTSTP: { word: 'stopped', isNeutral: true },
};

/** Exit codes with a meaning of their own in every POSIX shell. */
const CODE_WORDS: Readonly<Record<number, string>> = { 126: 'not executable', 127: 'not found' };

type Ended = Pick<Block, 'status' | 'exitCode' | 'signal' | 'endedBy' | 'trusted' | 'kind'>;

export function exitMeaning(block: Ended): ExitMeaning {
  if (block.status === 'running') return { tone: 'running', badge: '', label: 'running' };
  if (block.exitCode === null) return withoutCode(block);
  const known = codeMeaning(block.exitCode, block.signal);
  if (block.trusted || known.tone === 'ok') return known;
  // An untrusted mark is a claim: shown as one, never as a failure.
  return {
    tone: 'neutral',
    badge: `claims ${known.badge}`,
    label: `${known.label}, as claimed by marks without the shell's nonce`,
  };
}

function codeMeaning(code: number, signal: string | undefined): ExitMeaning {
  if (code === 0) return { tone: 'ok', badge: '', label: 'exit 0' };
  const word = SIGNAL_WORDS[signal ?? SIGNAL_NAMES[code - SIGNAL_BASE] ?? ''];
  if (word)
    return {
      tone: word.isNeutral ? 'neutral' : 'failed',
      badge: `${code} ${word.word}`,
      label: `exit ${code}, ${word.word}`,
    };
  const meaning = CODE_WORDS[code];
  if (meaning) return { tone: 'failed', badge: `${code} ${meaning}`, label: `exit ${code}, ${meaning}` };
  return { tone: 'failed', badge: `exit ${code}`, label: `exit ${code}` };
}

function withoutCode(block: Ended): ExitMeaning {
  if (block.kind !== 'command') return { tone: 'neutral', badge: '', label: 'ended' };
  const signal = block.signal ? SIGNAL_WORDS[block.signal] : undefined;
  if (signal) return { tone: signal.isNeutral ? 'neutral' : 'failed', badge: signal.word, label: signal.word };
  if (block.endedBy === 'recovery')
    return { tone: 'neutral', badge: 'cut off', label: 'still running when the record stopped' };
  if (block.endedBy === 'shell-exit') return { tone: 'neutral', badge: 'shell ended', label: 'the shell ended first' };
  if (block.status === 'interrupted') return { tone: 'neutral', badge: 'interrupted', label: 'interrupted' };
  return { tone: 'neutral', badge: 'end not seen', label: 'the shell never said how it ended' };
}
