import { expect, test } from 'vitest'
import { variantBuildId, wholeBuildId } from './variantBuildId.ts'

test("the build id of a variant's pages leads back to the build", () => {
  const id = variantBuildId('0123456789abcdef', 'de-AT')
  expect(id).not.toBe('0123456789abcdef')
  expect(id).not.toBe(variantBuildId('0123456789abcdef', 'de'))
  expect(wholeBuildId(id)).toBe('0123456789abcdef')
})

test('the build id of an app without variants is the id of its build', () => {
  expect(wholeBuildId('development')).toBe('development')
  expect(wholeBuildId(null)).toBe(null)
})
