import { afterEach, expect, test, vi } from 'vitest'
import { draftCookie } from '../../builds/cachedPage.ts'
import { createDrafts } from '../request/draftMode.ts'
import { anonymousRequest } from '../request/readRequest.ts'
import { appSecrets, runtimeSecrets } from './appSecrets.ts'
import { createKeyRing } from './encryption.ts'

const current = 'the current secret of the app in production'
const previous = 'the previous secret of the app in production'
// From `vitest.config.ts`.
const built = 'the secret of the build in unit tests'

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each([
  ['', '', [built], [built]],
  ['', previous, [built, previous], [built, previous]],
  [current, '', [current, built], [current]],
  [current, previous, [current, previous, built], [current, previous]],
])('with WAYMARK_SECRET "%s" and WAYMARK_SECRET_PREVIOUS "%s"', (secret, older, all, runtime) => {
  vi.stubEnv('WAYMARK_SECRET', secret)
  vi.stubEnv('WAYMARK_SECRET_PREVIOUS', older)
  expect(appSecrets()).toEqual(all)
  expect(runtimeSecrets()).toEqual(runtime)
})

test("a pass for draft mode that somebody made with the build's secret is refused", () => {
  vi.stubEnv('WAYMARK_SECRET', current)
  const forged = createDrafts(() => createKeyRing([built])).pass()
  const drafts = createDrafts(() => createKeyRing(runtimeSecrets()))
  const isOn = (pass: string) => {
    const headers = new Headers({ cookie: `${draftCookie}=${pass}` })
    return drafts.isOn({ ...anonymousRequest('/'), headers })
  }
  expect([isOn(forged), isOn(drafts.pass())]).toEqual([false, true])
})
