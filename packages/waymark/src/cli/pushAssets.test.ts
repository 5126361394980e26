import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startServer } from '../node/testing/servers.ts'
import { temporaryFolder } from '../shared/testing/temporaryFolder.ts'
import { bucketTarget, encodeKey, folderTarget, pushAssets, signRequest } from './pushAssets.ts'

const files = { 'a-1.js': 'code', 'a-1.js.br': 'small', 'b-2.css': 'style' }
const names = Object.keys(files)
const build = () => ({ folder: temporaryFolder(files), names, isDry: false })
const credentials = { accessKeyId: 'id', secretAccessKey: 'key', region: 'eu-1' }

type Stored = { readonly body: Buffer; readonly headers: Readonly<Record<string, unknown>> }

/** A store with one bucket, which responds to the first requests as told. */
async function startBucket(first: readonly number[] = []) {
  const objects = new Map<string, Stored>()
  const methods: string[] = []
  const statuses = [...first]
  const port = await startServer(async (req, res) => {
    const { url = '', method = '', headers } = req
    const body = await buffer(req)
    methods.push(method)
    const status = statuses.shift() ?? 200
    const hash = createHash('sha256').update(body).digest('hex')
    const isSigned = /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-1\/s3\//.test(
      headers.authorization ?? '',
    )
    if (status !== 200 || !isSigned || headers['x-amz-content-sha256'] !== hash) {
      res.writeHead(status === 200 ? 403 : status).end('<Error><Code>Denied</Code></Error>')
    } else if (method === 'PUT') {
      objects.set(url, { body, headers })
      res.end()
    } else {
      const found = objects.get(url)
      res.writeHead(found ? 200 : 404, { 'content-length': found?.body.byteLength ?? 0 }).end()
    }
  })
  const endpoint = `http://127.0.0.1:${port}`
  const target = bucketTarget({ endpoint, bucket: 'bucket', prefix: 'app', credentials })
  return { objects, methods, target }
}

test('a bucket gets each file once, to be cached for ever, under its hash', async () => {
  const { objects, methods, target } = await startBucket()
  const first = await pushAssets(target, build())
  expect(first).toEqual({ pushed: { count: 2, bytes: 9 }, present: { count: 0, bytes: 0 } })
  expect([...objects.keys()].sort()).toEqual([
    '/bucket/app/_waymark/assets/a-1.js',
    '/bucket/app/_waymark/assets/b-2.css',
  ])
  const script = objects.get('/bucket/app/_waymark/assets/a-1.js')
  expect(script?.body.toString()).toBe('code')
  expect(script?.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
  })
  methods.length = 0
  const second = await pushAssets(target, build())
  expect(second).toEqual({ pushed: { count: 0, bytes: 0 }, present: { count: 2, bytes: 9 } })
  expect(methods).toEqual(['HEAD', 'HEAD'])
})

test('a dry run says what is missing, and puts nothing', async () => {
  const { methods, target } = await startBucket()
  const { pushed } = await pushAssets(target, { ...build(), isDry: true })
  expect(pushed.count).toBe(2)
  expect(methods).not.toContain('PUT')
})

test('a store that fails for a moment gets the request again', async () => {
  const { objects, target } = await startBucket([503, 500])
  await pushAssets(target, build())
  expect(objects.size).toBe(2)
})

test('what a store refuses is named, with its reason', async () => {
  const { target } = await startBucket(Array(20).fill(403))
  await expect(pushAssets(target, build())).rejects.toThrow(
    /^(?:a-1\.js|b-2\.css) could not be written to http.*: the store responded with 403 Denied\./,
  )
})

test('a folder gets what it lacks, compressed siblings included, and no drafts', async () => {
  const folder = temporaryFolder({})
  const assets = join(folder, '_waymark/assets')
  mkdirSync(assets, { recursive: true })
  writeFileSync(join(assets, 'a-1.js'), 'co')
  writeFileSync(join(assets, 'of-others.js'), 'other')
  const { pushed, present } = await pushAssets(folderTarget(folder), build())
  expect([pushed.count, present.count]).toEqual([3, 0])
  expect(readFileSync(join(assets, 'a-1.js'), 'utf8')).toBe('code')
  expect(readdirSync(assets).sort()).toEqual([...names, 'of-others.js'].sort())
  expect((await pushAssets(folderTarget(folder), build())).present.count).toBe(3)
})

test('a folder that can not be written to is named', async () => {
  const folder = temporaryFolder({ file: '' })
  await expect(pushAssets(folderTarget(join(folder, 'file')), build())).rejects.toThrow(
    'ASSETS_PUSH',
  )
})

// The examples of Amazon's reference, with the signatures that it gives.
const example = {
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
  expect(signatureOf(signRequest(request, example, now))).toBe(
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
  expect(signatureOf(signRequest(request, example, now))).toBe(
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
  const headers = signRequest(request, { ...example, sessionToken: 'token' }, now)
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
