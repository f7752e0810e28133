/** What decides where a client keeps its configuration. */
export interface SetupPlace {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a client starts, with absolute paths: it may have another PATH, or none. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** All that is known of one MCP client: where its configuration of the person (never of a workspace) is, and how a server stands there. */
export interface SetupClient {
  /** As it is typed. */
  readonly name: string;
  readonly title: string;
  readonly format: 'json' | 'toml';
  configFile(place: SetupPlace): string;
  /** Name of the table of servers, at the top. */
  readonly servers: string;
  entry(command: ServerCommand): Readonly<Record<string, unknown>>;
  /** What the person has to do then. */
  readonly remark: string;
  /** How to start it so that it listens to our channel; left out of a client that knows none. */
  readonly channelRemark?: string;
}
