import { isAlias, isMap, LineCounter, parseAllDocuments, visit } from 'yaml';
import { z } from 'zod';
import { MAX_COMMANDS_FILE_BYTES, PlaceholderName, SavedCommand, SavedCommandsFile } from '../contract/savedCommand.ts';

/** A sentence for the person: what is wrong with a file, and where. */
export class BadCommandsFile extends Error {}

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const optionalText = text.nullish().transform((value) => value ?? undefined);

/** A workflow of Warp. Of its fields, those about its author have no use here. */
const Workflow = z.object({
  name: text,
  command: text,
  description: optionalText,
  tags: z.array(text).nullish(),
  shells: z.array(text).nullish(),
  arguments: z
    .array(
      z.object({
        name: text,
        description: optionalText,
        default_value: optionalText,
      }),
    )
    .nullish(),
});

/**
 * The commands of a file: Warp's workflows as YAML, one or several documents, or a list of ours as JSON.
 * Throws `BadCommandsFile`.
 */
export function readWorkflows(fileName: string, content: string): SavedCommand[] {
  if (Buffer.byteLength(content) > MAX_COMMANDS_FILE_BYTES)
    throw new BadCommandsFile(`The file is larger than ${MAX_COMMANDS_FILE_BYTES / 1024} KB and no list of commands.`);
  if (content.includes('\0')) throw new BadCommandsFile('The file is not text. Choose a workflow (.yaml) of Warp.');
  const plain = content.replace(/^\uFEFF/, '');
  return /\.json$/i.test(fileName) ? readOwn(plain) : readYaml(plain);
}

/** A list in our own form. Throws `BadCommandsFile`. */
export function readOwn(content: string): SavedCommand[] {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch (thrown) {
    throw new BadCommandsFile(`The JSON is malformed: ${thrown instanceof Error ? thrown.message : thrown}.`);
  }
  return checked(SavedCommandsFile, json).commands;
}

function readYaml(content: string): SavedCommand[] {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(content, { lineCounter, prettyErrors: true });
  const found: SavedCommand[] = [];
  for (const document of documents) {
    const [error] = document.errors;
    if (error) {
      const [reason = error.code] = error.message.split('\n');
      const line = lineCounter.linePos(error.pos[0]).line;
      throw new BadCommandsFile(`The YAML is malformed in line ${line}: ${reason.replace(/ at line.*$/, '')}.`);
    }
    if (document.contents === null) continue;
    let hasAlias = false;
    visit(document, (_, node) => {
      if (isAlias(node)) hasAlias = true;
    });
    // a few aliases of aliases can stand for gigabytes
    if (hasAlias)
      throw new BadCommandsFile('The YAML has aliases (*name), which no workflow needs. Write the text out.');
    if (!isMap(document.contents))
      throw new BadCommandsFile('The file has no keys. Choose a workflow (.yaml) of Warp.');
    found.push(fromWorkflow(checked(Workflow, document.toJS())));
  }
  if (found.length === 0) throw new BadCommandsFile('The file has no workflow. Choose a workflow (.yaml) of Warp.');
  return found;
}

function fromWorkflow(workflow: z.infer<typeof Workflow>): SavedCommand {
  // What no placeholder can be called describes nothing.
  const described = (workflow.arguments ?? []).filter(({ name }) => PlaceholderName.safeParse(name).success);
  const shells = (workflow.shells ?? []).map((shell) => shell.toLowerCase());
  return checked(SavedCommand, {
    name: oneLine(workflow.name),
    // A block of YAML ends with a newline, which is not part of the command.
    command: workflow.command.replace(/\r\n/g, '\n').replace(/\n$/, ''),
    ...(workflow.description && { description: oneLine(workflow.description) }),
    ...(workflow.tags?.length && { tags: workflow.tags.map(oneLine).filter(Boolean) }),
    ...(described.length > 0 && {
      arguments: described.map(({ name, description, default_value: preset }) => ({
        name,
        ...(description && { description: oneLine(description) }),
        ...(preset !== undefined && preset !== '~' && { default: preset }),
      })),
    }),
    ...(shells.length > 0 && { shells }),
  });
}

function oneLine(value: string): string {
  return value.replace(/\s+/g, ' ').trim();
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new BadCommandsFile(issueText(parsed.error));
}

/** `commands.3.name: "x" is there twice.` */
export function issueText({ issues: [issue] }: z.ZodError): string {
  if (!issue) return 'The file is not a list of commands.';
  return `${issue.path.join('.') || 'The file'}: ${issue.message}.`;
}
