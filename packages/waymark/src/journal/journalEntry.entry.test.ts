import { describe, expect, test } from 'vitest'
import { redactEntry } from './instrumentation.ts'
import { decodeRecord, encodeRecord } from './journalDriver.ts'
import { createBrowserEntry, createEntry, type EntryContext, minimalEntry } from './journalEntry.ts'
import { hostileValues } from './testing/hostileValues.ts'
import { textLimits } from './thrownText.ts'

const facts: EntryContext = { digest: '0000-0000-000', timeMs: 1000, phase: 'document' }

function entryOf(thrown: unknown) {
  return createEntry(thrown, facts)
}

describe('any thrown value', () => {
  test.each(hostileValues())('has an entry: %s', (_, thrown) => {
    const entry = entryOf(thrown)
    expect(entry.fingerprint).toMatch(/^[0-9a-z]{10}$/)
    expect(entry.message.length).toBeLessThanOrEqual(textLimits.message)
    expect(entry.causes.length).toBeLessThanOrEqual(textLimits.causes)
    expect(decodeRecord(encodeRecord(entry) ?? '')).toEqual(entry)
  })

  test.each([
    ['text', 'string', 'text'],
    [null, 'null', 'null'],
    [Symbol('s'), 'symbol', 'Symbol(s)'],
    [() => 'source', 'function', 'A function was thrown.'],
    [
      { status: 418, secret: 'hunter2' },
      'Object',
      'A value without a message was thrown. It has the properties status, secret.',
    ],
    [{ name: 'Mine', message: 'said' }, 'Mine', 'said'],
    [new TypeError('wrong'), 'TypeError', 'wrong'],
  ])('%s is described by name and message', (thrown, name, message) => {
    expect(entryOf(thrown)).toMatchObject({ name, message })
  })

  test('has a small entry even if it is large', () => {
    const big = 'äöü'.repeat(3_000_000)
    const thrown = Object.assign(new Error(big, { cause: new Error(big) }), {
      code: big,
      name: big,
    })
    expect(encodeRecord(entryOf(thrown))?.length).toBeLessThan(60_000)
  })
})

describe('the stack', () => {
  test('is stored without the message in front of it', () => {
    const { stack } = entryOf(new Error('a message\nof two lines'))
    expect(stack).toMatch(/^at .*entry\.test\.ts/)
    expect(stack).not.toContain('a message')
  })

  test('is found after a message of 10 MB', () => {
    expect(entryOf(new Error('x'.repeat(10_000_000))).stack).toContain('entry.test.ts')
  })
})

describe('the causes', () => {
  test('come nearest first', () => {
    const thrown = new Error('a', { cause: new Error('b', { cause: 'c' }) })
    expect(entryOf(thrown).causes.map(({ message }) => message)).toEqual(['b', 'c'])
  })

  test('in a cycle are listed once', () => {
    const thrown = new Error('a')
    thrown.cause = new Error('b', { cause: thrown })
    expect(entryOf(thrown).causes).toHaveLength(1)
  })

  test('include the members of an AggregateError', () => {
    const { causes } = entryOf(new AggregateError([new Error('a'), 'b'], 'both'))
    expect(causes.map(({ relation, message }) => [relation, message])).toEqual([
      ['member', 'a'],
      ['member', 'b'],
    ])
  })
})

describe('secrets', () => {
  test('are removed from message, path, causes and stack', () => {
    const thrown = new Error('GET /a?token=s3cret', { cause: new Error('cookie: id=s3cret') })
    thrown.stack = 'Error\n    at a (http://u:s3cret@x/a.js?token=s3cret:1:2)'
    const entry = createEntry(thrown, { ...facts, target: '/a?token=s3cret&x=1#s3cret' })
    expect(JSON.stringify(entry)).not.toContain('s3cret')
    expect(entry.path).toBe('/a?token=&x=')
  })

  test('can also be removed by the redact hook', () => {
    const entry = redactEntry(entryOf(new Error('card 4111')), (each) => ({
      ...each,
      message: each.message.replace(/\d+/, '…'),
    }))
    expect(entry.message).toBe('card …')
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['returns nothing', () => undefined],
    ['returns a promise', async () => entryOf('x')],
    ['returns another entry', () => ({ ...entryOf('x'), digest: '1111-1111-111' })],
    ['returns a bigint as the digest', () => ({ ...entryOf('x'), digest: 1n })],
  ])('are left out if the hook %s', (_, hook) => {
    const entry = createEntry(new Error('s3cret'), { ...facts, route: '/a', target: '/a?b' })
    const redacted = redactEntry(entry, hook as never)
    expect(JSON.stringify(redacted)).not.toContain('s3cret')
    expect(redacted).toMatchObject({ digest: entry.digest, route: '/a', path: null, stack: null })
  })

  test('are never part of a minimal entry', () => {
    expect(Object.keys(minimalEntry(entryOf('a'), 'b'))).toHaveLength(
      Object.keys(entryOf('a')).length,
    )
  })
})

test('the texts in an entry of a browser are shortened and cleaned', () => {
  const entry = createBrowserEntry(
    {
      name: 'TypeError',
      message: 'a\x1b[2J',
      stack: 'a@https://x.test/a.js:1:2',
      componentStack: '\n    at Page (https://x.test/a.js:3:4)',
      source: 'boundary',
      userAgent: 'Agent\r\nforged: line',
      navigations: ['/0', '/1?q=s3cret', '/2', '/3', '/4', '/5'],
    },
    { ...facts, phase: 'browser' },
  )
  expect(entry).toMatchObject({
    message: 'a\ufffd[2J',
    stack: 'a@https://x.test/a.js:1:2',
    browser: {
      userAgent: 'Agent forged: line',
      navigations: ['/1?q=', '/2', '/3', '/4', '/5'],
      componentStack: 'at Page (https://x.test/a.js:3:4)',
    },
  })
})
