import { expect, test, vi } from 'vitest'
import { isOtherBuild } from './fetchPage.ts'

// React's runtime isn't under test, and it needs a bundler.
vi.mock('@vitejs/plugin-rsc/react/browser', () => ({}))

test.each([
  ['b', 'a', true],
  ['a', 'a', false],
  [null, 'a', false],
  ['a', null, false],
  [null, null, false],
])(
  'data of build %s in a document of build %s counts as another build: %s',
  (responseBuild, documentBuild, expected) => {
    expect(isOtherBuild(responseBuild, documentBuild)).toBe(expected)
  },
)
