/** Side of the picture, in pixels. */
const SIZE = 32;
/** The colours of the icon in index.html, and the amber that means waiting in both themes. */
const COLORS = { ground: '#14161a', dot: '#5fbb8d', waits: '#e0a84a', number: '#14161a' } as const;
/** More than this is drawn as `9+`: there is room for two signs. */
const MOST = 9;

/** The page's icon with the number of waiting terminals, as a data: URL; null if it cannot be drawn. */
export function badgeIcon(count: number): string | null {
  const canvas = document.createElement('canvas');
  canvas.width = SIZE;
  canvas.height = SIZE;
  const pen = canvas.getContext('2d');
  if (!pen) return null;
  pen.fillStyle = COLORS.ground;
  pen.beginPath();
  pen.roundRect(0, 0, SIZE, SIZE, 7);
  pen.fill();
  disc(pen, { x: 16, y: 16, radius: count > 0 ? 15 : 6, color: count > 0 ? COLORS.waits : COLORS.dot });
  if (count > 0) {
    pen.fillStyle = COLORS.number;
    pen.font = 'bold 20px sans-serif';
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillText(count > MOST ? `${MOST}+` : String(count), 16, 17);
  }
  return canvas.toDataURL('image/png');
}

/** Puts the number on the page's icon and on the installed app's. */
export function showBadge(count: number, icon: string | null): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link && icon !== null) link.href = icon;
  // Only an installed page has a badge. Without one, or if the browser refuses it, the icon has the number.
  const done = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  done?.catch(() => undefined);
}

function disc(
  pen: CanvasRenderingContext2D,
  { x, y, radius, color }: { x: number; y: number; radius: number; color: string },
): void {
  pen.fillStyle = color;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}
