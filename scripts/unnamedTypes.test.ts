import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findUnnamedTypes } from './unnamedTypes.ts'
import { root } from './workspace/paths.mjs'

const dist = join(root, 'packages/waymark/dist')

/** Entries for authors of packages, adapters and drivers. */
const authorEntries = ['adapter', 'drivers', 'plugin', 'pluginClient', 'pluginServer']

/** Types that authors never need to name, with the reason. */
const notNeeded = new Map([
  ['ParsedOptions', 'options of our own commands; each package describes its own options'],
  ['OptionValue', 'computed from the table of options, which is exported'],
  ['Output', 'a parameter of createTerminal(), whose result has the exported type Terminal'],
  ['Statuses', 'a table whose keys have the exported type StatusCode'],
])

describe('an author of an app or package', () => {
  const entries = readdirSync(dist)
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => file.slice(0, -'.d.ts'.length))
  const unnamed = findUnnamedTypes(dist, authorEntries, entries)

  test('can name each type that an exported signature contains', () => {
    const missing = unnamed.filter(({ name }) => !notNeeded.has(name))
    expect(
      missing.map(
        ({ name, file, reachedFrom }) => `${name} of ${file}, reached from ${reachedFrom}`,
      ),
    ).toEqual([])
  })

  test('has no unnecessary exception', () => {
    const names = unnamed.map(({ name }) => name)
    expect([...notNeeded.keys()].filter((name) => !names.includes(name))).toEqual([])
  })
})
