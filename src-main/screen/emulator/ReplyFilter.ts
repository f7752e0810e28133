/**
 * Matches a complete answer of any form that the emulator may give. Output can only choose numbers in it, so an answer can
 * never be a command: the root cause of CVE-2003-0063 and similar. The last forms answer a colour query, kitty's graphics
 * commands and iTerm2's query for the cell size.
 */
const ALLOWED =
  /^\x1b(?:\[[?>]?[0-9;]*[cnRy]|\[[46];[0-9]+;[0-9]+t|\[\?[0-9;]*S|\[\??[0-9;]*\$y|P[01]\$r[0-9;"' a-z]{0,16}\x1b\\|\]1[0-2];rgb:[0-9a-f]{4}\/[0-9a-f]{4}\/[0-9a-f]{4}\x1b\\|_G[iIp=0-9,]{3,60};(?:OK|E[A-Z]{4,8}:[a-zA-Z ,]{0,60})\x1b\\|\]1337;ReportCellSize=[0-9.;]{0,20}\x1b\\)$/;

/** More answers in a second come from a displayed file, not from a program's queries. */
export const MAX_REPLIES_PER_SECOND = 50;

/** Decides which answers reach the program. */
export class ReplyFilter {
  readonly #monotonicMs: () => number;
  readonly #passedMs: number[] = [];
  #hasRefused = false;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  passes(reply: string): boolean {
    const nowMs = this.#monotonicMs();
    while ((this.#passedMs[0] ?? nowMs) <= nowMs - 1000) this.#passedMs.shift();
    const mayPass = ALLOWED.test(reply) && this.#passedMs.length < MAX_REPLIES_PER_SECOND;
    if (mayPass) this.#passedMs.push(nowMs);
    else this.#hasRefused = true;
    return mayPass;
  }

  /** Whether an answer did not pass since the last call. */
  takeRefused(): boolean {
    const has = this.#hasRefused;
    this.#hasRefused = false;
    return has;
  }
}
