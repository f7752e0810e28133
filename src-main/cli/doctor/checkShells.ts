import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ShellChoice } from '../../contract/api.ts';
import type { Frame } from '../../contract/screen/frame.ts';
import type { Quality } from '../../contract/terminal.ts';
import { findAppFiles } from '../../hosts/appFiles.ts';
import { RULE_SHELLS } from '../../mcp/access/ExecPolicy.ts';
import { ShellCatalog } from '../../terminal/ShellCatalog.ts';
import { holdSignals } from '../print/holdSignals.ts';
import { type Check, type CheckStatus, checksOf, quotePath } from './Check.ts';

const check = checksOf('shells');

type Core = Extract<Awaited<ReturnType<typeof import('../../hosts/startCore.ts').startCore>>, { ok: true }>['core'];

/** A terminal waits 10 seconds for marks; start-up files may need more. */
const PROBE_TIMEOUT_MS = 15_000;

/**
 * Checks every shell of this machine: whether there is a hook for it and, with `isProbing`, the result of starting it with the hook and the person's
 * own start-up files.
 */
export async function checkShells(isProbing: boolean): Promise<Check[]> {
  const { hooksDir } = findAppFiles();
  const catalog = new ShellCatalog({ hooksDir, env: process.env });
  const refused = catalog.refused.map(({ path, reason }) =>
    check.bad('hook-file', `${path} cannot be used: ${reason}`, 'install Hansard again'),
  );
  if (catalog.choices.length === 0) {
    return [
      check.bad(
        'none',
        'no shell was found: neither $SHELL nor /etc/shells names one that can be run',
        'set SHELL to the path of your shell',
      ),
      ...refused,
    ];
  }
  const hooked = catalog.choices.filter(({ integration }) => integration);
  const qualities = isProbing ? await probe(hooked) : new Map<string, Probed>();
  const checks = catalog.choices.map((shell) => judge(shell, qualities.get(shell.path), { hooked, isProbing }));
  return [...checks, ...refused, ...unread(hooked)];
}

/** Allow rules do not apply in these shells, so every command of a client needs an approval: a note beforehand avoids surprises. */
function unread(hooked: readonly ShellChoice[]): Check[] {
  const names = new Set(hooked.map(({ name }) => name).filter((name) => !RULE_SHELLS.has(name)));
  return [...names].map((name) =>
    check.note(
      `${name}-rules`,
      `${name}: commands of outside agents always ask; allow rules of policy.json count in ${[...RULE_SHELLS].join(' and ')} only, deny rules in every shell`,
    ),
  );
}

const STATUS: Readonly<Record<Quality['level'], CheckStatus>> = {
  rich: 'ok',
  basic: 'warn',
  degraded: 'warn',
  none: 'bad',
  unknown: 'bad',
};

function judge(
  { path, name, integration }: ShellChoice,
  probed: Probed | undefined,
  { hooked, isProbing }: { hooked: readonly ShellChoice[]; isProbing: boolean },
): Check {
  const title = `${name} (${path})`;
  if (!integration) {
    const others = hooked.map((shell) => shell.name).join(', ');
    const advice = others ? `; ${others} ${hooked.length === 1 ? 'has one' : 'have one'}` : '';
    return check.note(name, `${title}: no hook, so everything it prints is one card${advice}`);
  }
  if (!isProbing) return check.ok(name, `${title}: has a hook (not tried)`);
  if (!probed)
    return check.bad(
      name,
      `${title}: did not start within ${PROBE_TIMEOUT_MS / 1000} seconds`,
      `${quotePath(path)} -i    # and see what keeps it`,
    );
  const { quality, printed } = probed;
  const level = quality.level === 'unknown' ? 'no answer' : quality.level;
  return check[STATUS[quality.level]](
    name,
    `${title}: ${level}, ${quality.reason}${printed && `. It printed: ${printed}`}`,
    fixFor(quality, path),
  );
}

/** `printed`: the first row that a shell printed without its hook, which often names the cause. */
interface Probed {
  quality: Quality;
  printed: string;
}

function firstRow({ rows }: Frame): string {
  return rows.map(({ text }) => text.trim()).find((text) => text !== '') ?? '';
}

/** The status may say "run doctor" if only this report has the fix. */
function fixFor({ level, fix }: Quality, path: string): string | undefined {
  if (level === 'rich') return undefined;
  if (level === 'degraded') return 'change what the reason names in your start-up files, then open a new tab';
  if (level === 'none' || level === 'unknown')
    return `${quotePath(path)} -i -x 2>&1 | tail    # a start-up file that ends early, or replaces the shell, keeps the hook from loading`;
  return fix ?? undefined;
}

/** Starts each shell as a tab would, in a core of its own on a temporary folder. By path; shells without a result have no entry. */
async function probe(shells: readonly ShellChoice[]): Promise<Map<string, Probed>> {
  const found = new Map<string, Probed>();
  const held = holdSignals();
  const folder = mkdtempSync(join(tmpdir(), 'hansard-doctor-'));
  try {
    const { startCore } = await import('../../hosts/startCore.ts');
    const started = await startCore({ ...process.env, HANSARD_HOME: folder });
    if (!started.ok) throw new Error(`a new folder was locked already: ${folder}`);
    try {
      await listen(started.core, shells, {
        found,
        until: AbortSignal.any([held.asked, AbortSignal.timeout(PROBE_TIMEOUT_MS)]),
      });
    } finally {
      await started.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    held.release();
  }
  return found;
}

async function listen(
  core: Core,
  shells: readonly ShellChoice[],
  { found, until }: { found: Map<string, Probed>; until: AbortSignal },
): Promise<void> {
  const pathOf = new Map<string, string>();
  const changes = core.followTerminals(until);
  for (const { path } of shells) pathOf.set((await core.open({ shell: path, cols: 120, rows: 40 })).id, path);
  for await (const change of changes) {
    const views = change.type === 'all' ? change.terminals : change.type === 'changed' ? [change.terminal] : [];
    for (const { id, quality } of views) {
      const path = pathOf.get(id);
      if (path === undefined || quality.level === 'unknown') continue;
      const printed = quality.level === 'none' ? firstRow(await core.terminal(id).screen.frame()) : '';
      found.set(path, { quality, printed });
    }
    if (found.size === shells.length) return;
  }
}
