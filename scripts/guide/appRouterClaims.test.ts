import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../workspace/paths.mjs'

const page = readFileSync(join(root, 'site/app/guide/coming-from-the-app-router/page.mdx'), 'utf8')
const next = 'packages/next/src'
const core = 'packages/waymark/src'

/** The beginning of each claim in the page's first two sections, and the tests that prove it. */
const claims: readonly (readonly [string, ...(readonly [string, string])[]])[] = [
  ['files and folders', ['e2e/nextFirstDay.test.ts', 'an unchanged App Router app']],
  [
    'imports from',
    ['e2e/nextNames.test.ts', 'an App Router app with its own imports'],
    ['e2e/nextPackages.test.ts', 'packages of App Router apps'],
  ],
  [
    'server actions',
    ['e2e/nextNames.test.ts', 'submits forms to pages and to actions'],
    ['e2e/nextSame.test.ts', 'the names of next have the same meaning'],
  ],
  [
    "`'use cache'`",
    ['e2e/nextNames.test.ts', "a component with 'use cache' is cached without its children"],
    ['e2e/nextNames.test.ts', 'caches fetch requests that ask for it'],
  ],
  ['`middleware.ts`', ['e2e/nextNames.test.ts', 'runs middleware.ts, which redirects']],
  [
    'redirects, rewrites',
    ['e2e/nextNames.test.ts', 'next.config rewrites before pages'],
    ['e2e/nextBasePath.test.ts', 'redirects outside of the base'],
  ],
  ['fonts from', ['e2e/nextNames.test.ts', 'renders fonts, images, variables and metadata']],
  ['Tailwind', ['e2e/nextFirstDay.test.ts', 'shows its font, its style, and SVG files']],
  [
    'scripts, dependencies',
    [`${next}/move/runMove.test.ts`, 'moves the configuration files'],
    [`${next}/move/runMove.test.ts`, 'in the root of a workspace'],
  ],
  ['calls of', [`${next}/move/runMove.test.ts`, 'waits for values that are promises now']],
  ['`pages/`', [`${next}/move/runMove.test.ts`, 'Waymark only supports the App Router']],
  ['`cookies()`', ['e2e/nextFirstDay.test.ts', 'explains code that reads cookies without waiting']],
  ['`next/dist/…`', [`${next}/missingNamesPlugin.test.ts`, 'the error for a missing module']],
  [
    'the image proxy',
    [`${next}/readConfig.test.ts`, 'unsupported keys of experimental and images'],
  ],
  ["`'use cache: private'`", [`${next}/cacheDirective.test.ts`, "'use cache: private' is refused"]],
  ['`runtime`', [`${next}/move/runMove.test.ts`, 'reports code that behaves differently']],
  ['a page outside', [`${core}/routing/validate.test.ts`, 'NO_ROOT_LAYOUT']],
  ['an intercepted route', [`${core}/routing/validate.test.ts`, 'INTERCEPT_WITHOUT_TARGET']],
  ['a rewrite to a host', [`${next}/rules.test.ts`, 'host ends with a param']],
]

function sectionOf(title: string): string {
  return page.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
}

test('each claim about what moves, and what is refused, has a test', () => {
  const moved = [...sectionOf('What moves by itself').matchAll(/^- (.*)$/gm)]
  const refused = [...sectionOf('What Waymark refuses').matchAll(/^\| (?!refused|---)(.*?) \|/gm)]
  const written = [...moved, ...refused].map(([, claim = '']) => claim)
  expect(written).toHaveLength(claims.length)
  claims.forEach(([start], index) => {
    expect(written[index]).toMatch(new RegExp(`^${start.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`))
  })
})

const rows = claims.map(([start, ...tests]) => ({ start, tests }))

test.each(rows)('the tests of "$start" exist', ({ tests }) => {
  for (const [file, title] of tests) {
    expect(readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'")).toContain(title)
  }
})
