import { expect, test } from 'vitest'
import { actionTexts } from '../client/actions/callNotice.ts'
import { statuses } from '../http/statuses.ts'
import { createAppScreens } from '../rsc/errors/screenResponse.ts'
import { englishNotices, englishScreens } from './english.ts'
import { englishActions } from './englishActions.ts'
import { englishFiles } from './englishFiles.ts'
import { englishTheme } from './englishTheme.ts'
import { type ScreenRequest, screenOfStatus } from './model.ts'
import { screenDocument } from './screenDocument.ts'
import { createLocale, type ScreenTextOverrides } from './screenTexts.ts'

const codes = Object.keys(statuses).map(Number)
const statusTexts = { heading: '', sentence: '' }
const group = <Value>(names: readonly number[], value: Value) =>
  Object.fromEntries(names.map((name) => [name, value]))

/** Texts that an app can replace, without the group `http`. */
const replaceable = {
  ...englishScreens,
  notices: englishNotices,
  actions: englishActions,
  files: englishFiles,
  theme: englishTheme,
  fallbacks: group([401, 403, 404], statusTexts),
}

/** Replaces each text by its own path, such as `notices.slow`. */
function pathsOf(table: object, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).map(([name, value]) => {
      const path = `${prefix}${name}`
      return [name, typeof value === 'string' ? `[${path}]` : pathsOf(value, `${path}.`)]
    }),
  )
}

function leavesOf(table: object): string[] {
  return Object.values(table).flatMap((value) =>
    typeof value === 'string' ? [value] : leavesOf(value),
  )
}

const server: ScreenRequest = { kind: 'application', side: 'server', host: 'a', digest: 'b' }
const client: ScreenRequest = { ...server, side: 'client' }
const limits = [500, 5_000, 5_000_000].map((limitBytes) => ({ ...screenOfStatus(413), limitBytes }))

/** Returns the HTML of every screen. */
function everyScreen(overrides: ScreenTextOverrides): string {
  const locale = createLocale('de', overrides)
  const requests = [...codes.map(screenOfStatus), ...limits, server, client]
  return requests.map((screen) => screenDocument({ screen, locale })).join('\n')
}

test('each text of screens is on a screen', () => {
  const { notices, actions, files, theme, ...screens } = pathsOf(replaceable)
  // Fill in the placeholders of the outer text, in which the other texts appear.
  const texts = {
    ...screens,
    statusTitle: '[statusTitle] {heading}',
    sizeLimit: '[sizeLimit] {limit}',
    digest: '[digest] {digest}',
  }
  const html = everyScreen(texts)
  expect(leavesOf(screens).filter((text) => !html.includes(text))).toEqual([])
})

test.each(codes)('the texts of http[%i] are on the screen of the status', (status) => {
  const http = { [status]: { heading: '[heading]', sentence: '[sentence]' } }
  const locale = createLocale('de', { http })
  const screens = status === 500 ? [screenOfStatus(500), server] : [screenOfStatus(status)]
  for (const screen of screens) {
    const html = screenDocument({ screen, locale })
    expect(html).toContain(`<title>${status}: [heading]</title>`)
    expect(html).toContain('>[heading]</h1>')
    expect(html).toContain('>[sentence]</p>')
  }
})

test('a text for a narrower case wins over the text of its status', () => {
  const locale = createLocale('de', {
    http: { 404: { heading: 'a' }, 500: { heading: 'b', sentence: 'c' } },
    fallbacks: { 404: { heading: 'd' } },
    serverError: { heading: 'e' },
    serverErrorTitle: 'f',
  })
  expect(screenDocument({ screen: screenOfStatus(404), locale })).toContain('>d</h1>')
  const html = screenDocument({ screen: server, locale })
  expect(html).toMatch(/<title>f<.*>e<\/h1>.*>c<\/p>/)
})

test('a document contains each text that browsers need', () => {
  const overrides = pathsOf({ ...replaceable, http: group(codes, statusTexts) })
  const screens = createAppScreens({ texts: { de: overrides } }, {}, () => {})
  const request = { headers: { get: () => 'de' } }
  const head = screens.headOf({ request, pathname: '/', isPrerender: false })
  const sent = JSON.parse(head.slice(head.indexOf('{'), head.lastIndexOf('}') + 1)).texts
  const { texts } = createLocale('de', sent)
  expect(texts.notices).toEqual(overrides.notices)
  expect(actionTexts(texts.actions)).toEqual(overrides.actions)
  expect(texts.sizes).toEqual(overrides.sizes)
  // Browsers render these screens themselves.
  const statusScreens = [400, 401, 403, 404].map(screenOfStatus)
  const html = [...statusScreens, client]
    .map((screen) => screenDocument({ screen, locale: createLocale('de', sent) }))
    .join('\n')
  expect(html).toMatch(/\[http\.400\.heading\].*\[fallbacks\.404\.heading\].*\[clientError/s)
  // Only the server needs the other texts.
  expect(Object.keys(overrides).filter((name) => !(name in sent))).toEqual([
    'otherHttp',
    'serverError',
    'serverErrorTitle',
    'files',
    'theme',
  ])
  expect(Object.keys(sent.http)).toEqual(['400', '401', '403', '404'])
})
