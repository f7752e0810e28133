import type { Stop } from '../rpc/Rpc.ts';
import type { SettingsState } from '../settings/SettingsState.svelte.ts';
import { isComposing } from '../ui/browser/isComposing.ts';
import { isFloatOpen } from '../ui/floating.ts';
import type { Action, Actions } from './Actions.svelte.ts';
import {
  asPlatform,
  chordOf,
  formatChord,
  isBrowserChord,
  isEditChord,
  isLineChord,
  isProgramChord,
  isSameChord,
  isScrollChord,
  isTyping,
  type Platform,
  parseChords,
  showChord,
} from './chord.ts';

/**
 * Meaning of keys in an element, from the `data-keys` attribute of it or an ancestor. `program`: a terminal with the keys; `line`: the command
 * editor; `text`: other text or a menu; `none`: all other elements, where single letters may be keys.
 */
export type KeyZone = 'program' | 'line' | 'text' | 'none';

/** In a browser, some keys never reach the page. */
export interface KeysWhere {
  /** Platform name of Node. */
  platform: string;
  isBrowser: boolean;
  /** The keyboard is an on-screen one, without chords. */
  isTouched?: boolean;
}

/**
 * Finds the action of a key press. Settings override an action's own chords (`keys: { "tab.new": "Ctrl+Y" }`; `""` removes them). In an element with
 * `data-keys="program"`, chords that programs may use go to the program.
 */
export class Keys {
  readonly #actions: Actions;
  readonly #settings: SettingsState;
  readonly #platform: Platform;
  readonly #where: KeysWhere;
  /** While a new chord is recorded, no other listener gets the keys. */
  isRecording = $state(false);

  readonly #table = $derived.by(() =>
    this.#actions.all.map((action) => ({ action, chords: parseChords(this.textOf(action), this.#platform) })),
  );
  /** Ids of actions that share a chord, by the chord. Includes actions that are never available at the same time. */
  readonly conflicts = $derived.by(() => {
    const byChord = new Map<string, string[]>();
    for (const { action, chords } of this.#table) {
      for (const chord of new Set(chords.map(formatChord))) {
        byChord.set(chord, [...(byChord.get(chord) ?? []), action.id]);
      }
    }
    return new Map([...byChord].filter(([, ids]) => ids.length > 1));
  });

  constructor(actions: Actions, settings: SettingsState, where: KeysWhere) {
    this.#actions = actions;
    this.#settings = settings;
    this.#platform = asPlatform(where.platform);
    this.#where = where;
  }

  /** The chords of an action, from the settings or its default. */
  textOf(action: Action): string {
    return this.#settings.current.keys[action.id] ?? action.keys ?? '';
  }

  /** The action's first chord that reaches the page, as shown to people; '' if there is none or the keyboard has no chords. */
  hint(id: string): string {
    if (this.#where.isTouched) return '';
    const chords = this.#table.find(({ action }) => action.id === id)?.chords ?? [];
    const first = chords.find((chord) => !this.#where.isBrowser || !isBrowserChord(chord));
    return first ? showChord(first, this.#platform) : '';
  }

  show(text: string): string[] {
    return parseChords(text, this.#platform).map((chord) => showChord(chord, this.#platform));
  }

  /** The available action for this key press in this zone. Later registrations win. */
  find(event: KeyboardEvent, zone: KeyZone): Action | undefined {
    const chord = chordOf(event);
    if (!chord || (zone === 'program' && isProgramChord(chord))) return undefined;
    if (zone !== 'none' && isTyping(chord) && !(zone !== 'text' && isScrollChord(chord))) return undefined;
    if ((zone === 'line' || zone === 'text') && isEditChord(chord)) return undefined;
    if (zone === 'line' && isLineChord(chord)) return undefined;
    return this.#table.findLast(
      ({ action, chords }) => chords.some((own) => isSameChord(own, chord)) && (action.when?.() ?? true),
    )?.action;
  }

  /** Whether the focused element has its own use for this key. `data-own-keys` names such keys like an action's `keys`. */
  #isOwn(event: KeyboardEvent): boolean {
    const own = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-own-keys]') : null;
    const chord = own && chordOf(event);
    if (!own || !chord) return false;
    return parseChords(own.dataset.ownKeys ?? '', this.#platform).some((each) => isSameChord(each, chord));
  }

  /** Listens on the window before all other listeners; a key of an action does not reach them. */
  listen(target: Window): Stop {
    const onKeydown = (event: KeyboardEvent) => {
      // AltGr writes a character, although Windows reports it as Ctrl and Alt.
      const isWriting = isComposing(event) || event.getModifierState('AltGraph');
      if (this.isRecording || isWriting || this.#isOwn(event) || (event.key === 'Escape' && isFloatOpen())) return;
      const action = this.find(event, zoneOf(event.target));
      if (!action) return;
      event.preventDefault();
      event.stopPropagation();
      this.#actions.perform(action);
    };
    target.addEventListener('keydown', onKeydown, { capture: true });
    return () => target.removeEventListener('keydown', onKeydown, { capture: true });
  }
}

function zoneOf(target: EventTarget | null): KeyZone {
  if (!(target instanceof HTMLElement)) return 'none';
  const marked = target.closest<HTMLElement>('[data-keys]')?.dataset.keys;
  if (marked === 'program' || marked === 'line' || marked === 'text') return marked;
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target.isContentEditable
    ? 'text'
    : 'none';
}
