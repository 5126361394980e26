import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, test, vi } from 'vitest'
import type { HandlerResponse } from '../../http/response.ts'
import { toServerRequest } from '../../http/web.ts'
import { after, runAfterTasks, withAfterTasks } from './after.ts'
import { cookies, headers } from './api.ts'
import { createScope, runInScope } from './scope.ts'

function newScope(
  onAfterError: (thrown: unknown) => string = () => '',
  waitUntil?: (work: Promise<unknown>) => void,
) {
  const sent = new Request('https://site.test/', { headers: { 'x-a': '1' } })
  const request = toServerRequest(sent, { waitUntil })
  const url = { pathname: '/', search: '' }
  return createScope({ request, url, phase: 'render', onAfterError })
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
const whole: HandlerResponse = { status: 200, headers: [], body: 'x' }

async function* pieces(end?: Error) {
  yield new Uint8Array([1])
  if (end) throw end
  yield new Uint8Array([2])
}

describe('after()', () => {
  test('keeps the async context of its call, by which React finds its cache', async () => {
    const rendering = new AsyncLocalStorage<string>()
    const scope = newScope()
    const store = await new Promise((resolve) => {
      const task = () => resolve(rendering.getStore())
      runInScope(scope, () => rendering.run('page', () => after(task)))
      withAfterTasks(whole, scope)
    })
    expect(store).toBe('page')
  })

  test('throws outside of a request', () => {
    expect(() => after(() => {})).toThrow(/OUTSIDE_REQUEST/)
  })

  test('waits until a complete response has been passed on', async () => {
    const scope = newScope()
    const task = vi.fn()
    runInScope(scope, () => after(task))
    expect(withAfterTasks(whole, scope)).toBe(whole)
    expect(task).not.toHaveBeenCalled()
    await turn()
    expect(task).toHaveBeenCalledOnce()
  })

  test.each([whole, { ...whole, body: pieces() }])('tells the runtime to wait', async (answer) => {
    const waited: Promise<unknown>[] = []
    const scope = newScope(undefined, (work) => void waited.push(work))
    const task = vi.fn(turn)
    runInScope(scope, () => after(task))
    const { body } = withAfterTasks(answer, scope)
    expect([waited.length, task.mock.calls.length]).toEqual([1, 0])
    if (typeof body === 'object') for await (const _ of body as AsyncIterable<Uint8Array>);
    await waited[0]
    expect(task.mock.settledResults[0]?.type).toBe('fulfilled')
  })

  test('waits until a body has ended, and runs tasks added meanwhile', async () => {
    const scope = newScope()
    const task = vi.fn()
    const answer = withAfterTasks({ ...whole, body: pieces() }, scope)
    const body = (answer.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    await body.next()
    runInScope(scope, () => after(task))
    await turn()
    expect(task).not.toHaveBeenCalled()
    await body.next()
    expect(await body.next()).toEqual({ done: true, value: undefined })
    await turn()
    expect(task).toHaveBeenCalledOnce()
  })

  test('runs if the client leaves', async () => {
    const scope = newScope()
    const task = vi.fn()
    const ended = vi.fn()
    async function* endless() {
      try {
        while (true) yield new Uint8Array([1])
      } finally {
        ended()
      }
    }
    runInScope(scope, () => after(task))
    const answer = withAfterTasks({ ...whole, body: endless() }, scope)
    for await (const _ of answer.body as AsyncIterable<Uint8Array>) break
    await turn()
    expect(ended).toHaveBeenCalledOnce()
    expect(task).toHaveBeenCalledOnce()
  })

  test('runs if the body fails, which still fails', async () => {
    const scope = newScope()
    const task = vi.fn()
    runInScope(scope, () => after(task))
    const answer = withAfterTasks({ ...whole, body: pieces(new Error('cut')) }, scope)
    await expect(async () => {
      for await (const _ of answer.body as AsyncIterable<Uint8Array>);
    }).rejects.toThrow('cut')
    await turn()
    expect(task).toHaveBeenCalledOnce()
  })

  test('reports the errors of tasks, and runs the others', async () => {
    const onError = vi.fn()
    const scope = newScope(onError)
    const task = vi.fn()
    runInScope(scope, () => {
      after(() => {
        throw new Error('at once')
      })
      after(async () => {
        throw new Error('later')
      })
      after(Promise.reject(new Error('a promise')))
      after(task)
    })
    // Wait long enough for Node to notice an unhandled rejection.
    await turn()
    await runAfterTasks(scope)
    expect(onError.mock.calls.map(([error]) => error.message).sort()).toEqual([
      'a promise',
      'at once',
      'later',
    ])
    expect(task).toHaveBeenCalledOnce()
  })

  test('can read the request, but not set cookies', async () => {
    const onError = vi.fn()
    const scope = newScope(onError)
    const read = vi.fn()
    runInScope(scope, () =>
      after(async () => {
        read((await headers()).get('x-a'))
        ;(await cookies()).set('a', '1')
      }),
    )
    await runAfterTasks(scope)
    expect(read).toHaveBeenCalledWith('1')
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'COOKIES_READ_ONLY' })
  })

  test('inside of a task runs, too', async () => {
    const scope = newScope()
    const task = vi.fn()
    runInScope(scope, () => after(() => after(task)))
    await runAfterTasks(scope)
    expect(task).toHaveBeenCalledOnce()
  })
})
