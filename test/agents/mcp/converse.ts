import { absent, type Seat } from '../drive/Seat.ts';
import type { ScriptedModel, Served } from '../scriptedModel/ScriptedModel.ts';
import type { ReadingModel } from '../scriptedModel/script.ts';
import type { McpAgent } from './McpAgent.ts';

/** Limit for the start of an agent on a busy machine, ms. */
const START_MS = 120_000;
/** Without a request this long after Return, Return was lost, ms. */
const AGAIN_MS = 8_000;
/** If a dialog is still open this long after its key, the key was lost, ms. */
const KEY_MS = 3_000;

export interface Talk {
  readonly prompt: string;
  readonly replies: ReadingModel;
}

/** Starts the agent in a terminal as a person. */
export async function startAgent({ rig }: McpAgent, seat: Seat): Promise<void> {
  await seat.line(rig.name);
  await seat.idle(rig, `${rig.name} is ready`, START_MS);
  await seat.looks(rig.loadsMs ?? 0);
}

/** Types the prompt, allows each permission prompt, and resolves with the model's last answer. */
export async function converse(
  agent: McpAgent,
  talk: Talk,
  { seat, model }: { seat: Seat; model: ScriptedModel },
): Promise<Served> {
  const { rig } = agent;
  const from = model.served.length;
  model.load(talk);
  await seat.line(talk.prompt, rig);
  const isAsked = () => model.served.length > from;
  await model.until(isAsked, AGAIN_MS).catch(() => {
    seat.keys('\r');
    return model.until(isAsked, START_MS); // the first request may have to wait for late loading
  });
  const over = new AbortController();
  const isOver = model.until(() => lastOf(model, talk) !== undefined, START_MS);
  const dialogs = sayYes(agent, seat, over.signal);
  try {
    await Promise.race([isOver, dialogs.then(() => isOver)]);
  } finally {
    over.abort();
  }
  await seat.idle(rig, 'the end of the turn');
  return lastOf(model, talk) as Served;
}

/** The script's last answer, once it has been sent. */
export function lastOf(model: ScriptedModel, { prompt }: Pick<Talk, 'prompt'>): Served | undefined {
  return model.served.find(({ turn, call, endedMs }) => turn.prompt === prompt && call === null && endedMs !== null);
}

/** Allows each dialog until `signal` aborts or no dialog appears. */
export async function sayYes({ dialog, allow }: McpAgent, seat: Seat, signal: AbortSignal): Promise<void> {
  while (await seat.comes(dialog, signal)) {
    seat.keys(allow);
    await seat.sees([absent(dialog)], 'the dialog goes', KEY_MS).catch(() => undefined); // the loop answers it again
  }
}
