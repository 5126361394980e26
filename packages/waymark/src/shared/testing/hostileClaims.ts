import type { saidByClient } from '../protocol.ts'

/** What a client may say in each header of the table, against a folder. A row without values fails. */
export const hostileClaims: Record<keyof typeof saidByClient, (folder: string) => string[]> = {
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
  'waymark-nonce': () => ['A'.repeat(22), '"><script>'],
  'waymark-action': (at) => [`${at}#pageAct`],
  'waymark-idempotency-key': () => ['k'.repeat(22)],
}

function hex(text: string): string {
  return text.charCodeAt(0).toString(16)
}
