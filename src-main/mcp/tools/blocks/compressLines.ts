export interface NumberedLine {
  readonly n: number;
  readonly text: string;
}

/** Runs of at least this many lines of one form become two of them and a count. */
const MIN_RUN = 4;
/** The parts that differ between lines of one form: numbers, versions, hashes, sizes, percentages, times, last parts of paths, bars. */
const VARIABLE =
  /\b(?:0x)?[0-9a-f]{7,}\b|\d+(?:[.:,]\d+)*(?:\s?(?:[kKMGT]i?B|B|ms|s|m|h|%))?|[#=>.\-█▉▊▋▌▍▎▏░▒▓━╸]{3,}/gi;

/**
 * Folds the repetitive output of installers, builds and test runners: identical lines, or lines of one form. Reports how many lines it left out and
 * where; never folds errors and warnings.
 */
export function compressLines(lines: readonly NumberedLine[]): {
  text: string;
  how: { folded_lines: number; runs: number };
} {
  const out: string[] = [];
  let folded = 0;
  let runs = 0;
  for (let at = 0; at < lines.length; ) {
    const run = runAt(lines, at);
    const [first, last] = [run[0], run.at(-1)];
    if (run.length < MIN_RUN || !first || !last) {
      out.push(...run.map(({ text }) => text));
    } else {
      folded += run.length - 2;
      runs += 1;
      out.push(first.text, `[${run.length - 2} lines like these left out: ${first.n + 1} to ${last.n - 1}]`, last.text);
    }
    at += run.length;
  }
  return { text: out.join('\n'), how: { folded_lines: folded, runs } };
}

function runAt(lines: readonly NumberedLine[], from: number): NumberedLine[] {
  const first = lines[from];
  if (!first) return [];
  const form = formOf(first.text);
  const run = [first];
  if (form === null) return run;
  for (let at = from + 1; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line || line.n !== (run.at(-1)?.n ?? 0) + 1 || formOf(line.text) !== form) break;
    run.push(line);
  }
  return run;
}

/** Null for a line that must always be kept. */
function formOf(text: string): string | null {
  if (/\b(?:error|err!|fail(?:ed|ure)?|fatal|panic|warn(?:ing)?|exception|traceback|denied|not found)\b/i.test(text))
    return null;
  const form = text.replace(VARIABLE, '0').trim();
  const words = form.split(/\s+/);
  // `Compiling serde v1.0` and `✓ test name`: the first word identifies the form, the rest is one of many names
  return /^(?:Compiling|Downloaded|Downloading|Fetching|Unpacking|Selecting|Preparing|Setting|Get:0|Hit:0|ok|PASS|✓|✔|√|Installing|Collecting|Using|Requirement|added|npm)$/.test(
    words[0] ?? '',
  )
    ? `${words[0]} …`
    : form;
}
