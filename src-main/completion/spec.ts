/** Where values of an argument come from when the specification does not list them. Each is one of our own readers in `sources/`. */
export type GeneratorName =
  | 'branches'
  | 'tags'
  | 'remotes'
  | 'refs'
  | 'scripts'
  | 'dependencies'
  | 'packageBins'
  | 'makeTargets'
  | 'justRecipes'
  | 'containers'
  | 'images'
  | 'processes'
  | 'signals'
  | 'hosts'
  | 'units'
  | 'variables'
  | 'commands';

/** One subcommand, value or option may have several names. */
interface Named {
  names: string[];
  description?: string;
}

export interface SpecArgument {
  name?: string;
  isOptional?: true;
  isVariadic?: true;
  /** The argument starts another command line, as after `sudo`. */
  isCommand?: true;
  paths?: 'files' | 'folders';
  values?: Named[];
  from?: GeneratorName[];
}

export interface SpecOption extends Named {
  args?: SpecArgument[];
  isRepeatable?: true;
  /** Separator between the option and its value where a space is not valid. */
  separator?: string;
  /** The option is valid for subcommands too. */
  isPersistent?: true;
  excludes?: string[];
}

/** A command or subcommand as data. The build creates it from a specification in `@withfig/autocomplete`. */
export interface CommandSpec extends Named {
  subcommands?: CommandSpec[];
  options?: SpecOption[];
  args?: SpecArgument[];
  /** `-abc` is one option and not three. */
  hasLongSingleDash?: true;
  /** Name of the specification with the rest of the command. */
  load?: string;
}
