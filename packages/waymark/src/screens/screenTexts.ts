import type { FallbackStatus, StatusTexts } from '../shared/statuses.ts'

const reloadOrBack = 'Reload to try again, or go back to where you came from.'

/** The notice of a navigation that is slow or has failed, and its buttons. */
const notices = {
  slow: 'This page is taking longer than usual.',
  /** Only a new document can show the page, and what was typed would be lost. */
  needsReload: 'This page needs to be reloaded to open. What you typed here would be lost.',
  failed: 'This page could not be loaded. Trying again soon.',
  offline: 'You are offline. The page will load when you are back online.',
  /** The code of a component; the rest of the page works. */
  missingCode: 'A part of this page could not be loaded.',
  redirectLoop: 'This page could not be loaded: it redirects in a loop.',
  keepWaiting: 'Keep waiting',
  reload: 'Reload',
  open: 'Open page',
  retry: 'Retry',
  cancel: 'Cancel',
}

/** The notice of a navigation that is slow or has failed, and its buttons. */
export type NoticeTexts = Readonly<typeof notices>

const english = {
  /** Of every status without texts of its own. */
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
  /** Document title, as the next two. */
  statusTitle: '{status}: {heading}',
  clientErrorTitle: 'Application error: a client-side exception has occurred',
  serverErrorTitle: 'Application error: a server-side exception has occurred',
  digest: 'Digest: {digest}',
  reload: 'Reload',
  back: 'Back',
  home: 'Home',
  notices,
}

/** All texts of the built-in screens; `{host}`, `{digest}`, `{status}` and `{heading}` are filled in. */
export type ScreenTexts = Readonly<typeof english> & {
  /** Of statuses that an app can have a file for; English texts are in `shared/statuses.ts`. */
  readonly fallbacks: { readonly [Status in FallbackStatus]?: Partial<StatusTexts> }
  /** Of other statuses. */
  readonly http: Readonly<Record<number, Partial<StatusTexts>>>
  /** An app's own; the English ones load with the code of actions. */
  readonly actions: Partial<ActionTexts>
}

/** The notice of a server action. */
export type ActionTexts = {
  readonly network: string
  /** Something other than the site responded. */
  readonly foreign: string
  readonly broken: string
  readonly late: string
  readonly offline: string
  /** More than one at once: `{count}`. */
  readonly many: string
  readonly failed: string
  /** The form is of an older version of the site. */
  readonly updated: string
  /** The page was reloaded, and what was typed is back. */
  readonly restored: string
  readonly foreignOrigin: string
  readonly resultGone: string
  readonly tooLarge: string
  readonly timeout: string
  readonly wait: string
  readonly retry: string
  readonly dismiss: string
  readonly ok: string
}

/** Changes to some of the texts; the others stay. */
export type ScreenTextOverrides = {
  readonly [K in keyof ScreenTexts]?: ScreenTexts[K] extends string
    ? string
    : {
        readonly [P in keyof ScreenTexts[K]]?: ScreenTexts[K][P] extends string
          ? string
          : Partial<ScreenTexts[K][P]>
      }
}

/**
 * The texts of the built-in screens: English, with an app's own in place of some or all.
 */
export function screenTexts(overrides: ScreenTextOverrides = {}): ScreenTexts {
  return merge({ ...english, fallbacks: {}, http: {}, actions: {} }, overrides) as ScreenTexts
}

/**
 * Fills a text's placeholders; one without a value stays as it is.
 */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : placeholder,
  )
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

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
