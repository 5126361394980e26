import { allCommands, allOptions, type CommandName, commandNames } from './commands.ts'
import { alignColumns } from './terminal.ts'

/** The help of the whole program. */
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

/** The help of one command. */
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
