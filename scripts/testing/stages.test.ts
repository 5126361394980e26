import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import unit from '../../vitest.config.ts'
import { root } from '../workspace/paths.mjs'
import { chooseStages } from './stages.mjs'

const chosenBy = (...names: string[]) => chooseStages(names).chosen.map(({ name }) => name)

describe('the stages of a test run', () => {
  test('are the stages of `whole` if no name is given', () => {
    expect(chosenBy()).toEqual(chosenBy('whole'))
    expect(chosenBy()).toEqual(expect.arrayContaining(['types', 'lint', 'unit', 'e2e']))
  })

  test('are selected by the name of a group or of a stage, and keep their order', () => {
    expect(chosenBy('quick')).toEqual(['types', 'lint', 'unit-quick', 'e2e-quick'])
    expect(chosenBy('e2e', 'unit')).toEqual(['unit', 'e2e'])
  })

  test("are reported if they don't exist", () => {
    expect(chooseStages(['units', 'toString']).unknown).toEqual(['units', 'toString'])
  })
})

test('no unit test is repeated when it fails, and no end-to-end test asks for a repetition', () => {
  expect(unit.test?.retry).toBe(0)
  const folder = join(root, 'e2e')
  const files = readdirSync(folder).filter((name) => /\.test\.ts$/.test(name))
  const repeating = files.filter((name) =>
    /\bretry: *[1-9{]/.test(readFileSync(join(folder, name), 'utf8')),
  )
  expect(repeating).toEqual([])
})
