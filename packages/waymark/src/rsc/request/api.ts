import { draftCookie } from '../../builds/cachedPage.ts'
import type { ServerRequest } from '../../http/response.ts'
import type { Params } from '../../routing/matchedSegments.ts'
import { withBasePath } from '../../shared/basePath.ts'
import { frameworkError } from '../../shared/errors.ts'
import { memoized } from '../../shared/maps.ts'
import { type Preference, parsePreference, type ThemeConfig } from '../../theme/config.ts'
import { type ThemeHtmlProps, themePropsOf } from '../../theme/themeScript.ts'
import { isInternalHeader, prefetchHeader, prefetchPurpose } from '../../wire/protocol.ts'
import type { Cookies } from './cookies.ts'
import { draftSeconds } from './draftMode.ts'
import { dynamicValue } from './dynamicValue.ts'
import { correctForwarding } from './forwarding.ts'
import { currentScope } from './scope.ts'

/** The headers of the request. Makes the page dynamic. @throws `OUTSIDE_REQUEST` */
export function headers(): Promise<ReadonlyHeaders> {
  const scope = currentScope('headers()')
  return dynamicValue(scope, 'headers()', () => readonlyHeadersOf(scope.request))
}

/**
 * The cookies of the request, with those set since. Makes the page dynamic.
 * @throws `OUTSIDE_REQUEST`
 */
export function cookies(): Promise<Cookies> {
  const scope = currentScope('cookies()')
  return dynamicValue(scope, 'cookies()', () => scope.cookies.store().cookies)
}

/** Code after it does not run at build: the page is dynamic. @throws `OUTSIDE_REQUEST` */
export function connection(): Promise<void> {
  return dynamicValue(currentScope('connection()'), 'connection()', () => undefined)
}

/**
 * The params of the root layout, anywhere on the server: `lang` of `app/[lang]/layout.tsx`. A
 * static page stays static.
 * @throws `OUTSIDE_REQUEST`, `REQUEST_IN_CACHE`
 */
export async function rootParams(): Promise<Params> {
  let at = currentScope('rootParams()').root
  while (at?.kind === 'folder' && at.node.files.layout === undefined) at = at.slots.children ?? null
  return at?.kind === 'folder' ? at.params : {}
}

/** Name of an environment variable that browsers may know. */
export type PublicEnvName = `PUBLIC_${string}` | `VITE_${string}`

/**
 * Reads public settings from the server's environment instead of the build's, so that one image
 * serves all stages. Makes the page dynamic.
 * @throws `PUBLIC_ENV` for another name, `OUTSIDE_REQUEST`
 */
export function publicEnv<const Name extends PublicEnvName>(
  ...names: readonly Name[]
): Promise<{ readonly [Each in Name]: string | undefined }> {
  const scope = currentScope('publicEnv()')
  const secret = names.find((name) => !/^(?:PUBLIC|VITE)_/.test(name))
  if (secret !== undefined) throw frameworkError('PUBLIC_ENV', { name: secret })
  return dynamicValue(scope, 'publicEnv()', () => {
    const values = Object.fromEntries(names.map((name) => [name, process.env[name]]))
    return values as { readonly [Each in Name]: string | undefined }
  })
}

/**
 * Makes the status of the page wait for a promise, at most until the status deadline: `const post =
 * await gate(getPost(slug)); if (!post) notFound()` is a true 404 below `loading`, too.
 * @returns the same promise
 * @throws `OUTSIDE_REQUEST`
 */
export function gate<T>(promise: Promise<T>): Promise<T> {
  currentScope('gate()').delayStatus?.(promise)
  return promise
}

/**
 * Names the submission that the running action belongs to: all repeats of it have the same key, and
 * no other submission has it. Store the key with the row that the action writes, unique together
 * with the user: a server that was killed right after the commit may run the action once more.
 * @returns at most 64 characters that need no escape in a URL; `null` without a key
 * @throws `OUTSIDE_REQUEST`
 */
export function idempotencyKey(): string | null {
  return currentScope('idempotencyKey()').action?.key ?? null
}

export type DraftMode = {
  readonly isEnabled: boolean
  /**
   * Lets this browser see drafts for a day. Check who the visitor is first.
   * @throws `COOKIES_READ_ONLY` outside actions, route handlers and proxy.ts
   */
  enable(): void
  /** @throws like `enable` */
  disable(): void
}

/**
 * Reads and changes draft mode, for the rest of this request, too. A static page stays static:
 * visitors without drafts share it.
 * @throws `OUTSIDE_REQUEST`
 */
export async function draftMode(): Promise<DraftMode> {
  const scope = currentScope('draftMode()')
  const path = withBasePath('/')
  return {
    get isEnabled() {
      return scope.context.isDraft
    },
    enable() {
      const secure = scope.request.origin.startsWith('https:')
      // A content management system shows the site in a frame of its own.
      const sameSite = secure ? 'none' : 'lax'
      const options = { httpOnly: true, sameSite, secure, path, maxAge: draftSeconds } as const
      scope.cookies.store().cookies.set(draftCookie, scope.context.draftPass(), options)
      Object.assign(scope.context, { isDraft: true, readCached: null })
    },
    disable() {
      scope.cookies.store().cookies.delete({ name: draftCookie, path })
      scope.context.isDraft = false
    },
  }
}

/**
 * The stored theme preference, `system` without one. Makes the page dynamic; browser components use
 * `useTheme`.
 * @throws `THEME_COOKIE` without `theme: { cookie: true }`, `OUTSIDE_REQUEST`
 */
export function themePreference(): Promise<Preference> {
  return themeValue('themePreference()', (preference) => preference)
}

/**
 * Attributes of the chosen theme for the root layout's `<html>`, so that pages need no theme
 * script. Makes the page dynamic.
 * @throws like `themePreference`
 */
export function themeHtmlProps(): Promise<ThemeHtmlProps> {
  return themeValue('themeHtmlProps()', themePropsOf)
}

function themeValue<T>(
  api: string,
  compute: (preference: Preference, theme: ThemeConfig) => T,
): Promise<T> {
  const scope = currentScope(api)
  const { theme } = scope.context
  // The reason that the build prints: `dynamic: cookies() in themePreference()`.
  return dynamicValue(scope, `cookies() in ${api}`, () => {
    if (!theme.cookie) throw frameworkError('THEME_COOKIE', { api })
    const chosen = scope.cookies.store().cookies.get(theme.storageKey)?.value
    return compute(parsePreference(chosen, theme.themes), theme)
  })
}

/** The headers of a request: the platform's `Headers` without the methods that change them. */
export type ReadonlyHeaders = Headers & {
  readonly append: never
  readonly set: never
  readonly delete: never
}

const mutators = ['append', 'set', 'delete'] as const

/** Without the framework's own. Changes throw `HEADERS_READ_ONLY`. */
export const readonlyHeadersOf = memoized(copyHeaders)

function copyHeaders(request: ServerRequest): ReadonlyHeaders {
  const { headers: sent } = request
  const headers = new Headers([...sent.entries()].filter(([name]) => !isInternalHeader(name)))
  correctForwarding(headers, request)
  if (sent.has(prefetchHeader)) headers.set(...prefetchPurpose)
  for (const method of mutators) {
    const value = () => {
      throw frameworkError('HEADERS_READ_ONLY', { method })
    }
    Object.defineProperty(headers, method, { value })
  }
  return headers as ReadonlyHeaders
}
