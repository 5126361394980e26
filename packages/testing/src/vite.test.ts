import { expect, test } from 'vitest'
import { replay, testing } from './vite.ts'

test('testing() adds commands, but nothing to builds or the dev server', () => {
  for (const command of ['build', 'serve'] as const) {
    const parts = testing().api.waymarkPackage({ command, mode: 'production' })
    expect(Object.keys(parts)).toEqual(['commands'])
    expect(Object.keys(parts.commands ?? {})).toEqual(['drill', 'info'])
  }
})

test('replay() throws an error that names the new package and the lines to write', () => {
  expect(() => replay({ query: ['page'] })).toThrow(
    "Run npm install @waymark/replay, and add to vite.config.ts: import { replay } from '@waymark/replay/vite'",
  )
})
