import type { WebglAddon } from '@xterm/addon-webgl';
import type { Terminal } from '@xterm/xterm';

/**
 * Draws by WebGL where a letter is a whole number of device pixels wide. Elsewhere WebGL would round it (12.5 px Plex: 7.5 → 7) and
 * the live text would stand narrower than the finished text that takes its place; there the DOM draws. The DOM draws, too, until the
 * renderer is loaded, where there is no WebGL2, and when the GPU is lost.
 */
export class FastRenderer {
  #webgl: WebglAddon | undefined;
  /** Counts what was wanted, so that one that is loaded late is not used. */
  #wanted = 0;

  /** The letters of `xterm` are `cellPx` CSS pixels wide from now on. */
  async adapt(xterm: Terminal, cellPx: number): Promise<void> {
    this.dispose();
    const wanted = this.#wanted;
    const devicePx = cellPx * devicePixelRatio;
    if (Math.abs(devicePx - Math.round(devicePx)) > 0.02) return;
    try {
      const { WebglAddon } = await import('@xterm/addon-webgl');
      if (wanted !== this.#wanted) return;
      const webgl = new WebglAddon();
      webgl.onContextLoss(() => webgl.dispose());
      xterm.loadAddon(webgl);
      this.#webgl = webgl;
    } catch {
      // the DOM renderer that is already at work stays
    }
  }

  dispose(): void {
    this.#wanted += 1;
    this.#webgl?.dispose();
    this.#webgl = undefined;
  }
}
