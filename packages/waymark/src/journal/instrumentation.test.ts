import { describe, expect, test, vi } from 'vitest'
import { entryAt } from '../../../testing/src/drivers/journalDriverSuite.ts'
import { guardInstrumentation, type Instrumentation } from './instrumentation.ts'

const request = { path: '/', method: 'GET', headers: {} }
const context = { entry: entryAt(1) }

function fail(): never {
  throw new Error('no')
}

function guard(module: Instrumentation | null) {
  const log = vi.fn()
  const now = vi.fn(() => 0)
  const guarded = guardInstrumentation(module, log, now)
  const tell = () => guarded.onRequestError(new Error('broken'), request, context)
  return { ...guarded, tell, log, now }
}

describe('register', () => {
  test('is awaited', async () => {
    const order: string[] = []
    const register = async () => {
      await null
      order.push('registered')
    }
    await guard({ register }).register()
    expect(order).toEqual(['registered'])
  })

  test.each([fail, async () => fail()])('may fail', async (register) => {
    const { register: run, log } = guard({ register })
    await run()
    expect(log).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining('register()'),
      new Error('no'),
    )
  })

  test.each([null, {}])('may be missing', async (module) => {
    const { register, tell, log } = guard(module)
    await register()
    tell()
    expect(log).not.toHaveBeenCalled()
  })
})

describe('onRequestError', () => {
  test('can be awaited by a runtime that ends with the response', async () => {
    const done: string[] = []
    const onRequestError = async () => {
      await new Promise(setImmediate)
      done.push('sent')
    }
    await guard({ onRequestError }).tell()
    expect(done).toEqual(['sent'])
  })

  test('gets error, request and entry', () => {
    const onRequestError = vi.fn()
    guard({ onRequestError }).tell()
    expect(onRequestError).toHaveBeenCalledExactlyOnceWith(new Error('broken'), request, context)
  })

  test.each([fail, async () => fail()])('may fail, which is logged once a minute', async (hook) => {
    const { tell, log, now } = guard({ onRequestError: hook })
    for (let at = 0; at < 10; at++) tell()
    await null
    await null
    expect(log).toHaveBeenCalledTimes(1)
    now.mockReturnValue(60_000)
    tell()
    await null
    await null
    expect(log).toHaveBeenCalledTimes(2)
  })
})
