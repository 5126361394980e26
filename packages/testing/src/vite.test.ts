import { expect, test } from 'vitest'
import { replay, testing } from './vite.ts'

test('testing() adds its own commands, and nothing to a build or the dev server', () => {
  for (const command of ['build', 'serve'] as const) {
    const parts = testing().api.waymarkPackage({ command, mode: 'production' })
    expect(Object.keys(parts)).toEqual(['commands'])
    expect(Object.keys(parts.commands ?? {})).toEqual(['drill', 'info'])
  }
})

test('replay() says which package has it, and what to write', () => {
  expect(() => replay({ query: ['page'] })).toThrow(
    "Run npm install @waymark/replay, and write in vite.config.ts: import { replay } from '@waymark/replay/vite'",
  )
})
