import { expect, test } from 'vitest'
import { allCommands, commandHelp, commandNames, generalHelp } from './commands.ts'

test('the general help names every command', () => {
  const help = generalHelp()
  for (const name of commandNames) expect(help).toContain(allCommands[name].summary)
})

test.each(commandNames)('the help of %s names its options, and fits a terminal', (name) => {
  const help = commandHelp(name)
  expect(help).toMatch(new RegExp(`^Usage: waymark ${name} `))
  for (const option of allCommands[name].options) expect(help).toContain(`--${option}`)
  expect(help).not.toContain('{mode}')
  for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})
