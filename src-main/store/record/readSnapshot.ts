import { ScreenSnapshot } from '../../contract/screen/screen.ts';
import { openIfThere, readPiece } from '../files/readPiece.ts';

/** A screen of a thousand rows and columns in four-byte characters is a quarter of it. */
const MAX_SNAPSHOT_BYTES = 16 * 1024 * 1024;

/** screen.snapshot.json, or null when it is missing or damaged: the deltas have the same. Rejects when the disk refuses. */
export async function readSnapshot(path: string): Promise<ScreenSnapshot | null> {
  const file = await openIfThere(path);
  if (!file) return null;
  try {
    const text = (await readPiece(file, 0, MAX_SNAPSHOT_BYTES)).toString();
    return ScreenSnapshot.parse(JSON.parse(text));
  } catch (thrown) {
    if (thrown instanceof Error && 'syscall' in thrown) throw thrown;
    return null;
  } finally {
    await file.close();
  }
}
