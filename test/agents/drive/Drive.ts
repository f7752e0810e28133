import { TestCore, until } from '../../support/TestCore.ts';
import type { RigAgent } from '../launch/Agent.ts';
import { ScriptedModel, type Served, SIDE_TEXT } from '../scriptedModel/ScriptedModel.ts';
import { RunFolders } from './Place.ts';
import { absent, onScreen, type Seat, still } from './Seat.ts';
import { Stage } from './Stage.ts';
import type { Decision, Meanwhile, RigCase, Step } from './steps.ts';
import type { Truth } from './Truth.ts';

/** Pause before the answer to a dialog, ms. It is longer than the allowed delay of a state. */
const READS_MS = 700;
/** Limit for the start of an agent on a busy machine, ms. */
const START_MS = 120_000;
/** Without a request this long after Return, Return was lost, ms. */
const AGAIN_MS = 8_000;
/** Pause between two presses of Esc, ms. */
const ESC_EVERY_MS = 400;
/** Stillness before the first prompt, pause of the decision `wait`, and pause after `compact`, ms. */
const LOOKS_MS = 3_000;

export interface RunOf {
  /** The agents of the case; steps without an agent start the first. */
  readonly agents: readonly RigAgent[];
  readonly variant: string;
  readonly cols: number;
  readonly rows: number;
  /** The window shrinks by a third of its width once the first answer has begun, and gets its old width at the next turn. */
  readonly isResized: boolean;
}

type Ask = Extract<Step, { do: 'ask' }>;

/** Plays one case with a real core, a real shell, the real agent and a scripted model. */
export class Drive {
  readonly core: TestCore;
  readonly model: ScriptedModel;
  readonly #stages: Stage[];
  readonly #folders: RunFolders;
  readonly #run: RunOf;
  #agent: RigAgent;
  /** The command that started the agent. */
  #command = '';
  #window: 'not yet changed' | 'narrow' | 'as before' = 'not yet changed';

  private constructor(
    run: RunOf,
    parts: { core: TestCore; stage: Stage; model: ScriptedModel; folders: RunFolders; nameTool: ToolNames },
  ) {
    this.#run = run;
    this.core = parts.core;
    this.model = parts.model;
    this.#stages = [parts.stage];
    this.#folders = parts.folders;
    this.#agent = firstOf(run);
    parts.nameTool.of = () => this.#agent;
  }

  static async open(run: RunOf, { files }: Pick<RigCase, 'files'>): Promise<Drive> {
    const folders = new RunFolders(files);
    const nameTool: ToolNames = { of: () => firstOf(run) };
    const protocols = run.agents.map(({ protocol }) => protocol);
    const model = await ScriptedModel.start(protocols, (use, offered) => nameTool.of().nameTool(use, offered));
    folders.seed(run.agents, model.url);
    const variants = run.agents.map((agent) => agent.variants[run.variant]?.env ?? {});
    const env = { ...folders.env(run.agents, model.url), ...Object.assign({}, ...variants) };
    const core = await TestCore.start({ env, home: folders.project });
    const stage = new Stage(await core.open('bash', run));
    return new Drive(run, { core, stage, model, folders, nameTool });
  }

  /** The terminals, in the order of their opening. */
  get stages(): readonly Stage[] {
    return this.#stages;
  }

  get truth(): Truth {
    return this.#stage.truth;
  }

  /** The terminal that the person uses now. */
  get #stage(): Stage {
    return this.#stages.at(-1) as Stage;
  }

  get #seat(): Seat {
    return this.#stage.seat;
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      try {
        await this.#step(step);
      } catch (error) {
        throw new Error(`${JSON.stringify(step).slice(0, 100)}: ${String(error)}\n${await this.#seat.text()}`);
      }
    }
  }

  /** Ends everything; the record stays on disk until `remove`. */
  async close(): Promise<void> {
    for (const stage of this.#stages) stage.detach();
    await this.core.stop();
    await this.model.stop();
    this.#folders.remove();
  }

  screenText(): Promise<string> {
    return this.#seat.text();
  }

  async #step(step: Step): Promise<void> {
    switch (step.do) {
      case 'start':
        return this.#start(step);
      case 'ask':
        return this.#ask(step);
      case 'exit':
        return this.#exit();
      case 'shell':
        return this.#shell(step.command);
      case 'clear':
        return this.#clear();
      case 'compact':
        return this.#compact();
      case 'help':
        return this.#help();
      case 'popup':
        return this.#popup(step.key);
      case 'resize':
      case 'redraw':
      case 'attach':
      case 'detach':
        this.#does(step.do === 'resize' ? { type: 'resize', cols: step.cols, rows: step.rows } : { type: step.do });
        return this.#seat.sees([still(400)], step.do);
    }
  }

  async #start({ agent: name, resumes, elsewhere }: Extract<Step, { do: 'start' }>): Promise<void> {
    if (elsewhere) this.#stages.push(new Stage(await this.core.open('bash', this.#run)));
    const agent = this.#run.agents.find((known) => known.name === name) ?? firstOf(this.#run);
    this.#agent = agent;
    const { command } = agent.variants[this.#run.variant] ??
      Object.values(agent.variants)[0] ?? { command: agent.name };
    const isResumed = resumes === true && agent.resumes !== undefined;
    this.#command = isResumed ? `${command} ${agent.resumes}` : command;
    await this.#seat.line(this.#command);
    this.truth.starts(agent.name);
    if (agent.asksFirst) await this.#answerFirst(agent, agent.asksFirst);
    await this.#seat.idle(agent, `${agent.name} is ready`, START_MS);
    await this.#seat.looks(agent.loadsMs ?? 0);
    this.truth.begins(agent.name, isResumed ? 'resumed' : null);
    this.truth.is('idle', 'it has started');
  }

  /** Answers a question that an agent may ask before its first prompt. */
  async #answerFirst({ ready }: RigAgent, { shows, keys }: NonNullable<RigAgent['asksFirst']>): Promise<void> {
    await this.#seat.sees([onScreen(`${ready}|${shows}`), still(LOOKS_MS)], 'it is ready or asks', START_MS);
    if (!new RegExp(shows, 'm').test(await this.#seat.text())) return;
    this.#seat.keys(keys);
    await this.#seat.sees([absent(shows)], 'the question goes');
  }

  async #ask(ask: Ask): Promise<void> {
    const { prompt, replies, isPasted, queued } = ask;
    await this.#widen();
    const from = this.model.served.length;
    this.model.load({ prompt, replies });
    if (isPasted) await this.#seat.paste(prompt, this.#agent);
    else await this.#seat.line(prompt, this.#agent);
    this.truth.asked(prompt);
    await this.#answers(ask, from);
    if (queued) {
      this.truth.asked(queued.prompt);
      await this.#answers({ do: 'ask', ...queued }, from + replies.length);
    }
    await this.#seat.idle(this.#agent, `the end of "${prompt.slice(0, 40)}"`);
    this.truth.is('idle', 'the turn is over');
  }

  async #answers({ prompt, replies, decides = [], meanwhile = [], queued }: Ask, from: number): Promise<void> {
    const decisions = [...decides];
    for (let at = 0; at < replies.length; at += 1) {
      const served = await this.#request(from + at);
      if (at === 0) this.truth.sent(served.asked);
      this.truth.is('working', `request ${at + 1} of "${prompt.slice(0, 40)}"`);
      const isLast = at === replies.length - 1;
      const typed = queued && isLast ? this.#queue(served, queued) : null;
      const isOver = await this.#answer(served, {
        meanwhile: meanwhile.filter(({ reply = 0 }) => reply === at),
        decisions,
        isLast: isLast && !queued, // a queued prompt pushes the end of the answer off the screen
      });
      await typed;
      if (isOver) break;
    }
  }

  /** Types the next prompt during the answer. */
  async #queue(served: Served, { prompt, replies, cuts }: NonNullable<Ask['queued']>): Promise<void> {
    await this.model.until(() => served.sentChars > 0 || served.endedMs !== null);
    this.model.follow({ prompt, replies });
    await this.#seat.hurries(prompt, this.#agent);
    if (!cuts || !this.#agent.isCutByQueue) return;
    await this.#seat.looks(READS_MS);
    if (served.endedMs === null) this.#seat.keys('\x1b'); // after the answer's end, Esc would interrupt the next answer
  }

  /** Resolves with answer `number` once the agent has requested it. Presses Return again if the agent took Return as a newline, as people do. */
  async #request(number: number): Promise<Served> {
    const { model } = this;
    const isAsked = () => model.served.length > number;
    const isFirst = model.served[number - 1]?.turn !== model.turn;
    await model.until(isAsked, isFirst ? AGAIN_MS : undefined).catch((error: unknown) => {
      if (!isFirst) throw error;
      this.#seat.keys('\r');
      return model.until(isAsked, START_MS); // the first request may have to wait for late loading
    });
    const served = model.served[number];
    if (!served) throw new Error('asked for and not served');
    return served;
  }

  /** Follows one answer to its end. Returns true if the answer was interrupted or its tool denied, which ends the turn. */
  async #answer(
    served: Served,
    { meanwhile, decisions, isLast }: { meanwhile: readonly Meanwhile[]; decisions: Decision[]; isLast: boolean },
  ): Promise<boolean> {
    const { interrupted } = this.#agent;
    const seen = { end: served.reply.text ?? '', isCut: meanwhile.some(({ does }) => does.type === 'interrupt') };
    const isSent = served.sentChars >= seen.end.length;
    const isShown = isLast && !seen.isCut && seen.end !== '';
    const shown = isShown ? this.#seat.says(seen.end, 'the end of the answer', isSent) : null;
    const stopped = seen.isCut ? this.#seat.sees([onScreen(interrupted)], 'the interruption') : null;
    if (this.#run.isResized) await this.#narrow(served);
    await this.#during(served, meanwhile);
    await this.model.until(() => served.endedMs !== null, 90_000);
    this.truth.mayEnd();
    stopped?.catch(() => undefined);
    await Promise.all([shown, served.isCut ? stopped : null]); // on a busy machine, the answer may end before Esc arrives
    const number = this.model.served.indexOf(served);
    const decision = served.call && !served.isCut ? await this.#decide(number + 1, decisions) : null;
    const { showsFailures, variants } = this.#agent;
    const { denied = 'denied' } = variants[this.#run.variant] ?? {};
    this.truth.answered(served, decision, { showsFailures, denied });
    if (decision === 'deny' && this.#agent.goesOnDenied) this.truth.said(SIDE_TEXT);
    return served.isCut || decision === 'deny';
  }

  async #during(served: Served, all: readonly Meanwhile[]): Promise<void> {
    for (const { atChars, does } of all) {
      await this.model.until(() => served.sentChars >= atChars || served.endedMs !== null);
      this.#does(does);
    }
  }

  /** Narrows the window once, after the first words of an answer. */
  async #narrow(served: Served): Promise<void> {
    if (this.#window !== 'not yet changed' || !served.reply.text) return;
    await this.model.until(() => served.sentChars > 0 || served.endedMs !== null);
    this.#window = 'narrow';
    const { cols, rows } = this.#run;
    this.#does({ type: 'resize', cols: Math.ceil((cols * 2) / 3), rows });
  }

  async #widen(): Promise<void> {
    if (this.#window !== 'narrow') return;
    this.#window = 'as before';
    const { cols, rows } = this.#run;
    this.#does({ type: 'resize', cols, rows });
    await this.#seat.sees([still(400)], 'the window is as before');
  }

  /** After a tool call, waits for a dialog or for the next request, which has the tool's result. Answers the dialog. */
  async #decide(next: number, decisions: Decision[]): Promise<Decision | null> {
    const { model } = this;
    const noDialog = new AbortController();
    const asked = this.#seat.comes(this.#agent.dialog, noDialog.signal);
    const went = model.until(() => model.served.length > next || noDialog.signal.aborted).then(() => false);
    const isAsked = await Promise.race([asked, went]);
    noDialog.abort();
    if (!isAsked) return null;
    this.truth.is('needs_approval', 'a dialog is on the screen');
    const decision = decisions.shift() ?? 'allow';
    await this.#seat.looks(decision === 'wait' ? LOOKS_MS : READS_MS); // a pause, because a wait for stillness fails while titles blink
    this.truth.mayEnd();
    this.#seat.keys(decision === 'deny' ? this.#agent.deny : this.#agent.allow);
    await this.#seat.sees([absent(this.#agent.dialog)], 'the dialog goes');
    // Some agents clean up for seconds after a denied call, so the end of the turn decides when they are idle.
    if (decision !== 'deny') this.truth.is('working', `the dialog was answered: ${decision}`);
    return decision;
  }

  #does(does: Meanwhile['does']): void {
    switch (does.type) {
      case 'interrupt':
        return this.#interrupt();
      case 'redraw':
        return this.#seat.keys('\x0c');
      case 'resize':
        return this.#stage.resize(does);
      case 'detach':
        return this.#stage.detach();
      case 'attach':
        return this.#stage.attach();
    }
  }

  /** Presses Esc as often as the agent needs, with pauses, because two at once would be another key. */
  #interrupt(): void {
    const { stops = 1 } = this.#agent;
    for (let at = 0; at < stops; at += 1) setTimeout(() => this.#seat.keys('\x1b'), at * ESC_EVERY_MS);
  }

  async #exit(): Promise<void> {
    await this.#widen();
    this.truth.mayEnd();
    await this.#seat.gives(this.#agent.exit, this.#agent);
    await until(this.#stage.terminal, ({ view, book }) => view.atPrompt && book.runningId === null, 30_000);
    const { resumeId } = this.#agent;
    const told = resumeId ? [...(await this.#runText()).matchAll(new RegExp(resumeId, 'g'))] : [];
    this.truth.ended(told.at(-1)?.[1]);
  }

  /** The screen's text from this run's command on, without line breaks. Lines of an earlier run may be above it. */
  async #runText(): Promise<string> {
    const text = (await this.#seat.text()).replaceAll('\n', '');
    return text.slice(Math.max(0, text.lastIndexOf(`$ ${this.#command}`)));
  }

  async #shell(command: string): Promise<void> {
    const { terminal } = this.#stage;
    const before = terminal.book.lastSeq;
    await this.#seat.line(command);
    await until(terminal, ({ book, view }) => book.lastSeq > before && book.runningId === null && view.atPrompt);
  }

  async #clear(): Promise<void> {
    const { clear, cleared } = this.#agent;
    await this.#seat.gives(clear, this.#agent);
    if (cleared) await this.#seat.sees([onScreen(cleared)], 'cleared');
    await this.#seat.idle(this.#agent, 'cleared');
    this.truth.begins(this.#agent.name, 'cleared');
  }

  async #compact(): Promise<void> {
    const { compact, compacted } = this.#agent;
    if (!compact || !compacted) return;
    this.truth.mayEnd(); // the agent now works without a request of the script
    await this.#seat.gives(compact, this.#agent);
    await this.#seat.sees([onScreen(compacted), absent(this.#agent.busy), still(600)], 'compacted');
    this.truth.is('idle', 'it has compacted');
    await this.#seat.looks(LOOKS_MS);
  }

  async #popup(key: string): Promise<void> {
    await this.#seat.press(key, READS_MS);
    await this.#seat.press('\x7f', READS_MS);
    await this.#seat.idle(this.#agent, 'what a sign opened is closed');
  }

  async #help(): Promise<void> {
    const { help, helped, closeHelp } = this.#agent;
    if (!help || !helped) return;
    await this.#seat.gives(help, this.#agent);
    await this.#seat.sees([onScreen(helped), still(400)], 'help');
    if (closeHelp) {
      this.#seat.keys(closeHelp);
      await this.#seat.sees([absent(helped)], 'help goes');
    }
    await this.#seat.idle(this.#agent, 'help is closed');
  }
}

/** The agent whose tools `nameTool` names. */
interface ToolNames {
  of: () => RigAgent;
}

function firstOf({ agents }: RunOf): RigAgent {
  const [first] = agents;
  if (!first) throw new Error('a run without an agent');
  return first;
}
