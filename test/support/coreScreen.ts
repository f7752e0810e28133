import { connectTo } from './coreClient.ts';

/** The screen rows of the core's first terminal, without trailing blanks and without empty rows at the end. */
export async function coreRows(home: string): Promise<string[]> {
  const { api, dispose } = connectTo(home);
  try {
    const { order } = await api.workspace.get.query();
    const reading = await api.screen.read.query({ terminalId: order[0] ?? '' });
    if (!reading.full) throw new Error('asked for a whole frame, and got a difference');
    const texts = reading.frame.rows.map(({ text }) => text.trimEnd());
    return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1);
  } finally {
    dispose();
  }
}
