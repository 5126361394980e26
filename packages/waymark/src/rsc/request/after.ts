import { AsyncLocalStorage } from 'node:async_hooks'
import type { HandlerResponse } from '../../http/response.ts'
import { followToEnd } from '../../http/stream.ts'
import { type AfterTask, currentScope, type RequestScope, runInScope } from './scope.ts'

/**
 * Runs a task once the response has been sent, even after an error or if the client left. Errors in the task are logged
 * and never reach the client.
 * @param task a function, or a promise for work that has already begun
 * @throws `OUTSIDE_REQUEST`
 * @example after(() => sendReceipt(order))
 */
export function after(task: AfterTask | PromiseLike<unknown>): void {
  const scope = currentScope('after()')
  if (typeof task === 'function') return void add(scope, task)
  // Mark the rejection as handled, because the failure is only reported after the response.
  task.then(undefined, () => {})
  add(scope, () => task)
}

export function withAfterTasks(response: HandlerResponse, scope: RequestScope): HandlerResponse {
  const { body } = response
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    // Run the tasks in the next turn of the event loop, because an adapter writes a complete body synchronously before
    // that turn.
    if (scope.context.after.tasks.length > 0) setImmediate(createRun(scope))
    else scope.phase = 'after'
    return response
  }
  const run = createRun(scope)
  return { ...response, body: followToEnd(body, () => void setImmediate(run)) }
}

/** Creates the function that runs the tasks of `after()`. A serverless runtime waits for them through `waitUntil`. */
function createRun(scope: RequestScope): () => void {
  const { waitUntil } = scope.context.after
  if (waitUntil === undefined) return () => void runAfterTasks(scope)
  let resolve = () => {}
  waitUntil(new Promise<void>((ended) => (resolve = ended)))
  return () => void runAfterTasks(scope).then(resolve)
}

/** Runs the tasks of `after()`, and the tasks that they add. Never rejects. */
export async function runAfterTasks(scope: RequestScope): Promise<void> {
  scope.phase = 'after'
  await Promise.all(scope.context.after.tasks.splice(0).map((task) => runTask(scope, task)))
}

function add(scope: RequestScope, task: AfterTask): void {
  // Bind the async context, by which React finds the `cache()` results of the rendering.
  const bound = AsyncLocalStorage.bind(task)
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
