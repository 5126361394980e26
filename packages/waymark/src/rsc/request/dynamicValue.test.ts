import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { connection, headers } from './api.ts'
import { dynamicValue, requestValueReason, searchParamsReader } from './dynamicValue.ts'
import { runInScope } from './scope.ts'
import { scopeOf, turn } from './testing/scopeOf.ts'

describe('a dynamic value', () => {
  test('is a promise of its value', async () => {
    const scope = scopeOf('render')
    const value = dynamicValue(scope, 'searchParams', () => ({ q: '1' }))
    expect(value).toBeInstanceOf(Promise)
    expect(await value).toEqual({ q: '1' })
    expect(await value.finally(() => {})).toEqual({ q: '1' })
    expect(await Promise.all([value])).toEqual([{ q: '1' }])
    expect(value.then(() => {}).constructor).toBe(Promise)
  })

  test('can be told apart from other promises', () => {
    const value = dynamicValue(scopeOf('render'), 'searchParams', () => 1)
    expect(requestValueReason(value)).toBe('searchParams')
    expect(requestValueReason(Promise.resolve(1))).toBeUndefined()
    expect(requestValueReason(null)).toBeUndefined()
  })

  test('has no effect unless it is used', () => {
    const onDynamic = vi.fn()
    const scope = scopeOf('prerender', {}, onDynamic)
    dynamicValue(scope, 'searchParams', () => ({}))
    expect(scope.usage.reason).toBeNull()
    expect(onDynamic).not.toHaveBeenCalled()
  })

  test.each<[string, (value: Promise<unknown>) => unknown]>([
    ['await', async (value) => await value],
    ['then', (value) => value.then(() => {})],
    ['catch', (value) => value.catch(() => {})],
    ['Promise.all', (value) => Promise.all([value])],
    ['Promise.resolve', (value) => Promise.resolve(value).then(() => {})],
    ['an async function that returns it', (value) => (async () => value)()],
  ])('counts once if it is used by %s', async (_, useIt) => {
    const onDynamic = vi.fn()
    const scope = scopeOf('render', {}, onDynamic)
    const value = dynamicValue(scope, 'searchParams', () => ({}))
    await useIt(value)
    await useIt(dynamicValue(scope, 'cookies()', () => ({})))
    expect(scope.usage.reason).toBe('searchParams')
    expect(onDynamic.mock.calls).toEqual([['searchParams', expect.any(String)]])
  })

  test('never settles during prerendering', async () => {
    const onDynamic = vi.fn()
    const scope = scopeOf('prerender', { 'x-a': '1' }, onDynamic)
    const settled = vi.fn()
    runInScope(scope, async () => {
      await headers()
      settled()
    })
    await turn()
    dynamicValue(scope, 'searchParams', () => ({})).then(settled, settled)
    await turn()
    expect(settled).not.toHaveBeenCalled()
    expect(onDynamic.mock.calls).toEqual([
      ['headers()', expect.stringMatching(/dynamicValue\.test\.ts:\d+/)],
    ])
  })

  test('can be used by React, which calls then() with two functions', async () => {
    const scope = scopeOf('render')
    const listener = vi.fn()
    dynamicValue(scope, 'searchParams', () => 1).then(listener, listener)
    await turn()
    expect(listener.mock.calls).toEqual([[1]])
  })

  test('settles for a real request', async () => {
    const scope = scopeOf('render')
    await runInScope(scope, connection)
    expect(scope.usage.reason).toBe('connection()')
  })
})

test('a query that does not match the schema is logged with its URL', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const issues = [{ message: 'not a number', path: ['page'] }]
  const schema = { '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) } }
  const scope = scopeOf('render')
  const read = searchParamsReader(scope, '?b=1')({ module: { searchParams: schema } })
  await expect(read).rejects.toMatchObject({ signal: { status: 400 } })
  expect(warn.mock.calls).toEqual([
    ['400: the query of /a?b=1 does not match the schema of the page.\npage: not a number'],
  ])
})
