import { expect, test, vi } from 'vitest'
import { readImportedNames } from './importedNames.ts'

const made = vi.hoisted(() => ({ visitors: 0 }))
vi.mock('vite', async (importOriginal) => {
  const original = await importOriginal<typeof import('vite')>()
  class Visitor extends original.Visitor {
    constructor(...args: ConstructorParameters<typeof original.Visitor>) {
      super(...args)
      made.visitors++
    }
  }
  return { ...original, Visitor }
})

test('creates one visitor for all modules, because the parser retains every visitor', async () => {
  for (const name of ['a', 'b', 'c']) {
    const read = await readImportedNames(
      `import * as ns from '${name}'\nexport const x = ns.${name}`,
    )
    expect(read?.uses).toEqual([{ specifier: name, name, through: ['x'] }])
  }
  expect(made.visitors).toBe(1)
})
