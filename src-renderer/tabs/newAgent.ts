import type { AgentChoice } from '../../src-main/contract/api.ts';
import type { Action, AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import type { Stop } from '../rpc/Rpc.ts';
import type { MenuItem } from '../ui/menuItem.ts';
import { guard } from './tabActions.ts';

/** Heading of the agents that can be started; shown only while one is being chosen. */
const CHOICE = strings.app.groups.newAgent;

/** Starts an agent in a new tab of that folder: its command runs there as if it had been typed. */
export async function openAgent(app: AppState, name: string, cwd?: string): Promise<void> {
  const { rpc, terminals } = app;
  await terminals.show(async () => rpc.agent.open({ name, ...(cwd && { cwd }), ...(await terminals.sizeOfNew()) }));
}

/** "New agent here", with the installed agents to choose from. */
export function agentMenu(app: AppState, cwd: string): MenuItem {
  const { agents } = app.projects;
  const words = strings.tabs.menu;
  if (agents.length === 0) return { label: words.noAgents, isDisabled: true, run: () => undefined };
  const items = agents.map(({ name, label }) => ({ label, run: () => guard(app, openAgent(app, name, cwd)) }));
  return { label: words.newAgentHere, items };
}

/** "New agent…", which lets the person choose one for the folder of the shown tab. */
export function registerNewAgentAction(app: AppState): Stop {
  let stopChoices: Stop = () => undefined;
  const stop = app.palette.register({
    id: 'tab.newAgent',
    title: strings.tabs.actions.newAgent,
    group: strings.app.groups.tabs,
    when: () => app.projects.agents.length > 0,
    run: () => {
      stopChoices();
      stopChoices = app.palette.register(...app.projects.agents.map((agent) => choiceOf(app, agent)));
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
    run: () => guard(app, openAgent(app, name, app.terminals.active?.view.cwd)),
  };
}
