import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startServer } from '../../waymark/src/node/testing/servers.ts'
import { type BucketEnv, createBucket } from './bucket.ts'

const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' }

test.each<[string, BucketEnv, string]>([
  ['s3://bucket', {}, 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must both be set'],
  ['s3://', keys, 's3:// is not the URL of a bucket'],
  ['https://bucket', keys, 'https://bucket is not the URL of a bucket'],
  [
    's3://bucket',
    { ...keys, AWS_ENDPOINT_URL_S3: 'store.example.com' },
    'store.example.com is not the URL',
  ],
])('%s with %j is refused', (url, env, message) => {
  expect(() => createBucket(url, env)).toThrow(message)
})

test('the signature of an upload covers its type, its size and the time at which it expires', async () => {
  const bucket = createBucket('s3://bucket/uploads', {
    ...keys,
    AWS_ENDPOINT_URL_S3: 'https://store.example.com',
  })
  const allowed = { contentType: 'image/png', bytes: 1234, expiresSeconds: 60 }
  const { url, headers } = await bucket.signUpload('oak.png', allowed)
  expect(headers).toEqual({ 'content-type': 'image/png' })
  const { origin, pathname, searchParams } = new URL(url)
  expect(origin + pathname).toBe('https://store.example.com/bucket/uploads/oak.png')
  expect(searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host')
  expect(searchParams.get('X-Amz-Expires')).toBe('60')
  expect(searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/)
  const other = await bucket.signUpload('oak.png', { ...allowed, bytes: 1235 })
  expect(new URL(other.url).searchParams.get('X-Amz-Signature')).not.toBe(
    searchParams.get('X-Amz-Signature'),
  )
})

test('a key may hold any characters, and a session token is sent', async () => {
  const requests: (readonly [url: string, headers: Readonly<Record<string, unknown>>])[] = []
  const port = await startServer(async (req, res) => {
    await buffer(req)
    requests.push([req.url ?? '', req.headers])
    res.end()
  })
  const AWS_ENDPOINT_URL_S3 = `http://127.0.0.1:${port}`
  const env = { ...keys, AWS_SESSION_TOKEN: 'token', AWS_ENDPOINT_URL_S3 }
  const bucket = createBucket('s3://bucket/own files', env)
  await bucket.put('ü/a+b $.css', new Uint8Array(), { contentType: 'text/css' })
  const [[url, headers] = ['', {}]] = requests
  expect(decodeURIComponent(url)).toBe('/bucket/own files/ü/a+b $.css')
  expect(headers['x-amz-security-token']).toBe('token')
  expect(String(headers.authorization)).toMatch(/SignedHeaders=.*x-amz-security-token/)
})

test.each(['', '..', '../secret.png', 'a/../../b.png', './a.png', 'a/.'])(
  'the key %j is refused, because as a URL it would name another object or the bucket itself',
  async (key) => {
    const env = { ...keys, AWS_ENDPOINT_URL_S3: 'https://store.example.com' }
    const bucket = createBucket('s3://bucket/uploads', env)
    await expect(bucket.signDownload(key)).rejects.toThrow('is not a valid key')
    await expect(bucket.signUpload(key, { contentType: 'a/b', bytes: 1 })).rejects.toThrow(
      'valid key',
    )
    await expect(bucket.delete(key)).rejects.toThrow('is not a valid key')
    await expect(bucket.size(key)).rejects.toThrow('is not a valid key')
  },
)

test('deleting an object that no longer exists succeeds, even if the store responds with 404', async () => {
  const statuses = [204, 404, 403]
  const port = await startServer((_, res) => res.writeHead(statuses.shift() ?? 500).end())
  const env = { ...keys, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}` }
  const bucket = createBucket('s3://bucket', env)
  await bucket.delete('oak.png')
  await bucket.delete('oak.png')
  await expect(bucket.delete('oak.png')).rejects.toThrow('responded with 403')
})
