import { agentParts } from './strings/agentParts.ts';
import { app } from './strings/app.ts';
import { approvals } from './strings/approvals.ts';
import { audit } from './strings/audit.ts';
import { cards } from './strings/cards.ts';
import { clock } from './strings/clock.ts';
import { composer } from './strings/composer.ts';
import { counts } from './strings/counts.ts';
import { images } from './strings/images.ts';
import { machines } from './strings/machines.ts';
import { notifications } from './strings/notifications.ts';
import { panes } from './strings/panes.ts';
import { replay } from './strings/replay.ts';
import { saved } from './strings/saved.ts';
import { search } from './strings/search.ts';
import { settings } from './strings/settings.ts';
import { sidebar } from './strings/sidebar.ts';
import { tabs } from './strings/tabs.ts';
import { telemetry } from './strings/telemetry.ts';
import { welcome } from './strings/welcome.ts';

/**
 * All texts of the window that a person sees or a screen reader reads, by part of the window. A text with numbers or names is a function. Text
 * between backticks is code (`ui/Prose.svelte`). AGENTS.md has the rules for the wording; `test/laws` checks that texts are in here.
 */
export const strings = {
  ...agentParts,
  app,
  approvals,
  audit,
  cards,
  clock,
  composer,
  counts,
  images,
  machines,
  replay,
  panes,
  notifications,
  saved,
  search,
  settings,
  sidebar,
  tabs,
  telemetry,
  welcome,
} as const;
