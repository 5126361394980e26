import { afterEach, expect, test, vi } from 'vitest'
import { platform } from './platform.ts'

const current = 'the current secret of the app in production'
const previous = 'the previous secret of the app in production'
// From `vitest.config.ts`.
const built = 'the secret of the build in unit tests'

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each([
  ['', '', [built]],
  ['', previous, [built, previous]],
  [current, '', [current]],
  [current, previous, [current, previous]],
])(
  'with WAYMARK_SECRET "%s" and WAYMARK_SECRET_PREVIOUS "%s", sessions accept %j',
  (secret, secrets, accepted) => {
    vi.stubEnv('WAYMARK_SECRET', secret)
    vi.stubEnv('WAYMARK_SECRET_PREVIOUS', secrets)
    expect(platform.secrets()).toEqual(accepted)
  },
)

test('a secret that is too short is refused', () => {
  vi.stubEnv('WAYMARK_SECRET', 'short')
  expect(() => platform.secrets()).toThrow(/ACTION_SECRET/)
})
