import { expect, test } from 'vitest'
import { readSource } from './readSource.ts'

const findingsOf = (directive: string) =>
  readSource('lib/a.ts', `export async function a() {\n  '${directive}'\n}`)?.findings

test.each([
  ['use cache: private', "Write 'use cache' if the data is the same for everybody."],
  [
    'use cache: sessions',
    "Write 'use cache', which uses the store that all cached functions share.",
  ],
])("'%s' has to be changed", (directive, instead) => {
  expect(findingsOf(directive)).toEqual([
    {
      kind: 'change',
      file: 'lib/a.ts',
      line: 2,
      text: `'${directive}' is not supported. ${instead}`,
    },
  ])
})

test.each(['use cache', 'use cache: remote'])("'%s' may stay", (directive) => {
  expect(findingsOf(directive)).toEqual([])
})
