import type { AgentChoice } from '../../src-main/contract/api.ts';
import type { Action, AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import { onMachineOf } from '../machines/Machines.svelte.ts';
import type { Stop } from '../rpc/Rpc.ts';
import type { MenuItem } from '../ui/menuItem.ts';
import { guard } from './tabActions.ts';

/** Heading of the agents to choose from; shown only during that choice. */
const CHOICE = strings.app.groups.newAgent;

/** Starts an agent in a new tab of that folder, as if its command had been typed. */
export async function openAgent(app: AppState, name: string, place: AgentPlace): Promise<void> {
  const { rpc, terminals } = app;
  await terminals.show(async () => rpc.agent.open({ name, ...place, ...(await terminals.sizeOfNew()) }));
}

/** `machine`: absent for this one. */
interface AgentPlace {
  machine?: string;
  cwd?: string;
}

/** Machine and folder of the shown terminal. */
function shownPlace({ terminals: { active } }: AppState): AgentPlace {
  return { ...onMachineOf(active?.id), ...(active && { cwd: active.view.cwd }) };
}

/** The agents installed there, as far as known. */
function agentsIn({ machines, projects }: AppState, { machine }: AgentPlace): readonly AgentChoice[] {
  return machine === undefined ? projects.agents : (machines.agentsOf(machine) ?? []);
}

/** "New agent here", with the installed agents to choose from. */
export function agentMenu(app: AppState, place: AgentPlace = shownPlace(app)): MenuItem {
  const agents = agentsIn(app, place);
  const words = strings.tabs.menu;
  if (agents.length === 0) return { label: words.noAgents, isDisabled: true, run: () => undefined };
  const items = agents.map(({ name, label }) => ({ label, run: () => guard(app, openAgent(app, name, place)) }));
  return { label: words.newAgentHere, items };
}

/** "New agent…", which lets the person choose one for the folder of the shown tab. */
export function registerNewAgentAction(app: AppState): Stop {
  let stopChoices: Stop = () => undefined;
  const stop = app.palette.register({
    id: 'tab.newAgent',
    title: strings.tabs.actions.newAgent,
    group: strings.app.groups.tabs,
    when: () => agentsIn(app, shownPlace(app)).length > 0,
    run: () => {
      stopChoices();
      stopChoices = app.palette.register(...agentsIn(app, shownPlace(app)).map((agent) => choiceOf(app, agent)));
      app.palette.choose(CHOICE);
    },
  });
  return () => {
    stopChoices();
    stop();
  };
}

function choiceOf(app: AppState, { name, label }: AgentChoice): Action {
  return {
    id: `tab.newAgent.${name}`,
    title: label,
    group: CHOICE,
    opensTab: true,
    when: () => app.palette.choice === CHOICE,
    run: () => guard(app, openAgent(app, name, shownPlace(app))),
  };
}
