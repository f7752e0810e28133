/** The receiver of typed keys. */
export type KeysTo = 'composer' | 'program';

/**
 * `settled`: a command has been running for SETTLE_MS. `screen`: a full-screen program started.
 * `ended`: the shell is at its prompt again. `toggle`: the person pressed the key.
 */
export type KeysEvent = 'settled' | 'screen' | 'ended' | 'toggle';

/**
 * Most commands end before the person types; keys typed meanwhile are the start of the next command, so the composer keeps them. A program that asks
 * a question does so later than this, and people answer later still.
 */
export const SETTLE_MS = 300;

/** `isDrafting`: the composer has text, so the person is in the middle of writing it. */
export function nextKeysTo(now: KeysTo, event: KeysEvent, isDrafting: boolean): KeysTo {
  switch (event) {
    case 'toggle':
      return now === 'composer' ? 'program' : 'composer';
    case 'screen':
      return 'program';
    case 'settled':
      return isDrafting ? now : 'program';
    case 'ended':
      return 'composer';
  }
}
