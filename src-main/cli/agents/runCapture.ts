import { basename } from 'node:path';
import { recordHere } from '../../hosts/recordHere.ts';
import { exportCast } from '../../recordings/exportCast.ts';
import { type CastEvent, CastReader } from '../../recordings/formats/CastReader.ts';
import { redactText } from '../../redaction/redactText.ts';
import { readMetaAsIs } from '../../store/files/readAsIs.ts';
import { SessionFolder } from '../../store/record/SessionFolder.ts';
import { systemClock } from '../../util/Clock.ts';
import { escapeJson, escapeLine } from '../../util/escapeControls.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { count } from '../print/formatFigures.ts';
import { remark } from '../print/output.ts';
import { currentDataFolder } from '../record/RecordReader.ts';
import { HereTerminal } from '../recording/HereTerminal.ts';
import { CaptureTerminal } from './CaptureTerminal.ts';
import { CaptureFolder } from './captureFolder.ts';
import { type CaptureFacts, expectedOf, type Mark, markName, screensText } from './marks.ts';
import { redactedEvents, redactedRows } from './redactedCast.ts';

export interface CaptureSpec extends Pick<CaptureFacts, 'agent' | 'version' | 'case'> {
  readonly command: readonly string[];
  /** Parent of the new folder `<agent>/<version>-<case>`. */
  readonly into: string;
}

interface Recorded {
  readonly id: string;
  readonly marks: readonly Mark[];
  readonly prelude: string;
  readonly endMs: number;
}

/** Records the agent on the current terminal, and writes the files for its tests. Throws a CliError and leaves no folder if it fails. */
export async function runCapture(spec: CaptureSpec): Promise<void> {
  const folder = await CaptureFolder.make(`${spec.into}/${spec.agent}/${spec.version}-${spec.case}`);
  try {
    const recorded = await record(spec);
    const { files, redactions, left } = await filesOf(spec, recorded);
    await folder.write(files);
    remark(`captured ${count(recorded.marks.length, 'mark')} in ${folder.shown}; recorded as ${recorded.id}`);
    if (recorded.marks.length === 0) remark('nothing was marked: press Ctrl+] while the agent runs.');
    if (redactions > 0) remark(`${count(redactions, 'secret')} redacted`);
    if (left > 0) remark(`${count(left, 'piece')} of secrets could not be redacted: do not publish this folder.`);
  } finally {
    await folder.dispose();
  }
}

async function record({ command, agent }: CaptureSpec): Promise<Recorded> {
  const here = new HereTerminal();
  // The command line as a shell would show it, without the path of the program, because it reveals the machine. The extractor gets the output after
  // this line.
  const [program = '', ...args] = command;
  const prelude = `$ ${escapeLine([basename(program), ...args].join(' '))}\r\n`;
  const terminal = new CaptureTerminal(here, systemClock, prelude);
  try {
    const { id, fault } = await recordHere({ dataFolder: currentDataFolder(), command, name: agent }, terminal);
    if (fault !== null) throw new CliError(`nothing was captured: ${fault}`, EXIT.ioError);
    return { id, marks: terminal.marks, prelude, endMs: systemClock.nowMs() };
  } catch (error) {
    if (error instanceof CliError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(`nothing was captured: ${reason}`, EXIT.unavailable);
  } finally {
    here.restore();
    terminal.dispose();
  }
}

async function filesOf(spec: CaptureSpec, recorded: Recorded) {
  const { header, events } = await readCast(recorded);
  const { cols, rows } = header.size;
  const { events: redacted, count: inCast, left } = redactedEvents(events, { cols, rows });
  let redactions = inCast;
  const bare = (text: string): string => {
    const found = redactText(text);
    redactions += found.redactions;
    return found.text;
  };
  const marks = recorded.marks.map((mark) => ({
    ...mark,
    text: bare(mark.text),
    rows: redactedRows(mark.rows, mark.cols),
  }));
  const expected = expectedOf(marks, {
    ...{ agent: spec.agent, version: spec.version, case: spec.case, cols, rows },
    ...{ about: 'captured and marked by a person', baseMs: header.baseMs, endMs: recorded.endMs },
  });
  const files = {
    'session.cast': [header.line, ...redacted.flatMap(lineOf), ''].join('\n'),
    'expected.json': `${JSON.stringify(expected, null, 1)}\n`,
    'screens.txt': screensText(marks, header.baseMs),
  };
  return { files, redactions, left };
}

async function readCast({ id, marks, prelude }: Recorded) {
  const folder = new SessionFolder(currentDataFolder(), id);
  const meta = await readMetaAsIs(folder);
  if (!meta) throw new CliError(`${folder.meta} cannot be read`, EXIT.ioError);
  const shots = marks.map(({ at, atMs, kind }, n) => ({ at, atMs, label: `snap:${markName(n, kind)}` }));
  const cast = await exportCast({ folder, meta, version: 2, title: null, idleLimitS: null, marks: shots });
  let text = '';
  for await (const piece of cast.text) text += piece;
  const [first = '', ...lines] = text.split('\n').filter((line) => line !== '');
  const reader = CastReader.open(first);
  if ('problem' in reader) throw new CliError(`the recording cannot be read: ${reader.problem}`, EXIT.software);
  const { cols, rows, startMs } = reader.header;
  const events = lines.flatMap((line): CastEvent[] => {
    const event = reader.read(line);
    return event && !('problem' in event) ? [event] : [];
  });
  const baseMs = startMs ?? 0;
  // Without the path of the program, because it reveals the machine.
  const head = { version: 2, width: cols, height: rows, timestamp: baseMs / 1000, env: { TERM: 'xterm-256color' } };
  const header = { line: JSON.stringify(head), size: { cols, rows }, baseMs };
  return { header, events: [{ type: 'output', atMs: 0, text: prelude } satisfies CastEvent, ...events] };
}

const CODES = { output: 'o', input: 'i', marker: 'm', resize: 'r' } as const;

function lineOf(event: CastEvent): string[] {
  const seconds = (event.atMs / 1000).toFixed(3);
  if (event.type === 'exit' || event.type === 'other') return [];
  const data = event.type === 'resize' ? `${event.cols}x${event.rows}` : event.text;
  return [`[${seconds}, "${CODES[event.type]}", ${escapeJson(JSON.stringify(data))}]`];
}
