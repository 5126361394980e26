/** Measures from a click until the other page's heading is painted, in the compared frameworks. */
import { clickAndWait, countedOnce, inPage, slowDown } from '../lib/browser.mjs'
import { median } from '../lib/report.mjs'

const path = '/own?q=1'
const latencyMs = 150
const kinds = [0, latencyMs].flatMap((delayMs) => [
  { what: `line of ${delayMs} ms, not hovered`, delayMs, hoverMs: 0 },
  { what: `line of ${delayMs} ms, hovered for 300 ms`, delayMs, hoverMs: 300 },
])

/** The first round is not counted, because servers compile their code. */
export async function measureClicks(running, browser, rounds) {
  const times = kinds.map(() => running.map(() => []))
  for (let round = 0; round <= rounds; round++) {
    for (const [kind, each] of kinds.entries()) {
      for (const [index, server] of running.entries()) {
        const ms = await clickMs(server, browser, each)
        if (round > 0) times[kind][index].push(ms)
      }
    }
  }
  return kinds.flatMap(({ what }, kind) =>
    running.map(({ name }, index) => ({
      what,
      server: name,
      ms: Math.round(median(times[kind][index])),
      worstMs: Math.round(Math.max(...times[kind][index])),
      rounds,
    })),
  )
}

function clickMs({ url }, browser, { delayMs, hoverMs }) {
  return inPage(browser, url, async (page) => {
    await page.goto('/start')
    await page.waitForFunction(countedOnce, null, { polling: 50 })
    await page.waitForLoadState('networkidle')
    if (delayMs > 0) await slowDown(page, delayMs)
    if (hoverMs > 0) {
      await page.hover(`a[href="${path}"]`)
      await page.waitForTimeout(hoverMs)
    }
    return page.evaluate(clickAndWait, path)
  })
}
