import { type OptionTable, type OwnOptionName, ownOptions } from './commandOptions.ts'
import { alignColumns } from './terminal.ts'

/** What `waymark NAME` takes. */
export type CommandDescription<Table extends OptionTable = OptionTable> = {
  readonly details: string
  readonly options: Table
  /** Arguments before the options; '' for none. Default: the folder. */
  readonly operands?: string
  readonly mode: string
}

type OwnCommand = Omit<CommandDescription, 'options'> & {
  readonly summary: string
  readonly options: readonly OwnOptionName[]
}

const ownCommands = {
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
      ...(['drain-delay', 'drain-timeout', 'exit-on-uncaught'] as const),
      ...(['log', 'mode', 'server-timing'] as const),
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
} as const satisfies Record<string, OwnCommand>

/** Each is a value of the same name in the `internal/commands` of its package. */
export const packageCommands = {
  arrivals: { summary: 'Tell how the loads of pages ended', package: '@waymark/arrivals' },
  assets: {
    summary: 'Push the assets of the build to a folder or bucket',
    package: '@waymark/operations',
    /** The folder of the app comes after so many operands. */
    folderAt: 2,
  },
  doctor: {
    summary: 'Check that several servers of an app agree, or the packages of an app',
    package: '@waymark/testing',
  },
  drill: {
    summary: 'Break each load of the app, and see what a person sees',
    package: '@waymark/testing',
  },
  images: {
    summary: 'Compare the images that pages get with what they need',
    package: '@waymark/testing',
  },
  info: { summary: 'Print versions for bug reports', package: '@waymark/testing' },
  replay: { summary: 'Send the request of an error again', package: '@waymark/testing' },
} as const

export type OwnCommandName = keyof typeof ownCommands
export type PackageCommandName = keyof typeof packageCommands
export type CommandName = OwnCommandName | PackageCommandName

const allCommands = { ...ownCommands, ...packageCommands }

export const commandNames = Object.keys(allCommands) as CommandName[]

export function isOwnCommand(name: CommandName): name is OwnCommandName {
  return name in ownCommands
}

export function describeOwnCommand(name: OwnCommandName): CommandDescription {
  const { options, ...command }: OwnCommand = ownCommands[name]
  return {
    ...command,
    options: Object.fromEntries(options.map((each) => [each, ownOptions[each]])),
  }
}

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

export function commandHelp(command: CommandName, description: CommandDescription): string {
  const { details, options, mode, operands = '[folder]' } = description
  const lines = Object.entries(options).map(([name, { value, text }]): [string, string] => {
    return [value ? `--${name} <${value}>` : `--${name}`, text.replace('{mode}', mode)]
  })
  return [
    ['Usage: waymark', command, operands, '[options]'].filter(Boolean).join(' '),
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
