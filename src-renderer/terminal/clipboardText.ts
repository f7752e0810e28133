import { MAX_PAYLOAD_CHARS } from '../../src-main/shared/xterm/xtermGuards.ts';

/** Of `c;<base64>`: the text, or undefined for a question, for nothing, and for what is no base64 or over the limit. */
export function clipboardText(data: string): string | undefined {
  const body = data.slice(data.indexOf(';') + 1);
  if (!data.includes(';') || body === '' || body === '?' || body.length > MAX_PAYLOAD_CHARS) return undefined;
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(body), (char) => char.charCodeAt(0)));
  } catch {
    return undefined; // not base64: bytes of a program, not an error of ours
  }
}
