import { expect, test, vi } from 'vitest'
import { pathnameOf } from '../../routing/href.ts'
import { parseRedirectTarget } from '../../routing/redirect.ts'
import { frameworkError } from '../../shared/errors.ts'
import { parseRewrite } from '../proxy/proxy.ts'
import { statusOfFailure, withoutClientFailures } from './clientFailures.ts'
import { formatSetCookie } from './cookies.ts'
import { tagOfPath } from './pathTags.ts'
import { anonymousRequest } from './readRequest.ts'

const nothing = {
  request: anonymousRequest('/'),
  search: '',
  match: { pattern: '/', params: {} },
  scope: { action: null },
}

function thrownBy(run: () => unknown): unknown {
  try {
    return run()
  } catch (thrown) {
    return thrown
  }
}

const refusalOf = (target: string) => thrownBy(() => parseRedirectTarget(target))
const rewritten = { request: anonymousRequest('/'), pathname: '/', search: '' }

const withHeader = (name: string, value: string) => ({
  request: { ...nothing.request, headers: new Headers({ [name]: value }) },
})
const fields = new FormData()
fields.set('next', '//evil.example')
const circle: unknown[] = [{ inside: new Map([['to', '//evil.example']]) }]
circle.push(circle)

test.each<[what: string, input: Partial<typeof nothing> | object]>([
  ['a query', { search: '?a=1&next=%2F%2Fevil.example' }],
  ['a text to which the app added a slash', { search: '?next=/evil.example' }],
  ['a param', { match: { pattern: '/[...to]', params: { to: ['evil.example'] } } }],
  ['a header', withHeader('x-next', '//evil.example')],
  ['a cookie', withHeader('cookie', 'a=1; next=%2F%2Fevil.example')],
  ['a field of a form', { scope: { action: { args: [fields] } } }],
  ['an argument', { scope: { action: { args: circle } } }],
])('if %s is refused, that is a mistake of the client', (_, input) => {
  expect(statusOfFailure(refusalOf('//evil.example'), { ...nothing, ...input })).toBe(400)
})

test.each<[what: string, run: () => unknown, text: string]>([
  ['redirect() to a character', () => parseRedirectTarget('*'), '*'],
  ['a rewrite', () => parseRewrite('//evil.example', rewritten), '//evil.example'],
  ['revalidatePath()', () => tagOfPath('/a%2Fb', 'page'), '/a%2Fb'],
  ['a cookie', () => formatSetCookie('lang', 'a'.repeat(5_000)), 'a'.repeat(5_000)],
  ['a param of a link', () => pathnameOf('/blog/[slug]', { slug: 'a/b' }), 'a/b'],
])('if %s is refused, that is a mistake of the client that sent its text', (_, run, text) => {
  const thrown = thrownBy(run)
  const sent = `?${new URLSearchParams({ text })}`
  expect(statusOfFailure(thrown, { ...nothing, search: sent })).toBe(400)
  expect(statusOfFailure(thrown, { ...nothing, search: '?text=other' })).toBe(500)
})

test('data that is nested too deep is a mistake of the client that sent it', () => {
  const thrown = new RangeError('Maximum call stack size exceeded')
  const sent = (text: string) => ({ ...nothing, search: `?data=${text}` })
  expect(statusOfFailure(thrown, sent('['.repeat(1_500)))).toBe(400)
  expect(statusOfFailure(thrown, sent('{"a":'.repeat(1_200)))).toBe(400)
  expect(statusOfFailure(thrown, sent('[1]'))).toBe(500)
})

test.each<[what: string, thrown: unknown, search: string]>([
  [
    'a cookie with wrong options',
    thrownBy(() => formatSetCookie('lang', 'de', { path: 'x' })),
    '?lang=de',
  ],
  ["the app's own target", refusalOf('//evil.example'), '?other=1'],
  ['a target that ends with a letter of the query', refusalOf('dashboard'), '?x=d'],
  ['any other error', new Error('//evil.example'), '?next=//evil.example'],
  ['a thrown value that is not an error', '//evil.example', '?next=//evil.example'],
])('%s is a mistake of the app', (_, thrown, search) => {
  expect(statusOfFailure(thrown, { ...nothing, search })).toBe(500)
})

test('a mistake of a client is not reported and has no digest', () => {
  const reported = vi.fn(() => '6r3v-0m2k-x7q')
  const report = withoutClientFailures(reported)
  const refused = refusalOf('//evil.example')
  const sent = { ...nothing, scope: { phase: 'render', action: null } }
  expect(report(refused, { ...sent, search: '?next=//evil.example' })).toBe('WAYMARK;400')
  expect(reported).not.toHaveBeenCalled()
  expect(report(refused, sent)).toBe('6r3v-0m2k-x7q')
  expect(report(refused, { phase: 'process' })).toBe('6r3v-0m2k-x7q')
  expect(reported).toHaveBeenCalledTimes(2)
})

test('a body that the client did not send completely is not a failure of the app', () => {
  expect(statusOfFailure(frameworkError('CLIENT_LEFT', {}), nothing)).toBe(400)
  const ofServer = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  expect(statusOfFailure(ofServer, nothing)).toBe(500)
})
