import { tmpdir } from 'node:os'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findBrowser } from './drillBrowser.ts'
import { drillJson, junitXml, summaryLines } from './drillReport.ts'
import { conclude, type DrillOptions, type DrillResult } from './drillResult.ts'

const arrived: DrillResult = {
  route: '/trails/[slug]',
  pathname: '/trails/oak',
  fault: 'data:cut',
  outcome: 'arrived',
  ms: 120,
  isOk: true,
  problem: null,
  advice: null,
  screenshot: null,
}
const stuck: DrillResult = {
  ...arrived,
  fault: 'scripts:404',
  outcome: 'stuck',
  ms: 12_000,
  isOk: false,
  advice: 'Render "it" <on> the server.',
}
const report = {
  results: [arrived, stuck],
  leftOut: 3,
  hasBrowserEnded: false,
  chosen: { problems: [] },
  ms: 20_000,
}

describe('the report of a drill', () => {
  test('for people lists wrong loads, and how many loads were skipped', () => {
    const text = summaryLines(report).join('\n')
    expect(text).toContain('/trails/[slug]: 1 arrived, 1 stuck; slowest scripts:404, 12000 ms')
    expect(text).toContain('/trails/[slug], scripts:404: stuck\n  Render "it"')
    expect(text).toContain('2 loads in 20 s, 1 wrong, 3 skipped')
  })

  test('for programs is ok if at least one load ran and all were ok', () => {
    expect(drillJson(report)).toMatchObject({ ok: false, leftOut: 3, loads: [{ ok: true }, {}] })
    expect(drillJson({ ...report, results: [arrived] }).ok).toBe(true)
    expect(drillJson({ ...report, results: [] }).ok).toBe(false)
    expect(drillJson({ ...report, results: [arrived], hasBrowserEnded: true }).ok).toBe(false)
  })

  test('does not count a load that was not measured as right or wrong', () => {
    const problem = 'Timeout 10000ms exceeded'
    const unmeasured: DrillResult = { ...arrived, outcome: 'not measured', problem }
    const lines = summaryLines({ ...report, results: [arrived, unmeasured] }).join('\n')
    expect(lines).toContain('2 loads in 20 s, 0 wrong, 1 not measured, 3 skipped')
    expect(drillJson({ ...report, results: [arrived, unmeasured] })).toMatchObject({
      ok: true,
      notMeasured: 1,
    })
    expect(drillJson({ ...report, results: [unmeasured] }).ok).toBe(false)
    const xml = junitXml({ ...report, results: [unmeasured] })
    expect(xml).toContain(`failures="0"`)
    expect(xml).toContain(`<skipped message="${problem}"/>`)
  })

  test("for CI servers escapes the app's texts", () => {
    const xml = junitXml(report)
    expect(xml).toContain('tests="2" failures="1"')
    expect(xml).toContain('>Render &quot;it&quot; &lt;on&gt; the server.</failure>')
  })
})

describe('a check in drill.config.ts', () => {
  const page = { screenshot: async () => Buffer.alloc(0) } as unknown as Page
  const place = { route: '/cart', pathname: '/cart', fault: null, page }
  const concludeWith = (check: () => void, outcome: 'arrived' | 'notice') => {
    const options = { config: { check }, pictures: tmpdir() } as unknown as DrillOptions
    return conclude({ outcome, ms: 5, problem: null }, { ...place, options })
  }
  const fails = () => {
    throw new Error('the cart is empty')
  }

  test('fails a page that has arrived, with the error that it throws', async () => {
    const result = await concludeWith(fails, 'arrived')
    expect(result).toMatchObject({ isOk: false, problem: 'the cart is empty' })
    expect(result.advice).toContain('drill.config.ts')
    expect(await concludeWith(() => {}, 'arrived')).toMatchObject({ isOk: true, advice: null })
  })

  test("does not run for a page that hasn't arrived", async () => {
    expect(await concludeWith(fails, 'notice')).toMatchObject({ isOk: true, problem: null })
  })
})

describe('the browser of a drill', () => {
  test('can be chosen by path or by name', () => {
    expect(findBrowser(process.execPath)).toBe(process.execPath)
    expect(() => findBrowser('no-such-browser')).toThrow('no-such-browser is not a browser')
  })
})
