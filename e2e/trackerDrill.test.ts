import { expect, test } from 'vitest'
import { chromium } from '../scripts/workspace/systemTools.mjs'
import { buildApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { runsAll } from './harness/runLength.ts'

/** Faults of a network, a gateway and a server: one of each kind. */
const faults = [
  'data:hang',
  'data:cut',
  'data:500',
  'document:cut',
  'scripts:404',
  'scripts:hang',
  'page:restart',
  'actions:unheard-once',
  'actions:hang-once',
]

// Run this only in the whole run, because `drill.test.ts` drills the site in each run.
test.runIf(runsAll)(
  'the tracker passes a drill with a selection of faults',
  async () => {
    const root = await buildApp({ app: 'examples/tracker' })
    const browser = ['--browser', chromium.find() ?? 'missing']
    const chosen = ['--route', '/board,/board/[id]', '--fault', faults.join()]
    const { output, exitCode } = await runWaymark(['drill', ...browser, '--json', ...chosen], root)
    const report = JSON.parse(output.slice(output.indexOf('{\n')))
    const loads = report.loads as { route: string; fault: string; ok: boolean; outcome: string }[]
    expect(loads.filter(({ ok }) => !ok)).toEqual([])
    expect(exitCode).toBe(0)
    // Each fault was tried. An action was also sent twice, and created only one comment.
    expect(new Set(loads.map(({ fault }) => fault))).toEqual(new Set(['none', ...faults]))
    expect(loads.filter(({ route }) => route.endsWith('· comment')).length).toBeGreaterThan(1)
  },
  240_000,
)
