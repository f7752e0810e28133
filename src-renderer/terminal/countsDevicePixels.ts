/**
 * Whether boxes have as many device pixels as `devicePixelRatio` says. Chromium's device emulation changes the ratio but not the boxes. The WebGL
 * renderer sizes its canvas by the boxes and its letters by the ratio, so they would be too large and cut off.
 */
export function countsDevicePixels(): Promise<boolean> {
  if (!('devicePixelContentBoxSize' in ResizeObserverEntry.prototype)) return Promise.resolve(true); // Safari: by the ratio alone
  return new Promise((resolve) => {
    const observer = new ResizeObserver(([entry]) => {
      observer.disconnect();
      const devicePx = entry?.devicePixelContentBoxSize[0]?.inlineSize ?? 0;
      const ratio = devicePx / (entry?.contentRect.width || 1);
      resolve(Math.abs(ratio / devicePixelRatio - 1) < 0.02);
    });
    observer.observe(document.documentElement, { box: 'device-pixel-content-box' });
  });
}
