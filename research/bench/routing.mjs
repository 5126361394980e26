/**
 * Measures the cost of finding a route, by the number of routes, and the cost of parsing a request
 * target.
 * Run `npm run build -w waymark` first, then `node research/bench/routing.mjs`.
 */
import { parseTarget } from '../packages/waymark/dist/routing/canonicalUrl.js'
import { createMatcher } from '../packages/waymark/dist/routing/match.js'
import { checkRouteFiles } from '../packages/waymark/dist/routing/routeTree.js'
import { printTable } from './lib/report.mjs'

const routeCounts = [10, 100, 1000, 10_000]
const roundMs = 200
const rounds = 7

const targets = {
  clean: '/section-3/7/article-42?page=2',
  encoded: '/caf%c3%a9/a%20b',
  redirected: '/a//b/',
  refused: '/a/%2e%2e/b',
}

// The first tree includes the compilation of the code, and is not compared.
measure(100)
const counted = routeCounts.map((count) => ({ routes: count, ...measure(count) }))
printTable(
  Object.keys(counted[0]).map((name) => [name, name]),
  counted,
)
printTable(
  [
    ['target', 'name'],
    ['', 'target'],
    ['parseTarget ns', 'ns'],
  ],
  Object.entries(targets).map(([name, target]) => ({
    name,
    target,
    ns: nsPerCall(() => parseTarget(target)),
  })),
)

function measure(count) {
  const files = filesFor(count)
  const [tree, buildMs] = timed(() => checkRouteFiles(files).tree)
  const [matcher, matcherMs] = timed(() => createMatcher(tree))
  const last = count - 1
  const section = Math.floor(last / 10)
  return {
    'build tree ms': buildMs,
    'create matcher ms': matcherMs,
    'static ns': nsPerCall(() => matcher.match(`/section-${section}/about`)),
    'dynamic ns': nsPerCall(() => matcher.match(`/section-${section}/7/article-${last}`)),
    'encoded ns': nsPerCall(() => matcher.match(`/section-${section}/caf%C3%A9/article-${last}`)),
    'no route ns': nsPerCall(() => matcher.match('/section-0/7/none/at/all')),
  }
}

/** Each section has ten routes: a static one, and nine below a dynamic folder with a layout. */
function filesFor(count) {
  const files = ['layout.tsx']
  for (let index = 0; index < count; index++) {
    const section = `(site)/section-${Math.floor(index / 10)}`
    if (index % 10 === 0) files.push(`${section}/about/page.tsx`, `${section}/[id]/layout.tsx`)
    else files.push(`${section}/[id]/article-${index}/page.tsx`)
  }
  return files
}

function timed(run) {
  const startMs = performance.now()
  const result = run()
  return [result, Number((performance.now() - startMs).toFixed(1))]
}

/** The minimum of several rounds, because other load of the machine can only slow down a round. */
function nsPerCall(run) {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    let calls = 0
    const startMs = performance.now()
    let elapsedMs = 0
    while (elapsedMs < roundMs / rounds) {
      for (let call = 0; call < 200; call++) run()
      calls += 200
      elapsedMs = performance.now() - startMs
    }
    best = Math.min(best, (elapsedMs / calls) * 1e6)
  }
  return Math.round(best)
}
