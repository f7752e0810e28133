import type { AgentState, StateEvidence } from '../../../contract/chat/chat.ts';
import { cutLine } from '../../../util/cutLine.ts';
import { type Channel, type Evidence, isWaiting, RANK, SPOKEN_BY } from './Evidence.ts';
import { ACTIVITY_MS, EXPIRY_RULES, type ExpiryRule, IDLE_HOLD_MS, LOST_HOLD_MS } from './expiry.ts';

const MAX_ASKS_CHARS = 200;
/** A command line can be very long. */
const MAX_LINE_CHARS = 500;

/** A channel's claim. `sinceMs`: when the channel first made it; repeating it does not change this. */
interface Claim extends Evidence {
  readonly state: AgentState;
  readonly sinceMs: number;
  readonly seenMs: number;
}

/** What is believed of an agent, and why. */
export interface JudgedState {
  readonly state: AgentState;
  readonly evidence: StateEvidence | null;
  /** By the clock of `note`. */
  readonly sinceMs: number;
  /** What the agent waits for, at most 200 characters; null unless the state is `needs_…`. */
  readonly asks: string | null;
}

/**
 * Judges the state of one agent's run from the claims of its channels. Rank decides which channel is believed, but a waiting agent is
 * never overlooked. Stale claims end by the rules in expiry.ts; silence ends only `activity`.
 */
export class AgentStatusJudge {
  readonly #claims = new Map<Channel, Claim>();
  #hasExited = false;
  #believed: JudgedState;
  #dueMs: number | null = null;
  /** Since when no channel has a claim; null while one has. */
  #lostMs: number | null = null;

  constructor(startedMs: number) {
    this.#believed = { state: 'starting', evidence: null, sinceMs: startedMs, asks: null };
  }

  get status(): JudgedState {
    return this.#believed;
  }

  /** When `tick` may change the state without new evidence, by the clock of `note`; null for never. */
  get dueMs(): number | null {
    return this.#dueMs;
  }

  /**
   * Returns the new state; null if it has not changed. `nowMs` must never decrease, so it comes from a monotonic clock. The screen's evidence comes
   * with each reading, even if it is the same.
   */
  note(evidence: Evidence, nowMs: number): JudgedState | null {
    this.#take(evidence, nowMs);
    return this.tick(nowMs);
  }

  /** Call this at `dueMs`; a call earlier or later does no harm. */
  tick(nowMs: number): JudgedState | null {
    const due: number[] = [];
    const winner = this.#winner(nowMs, due);
    const next = this.#settled(winner, nowMs, due);
    this.#dueMs = due.length === 0 ? null : Math.min(...due);
    if (next === null || isSame(next, this.#believed)) return null;
    const sinceMs = next.state === this.#believed.state ? this.#believed.sinceMs : next.sinceMs;
    this.#believed = { ...next, sinceMs };
    return this.#believed;
  }

  #take(evidence: Evidence, nowMs: number): void {
    const { channel, state } = evidence;
    if (channel === 'process') this.#hasExited = state === 'exited';
    if (state === null || state === 'unknown') {
      this.#claims.delete(channel);
      return;
    }
    // The agent has started: a screen that gives no evidence for a moment must not bring `starting` back.
    if (RANK[channel] <= 3 && state !== 'starting' && this.#claims.get('process')?.state === 'starting')
      this.#claims.delete('process');
    const before = this.#claims.get(channel);
    const isAgain = before?.state === state && (!isWaiting(state) || before.asks === evidence.asks);
    this.#claims.set(channel, { ...evidence, state, sinceMs: isAgain ? before.sinceMs : nowMs, seenMs: nowMs });
  }

  #winner(nowMs: number, due: number[]): Claim | null {
    const process = this.#claims.get('process');
    if (this.#hasExited && process) return process;
    const alive = [...this.#claims.values()].filter((claim) => this.#stands(claim, nowMs, due));
    alive.sort((a, b) => RANK[a.channel] - RANK[b.channel] || b.sinceMs - a.sinceMs);
    const told = alive.filter(({ channel }) => RANK[channel] <= 3);
    return (
      told.find(({ state }) => state === 'exited') ??
      told.find(({ state }) => isWaiting(state)) ??
      told.find(({ channel }) => RANK[channel] === 1) ??
      told.find(({ state }) => state === 'working') ??
      told[0] ??
      alive[0] ??
      null
    );
  }

  #stands(claim: Claim, nowMs: number, due: number[]): boolean {
    if (claim.channel === 'activity') {
      if (nowMs >= claim.seenMs + ACTIVITY_MS) return false;
      due.push(claim.seenMs + ACTIVITY_MS);
      return true;
    }
    for (const rule of EXPIRY_RULES) {
      const endMs = this.#endOf(claim, rule);
      if (endMs === null) continue;
      if (endMs <= nowMs) return false;
      due.push(endMs);
    }
    return true;
  }

  /** When `rule` ends `claim`, given the present claims; null for never. */
  #endOf(claim: Claim, rule: ExpiryRule): number | null {
    if (!rule.of.includes(claim.channel) || !rule.states.includes(claim.state)) return null;
    if (rule.unlessWorking?.some((channel) => this.#claims.get(channel)?.state === 'working')) return null;
    const ends = rule.by.flatMap((channel) => {
      const other = channel === claim.channel ? undefined : this.#claims.get(channel);
      return other && rule.told.includes(other.state) ? endsBy(claim, other, rule) : [];
    });
    return ends.length === 0 ? null : Math.min(...ends);
  }

  /**
   * Returns the next state, or null to keep the present one: an input box that has only just come back does not end a turn, and a screen
   * that gives no evidence for a moment while it is redrawn changes nothing.
   */
  #settled(winner: Claim | null, nowMs: number, due: number[]): JudgedState | null {
    if (winner === null) {
      if (this.#believed.state === 'starting') return null;
      this.#lostMs ??= nowMs;
      if (nowMs < this.#lostMs + LOST_HOLD_MS) {
        due.push(this.#lostMs + LOST_HOLD_MS);
        return null;
      }
      return { state: 'unknown', evidence: null, sinceMs: nowMs, asks: null };
    }
    this.#lostMs = null;
    const endsTurn = winner.channel === 'screen' && winner.state === 'idle' && this.#believed.state === 'working';
    if (endsTurn && nowMs < winner.sinceMs + IDLE_HOLD_MS) {
      due.push(winner.sinceMs + IDLE_HOLD_MS);
      return null;
    }
    const { state, rule, line, channel, sinceMs } = winner;
    return {
      state,
      evidence: { by: SPOKEN_BY[channel], rule, line: cutLine(line, MAX_LINE_CHARS) },
      sinceMs,
      asks: this.#asks(winner),
    };
  }

  #asks({ state, asks, line }: Claim): string | null {
    if (!isWaiting(state)) return null;
    const told = asks ?? [...this.#claims.values()].find((claim) => isWaiting(claim.state) && claim.asks)?.asks ?? line;
    return cutLine(told, MAX_ASKS_CHARS);
  }
}

function endsBy(claim: Claim, other: Claim, { afterMs, seenAfterMs }: ExpiryRule): number[] {
  if (seenAfterMs !== undefined) return other.seenMs >= claim.sinceMs + seenAfterMs ? [other.seenMs] : [];
  return other.sinceMs > claim.sinceMs ? [other.sinceMs + (afterMs ?? 0)] : [];
}

function isSame(a: JudgedState, b: JudgedState): boolean {
  const sameEvidence = a.evidence?.by === b.evidence?.by && a.evidence?.rule === b.evidence?.rule;
  return a.state === b.state && a.asks === b.asks && sameEvidence;
}
