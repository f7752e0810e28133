/** Placeholder for the recording in the built page. */
const RECORDING = '<!--hansard:recording-->';

/** The built page, before and after its recording. Throws if the page has no placeholder. */
export function splitReplayPage(page: string): { before: string; after: string } {
  const at = page.indexOf(RECORDING);
  if (at < 0) throw new Error('The replay page has no place for a recording: the installation is incomplete.');
  return { before: page.slice(0, at), after: page.slice(at + RECORDING.length) };
}

/** Escapes a piece of an asciicast for the page. `<` occurs only in JSON strings, and without it no text can close the element. */
export function escapeCast(piece: string): string {
  return piece.replaceAll('<', '\\u003c');
}

/** The page with its recording, in pieces. */
export async function* fillReplayPage(
  page: string,
  cast: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  const { before, after } = splitReplayPage(page);
  yield before;
  for await (const piece of cast) yield escapeCast(piece);
  yield after;
}
