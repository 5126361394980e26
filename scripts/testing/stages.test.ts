import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import unit from '../../vitest.config.ts'
import { root } from '../workspace/paths.mjs'
import { chooseStages } from './stages.mjs'

const chosenBy = (...names: string[]) => chooseStages(names).chosen.map(({ name }) => name)

describe('the stages of a test run', () => {
  test('without a name are those of the whole', () => {
    expect(chosenBy()).toEqual(chosenBy('whole'))
    expect(chosenBy()).toEqual(expect.arrayContaining(['types', 'lint', 'unit', 'e2e']))
  })

  test('are those of a run, or single ones, in their order', () => {
    expect(chosenBy('quick')).toEqual(['types', 'lint', 'unit-quick', 'e2e-quick'])
    expect(chosenBy('e2e', 'unit')).toEqual(['unit', 'e2e'])
  })

  test('are refused by name when there is no such stage', () => {
    expect(chooseStages(['units', 'toString']).unknown).toEqual(['units', 'toString'])
  })
})

test('no unit test is run again when it fails, and no end-to-end test asks for it', () => {
  expect(unit.test?.retry).toBe(0)
  const folder = join(root, 'e2e')
  const files = readdirSync(folder).filter((name) => /\.test\.ts$/.test(name))
  const repeating = files.filter((name) =>
    /\bretry: *[1-9{]/.test(readFileSync(join(folder, name), 'utf8')),
  )
  expect(repeating).toEqual([])
})
