import { afterEach, expect, test, vi } from 'vitest'
import { platform } from './platform.ts'

const current = 'the current secret of the app in production'

afterEach(() => {
  vi.unstubAllEnvs()
})

// The build has a secret of its own, from `vitest.config.ts`.
test("sessions don't accept the secret of the build if the app has its own", () => {
  vi.stubEnv('WAYMARK_SECRET', current)
  expect(platform.secrets()).toEqual([current])
})
