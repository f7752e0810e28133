import type { WebglAddon } from '@xterm/addon-webgl';
import type { Terminal } from '@xterm/xterm';
import { countsDevicePixels } from './countsDevicePixels.ts';

/**
 * Draws with WebGL if a letter is a whole number of device pixels wide. Otherwise WebGL would round the width (12.5 px Plex: 7.5 → 7), and the live
 * text would be narrower than the finished text that replaces it, so the DOM draws.
 * The DOM also draws until the renderer is loaded, without WebGL2, when the GPU is lost, and with forced colours, which a canvas does not take.
 */
export class FastRenderer {
  #webgl: WebglAddon | undefined;
  /** Aborted when the size changes, so that a renderer that loads late is not used. */
  #adapted = new AbortController();

  /** Adapts to letters of `cellPx` CSS pixels, on this screen and on screens to which the window moves. */
  async adapt(xterm: Terminal, cellPx: number): Promise<void> {
    this.dispose();
    this.#adapted = new AbortController();
    const { signal } = this.#adapted;
    const forced = matchMedia('(forced-colors: active)');
    for (const media of [forced, matchMedia(`(resolution: ${devicePixelRatio}dppx)`)])
      media.addEventListener('change', () => void this.adapt(xterm, cellPx), { once: true, signal });
    if (forced.matches) return;
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
      // the DOM renderer stays
    }
  }

  dispose(): void {
    this.#adapted.abort();
    this.#webgl?.dispose();
    this.#webgl = undefined;
  }
}
