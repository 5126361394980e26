import { expect, test } from 'vitest'
import { notFound } from '../http/statuses.ts'
import { redirect } from '../routing/redirect.ts'
import { registerSignalDigests, signalOf } from './signals.ts'

registerSignalDigests((digest) => {
  if (digest === 'OTHER;missing') notFound()
  if (digest.startsWith('OTHER;to;')) redirect(digest.slice('OTHER;to;'.length))
  if (digest === 'OTHER;broken') throw new Error('Broken')
})

const signalOfDigest = (digest: string) => signalOf(Object.assign(new Error('other'), { digest }))

test('a registered decoder interprets the digests of another framework', () => {
  expect(signalOfDigest('OTHER;missing')).toEqual({ kind: 'fallback', status: 404 })
  expect(signalOfDigest('OTHER;to;/login')).toMatchObject({ kind: 'redirect', location: '/login' })
})

test.each(['OTHER', 'OTHER;broken', 'OTHER;to;javascript:alert(1)', '1a2b3c'])(
  "%s isn't a signal",
  (digest) => {
    expect(signalOfDigest(digest)).toBeNull()
  },
)
