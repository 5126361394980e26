import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { transformWithOxc } from 'vite'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { DecodingTimeoutError, type RemoteSource } from './remoteSource.ts'
import { createResizeProcess } from './resizeProcess.ts'
import { createRemoteImages, type RemoteImagesContext } from './signedImages.ts'
import { jpegOfScans } from './testing/hostileImages.ts'

const findSharp = () => import.meta.resolve('sharp')
const secret = 'a secret of more than 32 characters, for tests'
const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#8aa' } })

type Respond = (res: ServerResponse, req: IncomingMessage) => void
const responses = new Map<string, Respond>()
const requested: string[] = []
const server = createServer((req, res) => {
  requested.push(req.url ?? '')
  const respond = responses.get(new URL(req.url ?? '', 'http://a').pathname)
  if (respond) respond(res, req)
  else res.writeHead(404).end()
})
let origin = ''
let resizing: ReturnType<typeof createResizeProcess>
let photo: Buffer

const send =
  (content: Buffer | string, headers: Record<string, string> = {}): Respond =>
  (res) =>
    res.writeHead(200, { 'content-type': 'image/jpeg', ...headers }).end(content)
const redirect =
  (location: string): Respond =>
  (res) =>
    res.writeHead(302, { location }).end()

beforeAll(async () => {
  const file = new URL('resizeWorker.ts', import.meta.url).pathname
  const { code: program } = await transformWithOxc(readFileSync(file, 'utf8'), file)
  resizing = createResizeProcess({ program, findSharp, withinMs: 7_000 })
  photo = await canvas(1200, 800).jpeg().toBuffer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  resizing.close()
  server.closeAllConnections()
  server.close()
})
afterEach(() => {
  requested.length = 0
})

type Setup = Partial<RemoteImagesContext> & { source?: Partial<RemoteSource>; maxBytes?: number }

function remote({ source, maxBytes, ...context }: Setup = {}) {
  const report = vi.fn()
  const images = createRemoteImages(
    {
      path: '/img',
      sources: { cms: { url: `${origin}/uploads/`, isPrivate: true, ...source } },
      ...(maxBytes !== undefined && { maxBytes }),
    },
    {
      resize: resizing.resize,
      secrets: () => [secret],
      read: (_key, compute) => compute(),
      report,
      ...context,
    },
  )
  const get = (url: string) => {
    const image = url.split('/').slice(2).map(decodeURIComponent)
    return images.GET(new Request(`http://app${url}`), { params: Promise.resolve({ image }) })
  }
  const sign = (src: string, width = 320) => images.loader('cms')({ src, width })
  return { get, sign, report, fetch: (src: string, width?: number) => get(sign(src, width)) }
}

test("an image that the app has rendered is resized to WebP, and can't run scripts", async () => {
  responses.set('/uploads/a%20b.jpg', send(photo))
  const response = await remote().fetch('a b.jpg', 640)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  const { format, width, height } = await sharp(await response.arrayBuffer()).metadata()
  expect([format, width, height]).toEqual(['webp', 640, 427])
})

test('the source gets no headers of the visitor, and the decoding process gets no secrets', async () => {
  let headers: IncomingMessage['headers'] = {}
  responses.set('/uploads/a.jpg', (res, req) => {
    headers = req.headers
    send(photo)(res, req)
  })
  expect((await remote().fetch('a.jpg')).status).toBe(200)
  expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host'])
  // Skip this test on other systems, because only Linux has files with the environments of
  // processes.
  if (process.platform !== 'linux') return
  const env = readFileSync(`/proc/${resizing.pid()}/environ`, 'utf8')
  // Ignore variables that Node itself adds to connect the two processes.
  const names = env.split('\0').filter((line) => line && !line.startsWith('NODE_CHANNEL_'))
  expect(names).toEqual([])
})

describe('a URL without a valid signature is 404, and nothing is fetched', () => {
  test.each<[string, (url: string) => string]>([
    ['no signature', (url) => url.replace(/^\/img\/[^/]+/, '/img/')],
    ['another signature', (url) => url.replace(/^\/img\/./, '/img/_')],
    ['a shorter one', (url) => url.replace(/^\/img\/./, '/img/')],
    ['another width', (url) => url.replace('/320/', '/321/')],
    ['a width with a leading zero', (url) => url.replace('/320/', '/0320/')],
    ['a width in scientific notation', (url) => url.replace('/320/', '/1e9/')],
    ['another source', (url) => url.replace('/cms/', '/other/')],
    [
      'a source that is a property of Object.prototype',
      (url) => url.replace('/cms/', '/constructor/'),
    ],
    ['another path', (url) => url.replace(/[^/]*$/, Buffer.from('b.jpg').toString('base64url'))],
    ['the same path with padding', (url) => `${url}=`],
    ['the same path with an ignored character', (url) => `${url}!`],
    ['another segment after it', (url) => `${url}/x`],
    ['no segments', () => '/img/'],
    ['a long path', (url) => url + 'A'.repeat(100_000)],
  ])('%s', async (_, alter) => {
    responses.set('/uploads/a.jpg', send(photo))
    const { get, sign } = remote()
    const response = await get(alter(sign('a.jpg')))
    expect(response.status).toBe(404)
    expect(requested).toEqual([])
  })

  test('a URL that was signed with the previous secret is still valid', async () => {
    responses.set('/uploads/a.jpg', send(photo))
    const old = remote().sign('a.jpg')
    expect((await remote({ secrets: () => ['a new one', secret] }).get(old)).status).toBe(200)
    expect((await remote({ secrets: () => ['a new one'] }).get(old)).status).toBe(404)
  })

  test.each(['../secret.jpg', '/secret.jpg', 'http://evil.test/a.jpg', '//evil.test/a.jpg'])(
    'a signed path outside the source: %s',
    async (src) => {
      expect((await remote().fetch(src)).status).toBe(404)
      expect(requested).toEqual([])
    },
  )
})

describe('responses of a source are not trusted', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>'
  const text = 'just a text, of some length'
  const cases: [string, number, () => Respond | Promise<Respond>][] = [
    ['a text with the type of a JPEG', 502, () => send(text)],
    ['nothing', 502, () => send('')],
    ['an SVG', 502, () => send(svg, { 'content-type': 'image/svg+xml' })],
    ['a GIF', 502, async () => send(await canvas(9, 9).gif().toBuffer())],
    ['an AVIF', 502, async () => send(await canvas(64, 64).avif({ effort: 0 }).toBuffer())],
    ['a TIFF', 502, async () => send(await canvas(9, 9).tiff().toBuffer())],
    ['a JPEG by its first bytes only', 502, () => send(Buffer.from('\xff\xd8\xff\xe0', 'latin1'))],
    ['an SVG after the first bytes of a JPEG', 502, () => send(`\xff\xd8\xff${svg}`)],
    ['a JPEG that ends too early', 502, () => send(photo.subarray(0, photo.length / 2))],
    ['too many bytes', 502, () => send(Buffer.concat([photo, Buffer.alloc(3e5)]))],
    [
      'an endless response',
      502,
      () => (res) => {
        res.writeHead(200)
        const write = (): unknown =>
          !res.destroyed && res.write(Buffer.alloc(65_536), () => write())
        write()
      },
    ],
    ['compressed bytes', 502, () => send(photo, { 'content-encoding': 'gzip' })],
    [
      'a truncated response',
      502,
      () => (res) => {
        res.writeHead(200, { 'content-length': String(photo.length) }).write(photo.subarray(0, 99))
        setImmediate(() => res.destroy())
      },
    ],
    ['an image for one visitor', 502, () => send(photo, { 'cache-control': 'private' })],
    ['an image with no-store', 502, () => send(photo, { 'cache-control': 'no-store' })],
    ['an image that varies by cookie', 502, () => send(photo, { vary: 'Accept, Cookie' })],
    ['an error of the source', 502, () => (res) => res.writeHead(500).end()],
    ['404', 404, () => (res) => res.writeHead(404).end()],
    ['410', 404, () => (res) => res.writeHead(410).end()],
    ['no response', 504, () => () => {}],
    [
      'an image that arrives too slowly',
      504,
      () => (res) => void res.writeHead(200).write(photo.subarray(0, 20)),
    ],
    [
      'a redirect to another server',
      502,
      () => redirect('http://169.254.169.254/latest/meta-data'),
    ],
    ['a redirect out of the folder', 502, () => redirect('/admin/a.jpg')],
    ['a redirect that climbs out', 502, () => redirect('/uploads/%2e%2e/admin/a.jpg')],
    ['a redirect to a file', 502, () => redirect('file:///etc/passwd')],
    ['an endless redirect', 502, () => redirect('/uploads/bad.jpg')],
  ]
  test.each(cases)('%s: %i', async (_, status, respond) => {
    responses.set('/uploads/bad.jpg', await respond())
    responses.set('/uploads/good.jpg', send(photo))
    const images = remote({ maxBytes: 300_000, withinMs: 1_500 })
    const response = await images.fetch('bad.jpg')
    expect(response.status).toBe(status)
    expect(images.report).toHaveBeenCalledTimes(1)
    expect(await response.text()).not.toContain(origin)
    // Check that the next visitor still gets an image.
    expect((await images.fetch('good.jpg')).status).toBe(200)
    expect(requested.some((url) => url.includes('admin'))).toBe(false)
  })

  test('a small file with 60 million pixels is not decoded', async () => {
    responses.set('/uploads/bomb.png', send(await canvas(10_000, 6_000).png().toBuffer()))
    const { fetch, report } = remote()
    expect((await fetch('bomb.png')).status).toBe(502)
    expect(String(report.mock.calls[0]?.[0])).toContain('exceeds pixel limit')
  })

  test('a JPEG with more scans than any encoder writes is not decoded', async () => {
    responses.set('/uploads/few.jpg', send(await jpegOfScans(64, 64, 80)))
    responses.set('/uploads/many.jpg', send(await jpegOfScans(64, 64, 200)))
    const { fetch, report } = remote()
    expect((await fetch('few.jpg')).status).toBe(200)
    expect((await fetch('many.jpg')).status).toBe(502)
    expect(String(report.mock.calls[0]?.[0])).toContain('more than 100 scans')
  })

  test('a resized image has no metadata of the camera', async () => {
    const exif = { IFD0: { Copyright: 'SECRET' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } }
    const picture = await canvas(60, 40).jpeg().withExif(exif).withIccProfile('p3').toBuffer()
    expect(picture.includes('SECRET')).toBe(true)
    responses.set('/uploads/gps.jpg', send(Buffer.concat([picture, Buffer.from('<script>')])))
    const variant = Buffer.from(await (await remote().fetch('gps.jpg')).arrayBuffer())
    const { exif: left, icc, xmp, iptc } = await sharp(variant).metadata()
    expect([left, icc, xmp, iptc]).toEqual([undefined, undefined, undefined, undefined])
    expect(variant.includes('<script>')).toBe(false)
  })

  test.skipIf(process.platform !== 'linux')(
    'if memory runs out, the decoding process is ended instead of the server',
    async () => {
      responses.set('/uploads/a.jpg', send(photo))
      expect((await remote().fetch('a.jpg')).status).toBe(200)
      expect(readFileSync(`/proc/${resizing.pid()}/oom_score_adj`, 'utf8').trim()).toBe('1000')
    },
  )

  test('a file whose bytes are not an image never reaches the decoding process', async () => {
    responses.set('/uploads/a.svg', send(svg))
    const resize = vi.fn()
    expect((await remote({ resize }).fetch('a.svg')).status).toBe(502)
    expect(resize).not.toHaveBeenCalled()
  })

  test('a redirect within the source is followed', async () => {
    responses.set('/uploads/old.jpg', redirect('/uploads/new/a.jpg'))
    responses.set('/uploads/new/a.jpg', send(photo))
    expect((await remote().fetch('old.jpg')).status).toBe(200)
  })

  test('a private address is refused, both as a host and as the result of a lookup', async () => {
    const images = remote({ source: { isPrivate: false } })
    expect((await images.fetch('a.jpg')).status).toBe(502)
    const url = `${origin.replace('127.0.0.1', 'localhost')}/uploads/`
    expect((await remote({ source: { url, isPrivate: false } }).fetch('a.jpg')).status).toBe(502)
    expect(requested).toEqual([])
  })

  test("a response of 200 MB is not read, and doesn't fill the server's memory", async () => {
    responses.set('/uploads/huge.jpg', (res) => {
      let left = 3_200
      const write = (): void => {
        if (res.destroyed) return
        if (left-- === 0) res.end()
        else res.write(Buffer.alloc(65_536, 1), write)
      }
      res.writeHead(200)
      write()
    })
    const before = process.memoryUsage().rss
    const responses8 = await Promise.all(
      Array.from({ length: 8 }, (_, index) => remote().fetch(`huge.jpg?${index}`)),
    )
    expect(responses8.map(({ status }) => status)).toEqual(Array(8).fill(502))
    // The limit is twice the memory for eight images of 10 MB each. Reading the whole responses
    // would take 1.6 GB.
    expect(process.memoryUsage().rss - before).toBeLessThan(400e6)
  })
})

describe('under load', () => {
  test('a failure is remembered for a minute, and then the image is requested again', async () => {
    responses.set('/uploads/gone.jpg', (res) => res.writeHead(404).end())
    let nowMs = 0
    const { fetch } = remote({ now: () => nowMs })
    const statuses = [(await fetch('gone.jpg')).status, (await fetch('gone.jpg')).status]
    expect(statuses).toEqual([404, 404])
    expect(requested).toHaveLength(1)
    nowMs = 60_001
    responses.set('/uploads/gone.jpg', send(photo))
    expect((await fetch('gone.jpg')).status).toBe(200)
  })

  test('an image that took too long to decode is not decoded in other widths either', async () => {
    responses.set('/uploads/heavy.jpg', send(photo))
    responses.set('/uploads/light.jpg', send(photo))
    let nowMs = 0
    const jobs: number[] = []
    const resize: RemoteImagesContext['resize'] = ({ width }) => {
      jobs.push(width)
      return Promise.reject(new DecodingTimeoutError(7_000, "The image can't be decoded"))
    }
    const { fetch, report } = remote({ now: () => nowMs, resize })
    expect((await fetch('heavy.jpg', 320)).status).toBe(504)
    expect((await fetch('heavy.jpg', 640)).status).toBe(504)
    expect((await fetch('light.jpg', 160)).status).toBe(504)
    nowMs = 9 * 60_000
    expect((await fetch('heavy.jpg', 320)).status).toBe(504)
    expect([jobs, requested.length, report.mock.calls.length]).toEqual([[320, 160], 2, 2])
    nowMs = 10 * 60_000 + 1
    expect((await fetch('heavy.jpg', 640)).status).toBe(504)
    expect(jobs).toEqual([320, 160, 640])
  })

  test('a full queue responds with 503 and Retry-After', async () => {
    const waiting: ServerResponse[] = []
    responses.set('/uploads/slow.jpg', (res) => void waiting.push(res))
    const { fetch } = remote()
    const all = Array.from({ length: 4 + 64 + 1 }, (_, index) => fetch(`slow.jpg?${index}`))
    const refused = await Promise.race(all)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    await vi.waitFor(() => expect(waiting).toHaveLength(4))
    responses.set('/uploads/slow.jpg', (res) => res.writeHead(404).end())
    for (const res of waiting) res.writeHead(404).end()
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 404)).toHaveLength(68)
  })

  test('a decoding process that has died is started again', async () => {
    responses.set('/uploads/a.jpg', send(photo))
    const { fetch } = remote()
    expect((await fetch('a.jpg')).status).toBe(200)
    process.kill(resizing.pid() ?? 0, 'SIGKILL')
    let width = 640
    // Use a different width each time, because a request that fails while the server ends is
    // remembered.
    await vi.waitFor(async () => expect((await fetch('a.jpg', width++)).status).toBe(200), 10_000)
  })
})
