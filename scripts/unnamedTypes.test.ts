import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findUnnamedTypes } from './unnamedTypes.ts'
import { root } from './workspace/paths.mjs'

const dist = join(root, 'packages/waymark/dist')

/** The entries for authors of packages, adapters and drivers. */
const authorEntries = ['adapter', 'drivers', 'plugin', 'pluginClient', 'pluginServer']

/** Types that nobody has to name, with the reason. */
const notNeeded = new Map([
  ['ParsedOptions', 'options of our own commands; a package describes its own'],
  ['OptionValue', 'computed from the table of options, which is named'],
  ['Output', 'a parameter of createTerminal(), whose result is named Terminal'],
  ['Statuses', 'a table, whose keys are named KnownStatus'],
])

describe('an author can name', () => {
  const entries = readdirSync(dist)
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => file.slice(0, -'.d.ts'.length))
  const unnamed = findUnnamedTypes(dist, authorEntries, entries)

  test('each type that an exported signature reaches', () => {
    const missing = unnamed.filter(({ name }) => !notNeeded.has(name))
    expect(
      missing.map(
        ({ name, file, reachedFrom }) => `${name} of ${file}, reached from ${reachedFrom}`,
      ),
    ).toEqual([])
  })

  test('no type that is excepted without need', () => {
    const names = unnamed.map(({ name }) => name)
    expect([...notNeeded.keys()].filter((name) => !names.includes(name))).toEqual([])
  })
})
