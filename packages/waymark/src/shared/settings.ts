import { checkOption } from './errors.ts'

/** Times in milliseconds. */
export const defaultNavigation = {
  /** A navigation without data for this long counts as late. */
  timeoutMs: 3800,
  /** A navigation counts as late after this time in any case. */
  hardCapMs: 30_000,
  /** The notice of a late navigation shows this long before the browser loads the document. */
  unattendedMs: 5000,
  pendingAfterMs: 100,
  /** A page that the user left can be restored for this long. */
  keepMs: 5 * 60_000,
  keepPages: 5,
  /** Restorable pages that stay mounted but hidden; of the others only the data stays. */
  keepMounted: 5,
}

export type NavigationSettings = Readonly<typeof defaultNavigation>

export const defaultPrefetch = {
  /** Links per page; hover, focus and touch are not counted. */
  perPage: 24,
  perMinute: 60,
  atOnce: 4,
}

export type PrefetchLimits = Readonly<typeof defaultPrefetch>

export type SecurityConfig = {
  /** Default lines: a response's own line of the same name wins. */
  readonly headers: [name: string, value: string][]
  readonly csp: CspConfig | null
}

export type CspConfig = {
  /** Sources by directive, as in the header. */
  readonly directives: Readonly<Record<string, readonly string[]>>
  /** True: browsers only report violations. */
  readonly reportOnly: boolean
  readonly reportTo: string | null
}

export const defaultActionSettings = {
  /** Bytes of a call or form. */
  maxBytes: 1_000_000,
  timeoutMs: 60_000,
  /** Further origins whose pages may call actions: `https://example.com`. */
  allowedOrigins: [] as readonly string[],
  /** Cookies that identify nobody and may change between two attempts; `*` matches any text. */
  ignoredCookies: [] as readonly string[],
}

export type ActionSettings = Readonly<typeof defaultActionSettings>

/** @throws `OPTION_VALUE` */
export function resolveActionSettings(options: Partial<ActionSettings> = {}): ActionSettings {
  const settings = { ...defaultActionSettings, ...options }
  checkActionLimits(settings)
  for (const origin of settings.allowedOrigins) {
    const isValid = URL.canParse(origin) && new URL(origin).origin === origin
    const rule = 'each is an origin, such as https://example.com'
    checkOption(isValid, 'actions.allowedOrigins', origin, rule)
  }
  for (const name of settings.ignoredCookies) {
    const rule = 'each is the name of a cookie, and holds more than a *'
    checkOption(cookieNames.test(name), 'actions.ignoredCookies', name, rule)
  }
  return settings
}

export type ActionLimits = Pick<ActionSettings, 'maxBytes' | 'timeoutMs'>

/** @throws `OPTION_VALUE` */
export function checkActionLimits(limits: Partial<ActionLimits>): void {
  for (const option of ['maxBytes', 'timeoutMs'] as const) {
    const { [option]: value = 1 } = limits
    const isValid = Number.isInteger(value) && value > 0 && value <= maxInteger
    checkOption(isValid, `actions.${option}`, value, `it is a whole number from 1 to ${maxInteger}`)
  }
}

// RFC 9110 §5.6.2, token; an asterisk is a valid character.
const cookieNames = /^(?=.*[^*])[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

// A timer with a longer delay fires at once.
const maxInteger = 2 ** 31 - 1
