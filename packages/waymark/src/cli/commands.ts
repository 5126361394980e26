import { allOptions, type OptionName } from './commandOptions.ts'
import { alignColumns } from './terminal.ts'

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
  arrivals: {
    summary: 'Tell how the loads of pages ended',
    details: `Reads what browsers have reported to servers of the app, which has @waymark/arrivals: by route, the
worst first, and by build. Running servers store their counts each five minutes.`,
    options: ['since', 'route', 'mode', 'json'],
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
