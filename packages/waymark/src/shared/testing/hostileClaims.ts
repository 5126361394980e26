import {
  actionHeader,
  assetsHeader,
  besideHeader,
  buildHeader,
  changedHeader,
  digestHeader,
  documentHeader,
  finalStatusHeader,
  freshHeader,
  idempotencyKeyHeader,
  mountedSegmentsHeader,
  navigationFromHeader,
  nonceHeader,
  prefetchHeader,
  queuedHeader,
  refusalHeader,
  userHeader,
} from '../../wire/protocol.ts'

/**
 * Headers that Waymark's client sends, with what each does. None of them grants access: proxy.ts
 * and guards always run.
 */
export const clientHeaders = {
  [mountedSegmentsHeader]: 'leaves out the output of these layouts',
  [navigationFromHeader]: 'shows an intercepting page inside that page, if proxy.ts lets it pass',
  [besideHeader]: 'finds actions of these pages, if proxy.ts lets each of them pass',
  [prefetchHeader]: 'leaves out the page, or everything',
  [finalStatusHeader]: 'waits for the end, or shows a screen in place of a part',
  [freshHeader]: 'waits until stale results are computed again',
  [nonceHeader]: 'is written into inline scripts and styles of page data',
  [actionHeader]: 'names the action, which the page of the URL must be able to call',
  [idempotencyKeyHeader]: 'repeats the response to the same sender',
  [queuedHeader]: 'stores for days that the action with this key ran',
  [userHeader]: 'refuses a call or page data unless this user sends it',
} as const

export const serverHeaders = [
  assetsHeader,
  documentHeader,
  digestHeader,
  buildHeader,
  changedHeader,
  refusalHeader,
] as const

/**
 * Hostile values for each header, aimed at the page in a folder. The test fails for a header
 * without values.
 */
export const hostileClaims: Record<keyof typeof clientHeaders, (folder: string) => string[]> = {
  'waymark-from': (at) => [`/${at}`, `/${at}/inner`, `/%${hex(at)}${at.slice(1)}`, `/${at}/`, '//'],
  'waymark-mounted': (at) => [`/,/${at}`, `/${at}#page,/${at},/,/photo:id=1`, ',,,'],
  'waymark-beside': (at) => [`/${at}`, `/tabs/news,/${at}`, `/${at},/${at}/inner,%,//x`],
  'waymark-prefetch': () => ['1', 'page', ''],
  'waymark-final-status': (at) => [
    '1',
    `404;children;/${at}`,
    `403;modal;/${at}`,
    '404;children;/',
  ],
  'waymark-fresh': () => ['1', ''],
  'waymark-nonce': () => ['A'.repeat(22), '"><script>'],
  'waymark-action': (at) => [`${at}#pageAct`],
  'waymark-idempotency-key': () => ['k'.repeat(22)],
  'waymark-queued': () => ['1', ''],
  'waymark-user': () => ['', '0', 'A'.repeat(64), 'a.b.c'],
}

function hex(text: string): string {
  return text.charCodeAt(0).toString(16)
}
