/** Length of a shortened wait, in ms: short, but still visible as a pause. */
export const MAX_WAIT_MS = 1000;

/** A point from which time runs at another speed than in the recording. */
interface Bend {
  recordedMs: number;
  playedMs: number;
}

/**
 * The time that a person watches, made of the time that was recorded. With `maxWaitMs` each longer wait between two moments is played in
 * that time; all moments are kept, in order.
 */
export class PlayTime {
  readonly #bends: readonly Bend[];
  readonly lengthMs: number;

  /** `moments`: in ascending order, ms of the recording. */
  constructor(moments: readonly number[], maxWaitMs: number | null) {
    const bends: Bend[] = [{ recordedMs: 0, playedMs: 0 }];
    let [lastMs, playedMs] = [0, 0];
    for (const atMs of moments) {
      const waitMs = atMs - lastMs;
      const isLong = maxWaitMs !== null && waitMs > maxWaitMs;
      if (isLong) bends.push({ recordedMs: lastMs, playedMs });
      playedMs += isLong ? maxWaitMs : waitMs;
      if (isLong) bends.push({ recordedMs: atMs, playedMs });
      lastMs = atMs;
    }
    bends.push({ recordedMs: lastMs, playedMs });
    this.#bends = bends;
    this.lengthMs = playedMs;
  }

  toPlayed(recordedMs: number): number {
    return this.#turn(recordedMs, 'recordedMs', 'playedMs');
  }

  toRecorded(playedMs: number): number {
    return this.#turn(playedMs, 'playedMs', 'recordedMs');
  }

  #turn(ms: number, from: keyof Bend, to: keyof Bend): number {
    const bends = this.#bends;
    let [low, high] = [0, bends.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((bends[middle] as Bend)[from] <= ms) low = middle;
      else high = middle - 1;
    }
    const start = bends[low] as Bend;
    const end = bends[low + 1];
    if (!end) return start[to];
    const share = (ms - start[from]) / (end[from] - start[from]);
    return start[to] + Math.max(0, share) * (end[to] - start[to]);
  }
}
