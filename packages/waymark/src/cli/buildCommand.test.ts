import { expect, test } from 'vitest'
import type { BuildManifest } from '../builds/buildManifest.ts'
import { createBuildReporter } from './buildCommand.ts'
import type { Terminal } from './terminal.ts'

const manifest: BuildManifest = {
  version: 1,
  waymark: '0.0.0',
  buildId: 'b',
  mode: 'production',
  routes: [],
  serverFeatures: [],
  externals: [],
  host: { name: 'Node', lacks: [] },
}

/** @returns the printed lines that contain durations */
function report(steps: readonly (readonly [text: string, ms: number, detail: string])[]): string[] {
  const lines: string[] = []
  let nowMs = 0
  const plain = new Proxy({}, { get: () => (text: string) => text }) as Terminal['paint']
  const terminal = { print: (line: string) => lines.push(line), progress() {}, paint: plain }
  const reporter = createBuildReporter(terminal as unknown as Terminal, () => nowMs)
  for (const [text, ms, detail] of steps) {
    reporter.step(text)
    if (detail) reporter.detail(detail)
    nowMs += ms
  }
  reporter.finish(manifest, {
    leftOut: [],
    inSuspense: [],
    problems: [],
    before: null,
    hosting: { serve: { command: 'serve' } },
  })
  return lines.filter((line) => /\d s\b/.test(line))
}

test('a step that takes longer than all others together is reported', () => {
  const lines = report([
    ['Bundling', 1_000, ''],
    ['Prerendering', 3_000, '2 pages, slowest /a 2.5 s'],
    ['Compressing', 500, ''],
  ])
  expect(lines.slice(-2)).toEqual([
    'Prerendering took 3.0 s of 4.5 s: 2 pages, slowest /a 2.5 s.',
    'Built in 4.5 s.',
  ])
})

test("steps of similar length aren't reported", () => {
  const lines = report([
    ['Bundling', 1_000, '3 modules'],
    ['Prerendering', 1_000, '2 pages'],
  ])
  expect(lines).toEqual(['  Bundling 1.0 s', '  Prerendering 1.0 s', 'Built in 2.0 s.'])
})
