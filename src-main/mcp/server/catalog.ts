import { z } from 'zod';
import { PROFILES, type Profile, type Tool } from '../protocol/Tool.ts';
import { TEMPLATES } from '../resources/templates.ts';
import { TOOLS } from '../tools/all.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { PROMPTS } from './prompts.ts';

/** A tool as listed. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [name: string]: unknown };
  readonly annotations: Tool['hints'];
}

/** The server's lists while the app is down: the same as when it runs. */
export interface Catalog {
  readonly tools: readonly ListedTool[];
  readonly prompts: typeof PROMPTS_LISTED;
  readonly resourceTemplates: typeof TEMPLATES;
  readonly instructions: string;
  readonly serverInfo: { readonly name: string; readonly title: string; readonly version: string };
}

const PROMPTS_LISTED = PROMPTS.map(({ run: _, ...listed }) => listed);

export function serverInfo(version: string): Catalog['serverInfo'] {
  return { name: 'hansard', title: 'Hansard', version };
}

export function catalog(profile: Profile, version: string): Catalog {
  return {
    tools: listedTools(profile),
    prompts: PROMPTS_LISTED,
    resourceTemplates: TEMPLATES,
    instructions: INSTRUCTIONS,
    serverInfo: serverInfo(version),
  };
}

/** The catalogs of all profiles, which the build writes to files for the bridge. */
export function catalogs(version: string): Record<Profile, Catalog> {
  return Object.fromEntries(PROFILES.map((profile) => [profile, catalog(profile, version)])) as Record<
    Profile,
    Catalog
  >;
}

/** The tools that a profile lists, in the order of tools/all.ts. */
export function listedTools(profile: Profile): ListedTool[] {
  const most = PROFILES.indexOf(profile);
  return TOOLS.filter((tool) => tool.profile !== null && PROFILES.indexOf(tool.profile) <= most).map(listed);
}

/** Finds a tool by its name or one of its aliases. */
export function findTool(name: string): Tool | undefined {
  return TOOLS.find((tool) => tool.name === name || tool.aliases.includes(name));
}

/** Cache: a client may list tools in each turn, and converting schemas is the slowest part of a list. */
const written = new Map<Tool, ListedTool>();

function listed(tool: Tool): ListedTool {
  const known = written.get(tool);
  if (known) return known;
  const { name, title, description, hints, input } = tool;
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', override: withoutSafeLimits });
  const made = { name, title, description, inputSchema: schema as ListedTool['inputSchema'], annotations: hints };
  written.set(tool, made);
  return made;
}

/** Removes the limit of 2^53 − 1, which every integer has and which is useless to a model. */
function withoutSafeLimits({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
