import { frameworkError } from './errors.ts'

/** Times and bounds of navigations; times in milliseconds. */
export type NavigationSettings = {
  /** Silence after which a navigation is late. */
  readonly timeoutMs: number
  /** Time after which it is late whatever arrives. */
  readonly hardCapMs: number
  /** How long the notice of a late one stands unattended before the browser loads the document. */
  readonly unattendedMs: number
  /** Time after which a pending state shows. */
  readonly pendingAfterMs: number
  /** How long a page that was left can come back as it was. */
  readonly keepMs: number
  /** How many of them. */
  readonly keepPages: number
  /** How many of these stay mounted, hidden; of the others, the data stays. */
  readonly keepMounted: number
}

/** Bounds of prefetching. */
export type PrefetchLimits = {
  /** Links of one page; what is meant (hover, focus, touch) is not counted against it. */
  readonly perPage: number
  readonly perMinute: number
  readonly atOnce: number
}

/** What holds unless the app says otherwise. */
export const defaultNavigation: NavigationSettings = {
  timeoutMs: 3800,
  hardCapMs: 30_000,
  unattendedMs: 5000,
  pendingAfterMs: 100,
  keepMs: 5 * 60_000,
  keepPages: 5,
  keepMounted: 5,
}

/** What holds unless the app says otherwise. */
export const defaultPrefetch: PrefetchLimits = { perPage: 24, perMinute: 60, atOnce: 4 }

/** What holds for all actions of an app. */
export type ActionSettings = {
  /** Largest body of a call or form, in bytes. */
  readonly maxBytes: number
  /** How long an action may run. */
  readonly timeoutMs: number
  /** Origins whose pages may call actions, besides the app's own: `https://example.com`. */
  readonly allowedOrigins: readonly string[]
  /**
   * Names of cookies that do not say who somebody is, and that scripts or proxies change at any
   * time; `*` stands for anything. A request may be repeated with others of them.
   */
  readonly ignoredCookies: readonly string[]
}

/** What holds where an app says nothing. */
export const defaultActionSettings: ActionSettings = {
  maxBytes: 1_000_000,
  timeoutMs: 60_000,
  allowedOrigins: [],
  ignoredCookies: [],
}

/**
 * Completes an app's settings of actions.
 * @throws `ACTION_OPTION`
 */
export function resolveActionSettings(given: Partial<ActionSettings> = {}): ActionSettings {
  const settings = { ...defaultActionSettings, ...given }
  const check = (option: string, value: unknown, isValid: boolean, rule: string) => {
    if (!isValid) throw frameworkError('ACTION_OPTION', { option, value: String(value), rule })
  }
  for (const option of ['maxBytes', 'timeoutMs'] as const) {
    const value = settings[option]
    const isValid = Number.isInteger(value) && value > 0 && value <= maxInteger
    check(option, value, isValid, `it is a whole number from 1 to ${maxInteger}`)
  }
  for (const origin of settings.allowedOrigins) {
    const isValid = URL.canParse(origin) && new URL(origin).origin === origin
    check('allowedOrigins', origin, isValid, 'each is an origin, such as https://example.com')
  }
  for (const name of settings.ignoredCookies) {
    const rule = 'each is the name of a cookie, and holds more than a *'
    check('ignoredCookies', name, cookieNames.test(name), rule)
  }
  return settings
}

// RFC 9110 §5.6.2, token, which may hold an asterisk anyway
const cookieNames = /^(?=.*[^*])[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

// Timers of longer delays would fire at once.
const maxInteger = 2 ** 31 - 1
