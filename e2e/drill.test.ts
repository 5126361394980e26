import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chromium } from '../scripts/workspace/systemTools.mjs'
import { startApp } from './harness/app.ts'
import { buildApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { runsAll } from './harness/runLength.ts'

type Load = { route: string; fault: string; outcome: string; ok: boolean } & Record<
  'problem' | 'advice' | 'screenshot',
  string | null
>

const browser = () => ['--browser', chromium.find() ?? 'missing']

async function drill(root: string, ...args: string[]) {
  const { output, exitCode } = await runWaymark(['drill', ...browser(), '--json', ...args], root)
  const begin = output.indexOf('{\n')
  const report = begin < 0 ? null : JSON.parse(output.slice(begin))
  return { output, exitCode, loads: (report?.loads ?? []) as Load[] }
}

describe('waymark drill', () => {
  let root = ''
  beforeAll(async () => {
    root = await buildApp({ app: 'drilled' })
  })

  // The drill takes 54 s on two cores, mostly because its loads wait for time limits. On a busy
  // machine, it makes the limits longer.
  test('finds the planted faults, and says what to do', { timeout: 360_000 }, async () => {
    const junit = join(root, 'junit.xml')
    onTestFinished(() => rmSync(junit, { force: true }))
    const { loads, exitCode, output } = await drill(
      root,
      '--route',
      '/,/waits,/widget,/trails/[slug]',
      '--junit',
      junit,
      '--fault',
      'data:reset,scripts:404,actions:unheard-once,actions:hang-once',
    )
    const find = (route: string, fault: string) =>
      loads.find((load) => load.route === route && load.fault === fault)
    expect(exitCode).toBe(1)
    expect(find('/waits', 'none')).toMatchObject({ outcome: 'stuck', ok: false })
    expect(find('/waits', 'none')?.advice).toContain('<Suspense>')
    const widget = find('/widget', 'scripts:404')
    expect(widget).toMatchObject({ outcome: 'stuck', ok: false })
    expect(widget?.advice).toContain('Missing text: "Lake and Summit"')
    expect(existsSync(widget?.screenshot ?? '')).toBe(true)
    const send = find('/send · send', 'actions:unheard-once')
    expect(send).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/the effect happened \d times/),
    })
    expect(find('/add · add', 'actions:unheard-once')).toMatchObject({ ok: true })
    expect(find('/add · add', 'actions:hang-once')).toMatchObject({ outcome: 'notice', ok: true })
    expect(find('/', 'data:reset')).toMatchObject({ outcome: 'arrived', ok: true })
    expect(output).toContain('/trails/[slug] is skipped, because no path for it is known.')
    expect(readFileSync(junit, 'utf8')).toContain('<failure message="stuck">')
  })

  test('finds a page that accepts only one click from somebody who changes their mind', async () => {
    const { loads } = await drill(root, '--route', '/,/once', '--fault', 'clicks')
    const wrong = loads.filter(({ ok }) => !ok)
    expect(wrong).toMatchObject([{ route: '/', fault: 'clicks:after-another', outcome: 'stuck' }])
    expect(wrong[0]?.advice).toContain('code that blocks clicks')
    expect(loads).toHaveLength(12)
  })

  test('sends cookies of any name, and measures slow requests with them', async () => {
    const { loads } = await drill(root, '--route', '/account', '--fault', 'data:slow')
    expect(loads.filter(({ route }) => route === '/account')).toMatchObject([
      { fault: 'none', ok: true },
      { fault: 'data:slow', outcome: 'arrived', ok: true },
    ])
  })

  test.each([
    [['--fault', 'data:hagn'], 2, 'There is no fault data:hagn.'],
    [['--url', 'https://shop.example'], 2, 'shop.example is on another machine.'],
    [
      ['--route', '/nowhere/[id]'],
      2,
      '/nowhere/[id] is skipped, because the build has no such route.',
    ],
    [['--browser', '/no/browser'], 1, '/no/browser is not a browser that can be run.'],
  ])('%j prints one clear line', async (args, code, line) => {
    const { exitCode, output } = await runWaymark(['drill', ...args], root)
    expect([exitCode, output]).toEqual([code, expect.stringContaining(line)])
  })

  test('without a build, it prints one clear line', async () => {
    const { exitCode, output } = await runWaymark(['drill', join(root, 'app')], root)
    expect([exitCode, output]).toEqual([1, expect.stringContaining('Run waymark build first.')])
  })
})

// The nightly run tries more faults on the site. `faults.test.ts` and `machine.test.ts` try all of
// them on smaller pages in each run.
const siteFaults = runsAll
  ? 'data:cut,data:portal,page:restart,scripts:404,machine'
  : 'data:portal,page:restart,scripts:404,machine:frozen'

test('the site arrives despite all faults', { timeout: 600_000 }, async () => {
  const app = await startApp({ app: 'site', mode: 'production' })
  onTestFinished(() => app.stop())
  const all = ['--url', app.origin, '--minutes', '2']
  const pages = ['--route', '/guide/testing', '--fault', siteFaults]
  const { loads, exitCode } = await drill(app.root, ...all, ...pages)
  expect(loads.filter(({ ok }) => !ok)).toEqual([])
  expect([exitCode, loads.length]).toEqual([0, runsAll ? 10 : 5])
  // Without styles, the guide's menu opens with its button, so the page still works.
  const plain = await drill(app.root, ...all, '--route', '/', '--fault', 'styles:500')
  expect([plain.exitCode, plain.loads.length]).toEqual([0, 2])
})

test('visited pages arrive without a network; in other apps, these faults are left out', async () => {
  const offlineRoot = await buildApp({ app: 'offline' })
  const { loads } = await drill(offlineRoot, '--route', '/read', '--fault', 'offline')
  expect(loads.filter(({ outcome }) => outcome !== 'arrived')).toEqual([])
  expect(new Set(loads.map(({ fault }) => fault)).size).toBe(6)
  const without = await buildApp({ app: 'drilled' })
  const { loads: others } = await drill(without, '--route', '/', '--fault', 'offline')
  expect(others.map(({ fault }) => fault)).toEqual(['none', 'none'].slice(0, others.length))
})
