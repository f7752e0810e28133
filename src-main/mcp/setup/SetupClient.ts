/** The facts that determine where a client keeps its configuration. */
export interface SetupPlace {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The command that a client starts, with absolute paths, because its PATH may differ or be missing. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** One MCP client: the path of the person's configuration (never a workspace's), and the form of a server entry. */
export interface SetupClient {
  /** As typed on the command line. */
  readonly name: string;
  readonly title: string;
  readonly format: 'json' | 'toml';
  configFile(place: SetupPlace): string;
  /** Name of the top-level table of servers. */
  readonly servers: string;
  entry(command: ServerCommand): Readonly<Record<string, unknown>>;
  /** What the person has to do afterwards. */
  readonly remark: string;
  /** How to start the client so that it listens to our channel; absent if it has no channels. */
  readonly channelRemark?: string;
}
