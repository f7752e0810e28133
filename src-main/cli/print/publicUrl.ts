import { styleText } from 'node:util';
import type { Command } from 'commander';
import { parsePublicUrl } from './options.ts';
import { print, remark } from './output.ts';

export interface DeviceOptions {
  publicUrl?: string;
  qr?: boolean;
}

interface Front {
  /** A loopback address with a one-time code. */
  url: string;
  publicOrigin: string | null;
}

/** The options of every command that prints a URL which a phone or a tablet could open. */
export function addDeviceOptions(command: Command): Command {
  return command
    .option('--public-url <url>', 'https address of your own tunnel to this port', parsePublicUrl)
    .option('--qr', 'also print the URL as a QR code, for a phone');
}

/** Whether the URL is for another device: it works once, so no browser of this machine may use it up. */
export function isForOtherDevice({ qr, publicUrl }: DeviceOptions): boolean {
  return qr === true || publicUrl !== undefined;
}

/** The URL to print: for another device the tunnel's, if there is one. */
export function shownUrl({ url, publicOrigin }: Front, options: DeviceOptions): string {
  return publicOrigin === null || !isForOtherDevice(options)
    ? url
    : publicOrigin + url.slice(new URL(url).origin.length);
}

/** With `--qr`, prints `url` as a QR code, and explains how a phone reaches a page that only this machine can open. */
export async function printQr(url: string, { publicOrigin }: Front, { qr }: DeviceOptions): Promise<void> {
  if (!qr) return;
  const { renderUnicodeCompact } = await import('uqr'); // imported here: most starts do not need it
  const lines = renderUnicodeCompact(url, { border: 2 }).split('\n');
  // A scanner needs dark on light, whatever colours the terminal has.
  await print(
    `${lines.map((line) => styleText(['whiteBright', 'bgBlack'], line, { stream: process.stdout })).join('\n')}\n`,
  );
  if (publicOrigin !== null) return;
  remark(
    `only this machine can open this URL. For a phone, start a tunnel (\`tailscale serve --bg ${new URL(url).port}\`), then run \`hansard serve restart --public-url https://NAME --qr\`.`,
  );
}
