import type { Report } from '../report/report.ts'
import { percent } from '../report/reportLines.ts'
import { chart } from './chart.ts'
import { count, createFormats, duration, type Formats } from './formats.ts'
import { html, type Markup } from './markup.ts'
import { pageStyle } from './pageStyle.ts'
import {
  buildsSection,
  documentsSection,
  outcomesSection,
  routesSection,
  vitalsSection,
} from './sections.ts'
import type { Timeline } from './timeline.ts'

/** An error in the format of `waymark errors`. */
export type ErrorText = {
  readonly digest: string
  /** `null` if the journal has no details of the error. */
  readonly lines: readonly string[] | null
}

export type PageInput = {
  /** Name of the app. */
  readonly name: string
  readonly report: Report
  readonly timeline: Timeline | null
  readonly errors: readonly ErrorText[]
  /** Selected filters, as on the command line: `--route /blog`. */
  readonly selection: readonly string[]
  readonly nowMs: number
  readonly timeZone: string
}

/** Writes the report as one HTML document for people, without scripts and requests. */
export function reportPage(input: PageInput): string {
  const { name, report, timeline, errors, selection, nowMs, timeZone } = input
  const formats = createFormats(timeZone)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Arrivals of ${name}</title>
<style>${{ markup: pageStyle }}</style>
</head>
<body>
<header><p class="name">${name}</p><h1>Arrivals</h1>
<p class="period">${timeline ? html`${formats.moment(timeline.fromMs)} – ${formats.moment(Math.min(timeline.toMs, nowMs))}` : null}
${selection.map((each) => html`<code>${each}</code>`)}</p></header>
<main>${timeline && report.all.loads > 0 ? sections(report, timeline, errors, formats) : html`<p class="empty">No page loads have been counted yet.</p>`}</main>
<footer>Written ${formats.moment(nowMs)}, ${timeZone}, by <code>waymark arrivals</code>.
${report.refused > 0 ? html`${count(report.refused)} loads weren't counted, because the app has no such routes or there were too many combinations.` : null}</footer>
</body>
</html>
`
  return page.markup
}

function sections(
  report: Report,
  timeline: Timeline,
  errors: readonly ErrorText[],
  formats: Formats,
): readonly Markup[] {
  return [
    figures(report),
    chart(timeline, formats),
    routesSection(report),
    outcomesSection(report),
    ...[documentsSection(report) ?? [], vitalsSection(report) ?? []].flat(),
    buildsSection(report.builds, timeline.deploys, formats),
    ...(errors.length > 0 ? [errorsSection(errors)] : []),
  ]
}

function figures({ all }: Report): Markup {
  const [whole, unit] = percent(all).split(' ')
  const [time, timeUnit] = duration(all.medianMs).split(' ')
  const small: readonly (readonly [string, string])[] = [
    ['loads', count(all.loads)],
    ['did not arrive', count(all.loads - all.arrived)],
    ['took several attempts', count(all.retried)],
    ['75 % within', duration(all.p75Ms)],
    ['99 % within', duration(all.p99Ms)],
  ]
  return html`<dl class="figures">
<div class="large"><dt>arrived</dt><dd>${whole ?? ''}<small>${unit ?? ''}</small></dd></div>
<div class="large"><dt>median</dt><dd>${time ?? ''}<small>${timeUnit ?? ''}</small></dd></div></dl>
<dl class="figures">${small.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`
}

function errorsSection(errors: readonly ErrorText[]): Markup {
  return html`<section><h2 id="errors">Errors</h2>
<p class="note">The first errors of each route and build, as in <code>waymark errors</code>.</p>
${errors.map(
  ({ digest, lines }) => html`<article id="${digest}"><h3>${digest}</h3>
${lines ? html`<pre>${lines.join('\n')}</pre>` : html`<p class="note">The journal no longer has its details.</p>`}</article>`,
)}</section>`
}
