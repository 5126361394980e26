import { expect, test } from 'vitest'
import { gripTableViolations, gripViolations } from './gripRules.ts'
import { coreRoot } from './layers.ts'
import type { Source } from './source.ts'

const source = (path: string, text: string) => ({ path: `${coreRoot}${path}`, text }) as Source

test('code that depends on the internals of React must be in its folder', () => {
  const text = 'element._valueTracker'
  expect(gripViolations([source('react/client/a.ts', text)], {})).toEqual([])
  expect(gripViolations([source('client/a.ts', text)], {})).toHaveLength(1)
  expect(gripViolations([source('client/a.ts', text)], { 'client/a.ts': 'why' })).toEqual([])
  expect(gripViolations([], { 'client/a.ts': 'why' })).toHaveLength(1)
})

test('each file that depends on the internals of Vite needs a row', () => {
  const files = ['one.ts', 'one.test.ts', 'two.ts'].map((name) =>
    source(`vite/internals/${name}`, ''),
  )
  expect(gripTableViolations(files, '| one | `vite/internals/one.ts` |')).toEqual([
    'react/README.md: vite/internals/two.ts has no row',
  ])
})
