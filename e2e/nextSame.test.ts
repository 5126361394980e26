import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { freePort } from './harness/freePort.ts'
import { flows } from './harness/nextSame/sameFlows.mjs'
import { createUpstream, probes } from './harness/nextSame/sameProbes.mjs'
import { openPage } from './harness/page.ts'

type Observations = Readonly<Record<string, unknown>>

const read = (name: string): Observations =>
  JSON.parse(readFileSync(new URL(`fixtures/nextSame/${name}`, import.meta.url), 'utf8'))

/**
 * The results of the same probes with Next 16.4.6, recorded by `research/suites/sameAsNext.mjs`.
 */
const there = read('observed.json')
/** Results that differ on purpose. The guide has a line for each difference. */
const differs = read('differs.json')

function expected(name: string): unknown {
  const different = differs[name]
  const isPart = typeof different === 'object' && !Array.isArray(different)
  if (isPart) return { ...(there[name] as object), ...different }
  return different ?? there[name]
}

const port = await freePort()
const upstream = createUpstream()
const env = { UPSTREAM: `http://127.0.0.1:${port}` }

beforeAll(() => new Promise<void>((resolve) => upstream.listen(port, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => upstream.close(resolve)))

test('every listed difference belongs to a probe', () => {
  expect(Object.keys(differs).filter((name) => !(name in there))).toEqual([])
  expect(Object.keys(there)).toEqual([...Object.keys(probes), ...Object.keys(flows)])
})

/**
 * Matches probes that only apply to builds. In development, each request renders its page, with
 * values that were cached a moment ago.
 */
const ofBuilds =
  /^fetch, (?:minute|error|auto|handler-static|static|force-static)$|^a page without drafts|static page/

describeApp('the names of next have the same meaning', { app: 'nextSame', env }, (served) => {
  const probeNames = Object.keys(probes).filter((name) => {
    return served.mode === 'production' || !ofBuilds.test(name)
  })
  test.each(probeNames)('%s', async (name) => {
    // The list has `null` for a tag that is missing on purpose.
    const actual = await probes[name]?.(served.app)
    expect(withoutNull(actual)).toEqual(withoutNull(expected(name)))
  })

  describe('in a browser', () => {
    test.each(Object.keys(flows))('%s', async (name) => {
      const { page } = await openPage(served.app, { viewport: { width: 1000, height: 700 } })
      expect(await flows[name]?.(page, served.app.origin)).toEqual(expected(name))
    })
  })
})

function withoutNull(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== null))
}
