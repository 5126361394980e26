import { config } from 'virtual:waymark-i18n/config'
import { messages } from 'virtual:waymark-i18n/messages'
import { createFormatter, createTranslator } from 'use-intl/core'
import { currentRequest } from 'waymark/plugin/server'
import { createLocalizedPaths, type LocalPath } from '../shared/localizedPaths.ts'
import { reportProblem } from '../shared/reportProblem.ts'
import type { Formatter, Locale, Namespace, Translate } from '../shared/types.ts'
import type { MessageTable } from '../shared/usedMessages.ts'
import { appRoutes } from './routes.ts'

export const paths = createLocalizedPaths(config)

/** Returns the pattern of the route that a path matches. */
export const patternOf = (routePathname: string) => appRoutes()?.patternOf(routePathname) ?? null

/** The messages of a language, and the translators that use them. */
type LoadedMessages = {
  readonly json: string
  readonly table: MessageTable
  readonly translators: Map<string, unknown>
}

const loaded = new Map<string, LoadedMessages>()

/** Parses the messages of a language once it is needed. In development, they may change. */
function load(locale: string): LoadedMessages {
  const json = messages[locale] ?? '{}'
  const known = loaded.get(locale)
  if (known?.json === json) return known
  const parsed = { json, table: JSON.parse(json), translators: new Map() }
  loaded.set(locale, parsed)
  return parsed
}

/** Returns all compiled messages of a language. */
export const messagesOf = (locale: string): MessageTable => load(locale).table

/**
 * Returns the page that the current request is for, in its language.
 * @returns `null` outside of requests, in cached functions, and for URLs outside of `app/[locale]`
 */
export function findLocalPath(): LocalPath | null {
  const request = currentRequest()
  const routes = appRoutes()
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

export function translatorOf<Name extends Namespace = never>(
  locale: string,
  namespace: Name | undefined,
): Translate<Name> {
  const { table, translators } = load(locale)
  const key = namespace ?? ''
  const known = translators.get(key)
  if (known) return known as Translate<Name>
  const created = createTranslator({
    locale,
    messages: table,
    timeZone: config.timeZone,
    onError: reportProblem,
    ...(namespace === undefined ? {} : { namespace: namespace as string }),
  } as Parameters<typeof createTranslator>[0])
  translators.set(key, created)
  return created as unknown as Translate<Name>
}

const formatters = new WeakMap<object, Map<string, Formatter>>()

/**
 * Returns a language's formatter, the same one for all code of a request, because it keeps the
 * objects of `Intl`, which take long to create. The next request gets another one, because visitors
 * may choose time zones, for each of which it keeps an object.
 */
export function formatterOf(locale: string, timeZone: string = config.timeZone): Formatter {
  const request = currentRequest()?.request
  const known = (request && formatters.get(request)) ?? new Map<string, Formatter>()
  if (request) formatters.set(request, known)
  const key = `${locale} ${timeZone}`
  const formatter =
    known.get(key) ??
    createFormatter({ locale, timeZone, now: requestTime(), onError: reportProblem })
  known.set(key, formatter)
  return formatter
}
