import { describe, expect, test } from 'vitest'
import { encodeUnencodedTarget } from './unencodedTarget.ts'

/** Creates the error with which Node's parser stops at the first byte that isn't ASCII. */
function errorFor(head: string | Buffer, code = 'HPE_INVALID_URL') {
  const rawPacket = Buffer.from(head as string)
  const bytesParsed = rawPacket.findIndex((byte) => byte < 0x20 || byte > 0x7e)
  return Object.assign(new Error('Parse Error'), { code, rawPacket, bytesParsed })
}

const request = (target: string | Buffer, method = 'GET') =>
  Buffer.concat([
    Buffer.from(`${method} `),
    Buffer.from(target as string),
    Buffer.from(' HTTP/1.1\r\nHost: here.example\r\n\r\n'),
  ])

describe('a target with unencoded UTF-8', () => {
  test.each([
    ['/日本語', '/%E6%97%A5%E6%9C%AC%E8%AA%9E'],
    ['/a?x=é', '/a?x=%C3%A9'],
    ['/é?x=%C3%A9é&y=a+b', '/%C3%A9?x=%C3%A9%C3%A9&y=a+b'],
    ['/?x=😀', '/?x=%F0%9F%98%80'],
  ])('%s is encoded', (target, location) => {
    expect(encodeUnencodedTarget(errorFor(request(target)))).toBe(location)
    expect(encodeUnencodedTarget(errorFor(request(target, 'HEAD')))).toBe(location)
  })

  test.each<[string, string | Buffer]>([
    ['a lone byte', Buffer.from('/a?x=\xe9', 'latin1')],
    ['an overlong slash', Buffer.from('/a?x=\xc0\xafé', 'latin1')],
    ['a surrogate', Buffer.from('/a?x=\xed\xa0\x80', 'latin1')],
    ['a character after the last of Unicode', Buffer.from('/a?x=\xf4\x90\x80\x80', 'latin1')],
    ['a character that is cut off', Buffer.from('/a?x=\xe6\x97', 'latin1')],
    ['a control character of Unicode', '/a?x=\u0085'],
    ['NUL', '/a?x=é\0'],
    ['a tab', '/a?x=é\t'],
    ['a line feed', '/a?x=é\nset-cookie: a=1'],
    ['a line break', '/a?x=é\r\nset-cookie: a=1\r\n'],
    ['a carriage return', '/a?x=é\rx'],
    ['a space', '/a?x=é b'],
    ['a fragment', '/a#é'],
    ['a second slash', '//evil.example/é'],
    ['a backslash', '/\\evil.example/é'],
    ['another host', 'http://evil.example/é'],
    ['too many characters', `/${'é'.repeat(2_000)}`],
    ['only ASCII', '/a?x=1'],
  ])('is refused with %s', (_title, target) => {
    expect(encodeUnencodedTarget(errorFor(request(target)))).toBeNull()
  })

  test('is refused with another method, which a client may not repeat', () => {
    expect(encodeUnencodedTarget(errorFor(request('/é', 'POST')))).toBeNull()
  })

  test('is refused if the packet starts within the body of an earlier request', () => {
    const packet = `GET /é HTTP/1.1\r\n\r\n${request('/other?é')}`
    const error = { ...errorFor(packet), bytesParsed: packet.length - 40 }
    expect(encodeUnencodedTarget(error as never)).toBeNull()
  })

  test('is refused for another error of the parser', () => {
    expect(encodeUnencodedTarget(errorFor(request('/é'), 'HPE_INVALID_METHOD'))).toBeNull()
    expect(encodeUnencodedTarget(new Error('reset'))).toBeNull()
  })
})
