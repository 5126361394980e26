import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../workspace/paths.mjs'
import { nightlyParts, partsToRun } from './nightlyParts.mjs'

const parts = nightlyParts(7)
const names = parts.map(({ name }) => name)

test('without a name, all parts run', () => {
  expect(partsToRun([], parts)).toEqual({ parts, unknown: [] })
})

test('names choose parts, and a name that does not exist is reported', () => {
  const chosen = partsToRun(['react', 'moon'], parts)
  expect(chosen.parts.map(({ name }) => name)).toEqual(['react'])
  expect(chosen.unknown).toEqual(['moon'])
})

test.each(parts.map(({ name, args }) => [name, args[0] ?? '']))(
  'the part %s runs a file that exists',
  (_, file) => expect(existsSync(join(root, file))).toBe(true),
)

test('the nightly workflow runs each part', () => {
  const workflow = parse(readFileSync(join(root, '.github/workflows/nightly.yml'), 'utf8'))
  expect(workflow.jobs.nightly.strategy.matrix.part).toEqual(names)
})
