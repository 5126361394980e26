import type { Cookies } from './cookies.ts'
import { dynamicValue } from './dynamicValue.ts'
import type { ReadonlyHeaders } from './headers.ts'
import { currentScope } from './scope.ts'

/**
 * The headers of the request. Makes the page dynamic.
 * @throws `OUTSIDE_REQUEST`
 */
export function headers(): Promise<ReadonlyHeaders> {
  const scope = currentScope('headers()')
  return dynamicValue(scope, 'headers()', () => scope.headers())
}

/**
 * The cookies of the request, with those that were set since. Makes the page dynamic.
 * @throws `OUTSIDE_REQUEST`
 */
export function cookies(): Promise<Cookies> {
  const scope = currentScope('cookies()')
  return dynamicValue(scope, 'cookies()', () => scope.cookieStore().cookies)
}

/**
 * Waits for a real request: what follows is not run at build. Makes the page dynamic.
 * @throws `OUTSIDE_REQUEST`
 */
export function connection(): Promise<void> {
  return dynamicValue(currentScope('connection()'), 'connection()', () => undefined)
}

/**
 * Makes the status of the page wait for a promise, as it does for layouts and the page itself:
 * `const post = await gate(getPost(slug)); if (!post) notFound()` is a true 404 inside of
 * Suspense and under a `loading` file, too. At most until the status deadline.
 * @returns the same promise
 * @throws `OUTSIDE_REQUEST`
 */
export function gate<T>(promise: Promise<T>): Promise<T> {
  currentScope('gate()').hold?.(promise)
  return promise
}
