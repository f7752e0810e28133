import { mount } from 'svelte';
import type { Rpc } from '../rpc/Rpc.ts';
import { loadTerminalFace } from '../terminal/sizeOfNewTerminal.ts';
import App from './App.svelte';
import { AppState } from './AppState.svelte.ts';
import type { Boot } from './boot.ts';

/** Draws the window in `into`; calls `onDrawing` just before. */
export async function openWindow(
  { into, rpc, boot }: { into: HTMLElement; rpc: Rpc; boot: Boot },
  onDrawing: () => void,
): Promise<void> {
  const app = new AppState(rpc, boot);
  // The first frame needs the right colours, but a theme that fails to load must not stop the window.
  if (app.settings.themes.lacks(app.settings.current)) await app.settings.themes.load().catch(() => undefined);
  onDrawing();
  void loadTerminalFace(boot.settings); // the first terminal opens once its letters can be measured
  mount(App, { target: into, props: { app } });
}
