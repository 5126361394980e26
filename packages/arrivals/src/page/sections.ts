import type { BuildSummary, Report, RouteSummary } from '../report/report.ts'
import { nameOf, percent } from '../report/reportLines.ts'
import type { Summary } from '../report/summary.ts'
import type { VitalsSummary } from '../report/vitalsReport.ts'
import type { VitalName } from '../shared/vital.ts'
import { count, duration, type Formats, share } from './formats.ts'
import { html, type Markup } from './markup.ts'
import type { Deploy } from './timeline.ts'

const meanings: Readonly<Record<string, string>> = {
  page: 'the page is on the screen',
  error: 'a screen with a status of 500 or more',
  notice: 'a notice asked the visitor what to do',
  left: 'the visitor started another load first',
  never: 'closed or hidden, or a minute passed',
}

/** Renders the routes in the order of the report, worst first. */
export function routesSection({ routes, all }: Report): Markup {
  const isCompared = routes.some(({ before }) => before !== null)
  const rows = routes.length > 1 ? [...routes, { ...all, route: undefined, before: null }] : routes
  return html`<section><h2 id="routes">Routes, worst first</h2>
<table class="stacked"><thead><tr><th scope="col">Route</th><th scope="col">Loads</th>
<th scope="col">Arrived</th>${isCompared ? html`<th scope="col">Previous build</th>` : null}
<th scope="col">Median</th><th scope="col">p75</th><th scope="col">p99</th>
<th scope="col" class="wide">Not arrived</th></tr></thead>
<tbody>${rows.map((row) => routeRow(row, isCompared))}</tbody></table></section>`
}

type Row = Omit<RouteSummary, 'route'> & { readonly route: string | null | undefined }

function routeRow(row: Row, isCompared: boolean): Markup {
  const { route, loads, arrived, before, medianMs, p75Ms, p99Ms, digests } = row
  const name = route === undefined ? 'All' : nameOf(route)
  return html`<tr${route === undefined ? html` class="all"` : null}>
<th scope="row">${route ? html`<code>${name}</code>` : name}
${route === undefined || digests.length === 0 ? null : html`<small>${digests.map(digestLink)}</small>`}</th>
<td data-label="Loads">${count(loads)}</td>
<td data-label="Arrived"><strong${arrived < loads ? null : html` class="whole"`}>${percent(row)}</strong></td>
${isCompared ? html`<td data-label="Previous build">${before ? percent(before) : '–'}</td>` : null}
<td data-label="Median">${duration(medianMs)}</td><td data-label="p75">${duration(p75Ms)}</td>
<td data-label="p99">${duration(p99Ms)}</td>
<td data-label="Not arrived" class="wide">${shortfall(row)}</td></tr>`
}

/** Describes loads without a page, the most frequent outcome first: `12 notice, 3 left`. */
function shortfall({ outcomes }: Summary): string {
  const { error, notice, left, never } = outcomes
  const short = Object.entries({ error, notice, left, never })
  const named = short.filter(([, loads]) => loads > 0).sort(([, a], [, b]) => b - a)
  return named.map(([outcome, loads]) => `${count(loads)} ${outcome}`).join(', ') || '–'
}

export const digestLink = (digest: string): Markup =>
  html`<a class="digest" href="#${digest}">${digest}</a>`

/** Renders how loads ended, and the known causes. */
export function outcomesSection({ all }: Report): Markup {
  const ranked = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).sort(([, a], [, b]) => b - a)
  const outcomes = Object.entries(all.outcomes)
  const causes = ranked(all.causes)
  const waitedFor = ranked(all.late)
  return html`<div class="columns"><section><h2>Outcomes</h2>
${amounts(outcomes, all.loads, meanings)}</section>
${
  causes.length + waitedFor.length === 0
    ? null
    : html`<section><h2>Causes</h2>
${amounts(causes, all.loads)}
<p class="note">Causes of loads that were late or did not arrive, if the browser knew them.</p>
${
  waitedFor.length === 0
    ? null
    : html`${amounts(waitedFor, all.loads)}
<p class="note">Longest wait of navigations that took more than a second.</p>`
}</section>`
}</div>`
}

function amounts(
  entries: readonly (readonly [string, number])[],
  all: number,
  texts: Readonly<Record<string, string>> = {},
): Markup {
  const widthOf = (loads: number) => (all === 0 ? 0 : (loads / all) * 100).toFixed(2)
  return html`<dl class="amounts">${entries.map(
    ([name, loads]) => html`<div${loads === 0 ? html` class="none"` : null}>
<dt>${name}${texts[name] ? html`<small>${texts[name]}</small>` : null}</dt>
<dd>${count(loads)}<small>${share(loads, all)}</small></dd>
<dd class="meter" aria-hidden="true"><i class="${name}" style="width:${widthOf(loads)}%"></i></dd></div>`,
  )}</dl>`
}

/** Returns nothing if no server has counted documents. */
export function documentsSection({ routes, all }: Report): Markup | null {
  if (all.documents.sent === 0) return null
  const counted = routes.filter(({ documents }) => documents.sent > 0)
  const rows = counted.map(({ route, documents }) => [nameOf(route), documents] as const)
  return html`<section><h2>Documents</h2>
<p class="note">Documents that servers sent to browsers. A browser is silent if it has no scripts, blocks them, or is closed at once.</p>
<table class="stacked"><thead><tr><th scope="col">Route</th><th scope="col">Sent</th>
<th scope="col">Reported</th><th scope="col">Silent</th><th scope="col">Broken off</th></tr></thead>
<tbody>${[...rows, ['All', all.documents] as const].map(
    ([
      name,
      { sent, reported, cut },
    ]) => html`<tr><th scope="row">${name.startsWith('/') ? html`<code>${name}</code>` : name}</th>
<td data-label="Sent">${count(sent)}</td><td data-label="Reported">${count(reported)}</td>
<td data-label="Silent">${count(Math.max(0, sent - reported))}</td><td data-label="Broken off">${count(cut)}</td></tr>`,
  )}</tbody></table></section>`
}

/** Renders the builds, newest first, with their numbers in the chart. */
export function buildsSection(
  builds: readonly BuildSummary[],
  deploys: readonly Deploy[],
  formats: Formats,
): Markup {
  const rows = builds.map((row, at) => {
    const number = deploys.findIndex(({ build }) => build === row.build)
    const older = builds.slice(row.build === null ? builds.length : at + 1)
    const before = older.find(({ build }) => build !== null)
    return { row, number: number + 1, atMs: deploys[number]?.atMs, before }
  })
  return html`<section><h2 id="builds">Builds, newest first</h2>
<table class="stacked"><thead><tr><th scope="col">Build</th><th scope="col">First counted</th><th scope="col">Loads</th>
<th scope="col">Arrived</th><th scope="col">Previous build</th><th scope="col">Median</th><th scope="col">p99</th></tr></thead>
<tbody>${rows.map(
    ({ row, number, atMs, before }) => html`<tr id="build-${number}"><th scope="row">
${number > 0 ? html`<b class="mark">${number}</b>` : null}<code>${row.build ?? 'unknown'}</code></th>
<td data-label="First counted">${atMs === undefined ? '–' : formats.short(atMs)}</td>
<td data-label="Loads">${count(row.loads)}</td><td data-label="Arrived"><strong>${percent(row)}</strong></td>
<td data-label="Previous build">${before ? percent(before) : '–'}</td>
<td data-label="Median">${duration(row.medianMs)}</td><td data-label="p99">${duration(row.p99Ms)}</td></tr>`,
  )}</tbody></table></section>`
}

/** Thresholds of good and poor values: https://web.dev/articles/vitals. */
const ratings: Readonly<Record<VitalName, readonly [good: number, poor: number]>> = {
  LCP: [2500, 4000],
  INP: [200, 500],
  CLS: [0.1, 0.25],
  TTFB: [800, 1800],
}

const vitalColumns: readonly (readonly [VitalName, keyof VitalsSummary, string])[] = [
  ['LCP', 'document', 'LCP'],
  ['INP', 'document', 'INP'],
  ['CLS', 'document', 'CLS'],
  ['TTFB', 'document', 'TTFB'],
  ['LCP', 'soft', 'Soft LCP'],
  ['INP', 'soft', 'Soft INP'],
  ['CLS', 'soft', 'Soft CLS'],
]

/** Returns nothing if no browser has measured vitals. */
export function vitalsSection({ routes }: Report): Markup | null {
  const measured = routes.filter(({ vitals }) =>
    [vitals.document, vitals.soft].some((each) => Object.values(each).some((x) => x !== null)),
  )
  if (measured.length === 0) return null
  return html`<section><h2>Web vitals</h2>
<p class="note">75th percentiles. Soft means a navigation without a new document, which only some browsers measure.</p>
<table class="stacked vitals"><thead><tr><th scope="col">Route</th>${vitalColumns.map(
    ([, , label]) => html`<th scope="col">${label}</th>`,
  )}</tr></thead><tbody>${measured.map(
    ({
      route,
      vitals,
    }) => html`<tr><th scope="row">${route === null ? nameOf(route) : html`<code>${route}</code>`}</th>
${vitalColumns.map(([name, of, label]) => vitalCell(name, vitals[of][name], label))}</tr>`,
  )}</tbody></table></section>`
}

function vitalCell(name: VitalName, value: number | null, label: string): Markup {
  if (value === null) return html`<td data-label="${label}" class="none">–</td>`
  const [good, poor] = ratings[name]
  const rating = value <= good ? null : value <= poor ? 'fair' : 'poor'
  const text = name === 'CLS' ? value.toFixed(3) : duration(value)
  return html`<td data-label="${label}">${text}${rating ? html` <em class="${rating}">${rating}</em>` : null}</td>`
}
