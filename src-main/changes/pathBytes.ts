/**
 * Paths of git and of the disk are bytes. In this folder they are strings with one character for each byte (latin1), so that code can compare them and
 * keep them in sets. A person gets text.
 */
export function toBytes(raw: string): Buffer {
  return Buffer.from(raw, 'latin1');
}

/** Splits a text at the NUL that ends each field. */
export function splitNul(out: Buffer): string[] {
  const fields = out.toString('latin1').split('\0');
  fields.pop();
  return fields;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns a path for people, with bytes that are not UTF-8 as `\xNN`. */
export function toText(raw: string): string {
  const bytes = toBytes(raw);
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return [...bytes].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`)).join('');
  }
}

export function toId(raw: string): string {
  return toBytes(raw).toString('base64url');
}

export function fromId(id: string): string {
  return Buffer.from(id, 'base64url').toString('latin1');
}
