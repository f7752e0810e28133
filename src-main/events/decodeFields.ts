const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LENIENT_UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes `bytes` as text; malformed UTF-8 becomes U+FFFD. */
export function decodeLenient(bytes: Uint8Array): string {
  return LENIENT_UTF8.decode(bytes);
}

/** Decodes `bytes` as text, or returns null for malformed UTF-8: a text that may differ from the typed one is useless. */
export function decodeExact(bytes: Uint8Array): string | null {
  try {
    return STRICT_UTF8.decode(bytes);
  } catch {
    return null; // the decoder's only way to say "malformed"
  }
}

/** The bytes of complete, padded base64 (RFC 4648 §4), or null. */
export function decodeBase64(text: string): Uint8Array | null {
  return BASE64.test(text) ? Buffer.from(text, 'base64') : null;
}

/** Text carried as base64: exact UTF-8 without NUL, or null. */
export function decodeBase64Text(text: string): string | null {
  const bytes = decodeBase64(text);
  return bytes === null || bytes.includes(0) ? null : decodeExact(bytes);
}

/** Percent-decoded text (RFC 3986 §2.1), or null if the escapes are broken or not UTF-8. */
export function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null; // likewise
  }
}

/** `a=1;b=2` as a map; of repeated keys the first counts; a part without `=` is a key with ''. */
export function parseFields(parts: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (const part of parts) {
    const at = part.indexOf('=');
    const key = at < 0 ? part : part.slice(0, at);
    if (!fields.has(key)) fields.set(key, at < 0 ? '' : part.slice(at + 1));
  }
  return fields;
}

const EXIT_STATUS = /^-?\d{1,10}$/;

/** A whole number of 32 bits (PowerShell and Windows have negative ones), or null. */
export function parseExitStatus(text: string | undefined): number | null {
  if (text === undefined || !EXIT_STATUS.test(text)) return null;
  const status = Number(text);
  return Math.abs(status) <= 0xffffffff ? status : null;
}
