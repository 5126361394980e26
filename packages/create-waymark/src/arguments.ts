import { parseArgs } from 'node:util'
import { findTemplate, type TemplateName, templates } from './templates.ts'

/** The options on a command line. A missing option is `null`. */
export type CreateOptions = {
  readonly folder: string | null
  readonly template: TemplateName | null
  readonly install: boolean
  readonly git: boolean
  /** True to use the defaults instead of asking questions. */
  readonly yes: boolean
  /**
   * Version of Waymark to install instead of the released one, as any specifier that npm accepts.
   */
  readonly waymark: string | null
}

/** A parsed command line. */
export type CommandLine =
  | { readonly kind: 'create'; readonly options: CreateOptions }
  | { readonly kind: 'help' | 'version' }
  /** The command line is invalid. `hint` tells the user what to do. */
  | { readonly kind: 'mistake'; readonly message: string; readonly hint: string }

type Mistake = Extract<CommandLine, { kind: 'mistake' }>

const command = 'npm create waymark@latest'
const listFormat = new Intl.ListFormat('en-GB')
const seeHelp = `See ${command} -- --help.`

/**
 * Parses a command line.
 * @param argv without the program's own name
 * @param env environment variables. npm treats options before `--` as its own, and stores them in
 * variables.
 */
export function parseCommandLine(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): CommandLine {
  const parsed = parse(argv)
  if ('kind' in parsed) return parsed
  const { values, positionals } = parsed
  if (values.help) return { kind: 'help' }
  if (values.version) return { kind: 'version' }
  const [folder = null, ...more] = positionals
  if (more[0] !== undefined) return tooMany(folder, more[0])
  if (values.template === undefined && env.npm_config_template) return optionReadByNpm(folder)
  const template = values.template === undefined ? null : findTemplate(values.template)
  if (values.template !== undefined && template === null) return unknownTemplate(values.template)
  const { install, git, yes, waymark = null } = values
  return { kind: 'create', options: { folder, template, install, git, yes, waymark } }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      allowNegative: true,
      options: {
        template: { type: 'string', short: 't' },
        install: { type: 'boolean', default: true },
        git: { type: 'boolean', default: true },
        yes: { type: 'boolean', short: 'y', default: false },
        waymark: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    })
  } catch (error) {
    // Use only the first sentence of Node's message, which contains the option. The rest is about
    // arguments that start with a dash.
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s/)
    return mistake(`${message.replace(/\.$/, '')}.`, seeHelp)
  }
}

function unknownTemplate(template: string): Mistake {
  const names = templates.map(({ name }) => name)
  return mistake(
    `There is no template named “${template}”.`,
    `The templates are ${listFormat.format(names)}.`,
  )
}

function tooMany(folder: string | null, extra: string): Mistake {
  if (findTemplate(extra) !== null) return optionReadByNpm(folder, extra)
  return mistake(`Unexpected argument “${extra}”.`, seeHelp)
}

// Explains that `--` is missing: npm treats options before `--` as its own, and passes on at most
// their values.
function optionReadByNpm(folder: string | null, template = '<name>'): Mistake {
  return mistake(
    'npm treated --template as its own option.',
    `Add -- before it: ${command} ${folder ?? 'my-app'} -- --template ${template}`,
  )
}

function mistake(message: string, hint: string): Mistake {
  return { kind: 'mistake', message, hint }
}

/** Returns the text for `--help`. */
export function helpText(): string {
  const width = Math.max(...templates.map(({ name }) => name.length))
  return [
    'Usage: npm create waymark@latest [folder] [-- options]',
    '',
    'Creates an app in a new or empty folder. Use . for the current folder.',
    '',
    'Templates:',
    ...templates.map(({ name, text }) => `  ${name.padEnd(width)}  ${text}`),
    '',
    'Options:',
    '  -t, --template <name>  Choose a template. Default: minimal.',
    "  --no-install           Don't install packages.",
    "  --no-git               Don't create a Git repository.",
    "  -y, --yes              Use the defaults and don't ask.",
    '  --waymark <specifier>  Install Waymark from another source, such as a tarball. For tests.',
    '  -h, --help             Print this help.',
    '  -v, --version          Print the version.',
    '',
    'In a terminal, the program asks for a missing folder or template. In a script, the folder is required.',
  ].join('\n')
}
