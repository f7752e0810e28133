import { describe, expect, test } from 'vitest';
import { findRecordings, VERSIONS } from '../../agents/compare/findRecordings.ts';
import { readFigures, readTable } from '../../agents/versions/figures.ts';
import { formatFigures } from '../../agents/versions/formatFigures.ts';
import { measure, worseIn } from '../../agents/versions/measure.ts';

/** Figures of how well each version's recording is read. Some have errors; this test checks that none gets worse. */
const rows = readFigures();
const recordings = findRecordings(VERSIONS);

test('every recording of a version has its figures, and all figures have their recording', () => {
  const measured = rows.flatMap(({ agent, recording }) => (recording ? [`${agent}/${recording}`] : []));
  expect(measured.sort()).toEqual(recordings.map(({ name }) => name));
});

test('the README has the table of these figures', () => {
  expect(readTable()).toBe(formatFigures(rows).trim());
});

describe.each(recordings)('$name', (recording) => {
  test('is read no worse than before', async () => {
    const before = rows.find(({ agent, recording: folder }) => `${agent}/${folder}` === recording.name)?.figures;
    expect(before).toBeDefined();
    if (before) expect(worseIn(await measure(recording), before)).toEqual([]);
  });
});
