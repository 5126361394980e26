import { expect, test, vi } from 'vitest'
import { warnOfAssets } from './buildAssets.ts'

test.each([
  ['one server', null, {}, false],
  ['an empty secret', null, { WAYMARK_SECRET: ' ' }, false],
  ['Kubernetes', null, { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, true],
  ['a secret for several servers', null, { WAYMARK_SECRET: 's' }, true],
  ['a shared folder', 'folder', { WAYMARK_SECRET: 's' }, false],
  ['a shared cache', 'cache', { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, false],
] as const)('%s', (_, sharedIn, env, isWarned) => {
  const print = vi.fn()
  warnOfAssets(sharedIn, { print }, env)
  expect(print).toHaveBeenCalledTimes(isWarned ? 1 : 0)
})
