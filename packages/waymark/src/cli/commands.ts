import {
  duration,
  httpUrl,
  lineCount,
  logForm,
  minuteCount,
  port,
  proxies,
  type ValueParser,
  viewports,
  workerCount,
} from './optionValues.ts'
import { alignColumns } from './terminal.ts'

/** A flag has no `value`; without `parser` the value is a text. */
type OptionDescription = {
  /** Name of the value in the help. */
  readonly value?: string
  readonly parser?: ValueParser<number | string | readonly unknown[]>
  readonly text: string
}

const optionTable = {
  port: { value: 'number', parser: port, text: 'Port to listen on. Default: PORT, else 3000.' },
  host: { value: 'name', text: 'Address to listen on; 0.0.0.0 means all. Default: HOST.' },
  workers: {
    value: 'number',
    parser: workerCount,
    text: 'Number of processes that serve the app. Default: 1.',
  },
  'trust-proxy': {
    value: 'addresses',
    parser: proxies,
    text: 'Trusted proxies: 10.0.0.0/8,::1, loopback or private.',
  },
  'drain-delay': {
    value: 'duration',
    parser: duration,
    text: 'Time to keep serving, as not ready, after SIGTERM. Default: 0s.',
  },
  'drain-timeout': {
    value: 'duration',
    parser: duration,
    text: 'Time that running requests then have to finish. Default: 10s.',
  },
  log: {
    value: 'form',
    parser: logForm,
    text: 'Print a line for each request. The form: json.',
  },
  'server-timing': { text: 'Send what the steps of a response took, in a Server-Timing header.' },
  'exit-on-uncaught': { text: 'Shut down and exit with 1 after an uncaught exception.' },
  mode: { value: 'name', text: 'Which .env files to load besides .env. Default: {mode}.' },
  static: { text: 'Write a folder that any file server can host.' },
  out: { value: 'folder', text: 'Folder that --static writes. Default: out.' },
  target: { value: 'name', text: 'Runtime: node or workerd. Default: node.' },
  'assets-from': {
    value: 'folder',
    text: 'Keep the assets of another build, such as the deployed one.',
  },
  'shared-assets': { value: 'folder', text: 'Share the assets of builds with other servers.' },
  'dry-run': { text: 'Only say what would be pushed.' },
  'assets-at': {
    value: 'url',
    parser: httpUrl,
    text: 'Origin of the host or CDN from which browsers get the assets.',
  },
  'allow-missing': { text: 'With --static: leave out routes that need a server.' },
  types: { text: 'Check the types with tsc before; an error fails the build.' },
  since: { value: 'duration', parser: duration, text: 'Only errors of the last 30m, 1h, 7d.' },
  route: { value: 'pattern', text: 'Only this route, such as /blog/[slug].' },
  fingerprint: { value: 'text', text: 'Only errors of this group.' },
  group: { text: 'Print one line for each group of equal errors, with its count.' },
  limit: { value: 'number', parser: lineCount, text: 'Maximum number of lines. Default: 50.' },
  fault: { value: 'names', text: 'Only these faults: scripts,data:hang. Default: all.' },
  url: { value: 'url', parser: httpUrl, text: 'A server that runs, in place of the build.' },
  'yes-this-host': { text: 'The server of --url is mine to drill, though not on this machine.' },
  browser: { value: 'path', text: 'Chromium or Chrome. Default: WAYMARK_BROWSER, else found.' },
  minutes: {
    value: 'number',
    parser: minuteCount,
    text: 'Begin no load after so long. Default: 10.',
  },
  viewports: {
    value: 'sizes',
    parser: viewports,
    text: 'Screens, as width, height and density. Default: 390x844@2,1440x900.',
  },
  junit: { value: 'file', text: 'Write a report for CI servers, too.' },
  json: { text: 'Print JSON.' },
  verbose: { text: 'Show the messages of Vite and its plugins, too.' },
} as const satisfies Record<string, OptionDescription>

export type OptionName = keyof typeof optionTable

export const allOptions: Readonly<Record<OptionName, OptionDescription>> = optionTable

type OptionValue<Option extends OptionDescription> = Option extends {
  readonly parser: { readonly parse: (text: string) => infer Value }
}
  ? Exclude<Value, null>
  : Option extends { readonly value: string }
    ? string
    : boolean

/** Options without defaults; durations in milliseconds. */
export type GivenOptions = {
  readonly [Name in OptionName]?: OptionValue<(typeof optionTable)[Name]>
} & {
  /** Relative to the working directory. */
  readonly folder?: string
  /** Destination of `assets push`. */
  readonly destination?: string
  /** Task of `assets`. */
  readonly task?: 'push'
  /** Servers for `doctor` to check. */
  readonly urls?: readonly string[]
  /** Digest for `errors` to print, as the journal writes it. */
  readonly digest?: string
}

export type CommandDescription = {
  readonly summary: string
  readonly details: string
  readonly options: readonly OptionName[]
  /** Arguments before the options. Default: the folder. */
  readonly operands?: string
  readonly mode: string
}

const commandTable = {
  dev: {
    summary: 'Start the dev server',
    details: 'Serves the app and updates it when files change.',
    options: ['port', 'host', 'mode', 'verbose'],
    mode: 'development',
  },
  build: {
    summary: 'Build the app for production',
    details: 'Writes .waymark, prerenders static routes and lists how each route is rendered.',
    options: [
      ...(['types', 'static', 'out', 'allow-missing'] as const),
      ...(['target', 'assets-from', 'mode', 'verbose'] as const),
    ],
    mode: 'production',
  },
  start: {
    summary: 'Serve the built app',
    details: 'Serves the output of `waymark build`.',
    options: [
      ...(['port', 'host', 'workers', 'trust-proxy', 'shared-assets'] as const),
      ...([
        'drain-delay',
        'drain-timeout',
        'exit-on-uncaught',
        'log',
        'mode',
        'server-timing',
      ] as const),
    ],
    mode: 'that of the build',
  },
  errors: {
    summary: 'List recorded errors, or print one by its digest',
    details: 'Reads the journal of the app in the folder, also while the app runs.',
    operands: '[digest] [folder]',
    options: ['since', 'route', 'fingerprint', 'group', 'limit', 'json'],
    mode: 'production',
  },
  assets: {
    summary: 'Push the assets of the build to a folder or bucket',
    details: `Copies what is missing there, and deletes nothing. A bucket of an S3-compatible store is
written s3://bucket/prefix, with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and
AWS_ENDPOINT_URL_S3 in the environment.`,
    operands: 'push <target> [folder]',
    options: ['dry-run', 'json', 'mode'],
    mode: 'production',
  },
  doctor: {
    summary: 'Check that several servers of an app agree, or the packages of an app',
    details: `Compares build, keys, actions, clocks and cache of servers that share a WAYMARK_SECRET. Without a
URL: checks that the app in the working directory has the packages for its images, cards and fonts.`,
    operands: '[url...]',
    options: ['assets-at', 'json', 'mode'],
    mode: 'production',
  },
  drill: {
    summary: 'Break each load of the app, and see what a person sees',
    details: `Serves the build behind a proxy that breaks responses, and visits its pages in a browser.
Settings of an app are in drill.config.ts; what it finds is in .waymark/drill, with pictures.`,
    options: [
      ...(['route', 'fault', 'url', 'yes-this-host', 'browser', 'minutes', 'junit'] as const),
      'json',
    ],
    mode: 'that of the build',
  },
  images: {
    summary: 'Compare the images that pages get with what they need',
    details: `Serves the build and shows its pages in a browser: bytes sent and needed, images without sizes
or measures, a first picture that waits. Paths and cookies are those of drill.config.ts.`,
    options: ['route', 'viewports', 'browser', 'json'],
    mode: 'that of the build',
  },
  routes: {
    summary: 'List the routes of the app',
    details: 'Reads the app folder; no build needed.',
    options: ['json'],
    mode: 'development',
  },
  types: {
    summary: 'Write the types of the routes',
    details: 'Writes waymark-routes.d.ts as dev and build do, for a type check in a fresh clone.',
    options: [],
    mode: 'development',
  },
  info: {
    summary: 'Print versions for bug reports',
    details: 'Prints the versions of Waymark, its dependencies and the system.',
    options: ['json'],
    mode: 'development',
  },
} as const satisfies Record<string, CommandDescription>

export type CommandName = keyof typeof commandTable

export const allCommands: Readonly<Record<CommandName, CommandDescription>> = commandTable

export const commandNames = Object.keys(commandTable) as CommandName[]

export function generalHelp(): string {
  return [
    'Usage: waymark <command> [folder] [options]',
    '',
    'Commands:',
    ...columns(commandNames.map((name) => [name, allCommands[name].summary])),
    '',
    'Options:',
    ...columns([
      ['-h, --help', 'Print this help, or that of a command.'],
      ['-v, --version', 'Print the version.'],
    ]),
    '',
    'The folder is that of the app. Default: the working directory.',
  ].join('\n')
}

export function commandHelp(command: CommandName): string {
  const { details, options, mode, operands = '[folder]' } = allCommands[command]
  const lines = options.map((name): [string, string] => {
    const { value, text } = allOptions[name]
    return [value ? `--${name} <${value}>` : `--${name}`, text.replace('{mode}', mode)]
  })
  return [
    `Usage: waymark ${command} ${operands} [options]`,
    '',
    details,
    '',
    'Options:',
    ...columns([...lines, ['-h, --help', 'Print this help.']]),
  ].join('\n')
}

function columns(lines: readonly [name: string, text: string][]): string[] {
  return alignColumns(lines).map((cells) => `  ${cells.join('  ')}`)
}
