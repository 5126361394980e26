import { linesFor, linesForAdapter, type PackageHint, packageHints } from '../node/packageHints.ts'
import { installCommand } from '../shared/installCommand.ts'
import { type CoreOptionName, coreOptions, type OptionTable } from './commandOptions.ts'
import { alignColumns } from './terminal.ts'

/** Arguments and help of `waymark <command>`. */
export type CommandDescription<Table extends OptionTable = OptionTable> = {
  readonly details: string
  readonly options: Table
  /**
   * Arguments before the options, as the usage line shows them. Default: `[folder]`. Empty for
   * none.
   */
  readonly operands?: string
  /**
   * Names that aren't options because they belong in the Vite configuration, with the lines to
   * write there.
   */
  readonly configured?: Readonly<Record<string, string>>
  readonly mode: string
}

type CoreCommand = Omit<CommandDescription, 'options'> & {
  readonly summary: string
  readonly options: readonly CoreOptionName[]
}

const staticSite = { name: 'waymark/vite', plugin: 'staticSite' }

const coreCommands = {
  dev: {
    summary: 'Start the dev server',
    details: 'Serves the app and updates it when you change a file.',
    options: ['port', 'host', 'mode', 'verbose'],
    mode: 'development',
  },
  build: {
    summary: 'Build the app for production',
    details: 'Writes .waymark, prerenders static routes, and prints how each route is rendered.',
    options: ['types', 'assets-from', 'mode', 'verbose'],
    configured: {
      static: linesForAdapter(staticSite),
      out: linesForAdapter({ ...staticSite, call: "staticSite({ out: 'public_html' })" }),
      'allow-missing': linesForAdapter({
        ...staticSite,
        call: 'staticSite({ allowMissing: true })',
      }),
      target: linesForAdapter(packageHints.adapters.workerd),
    },
    mode: 'production',
  },
  start: {
    summary: 'Serve the built app',
    details: 'Serves the output of `waymark build`.',
    options: [
      'port',
      'host',
      'workers',
      'trust-proxy',
      'shared-assets',
      'drain-delay',
      'drain-timeout',
      'exit-on-uncaught',
      'log',
      'mode',
      'server-timing',
    ],
    mode: 'the mode of the build',
  },
  errors: {
    summary: 'List recorded errors, or print one by its digest',
    details: "Reads the app's error journal, even while the app runs.",
    operands: '[digest] [folder]',
    options: ['since', 'route', 'fingerprint', 'group', 'limit', 'json'],
    mode: 'production',
  },
  routes: {
    summary: 'List the routes of the app',
    details: 'Reads the app folder, without a build.',
    options: ['json'],
    mode: 'development',
  },
  types: {
    summary: 'Write the route types',
    details:
      'Writes waymark-routes.d.ts, as dev and build do. Use it to check types in a fresh clone.',
    options: [],
    mode: 'development',
  },
} as const satisfies Record<string, CoreCommand>

export type CoreCommandName = keyof typeof coreCommands

const coreNames = Object.keys(coreCommands) as CoreCommandName[]

export function isCoreCommand(name: string): name is CoreCommandName {
  return Object.hasOwn(coreCommands, name)
}

export function describeCoreCommand(name: CoreCommandName): CommandDescription {
  const { options, ...command }: CoreCommand = coreCommands[name]
  return {
    ...command,
    options: Object.fromEntries(options.map((each) => [each, coreOptions[each]])),
  }
}

/** Names and summaries of commands. */
export type CommandList = readonly (readonly [name: string, summary: string])[]

/**
 * Builds the text of `waymark --help`.
 *
 * @param ofPackages commands of the packages that the app lists
 */
export function generalHelp(ofPackages: CommandList): string {
  const ofCore = coreNames.map((name): [string, string] => [name, coreCommands[name].summary])
  return [
    'Usage: waymark <command> [folder] [options]',
    '',
    'Commands:',
    ...columns([...ofCore, ...ofPackages]),
    '',
    'Options:',
    ...columns([
      ['-h, --help', 'Print this help, or the help for a command.'],
      ['-v, --version', 'Print the version.'],
    ]),
    '',
    'The folder is the root of the app. Default: the working directory.',
  ].join('\n')
}

/** Explains how to get a command that neither Waymark nor a listed package has. */
export function missingCommand(name: string): { readonly message: string; readonly hint: string } {
  const hints: Readonly<Record<string, PackageHint>> = packageHints.commands
  const hint = Object.hasOwn(hints, name) ? hints[name] : undefined
  if (hint) {
    return {
      message: `waymark ${name} comes from ${hint.name}, which isn't listed in vite.config.ts.`,
      hint: `Run ${installCommand(hint.name)}, and add to vite.config.ts: ${linesFor(hint)}.`,
    }
  }
  return {
    message: `There is no command ${name}.`,
    hint: `The commands are ${coreNames.join(', ')}, and those that your packages add. Run waymark --help to list them.`,
  }
}

export function commandHelp(command: string, description: CommandDescription): string {
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

function columns(lines: readonly (readonly [name: string, text: string])[]): string[] {
  return alignColumns(lines).map((cells) => `  ${cells.join('  ')}`)
}
