import { expect, test } from 'vitest'
import { adminRole, fixtureMap, livePath, otherResult } from './appMap.ts'
import type { Outcome } from './exchange.ts'
import type { AttackRequest } from './request.ts'
import type { Seen } from './target.ts'
import { violationsOf } from './violations.ts'

const request: AttackRequest = {
  label: 'test',
  method: 'GET',
  target: '/',
  headers: [['host', 'x']],
  isChunked: false,
  body: { kind: 'none' },
  behaviour: 'stays',
}
const asAdmin: AttackRequest = { ...request, headers: [['cookie', `role=${adminRole}`]] }

/**
 * Creates a request from a form on a page that hides its origin: the origin is opaque, or the
 * referrer policy is no-referrer.
 */
function from(site: string): AttackRequest {
  return {
    ...request,
    headers: [
      ['sec-fetch-site', site],
      ['origin', 'null'],
    ],
  }
}

function answered(status: number, text = ''): Outcome {
  const headers = new Map([['cache-control', 'private, no-store']])
  return { kind: 'answered', response: { status, headers, text }, tookMs: 1 }
}

function seen(name: string, isAdmin = false): Seen {
  return { name, isAdmin, request: '1', argumentCount: 0 }
}

const surroundings = { map: fixtureMap, host: 'localhost:3000' }

function redirected(location: string): Outcome {
  const headers = new Map([['location', location]])
  return { kind: 'answered', response: { status: 307, headers, text: '' }, tookMs: 1 }
}

type Case = readonly [
  what: string,
  request: AttackRequest,
  outcome: Outcome,
  seen: Seen[],
  expected: string[],
]

test.each([
  [200, ['a page of another user reported']],
  [400, []],
])('status %i with JSON for a foreign page has the violations %j', (status, expected) => {
  const body = { kind: 'text', text: '{"pages":["admin"],"wait":false}' } as const
  const live: AttackRequest = { ...request, method: 'POST', target: livePath, body }
  const around = { ...surroundings, subscriptions: { visitor: [], admin: ['admin'] } }
  const violations = violationsOf(live, answered(status, '{"changed":[0]}'), [], around)
  expect(violations.map(({ kind }) => kind)).toEqual(expected)
})

test('guarded text must not be in shared caches, and cached results must fit their arguments', () => {
  const kindsOf = (text: string, headers: readonly (readonly [string, string])[]) => {
    const response = { status: 200, headers: new Map(headers), text }
    const outcome: Outcome = { kind: 'answered', response, tookMs: 1 }
    return violationsOf(asAdmin, outcome, [], surroundings).map(({ kind }) => kind)
  }
  const shared = ['guarded text for shared caches']
  expect(kindsOf('GUARDED_gate', [['cache-control', 'private, no-cache']])).toEqual([])
  expect(kindsOf('GUARDED_gate', [['cache-control', 'public, s-maxage=60']])).toEqual(shared)
  expect(kindsOf('GUARDED_gate', [])).toEqual(shared)
  const cdn = ['cdn-cache-control', 'public, max-age=60'] as const
  expect(kindsOf('GUARDED_gate', [['cache-control', 'private'], cdn])).toEqual(shared)
  expect(kindsOf('open', [['cache-control', 'public']])).toEqual([])
  expect(kindsOf(otherResult, [])).toEqual(['a cached result of other arguments'])
})

test.each<Case>([
  ['a page', request, answered(200), [], []],
  ['a refusal', request, answered(403), [], []],
  ['an action of anybody', request, answered(200), [seen('greet')], []],
  ['an action of an administrator', asAdmin, answered(200), [seen('adminDelete', true)], []],
  ['guarded text for an administrator', asAdmin, answered(200, 'GUARDED_late_title'), [], []],
  ['a page that fails on purpose', request, answered(500), [seen('thrown')], []],
  ['an action that waits for its argument', request, answered(504), [seen('awaitAll')], []],
  [
    'an action that waits for nothing',
    request,
    answered(504),
    [seen('greet')],
    ['a server error 504'],
  ],
  ['an action by a page with no-referrer', from('same-origin'), answered(200), [seen('greet')], []],
  [
    'an action by a frame of another site',
    from('cross-site'),
    answered(200),
    [seen('greet')],
    ['an action ran for another site greet'],
  ],
  [
    'an action of no known page',
    from('none'),
    answered(200),
    [seen('greet')],
    ['an action ran for another site greet'],
  ],
  ['a client that left', request, { kind: 'left', response: null, tookMs: 1 }, [], []],
  ['a server error', request, answered(500), [], ['a server error 500']],
  [
    'an action without the role',
    request,
    answered(200),
    [seen('lateAct')],
    ['a guarded action ran lateAct'],
  ],
  [
    'an action of nobody',
    asAdmin,
    answered(200),
    [seen('shutAct', true)],
    ['a guarded action ran shutAct'],
  ],
  [
    'two actions',
    request,
    answered(200),
    [seen('greet'), seen('greet')],
    ['a guarded action ran more than one'],
  ],
  [
    'guarded text',
    request,
    answered(200, '<p>GUARDED_late_title'),
    [],
    ['guarded text leaked late'],
  ],
  ['text for nobody', asAdmin, answered(200, 'CLOSED_shut_page'), [], ['guarded text leaked shut']],
  [
    'a response that goes on',
    request,
    { ...answered(200), kind: 'endless' },
    [],
    ['a response without an end '],
  ],
  ['a location of the app', request, redirected('/a?b'), [], []],
  ['a whole one', request, redirected('http://localhost:3000/a'), [], []],
  [
    'one that names a host',
    request,
    redirected('/\\evil.example/a'),
    [],
    ['a location of a client '],
  ],
  [
    'one with a host that a client said',
    request,
    redirected('http://evil.example/docs'),
    [],
    ['a location of a client '],
  ],
])('%s', (_, sent, outcome, ofRequest, expected) => {
  const violations = violationsOf(sent, outcome, ofRequest, surroundings)
  expect(violations.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual(expected)
})
