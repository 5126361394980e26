import { draftCookie } from '../../builds/cachedPage.ts'
import type { ServerRequest } from '../../http/response.ts'
import type { Params } from '../../routing/matchedSegments.ts'
import { fillText, type ScreenTexts } from '../../screens/screenTexts.ts'
import { withBasePath } from '../../shared/basePath.ts'
import { frameworkError } from '../../shared/errors.ts'
import { memoized } from '../../shared/maps.ts'
import { type Preference, parsePreference, type ThemeConfig } from '../../theme/config.ts'
import type { ThemeSelectProps } from '../../theme/ThemeSelect.tsx'
import type { ThemeToggleProps } from '../../theme/ThemeToggle.tsx'
import { type ThemeHtmlProps, themePropsOf } from '../../theme/themeScript.ts'
import { isInternalHeader, prefetchHeader, prefetchPurpose } from '../../wire/protocol.ts'
import type { Cookies } from './cookies.ts'
import { draftSeconds } from './draftMode.ts'
import { dynamicValue } from './dynamicValue.ts'
import { correctForwarding } from './forwarding.ts'
import { currentScope } from './scope.ts'

/** Returns the headers of the request. Makes the page dynamic. @throws `OUTSIDE_REQUEST` */
export function headers(): Promise<ReadonlyHeaders> {
  const scope = currentScope('headers()')
  return dynamicValue(scope, 'headers()', () => readonlyHeadersOf(scope.request))
}

/**
 * Returns the request's cookies, including those that the app has set since the request arrived. Makes
 * the page dynamic.
 * @throws `OUTSIDE_REQUEST`
 */
export function cookies(): Promise<Cookies> {
  const scope = currentScope('cookies()')
  return dynamicValue(scope, 'cookies()', () => scope.cookies.store().cookies)
}

/**
 * Waits for a request, so that the code after it never runs at build time. Makes the page dynamic.
 * @throws `OUTSIDE_REQUEST`
 */
export function connection(): Promise<void> {
  return dynamicValue(currentScope('connection()'), 'connection()', () => undefined)
}

/**
 * Returns the params of the root layout, such as `lang` for `app/[lang]/layout.tsx`. Works anywhere
 * on the server, and static pages stay static.
 * @throws `OUTSIDE_REQUEST`, `REQUEST_IN_CACHE`
 */
export async function rootParams(): Promise<Params> {
  let at = currentScope('rootParams()').root
  while (at?.kind === 'folder' && at.node.files.layout === undefined) at = at.slots.children ?? null
  return at?.kind === 'folder' ? at.params : {}
}

/** Name of an environment variable that browsers may see. */
export type PublicEnvName = `PUBLIC_${string}` | `VITE_${string}`

/**
 * Reads public settings from the running server's environment instead of the build's, so that one
 * image can serve all stages. Makes the page dynamic.
 * @throws `PUBLIC_ENV` for any other name, `OUTSIDE_REQUEST`
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
 * Makes the page's status wait for a promise, at most until the status deadline. With `const post =
 * await gate(getPost(slug)); if (!post) notFound()`, a missing post has the status 404 even inside
 * a `loading` file.
 * @returns the same promise
 * @throws `OUTSIDE_REQUEST`
 */
export function gate<T>(promise: Promise<T>): Promise<T> {
  currentScope('gate()').delayStatus?.(promise)
  return promise
}

/**
 * Returns the key of the submission for which the action runs. All repeats of one submission have
 * the same key, and no two submissions share a key. Store the key in the row that the action
 * writes, with a unique constraint on key and user. The action may run a second time if the server
 * is killed right after the commit; the constraint then prevents a second row.
 * @returns at most 64 characters that need no escaping in a URL; `null` if the call has no key
 * @throws `OUTSIDE_REQUEST`
 */
export function idempotencyKey(): string | null {
  return currentScope('idempotencyKey()').action?.key ?? null
}

/** Result of `draftMode()`. */
export type DraftMode = {
  readonly isEnabled: boolean
  /**
   * Lets this browser see drafts for a day. Check first that the visitor may see them.
   * @throws `COOKIES_READ_ONLY` outside of actions, route handlers and proxy.ts
   */
  enable(): void
  /** Ends draft mode in this browser. @throws the same errors as `enable` */
  disable(): void
}

/**
 * Reads and changes draft mode. A change also applies to the rest of this request. Static pages
 * stay static, because visitors without drafts share them.
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
      // A content management system on a different site may show this one in a frame, so allow that
      // over HTTPS.
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
 * Returns the stored theme preference, or `system` by default. Makes the page dynamic. In the browser,
 * use `useTheme`.
 * @throws `OUTSIDE_REQUEST`; `THEME_COOKIE` if `theme: { cookie: true }` is not set
 */
export function themePreference(): Promise<Preference> {
  return themeValue('themePreference()', (preference) => preference)
}

/**
 * Returns attributes for the root layout's `<html>` that apply the chosen theme, so that pages don't need the theme
 * script. Makes the page dynamic.
 * @throws the same errors as `themePreference`
 */
export function themeHtmlProps(): Promise<ThemeHtmlProps> {
  return themeValue('themeHtmlProps()', themePropsOf)
}

/**
 * Returns the labels of `ThemeToggle` in the language that `screens.ts` chooses for the page. Labels that `screens.ts`
 * doesn't contain stay English.
 * @throws `OUTSIDE_REQUEST`, `REQUEST_IN_CACHE`
 * @example <ThemeToggle {...themeToggleProps()} />
 */
export function themeToggleProps(): Pick<ThemeToggleProps, 'label' | 'names'> {
  const { label, names = {} } = themeTexts('themeToggleProps()').toggle ?? {}
  if (label === undefined) return { names }
  return { names, label: (state, next) => fillText(label, { state, next }) }
}

/**
 * Returns the labels of `ThemeSelect` in the language that `screens.ts` chooses for the page. Labels that `screens.ts`
 * doesn't contain stay English.
 * @throws `OUTSIDE_REQUEST`, `REQUEST_IN_CACHE`
 * @example <ThemeSelect {...themeSelectProps()} />
 */
export function themeSelectProps(): Pick<ThemeSelectProps, 'label' | 'names'> {
  return themeTexts('themeSelectProps()').select ?? {}
}

function themeTexts(api: string): NonNullable<ScreenTexts['theme']> {
  return currentScope(api).context.locale().texts.theme ?? {}
}

function themeValue<T>(
  api: string,
  compute: (preference: Preference, theme: ThemeConfig) => T,
): Promise<T> {
  const scope = currentScope(api)
  const { theme } = scope.context
  // The build prints this reason as `dynamic: cookies() in themePreference()`.
  return dynamicValue(scope, `cookies() in ${api}`, () => {
    if (!theme.cookie) throw frameworkError('THEME_COOKIE', { api })
    const chosen = scope.cookies.store().cookies.get(theme.storageKey)?.value
    return compute(parsePreference(chosen, theme.themes), theme)
  })
}

/** The headers of a request: the platform's `Headers` without the methods that change headers. */
export type ReadonlyHeaders = Headers & {
  readonly append: never
  readonly set: never
  readonly delete: never
}

const mutators = ['append', 'set', 'delete'] as const

/**
 * Returns the request's headers without the framework's own ones. Changing them throws
 * `HEADERS_READ_ONLY`.
 */
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
