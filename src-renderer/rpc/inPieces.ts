/** A character takes at most six bytes in JSON, and a connection takes messages of 1 MiB. */
export const PIECE_CHARS = 150_000;

/** The end of a text, and the id under which the earlier pieces were sent. */
export interface TextEnd {
  text: string;
  upload?: string;
}

/** Sends a long text piece by piece, each after the previous one was accepted, and its end with the final call. */
export async function inPieces<T>(
  text: string,
  upload: (input: { upload: string; piece: string }) => Promise<unknown>,
  call: (end: TextEnd) => Promise<T>,
): Promise<T> {
  if (text.length <= PIECE_CHARS) return call({ text });
  const name = crypto.randomUUID();
  let from = 0;
  for (; text.length - from > PIECE_CHARS; from += PIECE_CHARS) {
    await upload({ upload: name, piece: text.slice(from, from + PIECE_CHARS) });
  }
  return call({ text: text.slice(from), upload: name });
}
