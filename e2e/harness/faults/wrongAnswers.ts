import type { Fault } from './fault.ts'

/** Creates a fault that replaces the server's response, by default with HTML. */
export const body = (text: string, status = 200, type = 'text/html'): Fault => ({
  kind: 'replace',
  status,
  headers: { 'content-type': type },
  body: text,
})

/** Responses that replace the data of the page `/a`, by kind. */
export const wrongAnswers: Readonly<Record<string, Readonly<Record<string, Fault>>>> = {
  'that is cut': {
    'reset before it begins': { kind: 'reset' },
    'reset in the middle': { kind: 'cut', afterBytes: 900, ending: 'reset' },
    'at byte 0': { kind: 'cut', afterBytes: 0, ending: 'clean' },
    'at byte 1': { kind: 'cut', afterBytes: 1, ending: 'clean' },
    'at byte 150': { kind: 'cut', afterBytes: 150, ending: 'clean' },
    'at byte 1000': { kind: 'cut', afterBytes: 1000, ending: 'clean' },
  },
  'that is changed': {
    'one row flipped': { kind: 'corrupt', at: { row: 1 } },
    'another row flipped': { kind: 'corrupt', at: { row: 3 } },
    'one byte flipped': { kind: 'corrupt', at: { byte: 700 } },
    empty: body('', 200, 'text/x-component'),
    garbage: body('no rows at all', 200, 'text/x-component'),
  },
  'of another server': {
    'a portal’s page': body('<h1>Sign in to the network</h1>'),
    'a redirect to another origin': {
      kind: 'replace',
      status: 302,
      headers: { location: 'http://127.0.0.1:9/portal' },
      body: '',
    },
    'a redirect to itself': {
      kind: 'replace',
      status: 307,
      headers: { location: '/_waymark/data/a.rsc' },
      body: '',
    },
    ...Object.fromEntries(
      [404, 429, 500, 502, 503].map((status) => [
        `a gateway’s ${status}`,
        body(`<h1>${status}</h1>`, status),
      ]),
    ),
  },
}
