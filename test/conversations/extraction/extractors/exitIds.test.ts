import { expect, test } from 'vitest';
import { ExtractorFactory } from '../../../../src-main/conversations/extraction/extractors/ExtractorFactory.ts';
import { CastReader } from '../../../../src-main/recordings/formats/CastReader.ts';
import { ScreenModel } from '../../../../src-main/screen/emulator/ScreenModel.ts';
import { findRecordings, readCast, VERSIONS } from '../../../agents/compare/findRecordings.ts';
import { snapshotOf } from '../../../support/snapshots.ts';

const LEAVES_SCREEN = '\x1b[?1049l';
const WIDEST = 120;
/** A phone held upright has some 45 columns. In fewer than 40 the label of Copilot's id is broken too. */
const NARROWEST = 40;

/** What the agent prints once it has left the alternate screen; '' if it did not use it. */
function lastWords(cast: string): string {
  const [first = '', ...lines] = readCast(cast).split('\n');
  const reader = CastReader.open(first);
  if ('problem' in reader) throw new Error(reader.problem);
  let output = '';
  for (const line of lines) {
    const event = reader.read(line);
    if (event && !('problem' in event) && event.type === 'output') output += event.text;
  }
  const at = output.lastIndexOf(LEAVES_SCREEN);
  return at < 0 ? '' : output.slice(at);
}

/** The id that the extractor reads from these words in a terminal of that width. */
function idAt(agent: string, words: string, cols: number): string | undefined {
  const model = new ScreenModel({ cols, rows: 30, scrollbackLines: 100 });
  try {
    model.write(Buffer.from(words));
    return new ExtractorFactory().byName(agent)?.extract(snapshotOf(model)).resumeId;
  } finally {
    model.dispose();
  }
}

test.for(['claude', 'codex', 'copilot', 'opencode'])(
  'the id with which %s resumes a conversation is the same in a terminal of any width',
  (agent) => {
    const recordings = findRecordings(VERSIONS).filter(({ expected }) => expected.agent === agent);
    let found = 0;
    for (const { name, cast } of recordings) {
      const words = lastWords(cast);
      const id = idAt(agent, words, WIDEST);
      if (id === undefined) continue;
      found += 1;
      for (let cols = NARROWEST; cols < WIDEST; cols += 1)
        expect(idAt(agent, words, cols), `${name}, ${cols} columns`).toBe(id);
    }
    expect(found).toBeGreaterThan(0);
  },
);
