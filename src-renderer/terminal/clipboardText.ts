import { MAX_PAYLOAD_CHARS } from '../../src-main/shared/xterm/xtermGuards.ts';

/** The text of `c;<base64>`; undefined for a query, empty data, invalid base64 or text over the limit. */
export function clipboardText(data: string): string | undefined {
  const body = data.slice(data.indexOf(';') + 1);
  if (!data.includes(';') || body === '' || body === '?' || body.length > MAX_PAYLOAD_CHARS) return undefined;
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(body), (char) => char.charCodeAt(0)));
  } catch {
    return undefined; // not base64: bytes of a program, not an error of ours
  }
}
