import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Settings } from '../../src-main/contract/settings.ts';
import { EXTRACTORS } from '../../src-main/conversations/extraction/extractors/agents/all.ts';
import { TOOLS } from '../../src-main/mcp/tools/all.ts';
import { strings } from '../../src-renderer/app/strings.ts';
import { findRecordings } from '../agents/compare/findRecordings.ts';
import { ROOT, sourceFiles } from '../support/sourceFiles.ts';

const page = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Settings that are changed outside of the settings page: themes by their cards, widths by dragging, the rest by the window itself. */
const SET_ELSEWHERE = [
  ...['theme', 'theme.dark', 'theme.light', 'tabs.widthPx', 'conversation.widthPx', 'window.welcomed', 'version'],
  ...['retention.daysChosen', 'retention.bytes', 'mcp.httpPort'],
];

/** Parts of an addition that no type requires; CONTRIBUTING.md lists the files. */
describe('an addition is complete', () => {
  test('every MCP tool has its word for the audit log', () => {
    const words: Readonly<Record<string, string>> = strings.audit.tools;
    const missing = TOOLS.map(({ name }) => name).filter((name) => !(name in words));
    expect(missing, 'add their words to `tools` in src-renderer/app/strings/audit.ts').toEqual([]);
  });

  test('every MCP tool is in docs/mcp/README.md', () => {
    const text = page('docs/mcp/README.md');
    const missing = TOOLS.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``));
    expect(missing, 'name them in the tables of docs/mcp/README.md').toEqual([]);
  });

  test('every setting has its field on the settings page', () => {
    const shown = sourceFiles('src-renderer/settings', ['.ts', '.svelte']).map(({ text }) => text);
    const missing = Object.keys(Settings.shape).filter((key) => !shown.some((text) => text.includes(`'${key}'`)));
    expect(missing.sort(), 'add their fields to a group of src-renderer/settings/settingGroups.ts').toEqual(
      SET_ELSEWHERE.toSorted(),
    );
  });

  test('every agent is in docs/agents.md', () => {
    const text = page('docs/agents.md');
    const missing = EXTRACTORS.map(({ label }) => label).filter((label) => !text.includes(label));
    expect(missing, 'add a row with the checked version to the table of docs/agents.md').toEqual([]);
  });

  test('every agent with recordings says where they are from', () => {
    const agents = new Set(findRecordings().map(({ name }) => `test/fixtures/agents/${name.split('/')[0]}`));
    expect(agents.size).toBeGreaterThan(3);
    const missing = [...agents].filter((folder) => !existsSync(join(ROOT, folder, 'SOURCES.md')));
    expect(missing, 'add a SOURCES.md: program, version, how it was recorded, licence').toEqual([]);
  });
});
