import { describe, expect, test } from 'vitest'
import { loggableAddress, readRedisAddress } from './redisAddress.ts'

test('an empty variable, or one with commas only, configures no address', () => {
  for (const WAYMARK_REDIS_URL of [undefined, '', ' ', ' , ']) {
    expect(readRedisAddress({ WAYMARK_REDIS_URL })).toBeNull()
  }
})

test('reads one server, or several of a cluster', () => {
  const read = (WAYMARK_REDIS_URL: string) => readRedisAddress({ WAYMARK_REDIS_URL })
  expect(read('redis://a:1')).toEqual({ urls: ['redis://a:1'], prefix: 'waymark' })
  expect(read('redis://a:1, rediss://b:2')?.urls).toEqual(['redis://a:1', 'rediss://b:2'])
})

test('a log shows an address without its password', () => {
  const address = readRedisAddress({ WAYMARK_REDIS_URL: 'redis://me:secret@a:1,redis://b:2' })
  expect(address && loggableAddress(address)).toBe('a:1, b:2')
  const wrong = () => readRedisAddress({ WAYMARK_REDIS_URL: 'http://me:secret@a:1' })
  expect(wrong).toThrow('http://…@a:1')
})

test.each(['shop{}', '{shop}', 'a}'])(
  'the prefix %s would separate keys of a cluster',
  (prefix) => {
    const env = { WAYMARK_REDIS_URL: 'redis://a:1', WAYMARK_REDIS_PREFIX: prefix }
    expect(() => readRedisAddress(env)).toThrow("can't contain braces")
  },
)

describe('Redis over HTTP', () => {
  const read = (url: string, token?: string) =>
    readRedisAddress({ WAYMARK_REDIS_URL: url, WAYMARK_REDIS_TOKEN: token })

  test('has one address and a token', () => {
    const urls = ['https://a.example']
    expect(read('https://a.example', ' secret\n')).toEqual({
      urls,
      token: 'secret',
      prefix: 'waymark',
    })
    expect(read('redis://a:1', 'unused')).not.toHaveProperty('token')
  })

  test.each([
    ['https://a.example', undefined, 'WAYMARK_REDIS_TOKEN is empty'],
    ['https://a.example', 'töken', "contains characters that headers can't contain"],
    ['https://a.example,https://b.example', 'secret', 'has 2 addresses'],
    ['redis://a:1,http://b.example', 'secret', 'has 2 addresses'],
    ['https://me:hidden@a.example', 'secret', "https://…@a.example, which isn't a Redis address"],
    [
      'https://a.example?_token=hidden',
      'secret',
      "https://a.example?…, which isn't a Redis address",
    ],
  ])('%s with the token %s is refused', (url, token, message) => {
    expect(() => read(url, token)).toThrow(message)
  })
})
