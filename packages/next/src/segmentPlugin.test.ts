import { expect, test } from 'vitest'
import { segmentNotes, withoutClientOptions, withSegmentOptions } from './segmentPlugin.ts'

const rewrite = (code: string) => withSegmentOptions('/app/page.tsx', code).split('\nimport')[0]

test.each([
  [
    "export const runtime = 'edge'\nexport default function A() { return 1 }",
    "const runtime = 'edge'\nexport default function A() { return 1 }",
  ],
  [
    'export const revalidate = 5\nexport default () => ({ a: 1 })',
    'export const revalidate = 5\nexport default () => ($$enterSegment({ revalidate }), ({ a: 1 }))',
  ],
  [
    "export const fetchCache = 'only-cache'\nasync function A() { 'use cache'; return 1 }\nexport default A",
    "const fetchCache = 'only-cache'\nasync function A() { 'use cache';;$$enterSegment({ fetchCache }); return 1 }\nexport default A",
  ],
  [
    'export const revalidate = 5\nexport const generateMetadata = () => { return {} }',
    'export const revalidate = 5\nexport const generateMetadata = () => {;$$enterSegment({ revalidate }); return {} }',
  ],
])('%j becomes %j', (code, expected) => {
  expect(rewrite(code)).toBe(expected)
})

test("a client file is not changed, and neither is a file that can't be parsed", () => {
  for (const code of ["'use client'\nexport const maxDuration = 1", 'export const = 1']) {
    expect(withSegmentOptions('/app/page.tsx', code)).toBe(code)
  }
})

test.each([
  [
    "unstable_instant = { prefetch: 'static' }",
    /^2: unstable_instant is not supported: wrap slow parts/,
  ],
  ["ensureStatic = 'navigation'", /^2: ensureStatic is not supported: .*dynamic = 'error'/],
  ["prefetch = 'force-disabled'", /^2: prefetch is not supported: .*prefetch=\{false\}/],
])('%s is named with its line', (option, note) => {
  const code = `// A page.\nexport const ${option}\nexport const other = 1\n`
  expect(segmentNotes(code)).toEqual([expect.stringMatching(note)])
  expect(segmentNotes(`const ${option}\nexport const instantly = 1`)).toEqual([])
})

test("options in a file with 'use client' are removed and reported, and other exports stay", () => {
  const code =
    "'use client'\nexport const dynamic = 'force-dynamic'\nexport const own = 1\nexport const revalidate = 0, runtime = 'edge'\n"
  const stripped = withoutClientOptions('/app/page.tsx', code)
  expect(stripped.code.split('\n').map((line) => line.trim())).toEqual([
    "'use client'",
    "const dynamic = 'force-dynamic'",
    'export const own = 1',
    "const revalidate = 0, runtime = 'edge'",
    '',
  ])
  expect(stripped.notes).toEqual([
    expect.stringMatching(/^2: dynamic has no effect in a file with 'use client'/),
    expect.stringMatching(/^4: revalidate, runtime has no effect/),
  ])
  const server = code.replace("'use client'", '')
  expect(withoutClientOptions('/app/page.tsx', server)).toEqual({ code: server, notes: [] })
})
