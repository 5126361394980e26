import { type CommandName, commandNames, describeCommand, describeOption } from './commands.ts'

/** The help of the whole program. */
export function generalHelp(): string {
  const commands = commandNames.map((name): Line => [name, describeCommand(name).summary])
  return [
    'Usage: waymark <command> [folder] [options]',
    '',
    'Commands:',
    ...columns(commands),
    '',
    'Options:',
    ...columns([
      ['-h, --help', 'Print this, or the options of a command.'],
      ['-v, --version', 'Print the version.'],
    ]),
    '',
    'The folder is the app’s; default: the working directory.',
  ].join('\n')
}

/** The help of one command. */
export function commandHelp(name: CommandName): string {
  const { details, options, mode, operands = '[folder]' } = describeCommand(name)
  const lines = options.map((option): Line => {
    const { value, text } = describeOption(option)
    return [value ? `--${option} <${value}>` : `--${option}`, text.replace('{mode}', mode)]
  })
  return [
    `Usage: waymark ${name} ${operands} [options]`,
    '',
    details,
    '',
    'Options:',
    ...columns([...lines, ['-h, --help', 'Print this.']]),
  ].join('\n')
}

type Line = [name: string, text: string]

function columns(lines: readonly Line[]): string[] {
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
}
