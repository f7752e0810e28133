import { asFields, asList, asString, type Fields } from '../extraction/reconcile/jsonFields.ts';
import type { HookSource } from '../extraction/status/HookSource.ts';

/** All our commands contain it, and no other command does. */
const MARK = 'HANSARD_HOOK_SOCKET';

export interface HookCommand {
  /** Paths of Node and of hook.mjs. */
  readonly node: string;
  readonly script: string;
  /** Also the events that are sent for each piece of streamed text. */
  readonly withStream: boolean;
}

/** The text of a settings file after a change; the same text if there was nothing to do. */
export type HookEdit = { ok: true; text: string; events: string[] } | { ok: false; reason: string };

/** Events that have our entry, in the order of the file. Empty for a file that cannot be parsed. */
export function installedEvents(text: string): string[] {
  const hooks = asFields(parse(text)?.hooks) ?? {};
  return Object.keys(hooks).filter((event) => asList(hooks[event]).some(isOurs));
}

/**
 * Adds our entries to the settings in `text` ('' if there is no file) and replaces our earlier ones. Other settings stay, in their order,
 * with the file's indentation and line ends. Refuses text that is not plain JSON.
 */
export function addHooks(text: string, source: HookSource, command: HookCommand): HookEdit {
  return edit(text, (hooks) => {
    const wanted = source.events.filter(({ isStream }) => command.withStream || !isStream);
    const added = { ...without(hooks) };
    for (const { name, matcher } of wanted) {
      const entry = {
        type: 'command',
        command: commandLine(source.agent, name, command),
        timeout: source.timeout,
        ...source.entry,
      };
      added[name] = [...asList(added[name]), { ...(matcher !== undefined && { matcher }), hooks: [entry] }];
    }
    return added;
  });
}

/** Removes our entries, and the groups, events and `hooks` that are empty without them. */
export function removeHooks(text: string): HookEdit {
  return edit(text, without);
}

/**
 * A command that ends at once outside our terminals, at the cost of a shell. It always ends with 0 and prints nothing: an agent takes
 * another exit code for a veto.
 */
function commandLine(agent: string, event: string, { node, script }: HookCommand): string {
  return `[ -z "$${MARK}" ] || ${quoted(node)} ${quoted(script)} ${agent} ${event} >/dev/null 2>&1 || :`;
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

function edit(text: string, change: (hooks: Fields) => Fields): HookEdit {
  const settings = text.trim() === '' ? {} : parse(text);
  if (!settings) return { ok: false, reason: 'it is not plain JSON (comments, or a mistake in it)' };
  if (settings.hooks !== undefined && !asFields(settings.hooks))
    return { ok: false, reason: 'its "hooks" is no object' };
  const hooks = change(asFields(settings.hooks) ?? {});
  const { hooks: _, ...others } = settings;
  const next = Object.keys(hooks).length > 0 || isEmpty(settings.hooks) ? { ...settings, hooks } : others;
  const events = Object.keys(hooks).filter((event) => asList(hooks[event]).some(isOurs));
  const isSame = JSON.stringify(next) === JSON.stringify(settings);
  return { ok: true, text: isSame ? text : formatted(next, text), events };
}

/** Whether the person had an empty `hooks`, which stays. */
function isEmpty(hooks: unknown): boolean {
  const fields = asFields(hooks);
  return fields !== null && Object.keys(fields).length === 0;
}

function without(hooks: Fields): Fields {
  const kept = Object.entries(hooks).map(([event, groups]): [string, unknown] => {
    if (!Array.isArray(groups) || !groups.some(isOurs)) return [event, groups];
    return [event, groups.flatMap(withoutOurs)];
  });
  return Object.fromEntries(kept.filter(([event, groups]) => groups === hooks[event] || asList(groups).length > 0));
}

/** The person may have put our entry into a group with other entries. */
function withoutOurs(group: unknown): unknown[] {
  const fields = asFields(group);
  if (!fields || !isOurs(group)) return [group];
  const hooks = asList(fields.hooks).filter((entry) => !isOurEntry(entry));
  return hooks.length === 0 ? [] : [{ ...fields, hooks }];
}

function isOurs(group: unknown): boolean {
  return asList(asFields(group)?.hooks).some(isOurEntry);
}

function isOurEntry(entry: unknown): boolean {
  return asString(asFields(entry)?.command)?.includes(MARK) ?? false;
}

function parse(text: string): Fields | null {
  try {
    return asFields(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch {
    return null; // the caller reports it
  }
}

function formatted(settings: Fields, like: string): string {
  const indent = /\n([ \t]+)"/.exec(like)?.[1] ?? '  ';
  const end = like === '' || like.endsWith('\n') ? '\n' : '';
  const text = `${JSON.stringify(settings, null, indent)}${end}`;
  return like.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}
