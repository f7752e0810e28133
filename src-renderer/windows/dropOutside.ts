import type { AppState } from '../app/AppState.svelte.ts';
import { guard } from '../tabs/tabActions.ts';
import { moveToNewWindow } from './windowActions.ts';

/** Between the windows of one origin; nothing of it leaves the browser or the app. */
const CHANNEL = 'hansard.drop';
/** Another window answers within a turn or two; the browser lets a new one open for much longer. */
const ANSWER_MS = 120;

interface Place {
  x: number;
  y: number;
}
type Message = { ask: string; at: Place } | { answer: string };

/** Moves a tab dropped outside of its window into the window at that position of the screen, or else into a new one. */
export async function dropOutside(app: AppState, id: string, at: Place): Promise<void> {
  const isTaken = await isTakenElsewhere(id, at);
  if (!isTaken) await moveToNewWindow(app, id, at);
}

function isTakenElsewhere(id: string, at: Place): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<boolean>((resolve) => {
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if ('answer' in data && data.answer === id) resolve(true);
    };
    setTimeout(() => resolve(false), ANSWER_MS);
    channel.postMessage({ ask: id, at } satisfies Message);
  }).finally(() => channel.close());
}

/** Takes the tabs that are dropped on this window from others. */
export function followDrops(app: AppState): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (!('ask' in data) || document.visibilityState === 'hidden' || !isOver(data.at)) return;
    channel.postMessage({ answer: data.ask } satisfies Message);
    guard(app, app.terminals.activate(data.ask)); // brings it here
  };
  return () => channel.close();
}

function isOver({ x, y }: Place): boolean {
  return x >= screenX && y >= screenY && x < screenX + outerWidth && y < screenY + outerHeight;
}
