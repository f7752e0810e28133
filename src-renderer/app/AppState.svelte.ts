import { getContext, setContext } from 'svelte';
import { Clients } from '../approvals/Clients.svelte.ts';
import { Audit } from '../audit/Audit.svelte.ts';
import { Chats } from '../conversation/Chats.svelte.ts';
import { Replays } from '../replay/Replays.svelte.ts';
import type { Rpc, Stop } from '../rpc/Rpc.ts';
import { Saved } from '../savedCommands/Saved.svelte.ts';
import { Searches } from '../search/Searches.ts';
import { SettingsState } from '../settings/SettingsState.svelte.ts';
import { Sidebar } from '../sidebar/Sidebar.svelte.ts';
import { Terminals } from '../tabs/Terminals.svelte.ts';
import { Touch } from '../touch/Touch.svelte.ts';
import { type Action, Actions } from './Actions.svelte.ts';
import type { Boot } from './boot.ts';
import { Dialogs } from './Dialogs.svelte.ts';
import { Focus } from './Focus.svelte.ts';
import { Keys } from './Keys.svelte.ts';
import { Link } from './Link.svelte.ts';
import { Notices } from './Notices.svelte.ts';
import { Paste } from './Paste.ts';

export type { Action };

/** The window's state, one class per noun. Created once in main.ts; `getApp()` returns it. */
export class AppState {
  readonly rpc: Rpc;
  readonly system: Boot['system'];
  readonly workspace: Boot['workspace'];
  readonly link: Link;
  readonly settings: SettingsState;
  readonly notices: Notices;
  readonly machines: Sidebar['machines'];
  readonly terminals: Terminals;
  readonly projects: Sidebar['projects'];
  readonly notifications: Sidebar['notifications'];
  readonly agents: Sidebar['agents'];
  /** Every action of the window; the palette and the keys read it. */
  readonly palette: Actions;
  readonly keys: Keys;
  readonly focus: Focus;
  readonly dialogs: Dialogs;
  readonly paste: Paste;
  readonly history: Searches['history'];
  readonly everywhere: Searches['everywhere'];
  readonly saved: Saved;
  readonly chats: Chats;
  readonly clients: Clients;
  readonly audit: Audit;
  readonly replays = new Replays();
  readonly touch = new Touch();
  readonly #stops: Stop[];

  constructor(given: Rpc, boot: Boot) {
    const { agents, machines, notifications, projects } = new Sidebar(given, boot, () => this.settings.current);
    const { rpc } = machines;
    this.rpc = rpc;
    this.machines = machines;
    this.system = boot.system;
    this.workspace = boot.workspace;
    this.link = new Link(rpc, boot.system.build, () => this.terminals.list.every(({ draft }) => draft === ''));
    this.settings = new SettingsState(rpc, boot.settings);
    this.notices = new Notices(rpc);
    this.terminals = new Terminals(rpc, boot.workspace, (ended, isShown) => {
      const isLong = (ended.durationMs ?? 0) >= this.settings.current['notify.longCommandMs'];
      return isLong && !(isShown && isLookedAt());
    });
    this.agents = agents;
    this.notifications = notifications;
    this.projects = projects;
    this.terminals.arrange = (list) => machines.inOrder(projects.group(list));
    this.terminals.isLookedAt = isLookedAt;
    this.palette = new Actions();
    this.dialogs = new Dialogs();
    this.paste = new Paste(rpc, this.dialogs, this.notices);
    this.focus = new Focus();
    const { history, everywhere } = new Searches(rpc);
    this.history = history;
    this.everywhere = everywhere;
    this.saved = new Saved(rpc.saved, () => this.terminals.activeId);
    this.chats = new Chats(rpc.chat, boot.workspace.chats);
    this.clients = new Clients(rpc.clients);
    this.terminals.askedIn = (id) => this.clients.askedIn(id);
    this.audit = new Audit(rpc);
    this.keys = new Keys(this.palette, this.settings, {
      platform: boot.system.platform,
      isBrowser: boot.system.frontend === 'web',
      isTouched: this.touch.isCoarse,
    });
    this.#stops = [
      this.link,
      this.settings,
      this.notices,
      this.machines,
      this.terminals,
      this.clients,
      this.projects,
      this.notifications,
    ].map((part) => part.start());
  }

  dispose(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.agents.dispose();
    this.chats.dispose();
    this.everywhere.dispose();
    this.audit.dispose();
  }
}

const KEY = Symbol('app');

export function provideApp(app: AppState): AppState {
  return setContext(KEY, app);
}

/** Returns the window's state during a component's initialization. */
export function getApp(): AppState {
  return getContext<AppState>(KEY);
}

function isLookedAt(): boolean {
  return typeof document !== 'undefined' && document.hasFocus();
}
