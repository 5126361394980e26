import { parseWeighted } from '../http/accept.ts'
import type { FallbackStatus, StatusTexts } from '../http/statuses.ts'
import { isRecord } from '../shared/maps.ts'

const reloadOrBack = 'Reload to try again, or go back to where you came from.'

const notices = {
  slow: 'This page is taking longer than usual.',
  /** Data still arrives, and nothing of the page can be shown. */
  stillLoading: 'This page is still loading.',
  /** Only a new document can show the page, which would lose typed text. */
  needsReload: 'This page needs to be reloaded to open. What you typed here would be lost.',
  failed: 'This page could not be loaded. Trying again soon.',
  offline: 'You are offline. The page will load when you are back online.',
  /** A component's code is missing; the rest of the page works. */
  missingCode: 'A part of this page could not be loaded.',
  /** Live updates have not come for a while. */
  behind: 'No live updates at the moment. This page may not be current.',
  redirectLoop: 'This page could not be loaded: it redirects in a loop.',
  /** Something keeps responding with an error of the client: `{status}`. */
  refused: 'This page could not be loaded: the server refuses it (status {status}).',
  cookiesTooLarge:
    'This page could not be loaded: the cookies of this site are too large. Deleting them may sign you out.',
  clearCookies: 'Delete cookies',
  keepWaiting: 'Keep waiting',
  reload: 'Reload',
  open: 'Open page',
  retry: 'Retry',
  cancel: 'Cancel',
}

/** Texts of the notice for a slow or failed navigation. */
export type NoticeTexts = Readonly<typeof notices>

const englishTexts = {
  /** For statuses without texts of their own. */
  otherHttp: { heading: 'An unexpected error has occurred', sentence: reloadOrBack },
  clientError: {
    heading:
      'Application error: a client-side exception has occurred while loading {host} (see the browser console for more information).',
    sentence: reloadOrBack,
  },
  serverError: {
    heading:
      'Application error: a server-side exception has occurred while loading {host} (see the server logs for more information).',
    sentence: reloadOrBack,
  },
  statusTitle: '{status}: {heading}',
  clientErrorTitle: 'Application error: a client-side exception has occurred',
  serverErrorTitle: 'Application error: a server-side exception has occurred',
  digest: 'Digest: {digest}',
  reload: 'Reload',
  back: 'Back',
  home: 'Home',
  /** On the screen of a 413: `{limit}`, as `1 MB`. */
  sizeLimit: 'The limit is {limit}.',
  clearCookies: 'Delete the cookies of this site',
  notices,
}

/** `{host}`, `{digest}`, `{status}` and `{heading}` are placeholders. */
export type ScreenTexts = Readonly<typeof englishTexts> & {
  /** Statuses with a file of the app; English texts are in `http/statuses.ts`. */
  readonly fallbacks: { readonly [Status in FallbackStatus]?: Partial<StatusTexts> }
  readonly http: Readonly<Record<number, Partial<StatusTexts>>>
  /** An app's own texts; the English ones load with the code of actions. */
  readonly actions: Partial<ActionTexts>
  /** Those of `@waymark/offline`, as its type `OfflineTexts`. */
  readonly offline?: { readonly [Part in string]?: Readonly<Record<string, string>> }
}

/** Texts about calls of server actions. */
export type ActionTexts = {
  readonly network: string
  /** Something other than the site responded. */
  readonly foreign: string
  readonly broken: string
  /** Something responded with an error of the client: `{status}`. */
  readonly refused: string
  readonly cookiesTooLarge: string
  readonly late: string
  readonly offline: string
  /** Several at once: `{count}`. */
  readonly many: string
  readonly failed: string
  /** The form belongs to an older version of the site. */
  readonly updated: string
  /** The page was reloaded, and typed text is restored. */
  readonly restored: string
  readonly foreignOrigin: string
  /** Its page was rendered for another user than the one who is signed in now. */
  readonly otherUser: string
  readonly resultGone: string
  readonly tooLarge: string
  /** `{limit}`, as `1 MB`. */
  readonly sizeLimit: string
  readonly timeout: string
  readonly wait: string
  readonly retry: string
  readonly dismiss: string
  readonly ok: string
}

/** Changes to some texts; the others stay English. */
export type ScreenTextOverrides = {
  readonly [K in keyof ScreenTexts]?: ScreenTexts[K] extends string
    ? string
    : {
        readonly [P in keyof ScreenTexts[K]]?: ScreenTexts[K][P] extends string
          ? string
          : Partial<ScreenTexts[K][P]>
      }
}

export function screenTexts(overrides: ScreenTextOverrides = {}): ScreenTexts {
  return merge({ ...englishTexts, fallbacks: {}, http: {}, actions: {} }, overrides) as ScreenTexts
}

/** A placeholder without a value stays unchanged. */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : placeholder,
  )
}

/** Rounded down, so that a file of this size may be sent. */
export function sizeText(bytes: number): string {
  const [unit, size] = bytes >= 1_000_000 ? ['MB', 1_000_000] : ['kB', 1_000]
  return bytes < 1_000 ? `${bytes} bytes` : `${Math.floor((bytes / size) * 10) / 10} ${unit}`
}

function merge(base: object, changes: object): object {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, change] of Object.entries(changes)) {
    if (change === undefined) continue
    const old = merged[key]
    merged[key] = isRecord(old) && isRecord(change) ? merge(old, change) : change
  }
  return merged
}

export type ScreenLocale = {
  /** BCP 47: `de`, `pt-BR`. */
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly texts: ScreenTexts
}

export const english: ScreenLocale = { lang: 'en', dir: 'ltr', texts: screenTexts() }

const writtenToTheLeft = /^(?:ar|arc|ckb|dv|fa|he|ks|ku-arab|nqo|ps|sd|syr|ug|ur|yi)\b/i

export function createLocale(lang: string, overrides: ScreenTextOverrides): ScreenLocale {
  return { lang, dir: writtenToTheLeft.test(lang) ? 'rtl' : 'ltr', texts: screenTexts(overrides) }
}

/**
 * Selects the best of `languages` (BCP 47), or a more general one, by RFC 4647 §3.4; else `null`.
 */
export function chooseLanguage(
  acceptLanguage: string | null,
  languages: readonly string[],
): string | null {
  const ranges = parseWeighted((acceptLanguage ?? '').slice(0, 500))
  for (const { name } of ranges.filter(({ q }) => q > 0).sort((a, b) => b.q - a.q)) {
    let range = name
    while (range !== '') {
      const found = languages.find((language) => language.toLowerCase() === range)
      if (found !== undefined) return found
      range = range.slice(0, Math.max(0, range.lastIndexOf('-')))
    }
  }
  return null
}
