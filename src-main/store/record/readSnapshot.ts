import { ScreenSnapshot } from '../../contract/screen/screenRecord.ts';
import { openIfThere, readPiece } from '../files/readPiece.ts';

/** Four times a screen of 1,000 × 1,000 four-byte characters. */
const MAX_SNAPSHOT_BYTES = 16 * 1024 * 1024;

/** Reads screen.snapshot.json; null if it is missing or damaged: the deltas have the same content. Rejects with errors of the disk. */
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
