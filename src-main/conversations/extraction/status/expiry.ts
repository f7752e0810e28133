import type { AgentState } from '../../../contract/chat/chat.ts';
import type { Channel } from './Evidence.ts';

/** Ends a claim that its channel has not taken back. The rules list claims that were seen to go stale, and how this is noticed. */
export interface ExpiryRule {
  readonly name: string;
  /** The claim that ends. */
  readonly of: readonly Channel[];
  readonly states: readonly AgentState[];
  /** The channels that end it, by a claim that began later, in one of the states `told`. */
  readonly by: readonly Channel[];
  readonly told: readonly AgentState[];
  /** How long the other claim must have lasted, ms. */
  readonly afterMs?: number;
  /** Instead of `afterMs`: the other claim was repeated this long after the claim began, ms, whenever the other claim began. */
  readonly seenAfterMs?: number;
  /** Not while one of these channels says `working`. */
  readonly unlessWorking?: readonly Channel[];
  readonly reason: string;
}

const WAITING = ['needs_approval', 'needs_input'] as const;

/** Redraws of one change come within a few frames; a state that lasts longer is not flicker. */
export const FLICKER_MS = 150;
/** An input box can flash up between two steps of a turn; recorded gaps were under 200 ms. */
export const IDLE_HOLD_MS = 300;
/** A program that redraws its screen shows nothing meanwhile: up to 1.2 s on a busy machine, recorded after a full redraw. */
export const LOST_HOLD_MS = 1500;
const INTERRUPT_MS = 350;
/** A title with a spinner is drawn at least once a second, so two were missed by then. */
const STALE_TITLE_MS = 2000;
/** Older bytes prove nothing, and silence is never evidence, least of all of "done". */
export const ACTIVITY_MS = 1500;

export const EXPIRY_RULES: readonly ExpiryRule[] = [
  {
    name: 'interrupt fires no hook',
    of: ['hook', 'status'],
    states: ['working', 'starting'],
    by: ['screen'],
    told: ['idle'],
    afterMs: INTERRUPT_MS,
    unlessWorking: ['title', 'progress'],
    reason: 'Esc ends a turn without a Stop event; the empty input box is then the only sign',
  },
  {
    name: 'working was not taken back',
    of: ['hook', 'status', 'title', 'progress', 'notification'],
    states: ['working', 'starting'],
    by: ['screen'],
    told: ['idle'],
    afterMs: STALE_TITLE_MS,
    reason: 'a title or a hook can stay behind when the agent is interrupted or crashes',
  },
  {
    name: 'a dialog was answered',
    of: ['hook', 'status', 'notification'],
    states: WAITING,
    by: ['screen', 'title', 'progress'],
    told: ['working', 'idle'],
    afterMs: FLICKER_MS,
    reason: 'an answer fires no event; the dialog leaves the screen, or the next step begins',
  },
  {
    name: 'no dialog came',
    of: ['hook', 'status', 'notification'],
    states: WAITING,
    by: ['screen'],
    told: ['working', 'idle'],
    seenAfterMs: 1500,
    reason: 'a mode that allows by itself asks its hooks as well, and shows the person nothing',
  },
  {
    name: 'waiting was not taken back',
    of: ['title'],
    states: WAITING,
    by: ['screen'],
    told: ['working', 'idle'],
    afterMs: STALE_TITLE_MS,
    reason: 'as above; a screen without a dialog for so long has none',
  },
  {
    name: 'a turn began unheard',
    of: ['hook', 'status', 'notification'],
    states: ['idle', 'starting'],
    by: ['screen', 'title', 'progress'],
    told: ['working', ...WAITING],
    afterMs: FLICKER_MS,
    reason: 'compaction, shell mode and slash commands fire no hook; a notification tells one moment only',
  },
  {
    name: 'a turn began unseen by OSC',
    of: ['title', 'progress'],
    states: ['idle', 'starting'],
    by: ['hook', 'status', 'screen'],
    told: ['working', ...WAITING],
    afterMs: FLICKER_MS,
    reason: 'an idle title may be drawn late or not at all while a tool runs',
  },
  {
    name: 'the agent goes on after it said farewell',
    of: ['hook', 'screen', 'status'],
    states: ['exited'],
    by: ['hook', 'screen', 'status', 'title'],
    told: ['starting', 'idle', 'working', ...WAITING],
    afterMs: FLICKER_MS,
    reason: 'a new session in the same process (/clear, /resume) begins with the end of the one before',
  },
];
