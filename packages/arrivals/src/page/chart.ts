import { count, type Formats } from './formats.ts'
import { html, type Markup } from './markup.ts'
import type { Deploy, Interval, Timeline } from './timeline.ts'

/**
 * Possible minimums of the percentage axis. The chart uses the highest one that is below all
 * percentages.
 */
const floors = [99.9, 99, 98, 95, 90, 80, 50, 0]
const maxTicks = 8
/** Minimum distance of deploy marks in percent of the width. Closer marks are placed in rows. */
const markWidth = 2.6
const markRows = 3

/**
 * Draws two charts over time, with a mark for each deploy: the percentage of loads that arrived, and
 * below it the number of loads. The shapes are an SVG that stretches to any width. Labels are outside of
 * the SVG, so that they keep their size.
 */
export function chart(timeline: Timeline, formats: Formats): Markup {
  const { intervals, deploys, fromMs, toMs } = timeline
  const most = Math.max(...intervals.map(({ loads }) => loads))
  const floor = floorOf(intervals)
  const x = (ms: number) => ((ms - fromMs) / (toMs - fromMs)) * 100
  const marks = placeMarks(deploys, x)
  const rows = Math.max(0, ...marks.map(({ row }) => row + 1))
  return html`<figure class="chart">
<div class="marks" style="height:${rows * 1.5}rem">${marks.map(
    ({ number, left, row, build, atMs }) => html`<a
 href="#build-${number}" style="left:${left}%;top:${row * 1.5}rem"
 title="${build}, first counted ${formats.short(atMs)}">${number}</a>`,
  )}</div>
<div class="plot shares"><span class="top">100 %</span><span class="bottom">${floor} %</span>
<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img"
 aria-label="Share that arrived, between ${floor} and 100 percent">
${deployLines(deploys, x)}${shareLines(timeline, floor)}</svg></div>
<div class="plot loads"><span class="top">${count(most)}</span><span class="bottom">0</span>
<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img"
 aria-label="Loads, at most ${count(most)} in ${intervalText(timeline.stepMs)}">
${deployLines(deploys, x)}${bars(timeline, most, formats)}</svg></div>
<div class="ticks">${ticksOf(timeline, formats).map(
    (ms) => html`<span style="left:${x(ms)}%">${formats.tick(ms, toMs - fromMs)}</span>`,
  )}</div>
<figcaption>Above: share of loads that arrived. Below: loads in ${intervalText(timeline.stepMs)},
<i class="key arrived"></i>arrived, <i class="key short"></i>not arrived.
${deploys.length > 0 ? html`Each number marks the first loads of a <a href="#builds">build</a>.` : null}</figcaption>
</figure>`
}

function floorOf(intervals: readonly Interval[]): number {
  const least = Math.min(...intervals.filter(({ loads }) => loads > 0).map(shareOf))
  return floors.find((floor) => floor < least) ?? 0
}

const shareOf = ({ arrived, loads }: Interval) => (arrived / loads) * 100

function placeMarks(deploys: readonly Deploy[], x: (ms: number) => number) {
  const rowEnds: number[] = []
  return deploys.map((deploy, at) => {
    const left = x(deploy.atMs)
    const free = Array.from({ length: markRows }, (_, row) => row).find(
      (row) => left - (rowEnds[row] ?? -100) >= markWidth,
    )
    const row = free ?? at % markRows
    rowEnds[row] = left
    return { ...deploy, number: at + 1, left: left.toFixed(2), row }
  })
}

function deployLines(deploys: readonly Deploy[], x: (ms: number) => number): readonly Markup[] {
  return deploys.map(({ atMs }) => {
    const at = x(atMs).toFixed(2)
    return html`<line class="deploy" x1="${at}" x2="${at}" y1="0" y2="100"/>`
  })
}

/** Draws a line for each stretch of time that has loads. */
function shareLines({ intervals }: Timeline, floor: number): readonly Markup[] {
  const width = 100 / intervals.length
  const y = (interval: Interval) => 100 - ((shareOf(interval) - floor) / (100 - floor)) * 100
  const stretches: string[] = []
  let points = ''
  for (const [at, interval] of intervals.entries()) {
    if (interval.loads === 0) {
      if (points !== '') stretches.push(points)
      points = ''
      continue
    }
    const [left, right] = [at * width, (at + 1) * width].map((each) => each.toFixed(2))
    const top = y(interval).toFixed(2)
    points += `${points === '' ? 'M' : 'L'}${left} ${top}H${right}`
  }
  if (points !== '') stretches.push(points)
  return stretches.map((path) => html`<path class="share" d="${path}"/>`)
}

function bars({ intervals, stepMs }: Timeline, most: number, formats: Formats): readonly Markup[] {
  const width = 100 / intervals.length
  return intervals.flatMap((interval, at) => {
    const { fromMs, loads, arrived } = interval
    if (loads === 0) return []
    const rect = (name: string, top: number, height: number) => html`<rect class="${name}"
 x="${(at * width).toFixed(3)}" width="${(width * 0.78).toFixed(3)}"
 y="${top.toFixed(2)}" height="${height.toFixed(2)}"/>`
    const high = (loads / most) * 100
    const short = ((loads - arrived) / most) * 100
    return html`<g><title>${formats.short(fromMs)}, ${intervalText(stepMs)}: ${count(loads)} loads,
 ${shareOf(interval).toFixed(2)} % arrived</title>
${rect('arrived', 100 - high + short, high - short)}
${short > 0 ? rect('short', 100 - high, short) : null}</g>`
  })
}

/**
 * Returns the start of each day, or of each interval if there are few days. Skips some of them if there
 * are too many.
 */
function ticksOf({ intervals, fromMs, toMs }: Timeline, { tick }: Formats): readonly number[] {
  const isNew = (at: number) =>
    tick(intervals[at]?.fromMs ?? 0, toMs - fromMs) !==
    tick(intervals[at - 1]?.fromMs ?? fromMs, toMs - fromMs)
  const starts = intervals.filter((_, at) => isNew(at))
  const every = Math.ceil(starts.length / maxTicks)
  return starts.filter((_, at) => at % every === 0).map(({ fromMs }) => fromMs)
}

function intervalText(stepMs: number): string {
  const minutes = Math.round(stepMs / 60_000)
  if (minutes % 1440 === 0) return minutes === 1440 ? 'a day' : `${minutes / 1440} days`
  if (minutes % 60 === 0) return minutes === 60 ? 'an hour' : `${minutes / 60} hours`
  return `${minutes} minutes`
}
