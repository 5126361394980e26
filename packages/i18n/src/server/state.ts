import { config } from 'virtual:waymark-i18n/config'
import { messages } from 'virtual:waymark-i18n/messages'
import { createFormatter, createTranslator } from 'use-intl/core'
import { currentRequest } from 'waymark/plugin/server'
import { createLocalizedPaths, type LocalPath } from '../shared/localizedPaths.ts'
import { reportProblem } from '../shared/reportProblem.ts'
import type { Formatter, Locale, Namespace, Translate } from '../shared/types.ts'
import { type MessageTable, pickMessages, type UsedMessages } from '../shared/usedMessages.ts'
import { appRoutes } from './routes.ts'

export const paths = createLocalizedPaths(config)

/** Returns the pattern of the route that a path matches. */
export const patternOf = (routePathname: string) => appRoutes()?.patternOf(routePathname) ?? null

/** The messages of a language, and what is computed from them. */
type LoadedMessages = {
  readonly json: string
  readonly table: MessageTable
  readonly translators: Map<string, unknown>
  /** The messages of each set of keys that client components use. */
  readonly picked: Map<UsedMessages, MessageTable>
}

const loaded = new Map<string, LoadedMessages>()

/**
 * Parses the messages of a language once it is needed. In development, they may change.
 * @throws Error for a language that the app doesn't have, because a visitor may have sent its name
 */
function load(locale: string): LoadedMessages {
  const json = Object.hasOwn(messages, locale) ? messages[locale] : undefined
  if (json === undefined) {
    throw new Error(
      `${JSON.stringify(locale)} isn't one of the app's languages. Compare it with locales of @waymark/i18n first.`,
    )
  }
  const known = loaded.get(locale)
  if (known?.json === json) return known
  const parsed = { json, table: JSON.parse(json), translators: new Map(), picked: new Map() }
  loaded.set(locale, parsed)
  return parsed
}

/** Returns the compiled messages of a language that client components use. */
export function messagesFor(locale: string, used: UsedMessages): MessageTable {
  const { table, picked } = load(locale)
  const known = picked.get(used) ?? pickMessages(table, used)
  picked.set(used, known)
  return known
}

/** Values that all code of a request shares. */
type RequestState = {
  /** Time at which the request began to be rendered. */
  readonly now: Date
  /**
   * Formatters by language and time zone. They keep the objects of `Intl`, which take long to create.
   * The next request gets others, because visitors may choose time zones.
   */
  readonly formatters: Map<string, Formatter>
  /** The page that was found last. */
  page: { readonly pathname: string; readonly local: LocalPath | null } | null
}

const states = new WeakMap<object, RequestState>()

function stateOf(request: object): RequestState {
  const known = states.get(request)
  if (known) return known
  const created = { now: new Date(), formatters: new Map(), page: null }
  states.set(request, created)
  return created
}

/**
 * Returns the page that the current request is for, in its language.
 * @returns `null` outside of requests, in cached functions, and for URLs outside of `app/[locale]`
 */
export function findLocalPath(): LocalPath | null {
  const current = currentRequest()
  const routes = appRoutes()
  if (!current || !routes) return null
  const { request, pathname } = current
  const state = stateOf(request)
  // Each link and each text asks, so split the path only once.
  if (state.page?.pathname !== pathname) {
    state.page = { pathname, local: paths.split(routes.toRoute(pathname)) }
  }
  return state.page.local
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

/** Returns the time at which the current request began to be rendered, the same for all its code. */
export function requestTime(): Date {
  const request = currentRequest()?.request
  return request ? stateOf(request).now : new Date()
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

/** Returns a language's formatter, the same one for all code of a request. */
export function formatterOf(locale: string, timeZone: string = config.timeZone): Formatter {
  const request = currentRequest()?.request
  const formatters = request && stateOf(request).formatters
  const key = `${locale} ${timeZone}`
  const formatter =
    formatters?.get(key) ??
    createFormatter({ locale, timeZone, now: requestTime(), onError: reportProblem })
  formatters?.set(key, formatter)
  return formatter
}
