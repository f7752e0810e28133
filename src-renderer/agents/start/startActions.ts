import type { AgentRow } from '../../../src-main/contract/agents.ts';
import { leadText } from '../../../src-main/contract/chat/leadText.ts';
import type { StartVerdict } from '../../../src-main/contract/startAgent.ts';
import type { Worktree } from '../../../src-main/contract/worktrees.ts';
import type { AppState } from '../../app/AppState.svelte.ts';
import { strings } from '../../app/strings.ts';
import { onMachineOf } from '../../machines/Machines.svelte.ts';
import type { Rpc, Stop } from '../../rpc/Rpc.ts';

const words = strings.agents.start;
/** Messages per request; the core sends no more. */
const PAGE = 500;

export function registerStartActions(app: AppState): Stop {
  return app.palette.register({
    id: 'agents.start',
    title: words.action,
    group: strings.app.groups.tabs,
    keys: 'Mod+Shift+N',
    run: () => openStart(app),
  });
}

/** Opens the form, for the folder of the shown agent or shell. */
export function openStart({ agents, chats, machines, terminals }: AppState): void {
  const { active } = terminals;
  const running = active?.view.agent?.conversationId;
  const shown = agents.isOpen ? agents.chosen : chats.all.find(({ id }) => id === running);
  const id = shown?.terminalId ?? active?.id;
  agents.starting.open({ ...onMachineOf(id), cwd: shown?.cwd ?? active?.view.cwd ?? machines.homeOf(id ?? '') });
}

/** The form with the first prompt of that conversation, for another agent beside it. */
export async function openAgain({ agents, machines, rpc }: AppState, row: AgentRow): Promise<void> {
  const { terminalId, agent, cwd } = row;
  const prompt = await firstPrompt(rpc, row);
  const place = { ...onMachineOf(terminalId), cwd: cwd ?? machines.homeOf(terminalId) };
  agents.starting.open({ ...place, prompt, notName: agent, beside: terminalId });
}

/** Reads back to the beginning, because a page has the last messages. '' if there is no prompt. */
async function firstPrompt(rpc: Rpc, { terminalId, conversationId }: AgentRow): Promise<string> {
  let prompt = '';
  let before: { beforeOrder?: number } = {};
  for (;;) {
    const { messages, more } = await rpc.chat.page({ terminalId, conversationId, ...before, limit: PAGE });
    const first = messages.find(({ kind }) => kind === 'user');
    if (first) prompt = leadText(first);
    const [oldest] = messages;
    if (!more || !oldest) return prompt;
    before = { beforeOrder: oldest.order };
  }
}

/** Nothing was started. */
class Refused extends Error {
  readonly verdict: Exclude<StartVerdict, { ok: true }>;

  constructor(verdict: Exclude<StartVerdict, { ok: true }>) {
    super(words.refusals[verdict.reason](verdict.detail));
    this.verdict = verdict;
  }
}

/** Starts the agent of the form and shows its terminal. If that fails, the form stays open and says why. */
export async function start(app: AppState): Promise<void> {
  const { agents, terminals, rpc } = app;
  const { starting } = agents;
  const { request, with: opened } = starting;
  starting.isStarting = true;
  starting.problem = '';
  const place = opened.beside === undefined ? undefined : { at: opened.beside, side: 'right' as const };
  try {
    await terminals.show(async () => {
      const verdict = await rpc.agent.start({ ...request, ...(await terminals.sizeOfNew(place)) });
      if (!verdict.ok) throw new Refused(verdict);
      return verdict.terminal;
    }, place);
    starting.close();
    agents.close();
  } catch (error) {
    starting.problem = error instanceof Refused ? error.message : words.failed(String(error));
  } finally {
    starting.isStarting = false;
  }
}

/** Reads what the form offers for its folder. */
export async function readFolder({ agents, machines, rpc, system }: AppState): Promise<void> {
  const { starting } = agents;
  const typed = starting.cwd.trim();
  const { onMachine } = starting;
  const home = onMachine.machine === undefined ? system.home : machines.byKey(onMachine.machine)?.info?.home;
  const cwd = home && (typed === '~' || typed.startsWith('~/')) ? `${home}${typed.slice(1)}` : typed;
  starting.cwd = cwd;
  if (cwd === '') return;
  const repository = await rpc.agent.repository({ ...onMachine, cwd });
  if (starting.cwd === cwd) starting.reads(repository);
}

/** Asks, and removes a work tree with its branch. The form says so where something would be lost. */
export async function removeTree(app: AppState, tree: Worktree): Promise<void> {
  const { agents, dialogs, rpc } = app;
  const { path, ignored } = tree;
  const isOpen = app.terminals.list.some(({ view }) => view.cwd === path || view.cwd.startsWith(`${path}/`));
  if (isOpen) {
    agents.starting.problem = words.removal.open(path);
    return;
  }
  agents.starting.close();
  const isSure = await dialogs.ask({
    title: words.removal.title,
    body: words.removal.body(tree),
    exact: [path, ...ignored].join('\n'),
    confirm: words.removal.confirm,
    isDangerous: true,
  });
  const verdict = isSure
    ? await rpc.agent.removeWorktree({ ...agents.starting.onMachine, path, ignored: [...ignored] })
    : null;
  agents.starting.isOpen = true;
  if (verdict?.ok === false) agents.starting.problem = words.removal[verdict.reason](verdict.detail);
  await readFolder(app);
}
