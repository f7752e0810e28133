/** Whether the person points with a finger: a focus then opens the keyboard of the screen, which covers half of what they read. */
export function isCoarse(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}
