import type { Frame } from '../contract/screen/frame.ts';
import { pictureSize } from './geometry.ts';
import { frameParts, svgPage } from './screenSvg.ts';
import { type PictureTheme, themeOf } from './themes.ts';

/** A frame and the time at which it appears, from 0. */
export interface TimedFrame {
  readonly frame: Frame;
  readonly atMs: number;
}

/**
 * Draws frames of one size as a picture that loops every `lengthMs`. It has no script and loads nothing: CSS shows each row while it is on
 * the screen. Rows with the same times share one animation. Without motion (a reader's preference, or no CSS) the last frame shows.
 */
export function animatedSvg(frames: readonly TimedFrame[], lengthMs: number, theme: PictureTheme): string {
  const [first] = frames;
  if (!first) throw new Error('An animation needs a frame');
  const groups = new Map<string, string[]>();
  for (const [drawn, times] of timesOfParts(frames, lengthMs, theme)) {
    const key = times.map(([from, to]) => `${from}-${to}`).join(' ');
    groups.set(key, [...(groups.get(key) ?? []), drawn]);
  }
  let style = '';
  let drawn = '';
  for (const [at, [times, parts]] of [...groups].entries()) {
    const spans = times.split(' ').map((span) => span.split('-').map(Number) as [number, number]);
    const isAlways = spans.length === 1 && spans[0]?.[0] === 0 && spans[0][1] === lengthMs;
    const name = `k${at.toString(36)}`;
    const isLast = spans.some(([, to]) => to === lengthMs);
    if (!isAlways) style += `@keyframes ${name}{${keyframes(spans, lengthMs)}}.${name}{animation-name:${name}}`;
    drawn += `<g${isAlways ? '' : ` class="${name}"`}${isLast ? '' : ' visibility="hidden"'}>${parts.join('')}</g>`;
  }
  const play = `g[class]{animation-duration:${lengthMs}ms;animation-timing-function:step-end;animation-iteration-count:infinite}`;
  const still = '@media (prefers-reduced-motion:reduce){g[class]{animation-name:none}}';
  return svgPage(pictureSize(first.frame), {
    background: themeOf(theme).background,
    drawn: `<style>${play}${style}${still}</style>${drawn}`,
  });
}

/** Finds the times at which each part is on the screen. */
function timesOfParts(
  frames: readonly TimedFrame[],
  lengthMs: number,
  theme: PictureTheme,
): Map<string, [number, number][]> {
  const times = new Map<string, [number, number][]>();
  for (const [at, { frame, atMs }] of frames.entries()) {
    const untilMs = frames[at + 1]?.atMs ?? lengthMs;
    for (const part of frameParts(frame, theme)) {
      if (part === '') continue;
      const known = times.get(part) ?? [];
      const last = known.at(-1);
      if (last?.[1] === atMs) last[1] = untilMs;
      else known.push([atMs, untilMs]);
      times.set(part, known);
    }
  }
  return times;
}

function keyframes(spans: readonly (readonly [number, number])[], lengthMs: number): string {
  const percent = (ms: number): string => `${Number(((ms / lengthMs) * 100).toFixed(3))}%`;
  const steps = spans.flatMap(([from, to]) => [
    `${percent(from)}{visibility:visible}`,
    ...(to < lengthMs ? [`${percent(to)}{visibility:hidden}`] : []),
  ]);
  return `${spans[0]?.[0] === 0 ? '' : '0%{visibility:hidden}'}${steps.join('')}`;
}
