import { expect, test } from 'vitest'
import {
  commandHelp,
  describeCoreCommand,
  generalHelp,
  isCoreCommand,
  missingCommand,
} from './commands.ts'

const coreNames = ['dev', 'build', 'start', 'errors', 'routes', 'types'] as const

test('the general help lists the commands of Waymark and of listed packages', () => {
  const help = generalHelp([['drill', 'Break each load of the app']])
  for (const name of coreNames) expect(help).toContain(`\n  ${name} `)
  expect(help).toMatch(/\n {2}drill +Break each load of the app\n/)
})

test.each(coreNames)('the help of %s lists its options and fits a terminal', (name) => {
  expect(isCoreCommand(name)).toBe(true)
  const description = describeCoreCommand(name)
  const help = commandHelp(name, description)
  expect(help).toMatch(new RegExp(`^Usage: waymark ${name} `))
  for (const option of Object.keys(description.options)) expect(help).toContain(`--${option}`)
  expect(help).not.toContain('{mode}')
  for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})

test("a command of a package that isn't listed says what to install and how to list it", () => {
  expect(missingCommand('drill')).toEqual({
    message: "waymark drill comes from @waymark/testing, which isn't listed in vite.config.ts.",
    hint: "Run npm install @waymark/testing, and add to vite.config.ts: import { testing } from '@waymark/testing/vite', then plugins: [waymark(), testing()].",
  })
})

test.each(['deploy', 'constructor'])('an unknown command is reported: %s', (name) => {
  expect(missingCommand(name).message).toBe(`There is no command ${name}.`)
})
