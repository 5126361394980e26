import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { pushAssets } from '../../operations/src/assets/pushAssets.ts'
import { startServer } from '../../waymark/src/node/testing/servers.ts'
import { temporaryFolder } from '../../waymark/src/shared/testing/temporaryFolder.ts'
import { bucketTarget } from './bucketTarget.ts'

const files = { 'a-1.js': 'code', 'a-1.js.br': 'small', 'b-2.css': 'style' }
const destination = 's3://bucket/app'
const build = () => ({
  destination,
  folder: temporaryFolder(files),
  names: Object.keys(files),
  isDry: false,
})

type Stored = { readonly body: Buffer; readonly headers: Readonly<Record<string, unknown>> }

/** Starts a store with one bucket. The first responses have the given statuses. */
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
      const object = objects.get(url)
      res.writeHead(object ? 200 : 404, { 'content-length': object?.body.byteLength ?? 0 }).end()
    }
  })
  const target = bucketTarget(destination, {
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'key',
    AWS_REGION: 'eu-1',
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}/`,
  })
  return { objects, methods, target }
}

test('each file is uploaded once, and may be cached for ever', async () => {
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

test('a dry run counts the missing files and uploads nothing', async () => {
  const { methods, target } = await startBucket()
  const { pushed } = await pushAssets(target, { ...build(), isDry: true })
  expect(pushed.count).toBe(2)
  expect(methods).not.toContain('PUT')
})

test('a request is repeated after a server error', async () => {
  const { objects, target } = await startBucket([503, 500])
  await pushAssets(target, build())
  expect(objects.size).toBe(2)
})

test('if the store refuses a file, the error names the file and the reason', async () => {
  const { target } = await startBucket(Array(20).fill(403))
  await expect(pushAssets(target, build())).rejects.toThrow(
    /^(?:a-1\.js|b-2\.css) could not be written to s3:\/\/bucket\/app: the store responded with 403 Denied\./,
  )
})

test("if the store can't be reached, the error contains its address", async () => {
  const target = bucketTarget(destination, {
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'key',
    AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1',
  })
  const file = join(temporaryFolder(files), 'a-1.js')
  const asset = { key: 'a-1.js', file, contentType: 'text/javascript', cacheControl: '' }
  await expect(target.put(asset)).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:1\/bucket\/app\/a-1\.js: /,
  )
})
