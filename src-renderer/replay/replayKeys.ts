import type { ReplayPlayer } from './ReplayPlayer.svelte.ts';

const STEP_MS = 5000;

const KEYS: Readonly<Record<string, (player: ReplayPlayer) => void>> = {
  ' ': (player) => player.toggle(),
  k: (player) => player.toggle(),
  ArrowLeft: (player) => player.seek(player.positionMs - STEP_MS),
  ArrowRight: (player) => player.seek(player.positionMs + STEP_MS),
  '[': (player) => player.jump('previous'),
  ']': (player) => player.jump('next'),
  '<': (player) => player.changeSpeed(-1),
  '>': (player) => player.changeSpeed(1),
  Home: (player) => player.seek(0),
  End: (player) => player.seek(player.time.lengthMs),
};

/** The action of a key in the player. A focused control keeps the keys that it uses. */
export function replayKey(event: KeyboardEvent): ((player: ReplayPlayer) => void) | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const { target, key } = event;
  const isControl = target instanceof Element && target.matches('button, select, input[type=checkbox]');
  if (isControl && (key === ' ' || target.matches('select'))) return undefined;
  return KEYS[key];
}
