import { invokeLambdaHandler } from 'srvx/aws-lambda'
import { expect, test } from 'vitest'
import { type HttpEvent, resultHead, toRequest, toResult } from './event.ts'

const eventOf = (over: Partial<HttpEvent> & { readonly method?: string } = {}): HttpEvent => {
  const { method = 'GET', ...rest } = over
  return {
    rawPath: '/',
    rawQueryString: '',
    headers: { host: 'forged.example' },
    isBase64Encoded: false,
    requestContext: {
      domainName: 'abc.lambda-url.eu-central-1.on.aws',
      http: { method, sourceIp: '203.0.113.7' },
    },
    ...rest,
  }
}
const own = 'https://abc.lambda-url.eu-central-1.on.aws'

test.each([
  ['/', '', `${own}/`],
  ['/a%20b/gr%C3%B6%C3%9Fe', 'q=1&q=2', `${own}/a%20b/gr%C3%B6%C3%9Fe?q=1&q=2`],
  ['//evil.example/x', '', `${own}//evil.example/x`],
  ['/\\evil.example', '', `${own}//evil.example`],
  ['/@evil.example', '', `${own}/@evil.example`],
  ['/a?b#c', 'd', `${own}/a%3Fb%23c?d`],
  ['/a b', '', `${own}/a%20b`],
])('the path %s with the query %j has the URL %s', (rawPath, rawQueryString, url) => {
  expect(toRequest(eventOf({ rawPath, rawQueryString }))?.url).toBe(url)
})

test('an origin replaces the domain of the event', () => {
  const event = eventOf({ rawPath: '/a' })
  expect(toRequest(event, 'https://www.example.com')?.url).toBe('https://www.example.com/a')
})

test.each(['@evil.example/', '.evil.example/', ':1/', '*'])(
  'the path %j, which would change the origin, has no request',
  (rawPath) => expect(toRequest(eventOf({ rawPath }))).toBeNull(),
)

test.each(['TRACE', 'CONNECT', 'TRACK', 'no method'])('the method %s has no request', (method) => {
  expect(toRequest(eventOf({ method }))).toBeNull()
})

test('a header with an invalid value has no request', () => {
  expect(toRequest(eventOf({ headers: { 'x-a': 'a\nb' } }))).toBeNull()
})

test('cookies of the event become one header', () => {
  const request = toRequest(eventOf({ cookies: ['a=1', 'b="2, 3"'] }))
  expect(request?.headers.get('cookie')).toBe('a=1; b="2, 3"')
})

test('the body of a GET is dropped', async () => {
  const request = toRequest(eventOf({ body: 'text' }))
  expect([request?.method, request?.body]).toEqual(['GET', null])
})

test('bytes of the body arrive unchanged', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
  const body = Buffer.from(bytes).toString('base64')
  const request = toRequest(eventOf({ method: 'POST', body, isBase64Encoded: true }))
  expect(new Uint8Array((await request?.arrayBuffer()) ?? [])).toEqual(bytes)
  const text = toRequest(eventOf({ method: 'POST', body: 'größe' }))
  expect(await text?.text()).toBe('größe')
})

test('each cookie of a response is separate, and no header contains them', () => {
  const response = new Response(null, { status: 303, headers: { location: '/' } })
  response.headers.append('set-cookie', 'a=1; Path=/')
  response.headers.append('set-cookie', 'b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT')
  expect(resultHead(response)).toEqual({
    statusCode: 303,
    headers: { location: '/' },
    cookies: ['a=1; Path=/', 'b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT'],
  })
})

test('a body that fails rejects, because its result would look complete', async () => {
  const body = new ReadableStream({
    pull: (controller) => controller.error(new Error('broken')),
  })
  await expect(toResult(new Response(body))).rejects.toThrow('broken')
})

// srvx invokes functions in the way in which a function URL does. Its events and results are not our
// code.
test('a request and its response pass through the invoker of srvx', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
  const seen: Request[] = []
  const handler = async (event: unknown) => {
    const request = toRequest(event as HttpEvent)
    if (!request) throw new Error('no request')
    seen.push(request.clone())
    const response = new Response(await request.arrayBuffer(), { status: 201 })
    response.headers.append('set-cookie', 'a=1')
    response.headers.append('set-cookie', 'b=2')
    return toResult(response)
  }
  const sent = new Request('https://app.example/a%20b?q=1', {
    method: 'PUT',
    body: bytes,
    headers: { cookie: 'c=3; d=4', 'content-type': 'application/octet-stream' },
  })
  const response = await invokeLambdaHandler(handler, sent)
  expect(seen.map(({ method, url }) => [method, url])).toEqual([
    ['PUT', 'https://app.example/a%20b?q=1'],
  ])
  expect(seen[0]?.headers.get('cookie')).toBe('c=3; d=4')
  expect([response.status, response.headers.getSetCookie()]).toEqual([201, ['a=1', 'b=2']])
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
})
