import type { BlockChange } from '../contract/api.ts';
import type { Block } from '../contract/block.ts';
import type { AgentStatus } from '../contract/chat/chat.ts';
import type { TerminalEvent } from '../contract/event.ts';
import type { Failure, Quality, TerminalMeta, TerminalView, TerminalWords, Unseen } from '../contract/terminal.ts';
import type { PtyExit } from '../pty/PtyProcess.ts';
import type { LaunchPlan } from '../shells/launchPlan.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { Emitter } from '../util/Emitter.ts';
import { EndWatch } from './EndWatch.ts';
import { ShellReports } from './ShellReports.ts';

const STARTING: Quality = { level: 'unknown', reason: 'the shell is starting', fix: null };
const RECORDING: Quality = { level: 'none', reason: 'a recording: no shell runs here', fix: null };
const RICH: Quality = {
  level: 'rich',
  reason: 'the shell hook reports where each command begins and ends, verified by its nonce',
  fix: null,
};

const END_LOST: Quality = {
  level: 'degraded',
  reason:
    'the shell did not report the end of the last command: its exit status and where its output ends are not known',
  fix: 'run `hansard doctor` to see what to change in the startup files',
};

/** The state that a tab shows of its terminal. Each `…ed` method reports an event, and `view` is the result. */
export class TerminalStatus implements IDisposable {
  readonly reports: ShellReports;
  readonly #ends = new EndWatch();
  readonly #changed = new Emitter<TerminalView>();
  /** Fires when `view` is another object. */
  readonly onChange = this.#changed.on;
  /** An earlier core knew what happened before this offset, and whether the person has looked at it. */
  readonly #unseenFrom: number;
  /** The last message of a command that is kept out of the record. */
  #unkept: Unseen['notification'] = null;
  #view: TerminalView;

  /** `saveReports`: see `ShellReports`. */
  constructor(meta: TerminalMeta, saveReports: (json: string) => void) {
    this.reports = new ShellReports(saveReports);
    this.#unseenFrom = meta.unseenTo ?? 0;
    this.#view = {
      id: meta.id,
      shell: meta.shell,
      ...(meta.origin !== undefined && { origin: meta.origin }),
      name: meta.name ?? null,
      ...(meta.hidden && { isHidden: true }),
      ...(meta.openedBy !== undefined && { openedBy: meta.openedBy }),
      title: '',
      cwd: meta.cwd,
      gitBranch: null,
      cols: meta.cols,
      rows: meta.rows,
      createdMs: meta.createdMs,
      state: 'exited',
      exitCode: meta.exitCode ?? null,
      signal: meta.signal ?? null,
      quality: meta.origin === undefined ? STARTING : RECORDING,
      atPrompt: false,
      runningBlockId: null,
      keyTaker: null,
      lastExitCode: null,
      altScreen: false,
      recordFault: null,
      ...(meta.unseen ?? { bell: false, failure: null, notification: null }),
      agent: null,
      progress: null,
    };
  }

  get view(): TerminalView {
    return this.#view;
  }

  /** What the next core may know of `view`. */
  get unseen(): Unseen {
    const { bell, failure, notification } = this.#view;
    return { bell, failure, notification: notification === this.#unkept ? null : notification };
  }

  /** `view` stays the same object if the event does not change it. `isUnkept`: of a command that is kept out of the record. */
  event(event: TerminalEvent, isUnkept = false): void {
    if (event.type === 'output') return; // by far the most frequent, and never visible here
    if ((event.type === 'bell' || event.type === 'notification') && event.at < this.#unseenFrom) return;
    if (event.type === 'prompt' && event.trusted) this.reports.prompted(event);
    const isEndLost = this.#ends.isLost(event);
    const changed = { ...this.#view, ...changeOf(event, this.#view), ...(isEndLost && { quality: END_LOST }) };
    if (event.type === 'notification' && isUnkept) this.#unkept = changed.notification;
    if (!isSame(this.#view, changed)) this.#set(changed);
  }

  started(plan: LaunchPlan): void {
    this.#ends.clear();
    const quality: Quality =
      plan.integration === 'hook' ? STARTING : { level: 'none', reason: plan.reason, fix: plan.fix };
    this.#set({
      ...this.#view,
      state: 'live',
      shell: plan.shell,
      exitCode: null,
      signal: null,
      quality,
      atPrompt: false,
      altScreen: false,
      keyTaker: null,
      title: '', // the title is the earlier shell's
    });
  }

  exited({ exitCode, signal }: PtyExit): void {
    this.#set({
      ...this.#view,
      state: 'exited',
      exitCode,
      signal,
      atPrompt: false,
      altScreen: false,
      keyTaker: null,
      agent: null,
      progress: null,
    });
  }

  noMarks(): void {
    if (this.#view.quality.level !== 'unknown') return;
    this.#set({
      ...this.#view,
      quality: {
        level: 'none',
        reason: 'the shell sent no marker within 10 seconds of its start, so its commands cannot be separated',
        fix: 'run `hansard doctor` to see what keeps the hook from loading',
      },
    });
  }

  resized(cols: number, rows: number): void {
    this.#set({ ...this.#view, cols, rows });
  }

  described({ name = this.#view.name, isHidden = this.#view.isHidden === true }: TerminalWords): void {
    const { isHidden: _, ...view } = this.#view;
    this.#set({ ...view, name, ...(isHidden && { isHidden }) });
  }

  seen(): void {
    this.#set({ ...this.#view, bell: false, failure: null, notification: null });
  }

  faulted(recordFault: string | null): void {
    this.#set({ ...this.#view, recordFault });
  }

  branched(gitBranch: string | null): void {
    this.#set({ ...this.#view, gitBranch });
  }

  agent(agent: AgentStatus | null): void {
    if (agent !== this.#view.agent) this.#set({ ...this.#view, agent });
  }

  /** `runningBlockId`: the running command after this change of a block. */
  changed(change: BlockChange, runningBlockId: string | null): void {
    const isNew = change.type === 'close' && (change.block.rawEnd ?? this.#unseenFrom) >= this.#unseenFrom;
    const hasEnded = isNew && change.block.id === this.#view.runningBlockId;
    this.#set({ ...this.#view, runningBlockId, ...(hasEnded && { failure: failureOf(change.block) }) });
  }

  keysTaken(taker: TerminalView['keyTaker']): void {
    this.#set({ ...this.#view, keyTaker: taker && { name: taker.name, words: taker.words } });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #set(view: TerminalView): void {
    this.#view = view;
    this.#changed.fire(view);
  }
}

function changeOf(event: TerminalEvent, view: TerminalView): Partial<TerminalView> {
  switch (event.type) {
    case 'begin':
      return { atPrompt: false, cwd: event.cwd ?? view.cwd };
    case 'prompt':
      return {
        atPrompt: event.trusted,
        cwd: event.cwd ?? view.cwd,
        quality: qualityAtPrompt(event, view.quality),
        progress: null,
      };
    case 'end':
      return {
        lastExitCode: event.exitCode,
        ...(!event.trusted && view.quality.level === 'unknown' && { quality: basic(event.by) }),
      };
    case 'cwd':
      return view.quality.level === 'rich' ? {} : { cwd: event.path };
    case 'title':
      return { title: event.title };
    case 'bell':
      return { bell: true };
    case 'notification':
      return { bell: true, notification: { title: event.title, body: event.body } };
    case 'altScreen':
      return { altScreen: event.on };
    case 'progress':
      return { progress: event.state === 'none' ? null : { state: event.state, percent: event.percent } };
    default:
      return {};
  }
}

/** The person caused Ctrl+C and a closed pipe, so they are not failures. */
const OWN_ENDS = new Set([130, 141]);

function failureOf({ exitCode, signal, endedMs }: Block): Failure | null {
  if (endedMs === null || exitCode === null || exitCode === 0 || OWN_ENDS.has(exitCode)) return null;
  return { atMs: endedMs, exitCode, signal: signal ?? null };
}

function qualityAtPrompt(event: Extract<TerminalEvent, { type: 'prompt' }>, before: Quality): Quality {
  if (event.trusted && event.degraded !== null) {
    return {
      level: 'degraded',
      reason: event.degraded,
      fix: 'run `hansard doctor` to see what to change in the startup files',
    };
  }
  if (event.trusted) return RICH;
  return before.level === 'unknown' ? basic(event.by) : before;
}

function basic(by: string): Quality {
  return {
    level: 'basic',
    reason: `${by} marks without a nonce: any program could have printed them, so commands are unverified`,
    fix: 'start the tab with a shell that Hansard has a hook for',
  };
}

function isSame(a: TerminalView, b: TerminalView): boolean {
  return (Object.keys(a) as (keyof TerminalView)[]).every((key) => a[key] === b[key]);
}
