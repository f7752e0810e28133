import { tick } from 'svelte';
import type { Notification as News } from '../../src-main/contract/window/notification.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import { formatDuration } from '../app/formatWords.ts';
import { strings } from '../app/strings.ts';
import { raiseWindow } from '../rpc/desktop.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { guard } from '../tabs/tabActions.ts';

/** What happened, in words. */
export function newsWords({ kind, body, exitCode, durationMs }: News): string {
  const { what } = strings.notifications;
  switch (kind) {
    case 'command':
      return exitCode
        ? what.failed(formatDuration(durationMs ?? 0), exitCode)
        : what.done(formatDuration(durationMs ?? 0));
    case 'program':
      return body;
    case 'agentAsks':
      return what.asks(body);
    case 'agentDone':
      return what.agentDone;
  }
}

/** Leads to the terminal, and to the card where there is one. */
export async function goTo(app: AppState, { seq, terminalId, blockId }: News): Promise<void> {
  app.notifications.isOpen = false;
  await app.notifications.read({ seq });
  await app.terminals.activate(terminalId);
  if (blockId === null) return;
  await tick(); // the tab's cards are drawn
  app.focus.toCard(terminalId, blockId);
}

/** By the system, where the person is elsewhere and has allowed it. An agent's question has its own way there. */
export function notifySystem(app: AppState, news: News): void {
  if (news.kind === 'agentAsks' || document.hasFocus()) return;
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  const shown = new Notification(app.machines.titled(news.title, news.terminalId), {
    body: newsWords(news),
    tag: `news-${news.seq}`,
  });
  shown.onclick = () => {
    raiseWindow();
    guard(app, goTo(app, news));
  };
}

export function registerNotificationActions(app: AppState): Stop {
  const { notifications, palette } = app;
  app.notifications.onNew = (news) => notifySystem(app, news);
  return palette.register(
    {
      id: 'notifications.open',
      title: strings.notifications.actions.open,
      group: strings.app.groups.window,
      run: () => {
        notifications.isOpen = !notifications.isOpen;
      },
    },
    {
      id: 'notifications.latest',
      title: strings.notifications.actions.latest,
      group: strings.app.groups.tabs,
      keys: 'Mod+Shift+U',
      when: () => notifications.unread.length > 0,
      run: () => {
        const [latest] = notifications.unread;
        if (latest) guard(app, goTo(app, latest));
      },
    },
  );
}
