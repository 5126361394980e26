import { expect, test } from 'vitest'
import { parseSecrets } from './parseSecrets.ts'

test.each([
  [{}, []],
  [{ WAYMARK_SECRET: ' ' }, []],
  [{ WAYMARK_SECRET: 'a', WAYMARK_SECRET_PREVIOUS: 'b, c,' }, ['a', 'b', 'c']],
  [{ WAYMARK_SECRET_PREVIOUS: 'b' }, ['b']],
])('the secrets of %j are %j', (env, secrets) => {
  expect(parseSecrets(env)).toEqual(secrets)
})
