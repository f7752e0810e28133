import { dirname } from 'node:path';
import type { OpenPlaceVerdict } from '../contract/api.ts';
import type { TerminalView } from '../contract/terminal.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';
import type { Clock } from '../util/Clock.ts';
import { findFile, parsePlace, planEditor, startEditor } from './openPlace.ts';
import { untilPrompt } from './untilPrompt.ts';

interface OpenerDeps {
  /** With the PATH of the person's login shell, where editors are found. */
  env(): Promise<Readonly<Record<string, string | undefined>>>;
  home: string;
  clock: Clock;
  editor(): string;
  open(spec: { cwd: string; cols: number; rows: number }): Promise<TerminalView>;
  readonly terminals: { get(id: string): PtyInstance };
}

/** Opens `path:line` file locations of output in the person's editor: in its own window, or in a tab. */
export class PlaceOpener {
  readonly #deps: OpenerDeps;

  constructor(deps: OpenerDeps) {
    this.#deps = deps;
  }

  /** `cwd`: the folder in which the command began; a command like `cd there && make` prints locations relative to the folder where it ended. */
  async open(
    text: string,
    cwd: string | null,
    near: Pick<TerminalView, 'cwd' | 'cols' | 'rows'>,
  ): Promise<OpenPlaceVerdict> {
    const { home } = this.#deps;
    const place = parsePlace(text);
    const path = findFile(place.path, { cwd, home }) ?? findFile(place.path, { cwd: near.cwd, home });
    if (path === null)
      return { opened: false, reason: `there is no file ${place.path}${cwd === null ? '' : ` in ${cwd}`}` };
    const env = await this.#deps.env();
    const plan = planEditor({ ...place, path }, this.#deps.editor(), env);
    if (!plan) return { opened: false, reason: 'no editor was found: set "editor.command" or $EDITOR' };
    if (plan.kind === 'window') {
      const fault = await startEditor(plan.argv, env);
      return fault === null ? { opened: true, terminalId: null } : { opened: false, reason: fault };
    }
    const tab = await this.#deps.open({ cwd: dirname(path), cols: near.cols, rows: near.rows });
    const terminal = this.#deps.terminals.get(tab.id);
    await untilPrompt(terminal, this.#deps.clock);
    await terminal.submit(plan.command);
    return { opened: true, terminalId: tab.id };
  }
}
