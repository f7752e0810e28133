import { escapeText } from '../../util/escapeControls.ts';

const [CTRL_C, CTRL_D, BACKSPACE, DELETE] = ['\x03', '\x04', '\b', '\x7f'];

/** Asks at the terminal without echo. Null: Ctrl+C, Ctrl+D, or the end of input. */
export async function askSecret(question: string): Promise<string | null> {
  const { stdin, stderr } = process;
  stderr.write(`${escapeText(question)} `);
  stdin.setRawMode(true).resume();
  const { promise, resolve } = Promise.withResolvers<string | null>();
  let typed: string[] = [];
  // Not with `setEncoding`, which cannot be undone: the next reader of the keys takes bytes.
  const decoder = new TextDecoder();
  const take = (bytes: Uint8Array): void => {
    for (const character of decoder.decode(bytes, { stream: true })) {
      if (character === '\r' || character === '\n') return resolve(typed.join(''));
      if (character === CTRL_C || (character === CTRL_D && typed.length === 0)) return resolve(null);
      if (character === BACKSPACE || character === DELETE) typed = typed.slice(0, -1);
      else typed.push(character);
    }
  };
  const end = (): void => resolve(null);
  stdin.on('data', take).once('end', end).once('error', end);
  try {
    return await promise;
  } finally {
    stdin.off('data', take).off('end', end).off('error', end);
    stdin.setRawMode(false).pause();
    stderr.write('\n');
  }
}
