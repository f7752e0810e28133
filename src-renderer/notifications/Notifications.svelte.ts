import type { Notification, NotificationChange } from '../../src-main/contract/window/notification.ts';
import type { Rpc, Stop } from '../rpc/Rpc.ts';

/** The core's list of notifications, newest first. All windows share the read state. */
export class Notifications {
  readonly #rpc: Rpc['notification'];
  #all = $state.raw<readonly Notification[]>([]);
  isOpen = $state(false);
  readonly unread = $derived(this.#all.filter(({ isRead }) => !isRead));
  /** Called for each notification that arrives while the window is open. */
  onNew: (notification: Notification) => void = () => undefined;

  constructor(rpc: Rpc['notification']) {
    this.#rpc = rpc;
  }

  get all(): readonly Notification[] {
    return this.#all;
  }

  /** How many of a terminal's are unread. */
  unreadIn(terminalId: string): number {
    return this.unread.filter((each) => each.terminalId === terminalId).length;
  }

  start(): Stop {
    return this.#rpc.onChange((change) => this.apply(change));
  }

  apply(change: NotificationChange): void {
    if (change.type === 'all') {
      this.#all = change.notifications;
      return;
    }
    this.#all = [change.notification, ...this.#all];
    this.onNew(change.notification);
  }

  async read(which: { seq?: number; terminalId?: string }): Promise<void> {
    await this.#rpc.read(which);
  }
}
