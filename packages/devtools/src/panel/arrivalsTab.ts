import { type Arrival, type ArrivalPhase, arrivals } from '../events/arrivals.ts'
import { deadlineMs, type Timeline, timelineOf } from './arrivalSpans.ts'
import { element, facts, note, type PanelChild, shortUrl, timeText } from './element.ts'
import type { PanelTab } from './panelTab.ts'

const maxLoads = 30

const phaseNames: Readonly<Record<ArrivalPhase, string>> = {
  server: 'the server’s response',
  gate: 'guards and status',
  render: 'the rest of the response',
  data: 'page data',
  code: 'code',
  styles: 'styles',
}

/** Lists page loads, each with its longest phase and a chart of its phases. */
export const arrivalsTab: PanelTab = {
  id: 'arrivals',
  title: 'Arrivals',
  isLive: true,
  async render({ events }) {
    const all = arrivals(await events.list())
    const loads = all.slice(-maxLoads).toReversed()
    if (loads.length === 0) {
      return note('No page loads yet. Click a link or reload the page to see it here.')
    }
    const legend = element(
      'p',
      { className: 'legend lead' },
      element('span', { className: 'server' }, 'server'),
      element('span', { className: 'browser' }, 'browser'),
    )
    return element('div', {}, legend, element('div', { className: 'rows' }, ...loads.map(loadRow)))
  },
}

function loadRow(load: Arrival): HTMLElement {
  const { url, kind, outcome, startedAtMs, endedAtMs, waitedFor, isPrefetched } = load
  const timeline = timelineOf(load, endedAtMs ?? startedAtMs)
  const body = element('div', { className: 'detail' })
  const about = [
    kind,
    isPrefetched && 'prefetched',
    waitedFor && `waited for ${phaseNames[waitedFor]}`,
    `${timeText(Date.now() - startedAtMs)} ago`,
  ]
  const row = element(
    'details',
    {},
    element(
      'summary',
      { className: 'load' },
      element('span', { className: `badge ${outcome}` }, outcome),
      element('code', {}, shortUrl(url)),
      element('span', { className: 'took' }, endedAtMs ? timeText(endedAtMs - startedAtMs) : '…'),
      element('small', {}, about.filter(Boolean).join(' · ')),
      lineOf(timeline),
    ),
    body,
  )
  row.dataset.key = `${startedAtMs} ${url}`
  row.ontoggle = () => {
    if (row.open && !body.hasChildNodes()) body.append(detailOf(load, timeline))
  }
  return row
}

/** Draws a page load in one line, with the server's phases above and the browser's phases below. */
function lineOf({ spans, lengthMs }: Timeline): HTMLElement {
  const scaleMs = Math.max(lengthMs, 300)
  const line = element('span', { className: 'timeline' })
  line.ariaHidden = 'true'
  for (const { side, fromMs, toMs, name } of spans) {
    const bar = element('span', {
      className: `span ${side}`,
      title: `${name}: ${timeText(toMs - fromMs)}`,
    })
    place(bar, fromMs / scaleMs, Math.max(0.004, (toMs - fromMs) / scaleMs))
    line.append(bar)
  }
  if (scaleMs > deadlineMs) {
    const mark = element('span', { className: 'span deadline', title: 'A notice is shown' })
    place(mark, deadlineMs / scaleMs, 0.003)
    line.append(mark)
  }
  return line
}

/**
 * Sets a bar's position and width from a script, because the app's content security policy may
 * block style attributes.
 */
function place(bar: HTMLElement, from: number, width: number): void {
  bar.style.setProperty('--from', String(Math.min(0.997, from)))
  bar.style.setProperty('--width', String(Math.min(width, 1 - Math.min(0.997, from))))
}

function detailOf(load: Arrival, { spans, lengthMs }: Timeline): HTMLElement {
  const timing = Object.entries(load.timing).map(([name, ms]) => `${name} ${timeText(ms)}`)
  const rows = spans.map(({ name, side, fromMs, toMs }) => {
    const bar = element('span', { className: `span ${side}` })
    place(bar, fromMs / lengthMs, Math.max(0.004, (toMs - fromMs) / lengthMs))
    return element(
      'li',
      {},
      element('span', {}, name),
      element('span', { className: 'timeline' }, bar),
      element(
        'span',
        { className: 'took' },
        toMs > fromMs ? timeText(toMs - fromMs) : `at ${timeText(fromMs)}`,
      ),
    )
  })
  return element(
    'div',
    {},
    facts([
      ['Status', load.status === null ? null : String(load.status)],
      ['Retries', load.retries > 0 && String(load.retries)],
      ['Errors', load.digests.length > 0 && codes(load.digests)],
      ['Server-Timing', timing.join(', ')],
    ]),
    element('ol', { className: 'spans' }, ...rows),
  )
}

function codes(texts: readonly string[]): PanelChild {
  return element('span', {}, ...texts.flatMap((text) => [element('code', {}, text), ' ']))
}
