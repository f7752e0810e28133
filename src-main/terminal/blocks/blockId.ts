/** Ids contain their seq, so that a block is found in a long record without an index: `b<seq>-<random>`. */
export function newBlockId(seq: number, random: string): string {
  return `b${seq}-${random}`;
}

/** The seq in an id, or null if it is not one of ours. */
export function blockSeq(id: string): number | null {
  const digits = id.match(/^b(\d{1,15})-/)?.[1];
  return digits === undefined ? null : Number(digits);
}
