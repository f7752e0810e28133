import type { Settings } from '../../src-main/contract/settings.ts';
import { Agents } from '../agents/Agents.svelte.ts';
import type { Boot } from '../app/boot.ts';
import { Machines } from '../machines/Machines.svelte.ts';
import { Notifications } from '../notifications/Notifications.svelte.ts';
import type { Rpc } from '../rpc/Rpc.ts';
import { Projects } from './Projects.svelte.ts';

/** State of the sidebar apart from the terminals themselves. */
export class Sidebar {
  readonly machines: Machines;
  readonly projects: Projects;
  readonly notifications: Notifications;
  readonly agents: Agents;

  /** All parts use the calls of `machines`, which refuses calls that cannot arrive. */
  constructor(given: Rpc, { system, workspace }: Boot, settings: () => Settings) {
    this.machines = new Machines(given, system.home);
    const { rpc } = this.machines;
    this.projects = new Projects(rpc, workspace, settings);
    this.notifications = new Notifications(rpc.notification);
    this.agents = new Agents(rpc.agent);
  }
}
