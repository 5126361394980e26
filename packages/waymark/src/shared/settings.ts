import { checkOption } from './errors.ts'

/** Default settings for navigations. Times are in milliseconds. */
export const defaultNavigation = {
  /** Time without data after which a navigation counts as late. */
  timeoutMs: 3800,
  /** Time after which a navigation counts as late even if data arrives. */
  hardCapMs: 30_000,
  /**
   * Time after which the browser loads the document if nobody answers the notice about a late
   * navigation.
   */
  unattendedMs: 5000,
  pendingAfterMs: 100,
  /** Time for which a page that the user has left can be restored. */
  keepMs: 5 * 60_000,
  keepPages: 5,
  /** Number of restorable pages that stay mounted, hidden. Of others, only the data is kept. */
  keepMounted: 5,
}

export type NavigationSettings = Readonly<typeof defaultNavigation>

export const defaultPrefetch = {
  /** Maximum number of links to prefetch per page. Prefetches on hover, focus and touch don't count. */
  perPage: 24,
  perMinute: 60,
  atOnce: 4,
}

export type PrefetchLimits = Readonly<typeof defaultPrefetch>

export type SecurityConfig = {
  /** Default header lines. A response's own line with the same name wins. */
  readonly headers: [name: string, value: string][]
  readonly csp: CspConfig | null
}

export type CspConfig = {
  /** Sources, keyed by directive, as they are written in the header. */
  readonly directives: Readonly<Record<string, readonly string[]>>
  /** True if browsers should only report violations. */
  readonly reportOnly: boolean
  readonly reportTo: string | null
}

export const defaultActionSettings = {
  /** Maximum bytes in the body of a call or form. */
  maxBytes: 1_000_000,
  timeoutMs: 60_000,
  /** Other origins whose pages may call actions, such as `https://example.com`. */
  allowedOrigins: [] as readonly string[],
  /** Cookies that identify nobody and may change between two attempts. `*` matches any text. */
  ignoredCookies: [] as readonly string[],
}

export type ActionSettings = Readonly<typeof defaultActionSettings>

/** Fills in defaults and checks the options. @throws `OPTION_VALUE` */
export function resolveActionSettings(options: Partial<ActionSettings> = {}): ActionSettings {
  const settings = { ...defaultActionSettings, ...options }
  checkActionLimits(settings)
  for (const origin of settings.allowedOrigins) {
    const isValid = URL.canParse(origin) && new URL(origin).origin === origin
    const rule = 'each entry must be an origin, such as https://example.com'
    checkOption(isValid, 'actions.allowedOrigins', origin, rule)
  }
  for (const name of settings.ignoredCookies) {
    const rule = 'each entry must be the name of a cookie, with more than a *'
    checkOption(cookieNames.test(name), 'actions.ignoredCookies', name, rule)
  }
  return settings
}

export type ActionLimits = Pick<ActionSettings, 'maxBytes' | 'timeoutMs'>

/** Checks the limits of actions. @throws `OPTION_VALUE` */
export function checkActionLimits(limits: Partial<ActionLimits>): void {
  for (const option of ['maxBytes', 'timeoutMs'] as const) {
    const { [option]: value = 1 } = limits
    const isValid = Number.isInteger(value) && value > 0 && value <= maxInteger
    checkOption(
      isValid,
      `actions.${option}`,
      value,
      `it must be a whole number from 1 to ${maxInteger}`,
    )
  }
}

// Matches a cookie's name, possibly with wildcards: a token (RFC 9110 §5.6.2), in which an asterisk
// is a valid character.
const cookieNames = /^(?=.*[^*])[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

// Maximum value of an integer option. A timer with a longer delay fires at once.
const maxInteger = 2 ** 31 - 1
