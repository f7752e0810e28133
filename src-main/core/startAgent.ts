import type { IExtractor } from '../contract/chat/extractor.ts';
import type { KnownAgent, StartAgent, StartVerdict } from '../contract/startAgent.ts';
import type { TerminalView } from '../contract/terminal.ts';
import { EXTRACTORS } from '../conversations/extraction/extractors/agents/all.ts';
import { addWorktree } from '../worktrees/worktrees.ts';
import { agentChoices } from './agentChoices.ts';
import type { NewTerminal } from './TerminalRegistry.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Lists every agent that has an extractor. It runs no program to find out whether one is installed. */
export function knownAgents(env: Env, extractors: readonly IExtractor[] = EXTRACTORS): KnownAgent[] {
  const installed = new Set(agentChoices(extractors, env.PATH ?? '').map(({ name }) => name));
  return extractors.map((extractor) => ({
    name: extractor.name,
    label: extractor.label,
    isInstalled: installed.has(extractor.name),
    install: installOf(extractor),
    takesModel: extractor.modelFlag !== undefined,
  }));
}

function installOf({ install, packages = [] }: IExtractor): string | null {
  const [first] = packages;
  return install ?? (first === undefined ? null : `npm install -g ${first}`);
}

export interface StartDeps {
  env(): Promise<Env>;
  /** Opens a terminal and runs the command in it, as if the person had typed it. */
  run(spec: NewTerminal, command: string): Promise<TerminalView>;
  /** Sends a first prompt once the agent of that terminal takes input. */
  prompt(terminalId: string, text: string): Promise<void>;
}

/** Creates the work tree if requested, starts the agent there and sends its first prompt. If the agent cannot start, nothing is created. */
export async function startAgent(
  deps: StartDeps,
  { name, cwd, worktree, prompt, model }: StartAgent,
  place: Omit<NewTerminal, 'cwd'>,
): Promise<StartVerdict> {
  const env = await deps.env();
  const agent = knownAgents(env).find((one) => one.name === name);
  const extractor = EXTRACTORS.find((one) => one.name === name);
  if (!agent?.isInstalled || !extractor) return { ok: false, reason: 'agent', detail: agent?.install ?? name };
  const made = worktree ? await addWorktree(cwd, worktree, env) : null;
  if (made && !made.ok) return made;
  const flag = model && extractor.modelFlag ? ` ${extractor.modelFlag} ${model}` : '';
  const terminal = await deps.run({ ...place, cwd: made?.path ?? cwd }, `${extractor.start ?? name}${flag}`);
  if (prompt) await deps.prompt(terminal.id, prompt);
  return { ok: true, terminal };
}
