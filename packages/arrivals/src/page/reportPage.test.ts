import { describe, expect, test } from 'vitest'
import { createReport } from '../report/report.ts'
import { createLoadCounter } from '../server/loadCounter.ts'
import type { Load } from '../shared/load.ts'
import { duration, share } from './formats.ts'
import { html } from './markup.ts'
import { openerOf } from './openFile.ts'
import { type ErrorText, reportPage } from './reportPage.ts'
import { createTimeline } from './timeline.ts'

const markup = '<img src=x onerror="alert(1)">'
const digest = '6r3v-0m2k-x7q'
const page: Load = { route: '/a', kind: 'push', outcome: 'page', ms: 100, attempts: 1 }
const minuteMs = 60_000

function countsOf(loads: readonly Load[], atMs = 0, build = 'b1') {
  const counter = createLoadCounter(['/a', `/${markup}`], build)
  counter.add({ build, loads, vitals: [{ route: '/a', name: 'LCP', isSoft: false, value: 5000 }] })
  counter.addDocument({ route: '/a', status: 200, isCut: false })
  return { ...counter.take(), fromMs: atMs, toMs: atMs + 5 * minuteMs }
}

function pageOf(counts: readonly ReturnType<typeof countsOf>[], errors: readonly ErrorText[] = []) {
  const report = createReport(counts)
  const timeline = createTimeline(counts, { builds: report.builds })
  const options = { name: markup, selection: [`--route ${markup}`], nowMs: 0, timeZone: 'UTC' }
  return reportPage({ ...options, report, timeline, errors })
}

describe('the page', () => {
  test('escapes all text that it did not write itself', () => {
    const loads = [page, { ...page, route: `/${markup}` }, { ...page, outcome: 'error', digest }]
    const text = pageOf(
      [countsOf(loads as Load[], 0, markup)],
      [{ digest, lines: [`Error: ${markup}`] }],
    )
    expect(text).not.toContain('<img')
    expect(text.split('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;').length).toBeGreaterThan(6)
  })

  test('has no script and sends no requests', () => {
    const text = pageOf([countsOf([page])])
    expect(text).not.toMatch(/<(?:script|link|img|iframe)|url\(|@import|https?:/)
    expect(text).toContain("default-src 'none'")
  })

  test('links a digest to its details from the journal', () => {
    const counts = countsOf([page, { ...page, outcome: 'error', digest }])
    const text = pageOf([counts], [{ digest, lines: ['Error: no cart', '  at Cart'] }])
    expect(text).toContain(`href="#${digest}"`)
    expect(text).toMatch(/<article id="6r3v-0m2k-x7q">[\s\S]+Error: no cart\n {2}at Cart<\/pre>/)
    expect(pageOf([counts], [{ digest, lines: null }])).toContain('no longer has its details')
  })

  test('has large figures, the routes, the vitals and a mark for each build', () => {
    const text = pageOf([countsOf([page, page]), countsOf([page], 60 * minuteMs, 'b2')])
    expect(text).toContain('<dd>100.00<small>%</small></dd>')
    expect(text).toContain('<code>/a</code>')
    expect(text).toMatch(/5\.5 s <em class="poor">/)
    expect(text).toMatch(/href="#build-2"[\s\S]+id="build-2"[\s\S]+id="build-1"/)
  })

  test('shows documents without a report, and what late loads waited for', () => {
    const lateLoad = { ...page, ms: 2000, late: 'data' } as const
    const text = pageOf([countsOf([lateLoad, page])])
    expect(text).toMatch(/Documents<\/h2>[\s\S]+<td data-label="Silent">1<\/td>/)
    expect(text).toMatch(/<dt>data<\/dt>\s*<dd>1<small>50.0 %/)
  })

  test('says if there are no loads', () => {
    expect(pageOf([])).toContain('No page loads have been counted yet.')
  })
})

describe('a timeline', () => {
  const timelineOf = (...counts: ReturnType<typeof countsOf>[]) =>
    createTimeline(counts, { builds: createReport(counts).builds })

  test('has all intervals of its time, including those without loads', () => {
    const never = { ...page, outcome: 'never' } as const
    const timeline = timelineOf(countsOf([page, never]), countsOf([page], 15 * minuteMs))
    expect(timeline).toMatchObject({ fromMs: 0, toMs: 20 * minuteMs, stepMs: 5 * minuteMs })
    expect(timeline?.intervals.map(({ loads, arrived }) => [loads, arrived])).toEqual([
      [2, 1] as const,
      [0, 0] as const,
      [0, 0] as const,
      [1, 1] as const,
    ])
  })

  test('uses longer intervals for a longer time, and loses no load', () => {
    const hours = Array.from({ length: 24 * 30 }, (_, at) => countsOf([page], at * 60 * minuteMs))
    const timeline = timelineOf(...hours)
    expect(timeline?.intervals.length).toBeLessThanOrEqual(84)
    expect(timeline?.intervals.reduce((sum, { loads }) => sum + loads, 0)).toBe(24 * 30)
  })

  test('marks the first loads of each build, oldest first', () => {
    const timeline = timelineOf(
      countsOf([page], 30 * minuteMs, 'new'),
      countsOf([page], 0, 'old'),
      countsOf([page], 60 * minuteMs, 'old'),
    )
    expect(timeline?.deploys).toEqual([
      { build: 'old', atMs: 0 },
      { build: 'new', atMs: 30 * minuteMs },
    ])
  })

  test('of one route has only its loads', () => {
    const counts = [countsOf([page, { ...page, route: null }])]
    const { builds } = createReport(counts)
    expect(createTimeline(counts, { builds, route: '/a' })?.intervals).toMatchObject([{ loads: 1 }])
    expect(createTimeline(counts, { builds, route: '/b' })).toBeNull()
  })
})

test('interpolated text is escaped, and markup is not', () => {
  const inner = html`<b>${'<'}</b>`
  expect(html`<p title="${'"'}">${inner}${[inner, inner]}${null}${3}</p>`.markup).toBe(
    '<p title="&quot;"><b>&lt;</b><b>&lt;</b>\n<b>&lt;</b>3</p>',
  )
})

test.each([
  [duration(null), '–'],
  [duration(240), '240 ms'],
  [duration(2320), '2.3 s'],
  [duration(20_000), '20 s'],
  [share(1, 10_000), '< 0.1 %'],
  [share(0, 10), '0.0 %'],
  [share(1, 8), '12.5 %'],
])('a figure for people: %s', (text, expected) => expect(text).toBe(expected))

test('each system has its own opener', () => {
  const programs = (['darwin', 'win32', 'linux', 'freebsd'] as const).map(
    (platform) => openerOf('/tmp/a.html', platform)[0],
  )
  expect(programs).toEqual(['open', 'explorer.exe', 'xdg-open', 'xdg-open'])
})
