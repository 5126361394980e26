import { inspect } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSyncUse } from './syncUse.ts'

const explain = createSyncUse('cookies()', ['get', 'size'])

function readTwice(promise: Promise<unknown>) {
  const untyped = promise as unknown as { get?: (name: string) => string }
  return [1, 2].map(() => untyped.get)
}

test('explains the use of a promise as a value, with its line, once', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => error.mockRestore())
  const promise = explain(Promise.resolve(1))
  expect(readTwice(promise)).toEqual([undefined, undefined])
  expect(error.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^cookies\(\) returns a promise, but code reads get from it .*\(await cookies\(\)\)\.get, .* at .*syncUse\.test\.ts:9:\d+/,
      ),
    ],
  ])
})

test('explains code that lists a promise, also inside of Node, but not code that prints it', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => error.mockRestore())
  const promise = createSyncUse('headers()', [])(Promise.resolve(1)) as unknown as Headers
  inspect(promise)
  expect(error.mock.calls).toEqual([])
  const requestWith = () => new Request('http://localhost', { headers: promise })
  // Node refuses the promise if it has symbols of an AsyncLocalStorage. Before, it looks for a list.
  try {
    requestWith()
  } catch {}
  expect(() => [...promise]).toThrow(TypeError)
  expect(error.mock.calls.flat()).toEqual([
    expect.stringMatching(
      /^headers\(\) returns a promise, but code uses it as a list .* Write await headers\(\), .* at requestWith \(.*syncUse\.test\.ts/,
    ),
    expect.stringMatching(/syncUse\.test\.ts/),
  ])
})

class Dynamic extends Promise<number> {
  readonly #reason = 'cookies()'
  get reason() {
    return this.#reason
  }
}

test('the promise of a subclass keeps its class', async () => {
  const promise = new Dynamic((resolve) => resolve(1))
  expect(explain(promise)).toBe(promise)
  expect(promise).toBeInstanceOf(Dynamic)
  expect(promise.reason).toBe('cookies()')
  expect(await promise).toBe(1)
})

test('the promise resolves and rejects as before', async () => {
  const promise = explain(Promise.resolve(1))
  expect(promise).toBeInstanceOf(Promise)
  expect(await promise).toBe(1)
  expect(await promise.then((value) => value + 1)).toBe(2)
  await expect(explain(Promise.reject(new Error('no request')))).rejects.toThrow('no request')
})
