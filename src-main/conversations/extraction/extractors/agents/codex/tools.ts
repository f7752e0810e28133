import type { ChatTool } from '../../../../../contract/chat/chat.ts';

/** A call as the screen shows it: a verb after the bullet. The name is the same while it runs and when it is done. */
export interface ToolShape {
  readonly name: string;
  readonly match: RegExp;
  /** The status that the verb alone shows; the bullet's colour shows more. */
  readonly status?: NonNullable<ChatTool['status']>;
  /** The rows below the first are its input, not its result. */
  readonly isInputBelow?: boolean;
  /** The call names its tool itself: capture 1 is `server.tool` or `server.tool({…})`. */
  readonly namesTool?: true;
}

/** 0.20 to 0.169. Capture 1 is the input in the first row. */
export const TOOLS: readonly ToolShape[] = [
  { name: 'Run', match: /^• Running (.+)$/, status: 'running' },
  { name: 'Run', match: /^• Exited \(status [1-9]\d*\) (.+)$/, status: 'failed' },
  { name: 'Run', match: /^(?:•|⚡) (?:Ran(?: command)?|Exited \(status \d+\)) (.+)$/ },
  { name: 'Run', match: /^\$ (.+)$/ },
  { name: 'Explore', match: /^• Exploring()$/, status: 'running', isInputBelow: true },
  { name: 'Explore', match: /^• Explored()$/, status: 'done', isInputBelow: true },
  { name: 'Add', match: /^• Added (.+) \(\+\d+ -\d+\)$/ },
  { name: 'Edit', match: /^• Edited (.+) \(\+\d+ -\d+\)$/ },
  { name: 'Delete', match: /^• Deleted (.+) \(\+\d+ -\d+\)$/ },
  { name: 'Plan', match: /^• Updated Plan()$/, status: 'done', isInputBelow: true },
  { name: 'Call', match: /^• Calling ?(.*)$/, status: 'running', namesTool: true },
  { name: 'Call', match: /^• Called ?(.*)$/, namesTool: true },
  { name: 'Call', match: /^• Failed ([\w-]+\.[\w-]+(?:\(.*)?)$/, status: 'failed', namesTool: true },
  { name: 'Search the web', match: /^• Searching the web(?: for (.+))?$/, status: 'running' },
  { name: 'Search the web', match: /^• Searched the web(?: for (.+))?$/, status: 'done' },
  { name: 'View image', match: /^• Viewed Image()$/, status: 'done', isInputBelow: true },
  { name: 'Wait', match: /^• Waited for background terminal(?: · (.+))?$/, status: 'done' },
  { name: 'Wait', match: /^• Waiting for background terminal(?: · (.+))?$/, status: 'running' },
  { name: 'Write to terminal', match: /^• Interacted with background terminal(?: · (.+))?$/, status: 'done' },
];

export function toolOf(text: string): { shape: ToolShape; input: string } | null {
  for (const shape of TOOLS) {
    const found = shape.match.exec(text.trimEnd());
    if (found) return shape.namesTool ? namedCall(shape, found[1] ?? '') : { shape, input: found[1] ?? '' };
  }
  return null;
}

/** `search.find_docs({"limit":3})`: a server's tool and its arguments, which 0.169 leaves out. */
function namedCall(shape: ToolShape, call: string): { shape: ToolShape; input: string } {
  const [, name, input = ''] = /^([\w-]+\.[\w-]+)(\(.*)?$/.exec(call) ?? [];
  if (name === undefined) return { shape, input: call };
  return { shape: { ...shape, name }, input: input.replace(/^\(|\)$/g, '') };
}
