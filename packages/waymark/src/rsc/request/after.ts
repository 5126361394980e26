import type { HandlerResponse } from '../../shared/response.ts'
import { followBody } from './followBody.ts'
import { type AfterTask, currentScope, type RequestScope, runInScope } from './scope.ts'

/**
 * Runs something once the response has been sent, also when it was a redirect, a fallback screen or
 * an error, or when the client left. What it throws is logged and never reaches the client.
 * @param task a function, or a promise of work that has begun already
 */
export function after(task: AfterTask | PromiseLike<unknown>): void {
  const scope = currentScope('after()')
  if (typeof task === 'function') {
    add(scope, task)
    return
  }
  // Its failure is reported with the others; until then it is not an unhandled one.
  task.then(undefined, () => {})
  add(scope, () => task)
}

/**
 * Runs the tasks of `after` when the body of a response ends.
 * @returns the response to send in its place
 */
export function withAfterTasks(response: HandlerResponse, scope: RequestScope): HandlerResponse {
  const { body } = response
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    // An adapter writes a whole body in the same turn.
    if (scope.context.after.tasks.length > 0) setImmediate(createRun(scope))
    else scope.phase = 'after'
    return response
  }
  const run = createRun(scope)
  let hasEnded = false
  const end = () => {
    if (!hasEnded) setImmediate(run)
    hasEnded = true
  }
  const followed = followBody(body, {
    onEnd: end,
    onLeave({ close }) {
      end()
      return close()
    },
  })
  return { ...response, body: followed }
}

/** A runtime that ends with its responses has to know of the tasks before that. */
function createRun(scope: RequestScope): () => void {
  const { waitUntil } = scope.context.after
  if (waitUntil === undefined) return () => void runAfterTasks(scope)
  let resolve = () => {}
  waitUntil(new Promise<void>((ended) => (resolve = ended)))
  return () => void runAfterTasks(scope).then(resolve)
}

/**
 * Runs the tasks of `after`, and those that they add.
 * @returns resolves when all have come to an end; never rejects
 */
export async function runAfterTasks(scope: RequestScope): Promise<void> {
  scope.phase = 'after'
  await Promise.all(scope.context.after.tasks.splice(0).map((task) => runTask(scope, task)))
}

function add(scope: RequestScope, task: AfterTask): void {
  if (scope.phase === 'after') void runTask(scope, task)
  else scope.context.after.tasks.push(task)
}

async function runTask(scope: RequestScope, task: AfterTask): Promise<void> {
  try {
    await runInScope(scope, task)
  } catch (thrown) {
    scope.context.after.onError(thrown)
  }
}
