import type { Cookies } from './cookies.ts'
import type { ReadonlyHeaders } from './headers.ts'
import { currentScope, dynamicValue } from './scope.ts'

/**
 * The headers of the request. Makes the page dynamic.
 * @throws `OUTSIDE_REQUEST`
 */
export function headers(): Promise<ReadonlyHeaders> {
  const scope = currentScope('headers()')
  return dynamicValue(scope, 'headers()', scope.headers)
}

/**
 * The cookies of the request, with those that were set since. Makes the page dynamic.
 * @throws `OUTSIDE_REQUEST`
 */
export function cookies(): Promise<Cookies> {
  const scope = currentScope('cookies()')
  return dynamicValue(scope, 'cookies()', scope.cookieStore.cookies)
}

/**
 * Waits for a real request: what follows is not run at build. Makes the page dynamic.
 * @throws `OUTSIDE_REQUEST`
 */
export function connection(): Promise<void> {
  return dynamicValue(currentScope('connection()'), 'connection()', undefined)
}
