/**
 * Decodes the valid start of base64: skips white space, and stops at the first other character. Padding may be anywhere, because some
 * programs encode each piece of an image separately.
 */
export function bytesOfBase64(text: string): Uint8Array {
  const valid = /^[A-Za-z0-9+/=]*/.exec(text.replace(/\s/g, ''))?.[0] ?? '';
  const pieces = valid.split(/=+/).map((piece) => atob(piece.length % 4 === 1 ? piece.slice(0, -1) : piece));
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let to = 0;
  for (const piece of pieces) for (let at = 0; at < piece.length; at += 1) bytes[to++] = piece.charCodeAt(at);
  return bytes;
}
