import { expect, test } from 'vitest'
import { gripTableViolations, gripViolations } from './gripRules.ts'
import { coreRoot, gripExceptions } from './layers.ts'
import type { Source } from './source.ts'

const source = (path: string, text: string) => ({ path: `${coreRoot}${path}`, text }) as Source
const excepted = Object.keys(gripExceptions).map((path) => source(path, "'__vite_'"))

test('code that knows the inside of React stands in its folder', () => {
  const text = 'element._valueTracker'
  expect(gripViolations([...excepted, source('react/client/a.ts', text)])).toEqual([])
  expect(gripViolations([...excepted, source('client/a.ts', text)])).toHaveLength(1)
  expect(gripViolations(excepted.slice(1))).toHaveLength(1)
})

test('each patch has a row, and there are few', () => {
  const patches = source(
    'vite/inside/textPatches.ts',
    "export type PatchId =\n  | 'one'\n  | 'two'\n",
  )
  expect(gripTableViolations([patches], '| `one` | x |')).toEqual([
    'react/README.md: two has no row',
  ])
  const rows = Array.from({ length: 21 }, () => '| a | b |').join('\n')
  expect(gripTableViolations([], rows)).toHaveLength(1)
})
