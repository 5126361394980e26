import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../workspace/paths.mjs'
import { nightlyParts, partsToRun } from './nightlyParts.mjs'

const parts = nightlyParts(7)
const names = parts.map(({ name }) => name)

test('all parts run if no name is given', () => {
  expect(partsToRun([], parts)).toEqual({ parts, unknown: [] })
})

test('names select parts, and an unknown name is reported', () => {
  const chosen = partsToRun(['react', 'moon'], parts)
  expect(chosen.parts.map(({ name }) => name)).toEqual(['react'])
  expect(chosen.unknown).toEqual(['moon'])
})

test.each(parts.map(({ name, args }) => [name, args[0] ?? '']))(
  'the part %s runs an existing file',
  (_, file) => expect(existsSync(join(root, file))).toBe(true),
)

test('the nightly workflow runs each part', () => {
  const workflow = parse(readFileSync(join(root, '.github/workflows/nightly.yml'), 'utf8'))
  expect(workflow.jobs.nightly.strategy.matrix.part).toEqual(names)
})
