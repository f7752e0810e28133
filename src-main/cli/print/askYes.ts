import { createInterface } from 'node:readline/promises';

/** Asks at the terminal; anything but a yes is a no, also the end of input. */
export async function askYes(question: string): Promise<boolean> {
  const input = createInterface({ input: process.stdin, output: process.stdout });
  const gone = new Promise<string>((resolve) => input.once('close', () => resolve('')));
  try {
    return /^y(es)?$/i.test((await Promise.race([input.question(question), gone])).trim());
  } finally {
    input.close();
  }
}
