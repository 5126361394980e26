import { expect, test } from 'vitest'
import { checkBuild, OtherBuild } from './navigationErrors.ts'

test.each([
  ['b', 'a', true],
  ['a', 'a', false],
  [null, 'a', false],
  ['a', null, false],
  [null, null, false],
])('data of %s in a document of %s is refused: %s', (answered, own, isRefused) => {
  const check = () => checkBuild(answered, own)
  if (isRefused) expect(check).toThrow(OtherBuild)
  else expect(check).not.toThrow()
})
