import { parseArgs } from 'node:util'
import { findTemplate, type TemplateName, templates } from './templates.ts'

/** What a person asked for; `null` where nothing was said. */
export type CreateOptions = {
  readonly folder: string | null
  readonly template: TemplateName | null
  readonly install: boolean
  readonly git: boolean
  /** Ask nothing; take the defaults. */
  readonly yes: boolean
  /** What to depend on in place of the released framework: any specifier that npm takes. */
  readonly waymark: string | null
}

/** What a command line asks for. */
export type CommandLine =
  | { readonly kind: 'create'; readonly options: CreateOptions }
  | { readonly kind: 'help' | 'version' }
  /** It can't be understood; `hint` says what to do. */
  | { readonly kind: 'mistake'; readonly message: string; readonly hint: string }

type Mistake = Extract<CommandLine, { kind: 'mistake' }>

const command = 'npm create waymark@latest'
const seeHelp = `See ${command} -- --help.`

/**
 * Reads a command line.
 * @param argv without the program's own name
 * @param env npm keeps options that stand before its `--`, and tells them here
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
  if (values.template === undefined && env.npm_config_template) return keptByNpm(folder)
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
    // Its first sentence names the option; the others are about how to pass a dash.
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s/)
    return mistake(`${message.replace(/\.$/, '')}.`, seeHelp)
  }
}

function unknownTemplate(given: string): Mistake {
  const names = templates.map(({ name }) => name).join(' and ')
  return mistake(`There is no template “${given}”.`, `There are ${names}.`)
}

function tooMany(folder: string | null, extra: string): Mistake {
  if (findTemplate(extra) !== null) return keptByNpm(folder, extra)
  return mistake(`“${extra}” is one folder too many.`, seeHelp)
}

// npm reads options that stand before `--` as its own, and passes on at most their values.
function keptByNpm(folder: string | null, template = '<name>'): Mistake {
  return mistake(
    'npm took --template for an option of its own.',
    `Put -- before it: ${command} ${folder ?? 'my-app'} -- --template ${template}`,
  )
}

function mistake(message: string, hint: string): Mistake {
  return { kind: 'mistake', message, hint }
}
