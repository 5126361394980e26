import { allCommands, allOptions, type CommandName, commandNames } from './commands.ts'

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
  const lines = options.map((name): Line => {
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

type Line = [name: string, text: string]

function columns(lines: readonly Line[]): string[] {
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
}
