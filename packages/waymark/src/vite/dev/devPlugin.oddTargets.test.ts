import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { hideTargets, isNonCanonicalTarget, splitAbsolute } from './devPlugin.ts'

test.each([
  ['/', false],
  ['/a//b', false],
  ['/@fs//work/a.js', false],
  ['//', true],
  ['//evil.example/', true],
  ['*', true],
  ['http://[::1', true],
  ['evil.example:443', true],
  ['/__vite_rsc_findSourceMapURL?filename=file%3A%2F%2F%2Fa%2F.b%2Fc.ts', false],
  ['/__vite_rsc_findSourceMapURL?filename=file%3A%2F%2F%2Fa%2F.b%2F..%2Fc.ts', true],
  ['/x/../__vite_rsc_findSourceMapURL?a&filename=file:///a/.b/.././c.ts', true],
  ['/__vite_rsc_findSourceMapURL??&filename=file:///a/.b/.%09./c.ts', true],
  ['/__vite_rsc_findSourceMapURL?filename=file:///a/%5Bb%5D/c%2520d.ts%3Ft=1', false],
  [undefined, true],
])('%s is odd: %s', (url, expected) => {
  expect(isNonCanonicalTarget(url)).toBe(expected)
})

test.each([
  ['http://a.test', { host: 'a.test', target: '/' }],
  ['HTTPS://a.test:1/b?c', { host: 'a.test:1', target: '/b?c' }],
  ['http://a.test?c', { host: 'a.test', target: '/?c' }],
  ['http://a.test//b', { host: 'a.test', target: '//b' }],
  ['http://[::1]:80/b', { host: '[::1]:80', target: '/b' }],
  ['http:///b', null],
  ['http://[::1', null],
  ['http://user@a.test/b', null],
  ['ftp://a.test/b', null],
  ['/http://a.test/b', null],
  [undefined, null],
])('the host of %s', (url, expected) => {
  expect(splitAbsolute(url)).toEqual(expected)
})

test.each([
  ['/a?b', '/a?b from a'],
  ['http://evil.test/a?b', '/a?b from evil.test'],
  ['http://evil.test//a', '//a, hidden, from evil.test'],
  ['//a', '//a, hidden, from a'],
  ['http://[::1', 'http://[::1, hidden, from a'],
])('Vite gets the host of %s and a valid target', async (target, expected) => {
  const server = createServer((req: IncomingMessage & { originalUrl?: string }, res) => {
    const hidden = isNonCanonicalTarget(req.url) ? 'odd' : ', hidden,'
    res.end(`${req.originalUrl ? req.originalUrl + hidden : req.url} from ${req.headers.host}`)
  })
  hideTargets(server, isNonCanonicalTarget)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  expect(await ask(port, target)).toContain(`\n${expected}`)
})

function ask(port: number, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`),
    )
    socket.on('data', (piece) => {
      text += piece
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}
