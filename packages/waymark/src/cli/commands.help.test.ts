import { expect, test } from 'vitest'
import {
  commandHelp,
  commandNames,
  describeOwnCommand,
  generalHelp,
  isOwnCommand,
} from './commands.ts'

test('the general help names every command', () => {
  const help = generalHelp()
  for (const name of commandNames) expect(help).toContain(`\n  ${name} `)
})

test.each(commandNames.filter(isOwnCommand))(
  'the help of %s names its options, and fits a terminal',
  (name) => {
    const description = describeOwnCommand(name)
    const help = commandHelp(name, description)
    expect(help).toMatch(new RegExp(`^Usage: waymark ${name} `))
    for (const option of Object.keys(description.options)) expect(help).toContain(`--${option}`)
    expect(help).not.toContain('{mode}')
    for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
  },
)
