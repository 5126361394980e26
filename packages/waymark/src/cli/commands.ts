/** Options of the command line; `value` names what follows a flag. */
export const optionTable = {
  port: { value: 'number', text: 'Port to listen on. Default: PORT, else 3000.' },
  host: { value: 'name', text: 'Address to listen on; 0.0.0.0 is every one. Default: HOST.' },
  workers: { value: 'number', text: 'How many processes serve the app. Default: 1.' },
  'trust-proxy': {
    value: 'addresses',
    text: 'Whose X-Forwarded headers count: 10.0.0.0/8,::1, loopback or private.',
  },
  'drain-delay': {
    value: 'duration',
    text: 'How long to answer on, not ready, after SIGTERM. Default: 0s.',
  },
  'drain-timeout': {
    value: 'duration',
    text: 'How long running requests may go on then. Default: 10s.',
  },
  'exit-on-uncaught': {
    text: 'End with 1, in order, after an exception that nothing caught.',
  },
  mode: { value: 'name', text: 'Which .env files count besides .env. Default: {mode}.' },
  static: { text: 'Write a folder that any file server can host.' },
  out: { value: 'folder', text: 'Where --static writes. Default: out.' },
  target: { value: 'name', text: 'The runtime: node or workerd. Default: node.' },
  'assets-from': {
    value: 'folder',
    text: 'Keep the assets of another build, as the deployed one.',
  },
  'shared-assets': {
    value: 'folder',
    text: 'Share the assets of builds with other servers.',
  },
  'allow-missing': { text: 'With --static: leave out routes that need a server, and succeed.' },
  since: { value: 'duration', text: 'Only what occurred in the last 30m, 1h, 7d.' },
  route: { value: 'pattern', text: 'Only of this route, such as /blog/[slug].' },
  fingerprint: { value: 'text', text: 'Only of this kind.' },
  group: { text: 'One line for each kind of error, with its count.' },
  limit: { value: 'number', text: 'How many lines at most. Default: 50.' },
  json: { text: 'Print JSON.' },
  verbose: { text: 'Show the messages of Vite and its plugins, too.' },
} as const satisfies Record<string, { value?: string; text: string }>

/** Name of an option, without its dashes. */
export type OptionName = keyof typeof optionTable

/** What the help says about a command, and the options it knows. */
export type CommandDescription = {
  readonly summary: string
  readonly details: string
  readonly options: readonly OptionName[]
  /** What stands before the options; default: the folder. */
  readonly operands?: string
  /** The mode when `--mode` is left out. */
  readonly mode: string
}

/** The commands, in the order in which the help lists them. */
export const commandTable = {
  dev: {
    summary: 'Serve the app for development',
    details: 'Serves the app and follows changes of its files.',
    options: ['port', 'host', 'mode', 'verbose'],
    mode: 'development',
  },
  build: {
    summary: 'Build the app for production',
    details: 'Writes .waymark, prerenders the static routes and prints what each route became.',
    options: ['static', 'out', 'allow-missing', 'target', 'assets-from', 'mode', 'verbose'],
    mode: 'production',
  },
  start: {
    summary: 'Serve the built app',
    details: 'Serves what `waymark build` wrote.',
    options: [
      'port',
      'host',
      'workers',
      'trust-proxy',
      'shared-assets',
      'drain-delay',
      'drain-timeout',
      'exit-on-uncaught',
      'mode',
    ],
    mode: 'the one of the build',
  },
  errors: {
    summary: 'List the errors that occurred, or print one by its digest',
    details: 'Reads the journal of the app in the folder, also while it runs.',
    operands: '[digest] [folder]',
    options: ['since', 'route', 'fingerprint', 'group', 'limit', 'json'],
    mode: 'production',
  },
  doctor: {
    summary: 'Prove that the servers of a fleet agree',
    details:
      'Compares build, keys, actions, clocks and cache of servers that share a WAYMARK_SECRET.',
    operands: '<url...>',
    options: ['json', 'mode'],
    mode: 'production',
  },
  routes: {
    summary: 'List the routes of the app',
    details: 'Reads the app folder, without a build.',
    options: ['json'],
    mode: 'development',
  },
  types: {
    summary: 'Write the types of the routes',
    details:
      'Writes waymark-routes.d.ts, as dev and build do: before a type check in a fresh clone.',
    options: [],
    mode: 'development',
  },
  info: {
    summary: 'Print versions, for bug reports',
    details: 'Prints the versions of Waymark, its parts and the machine.',
    options: ['json'],
    mode: 'development',
  },
} as const satisfies Record<string, CommandDescription>

/** Name of a command. */
export type CommandName = keyof typeof commandTable

/** The commands' names, in their order. */
export const commandNames = Object.keys(commandTable) as CommandName[]

/** Describes a command, its options as a plain list. */
export function describeCommand(name: CommandName): CommandDescription {
  return commandTable[name]
}

/** Describes an option. */
export function describeOption(name: OptionName): {
  readonly value?: string
  readonly text: string
} {
  return optionTable[name]
}
