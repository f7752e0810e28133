import type { WebglAddon } from '@xterm/addon-webgl';
import type { Terminal } from '@xterm/xterm';
import { countsDevicePixels } from './countsDevicePixels.ts';

/**
 * Draws by WebGL where a letter is a whole number of device pixels wide. Elsewhere WebGL would round it (12.5 px Plex: 7.5 → 7) and
 * the live text would stand narrower than the finished text that takes its place; there the DOM draws. The DOM draws, too, until the
 * renderer is loaded, where there is no WebGL2, and when the GPU is lost.
 */
export class FastRenderer {
  #webgl: WebglAddon | undefined;
  /** Ends with the size that was adapted to, so that a renderer that is loaded late is not used. */
  #adapted = new AbortController();

  /** The letters of `xterm` are `cellPx` CSS pixels wide from now on, on this screen and on the one that the window is moved to. */
  async adapt(xterm: Terminal, cellPx: number): Promise<void> {
    this.dispose();
    this.#adapted = new AbortController();
    const { signal } = this.#adapted;
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
      'change',
      () => void this.adapt(xterm, cellPx),
      { once: true, signal },
    );
    const devicePx = cellPx * devicePixelRatio;
    if (Math.abs(devicePx - Math.round(devicePx)) > 0.02) return;
    if (!(await countsDevicePixels())) return;
    try {
      const { WebglAddon } = await import('@xterm/addon-webgl');
      if (signal.aborted) return;
      const webgl = new WebglAddon();
      webgl.onContextLoss(() => webgl.dispose());
      xterm.loadAddon(webgl);
      this.#webgl = webgl;
    } catch {
      // the DOM renderer that is already at work stays
    }
  }

  dispose(): void {
    this.#adapted.abort();
    this.#webgl?.dispose();
    this.#webgl = undefined;
  }
}
