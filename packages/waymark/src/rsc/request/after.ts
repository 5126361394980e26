import { AsyncLocalStorage } from 'node:async_hooks'
import type { HandlerResponse } from '../../http/response.ts'
import { followToEnd } from '../../http/stream.ts'
import { type AfterTask, currentScope, type RequestScope, runInScope } from './scope.ts'
import { observed } from './serverObserver.ts'

/**
 * Runs a task once the response has been sent, even if rendering failed or the client left. Errors
 * in the task are logged and never reach the client.
 * @param task a function, or a promise for work that has already begun
 * @throws `OUTSIDE_REQUEST`
 * @example after(() => sendReceipt(order))
 */
export function after(task: AfterTask | PromiseLike<unknown>): void {
  const withoutRequest = tasksWithoutRequest.getStore()
  const scope = withoutRequest ? null : currentScope('after()')
  // The failure is only reported after the response, so prevent an unhandled rejection until then.
  if (typeof task !== 'function') task.then(undefined, () => {})
  const run = typeof task === 'function' ? task : () => task
  if (scope) add(scope, run)
  else withoutRequest?.push(run)
}

/** Tasks of code that Waymark runs without a request. */
const tasksWithoutRequest = new AsyncLocalStorage<AfterTask[]>()

/**
 * Runs code that has no request, such as `generateStaticParams`, and then the tasks that the code
 * passed to `after()`. Tasks that fail are logged.
 */
export async function runWithoutRequest<Result>(
  code: () => Result | Promise<Result>,
): Promise<Result> {
  const tasks: AfterTask[] = []
  return tasksWithoutRequest.run(tasks, async () => {
    const result = await code()
    // A task may add further tasks.
    for (const task of tasks) {
      try {
        await task()
      } catch (thrown) {
        console.error(thrown)
      }
    }
    return result
  })
}

export function withAfterTasks(response: HandlerResponse, scope: RequestScope): HandlerResponse {
  const { body } = response
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    // Adapters write a complete body synchronously, before the next turn of the event loop. Run the
    // tasks after that.
    if (scope.context.after.tasks.length > 0) setImmediate(createRun(scope))
    else scope.phase = 'after'
    return response
  }
  const run = createRun(scope)
  return { ...response, body: followToEnd(body, () => void setImmediate(run)) }
}

/**
 * Creates the function that runs the tasks of `after()`. `waitUntil` keeps a serverless runtime
 * alive until they end.
 */
function createRun(scope: RequestScope): () => void {
  const { waitUntil } = scope.context.after
  if (waitUntil === undefined) return () => void runAfterTasks(scope)
  let resolve = () => {}
  waitUntil(new Promise<void>((ended) => (resolve = ended)))
  return () => void runAfterTasks(scope).then(resolve)
}

/** Runs the tasks of `after()`, including those that they add themselves. Never rejects. */
export async function runAfterTasks(scope: RequestScope): Promise<void> {
  scope.phase = 'after'
  await Promise.all(scope.context.after.tasks.splice(0).map((task) => runTask(scope, task)))
}

function add(scope: RequestScope, task: AfterTask): void {
  // React finds the rendering's `cache()` results through the async context, so bind it.
  const { observer } = scope.context
  const bound = AsyncLocalStorage.bind(() => observed(observer, { kind: 'after' }, task))
  if (scope.phase === 'after') void runTask(scope, bound)
  else scope.context.after.tasks.push(bound)
}

async function runTask(scope: RequestScope, task: AfterTask): Promise<void> {
  try {
    await runInScope(scope, task)
  } catch (thrown) {
    scope.context.after.onError(thrown)
  }
}
