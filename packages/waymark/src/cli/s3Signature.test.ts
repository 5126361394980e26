import { expect, test } from 'vitest'
import { encodeKey, signRequest } from './s3Signature.ts'

// The examples of Amazon's reference, with the signatures that it gives.
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const now = new Date('2013-05-24T00:00:00Z')
const host = 'https://examplebucket.s3.amazonaws.com'
const signatureOf = (headers: Record<string, string>) =>
  /Signature=(\w+)$/.exec(headers.authorization ?? '')?.[1]

test('a GET is signed as in the reference', () => {
  const request = {
    method: 'GET',
    url: new URL('/test.txt', host),
    headers: { range: 'bytes=0-9' },
    body: new Uint8Array(),
  } as const
  expect(signatureOf(signRequest(request, credentials, now))).toBe(
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
})

test('a PUT is signed as in the reference, its body included', () => {
  const request = {
    method: 'PUT',
    url: new URL(`/${encodeKey('test$file.text')}`, host),
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    body: Buffer.from('Welcome to Amazon S3.'),
  } as const
  expect(signatureOf(signRequest(request, credentials, now))).toBe(
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  )
})

test('credentials that end by themselves are sent with their token, and signed', () => {
  const request = {
    method: 'HEAD',
    url: new URL(host),
    headers: {},
    body: new Uint8Array(),
  } as const
  const headers = signRequest(request, { ...credentials, sessionToken: 'token' }, now)
  expect(headers['x-amz-security-token']).toBe('token')
  expect(headers.authorization).toContain('x-amz-security-token')
})

test.each([
  ['a/b-1.js', 'a/b-1.js'],
  ["it's (1)*.js", 'it%27s%20%281%29%2A.js'],
  ['ü$.css', '%C3%BC%24.css'],
])('the key %s is encoded as %s', (key, encoded) => {
  expect(encodeKey(key)).toBe(encoded)
})
