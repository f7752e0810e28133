import { z } from 'zod';

/** As long as a line that the composer completes; a longer text belongs in a script. */
const MAX_COMMAND_CHARS = 20_000;
/** Many times more than a person keeps. */
export const MAX_SAVED_COMMANDS = 5000;
/** Size of one imported file, and of a project's list. */
export const MAX_COMMANDS_FILE_BYTES = 256 * 1024;
/** Per request. The window sends more files in several requests. */
export const MAX_IMPORTED_FILES = 200;

/** Both the list and a shell's line exclude characters that a terminal acts on. */
const hasControls = (text: string) => /[\p{Cc}\p{Cs}]/u.test(text);
const Line = z
  .string()
  .max(500)
  .refine((text) => !hasControls(text), 'control characters are not allowed here');

/** `{{name}}` in a command. */
export const PlaceholderName = z
  .string()
  .max(60)
  .regex(/^[\p{L}_][\p{L}\p{N}_-]*$/u, 'a placeholder has letters, digits, - and _, and begins with a letter or _');

export const SavedArgument = z.looseObject({
  name: PlaceholderName.describe('Placeholder that this describes: `host` for {{host}}'),
  description: Line.optional().describe('What to fill in'),
  default: Line.optional().describe('Text that is filled in until you change it'),
});

export const SavedCommand = z.looseObject({
  name: Line.min(1).max(200).describe('What you look for. Each name is there once'),
  command: z
    .string()
    .min(1)
    .max(MAX_COMMAND_CHARS)
    .refine(
      (text) => !hasControls(text.replace(/[\n\t]/g, '')),
      'control characters but tab and newline are not allowed',
    )
    .refine((text) => text.trim() !== '', 'a command is not only blanks')
    .describe('Text for the composer; {{name}} or {{name:default}} is a placeholder'),
  description: Line.optional().describe('What it does'),
  tags: z.array(Line.min(1).max(60)).max(50).optional().describe('More words to find it by'),
  arguments: z.array(SavedArgument).max(100).optional().describe('Descriptions and defaults of placeholders'),
  shells: z.array(Line.min(1).max(60)).max(20).optional().describe('Shells that it is for; absent: all'),
});
export type SavedCommand = z.infer<typeof SavedCommand>;

/** commands.json in the data folder, and `.hansard/commands.json` of a project. Unknown keys are kept and ignored. */
export const SavedCommandsFile = z
  .looseObject({
    $schema: z.string().optional(),
    version: z.literal(1).default(1).describe('Version of this file'),
    commands: z.array(SavedCommand).max(MAX_SAVED_COMMANDS).default([]),
  })
  .superRefine(({ commands }, context) => {
    const names = new Set<string>();
    for (const [at, { name }] of commands.entries()) {
      if (names.has(name))
        context.addIssue({ code: 'custom', path: ['commands', at, 'name'], message: `"${name}" is there twice` });
      names.add(name);
    }
  });
export type SavedCommandsFile = z.infer<typeof SavedCommandsFile>;

/** trusted.json of the data folder: files whose content the person has trusted. */
export const TrustedFiles = z.object({
  version: z.literal(1).default(1),
  /** `sha256` of the whole file, in hex. Each path occurs once. */
  files: z.array(z.object({ path: z.string(), sha256: z.string() })).default([]),
});
export type TrustedFiles = z.infer<typeof TrustedFiles>;

/** The list of the terminal's project. Contains nothing of the file before it is trusted. */
export type ProjectCommands =
  | { state: 'trusted'; path: string; commands: SavedCommand[] }
  /** `changed`: it was trusted with other content. */
  | { state: 'untrusted'; path: string; sha256: string; bytes: number; changed: boolean }
  /** `reason` is a sentence for the person. */
  | { state: 'refused'; path: string; reason: string };

export interface SavedCommandList {
  /** The person's own list. */
  commands: SavedCommand[];
  /** Path of that list. */
  path: string;
  /** Why the file cannot be used, as a sentence; null if it can, or does not exist. It stays unchanged until the person has corrected it. */
  problem: string | null;
  project: ProjectCommands | null;
}

/** `reason` is a sentence for the person. */
export type SaveVerdict = { ok: true } | { ok: false; isTaken: boolean; reason: string };

export interface CommandsImport {
  added: string[];
  /** Names whose command was replaced by the imported one. */
  replaced: string[];
  /** Names already saved with the same content. */
  same: string[];
  /** Names already saved with another text, which stays. */
  kept: string[];
  /** Files that were refused, and why. */
  refused: { file: string; reason: string }[];
}
