import type { MachineView } from '../../src-main/contract/machines.ts';
import { strings } from '../app/strings.ts';
import type { Machines } from './Machines.svelte.ts';

const words = strings.machines;

/** The text beside the name: `12 ms`, `slow`, `copying 34 %`, `reconnecting in 8 s`. */
export function shortState(machine: MachineView, nowMs: number): string {
  const { state, latencyMs, isSlow, isCut, question, step } = machine;
  if (question) return words.states.asks;
  if (isSlow) return words.slow.short;
  if (state === 'connected' && isCut) return words.cut.short;
  if (state === 'connected') return latencyMs === null ? words.states.connected : words.latency(latencyMs);
  if (state === 'lost') return retryWords(machine, nowMs);
  if (state !== 'connecting') return words.states[state];
  const short = words.steps.short[step.words];
  return step.percent === null ? short : `${short} ${words.steps.percent(step.percent)}`;
}

/** `reconnecting in 8 s`. */
export function retryWords({ retryMs }: MachineView, nowMs: number): string {
  const leftMs = retryMs === null ? 0 : Math.ceil((retryMs - nowMs) / 1000) * 1000;
  return leftMs > 0 ? words.reconnectsIn(leftMs) : words.reconnects;
}

/** In whole words, for a tip and for screen readers. It does not change by the second. */
export function stateWords({ state, reason, latencyMs, isSlow, isCut, question, info }: MachineView): string {
  const latency = state === 'connected' && latencyMs !== null && !isSlow ? words.latency(latencyMs) : '';
  const host = info && state === 'connected' ? `${info.hostName} · Hansard ${info.version}` : '';
  const marks = [isSlow && words.slow.long, isCut && state === 'connected' && words.cut.long];
  return [question ? words.states.asks : words.states[state], latency, ...marks, reason, host]
    .filter(Boolean)
    .join('\n');
}

/** Title of the sheet, with the machine that it is about. */
export function sheetTitle({ sheet, all }: Pick<Machines, 'sheet' | 'all'>): string {
  const machine = all.find(({ key }) => key === sheet?.key);
  if (!sheet || !machine) return words.dialog.title;
  if (sheet.what !== 'connect') return words[sheet.what].title(machine.name);
  if (machine.question) return words.question[machine.question.kind](machine.name);
  return machine.state === 'failed' ? words.dialog.failed(machine.name) : words.dialog.connecting(machine.name);
}

/** Two letters that distinguish machines where there is room for no more: `devbox` is `de`, `ada@quay.example` is `qu`. */
export function initials(name: string): string {
  return name.slice(name.lastIndexOf('@') + 1).slice(0, 2);
}
