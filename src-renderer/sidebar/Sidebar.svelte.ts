import type { Workspace } from '../../src-main/contract/api.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import { Agents } from '../agents/Agents.svelte.ts';
import { Notifications } from '../notifications/Notifications.svelte.ts';
import type { Rpc } from '../rpc/Rpc.ts';
import { Projects } from './Projects.svelte.ts';

/** What the sidebar tells besides the terminals themselves. */
export class Sidebar {
  readonly projects: Projects;
  readonly notifications: Notifications;
  readonly agents: Agents;

  constructor(rpc: Rpc, workspace: Workspace, settings: () => Settings) {
    this.projects = new Projects(rpc, workspace, settings);
    this.notifications = new Notifications(rpc.notification);
    this.agents = new Agents(rpc.agent);
  }
}
