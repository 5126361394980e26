import { config } from 'virtual:waymark-i18n/config'
import { messages } from 'virtual:waymark-i18n/messages'
import { createFormatter, createTranslator } from 'use-intl/core'
import type { RouteUrls } from 'waymark/plugin'
import { currentRequest } from 'waymark/plugin/server'
import { createLocalizedPaths, type LocalPath } from '../shared/localizedPaths.ts'
import { reportProblem } from '../shared/reportProblem.ts'
import type { Formatter, Locale, Namespace, Translate } from '../shared/types.ts'
import type { MessageTable } from '../shared/usedMessages.ts'

export const paths = createLocalizedPaths(config)

type Routes = {
  readonly toRoute: RouteUrls['toRoute']
  readonly patternOf: (routePathname: string) => string | null
}

let routes: Routes | null = null

/** Sets the app's routes when the server starts. */
export function setRoutes(given: Routes): void {
  routes = given
}

/** Returns the pattern of the route that a path matches. */
export const patternOf = (routePathname: string) => routes?.patternOf(routePathname) ?? null

const tables = new Map<string, MessageTable>()

/** Returns all compiled messages of a language. Parsing waits until the language is needed. */
export function messagesOf(locale: string): MessageTable {
  const parsed = tables.get(locale)
  if (parsed) return parsed
  const table = JSON.parse(messages[locale] ?? '{}') as MessageTable
  tables.set(locale, table)
  return table
}

/**
 * Returns the page that the current request is for, in its language.
 * @returns `null` outside of requests, in cached functions, and for URLs outside of `app/[locale]`
 */
export function findLocalPath(): LocalPath | null {
  const request = currentRequest()
  return request && routes ? paths.split(routes.toRoute(request.pathname)) : null
}

/**
 * Returns the language of the current page.
 * @throws Error in cached functions and outside of `app/[locale]`
 */
export function currentLocale(api: string): Locale {
  const local = findLocalPath()
  if (local) return local.locale as Locale
  throw new Error(
    `${api} doesn't know the language here, because this code doesn't run for a page below app/[locale], or it runs in a cached function. Pass the language: ${api.replace('()', '')}({ locale }).`,
  )
}

const nows = new WeakMap<object, Date>()

/** Returns the time at which the current request began to be rendered, the same for all its code. */
export function requestTime(): Date {
  const request = currentRequest()?.request
  if (!request) return new Date()
  const now = nows.get(request) ?? new Date()
  nows.set(request, now)
  return now
}

const translators = new Map<string, unknown>()

export function translatorOf<Name extends Namespace = never>(
  locale: string,
  namespace: Name | undefined,
): Translate<Name> {
  const key = `${locale} ${namespace ?? ''}`
  const known = translators.get(key)
  if (known) return known as Translate<Name>
  const created = createTranslator({
    locale,
    messages: messagesOf(locale),
    timeZone: config.timeZone,
    onError: reportProblem,
    ...(namespace === undefined ? {} : { namespace: namespace as string }),
  } as Parameters<typeof createTranslator>[0])
  translators.set(key, created)
  return created as unknown as Translate<Name>
}

export function formatterOf(locale: string): Formatter {
  return createFormatter({
    locale,
    timeZone: config.timeZone,
    now: requestTime(),
    onError: reportProblem,
  })
}
