import { parseAstAsync } from 'vite'
import { describe, expect, test } from 'vitest'
import { nameCachedCalls, wrapDirectives } from './cacheDirective.ts'

async function named(code: string): Promise<string | null> {
  return nameCachedCalls({ code, ast: await parseAstAsync(code), file: 'app/a.ts' })
}

async function wrapped(code: string): Promise<string | undefined> {
  const module = { code, ast: await parseAstAsync(code), file: 'app/a.ts', runtime: '/r.js' }
  return wrapDirectives(module)?.code
}

describe('a call of cached()', () => {
  const from = "import { cached } from 'waymark/server'\n"

  test('at the top level gets a name, by its place', async () => {
    const code = await named(`${from}const a = cached(f)\nexport default cached(g, { tags: [] },)`)
    expect(code).toContain('const a = cached(f, undefined, "app/a.ts#0")')
    expect(code).toContain('cached(g, { tags: [] }, "app/a.ts#1",)')
  })

  test('inside of another expression gets one, too', async () => {
    expect(await named(`${from}const o = { a: [cached(f)] }`)).toContain('"app/a.ts#0"')
  })

  test('keeps to the name that it is imported under', async () => {
    const code = "import { cached as keep } from 'waymark/server'\nconst a = keep(f)\ncached(g)"
    expect(await named(code)).toContain('keep(f, undefined, "app/a.ts#0")\ncached(g)')
  })

  test.each([
    ['inside of a function', `${from}function f() { return cached(g) }`],
    ['inside of a class', `${from}class A { static a = cached(g) }`],
    ['of somebody else', "import { cached } from 'other'\ncached(f)"],
    ['that has a name', `${from}cached(f, {}, 'mine')`],
  ])('%s is left alone', async (_, code) => {
    expect(await named(code)).toBeNull()
  })
})

describe('use cache', () => {
  test('in a function wraps it once, with what it captures as arguments', async () => {
    const code = await wrapped(
      'function Page({ id }) {\n  const get = async (n) => {\n    "use cache"\n    return id + n\n  }\n  return get(1)\n}',
    )
    expect(code).toContain('$$cachedByDirective($$cache_0_get$$impl, "app/a.ts#$$cache_0_get")')
    expect(code).toContain('.bind(null, id)')
    expect(code).toMatch(/async function \$\$cache_0_get\$\$impl\(id, n\)/)
    expect(code).toContain('import { cachedByDirective as $$cachedByDirective } from "/r.js"')
  })

  test('in a file wraps the functions that it exports', async () => {
    const code = await wrapped(
      '"use cache"\nexport async function a() {}\nexport const b = async () => {}\nexport const c = 1\nfunction d() {}',
    )
    expect(code).not.toContain('use cache')
    expect(code).toContain('"app/a.ts#a"')
    expect(code).toContain('"app/a.ts#b"')
    expect(code).not.toContain('(d, ')
  })

  test('in a file is gone once it is obeyed: the bundler warns of directives it does not know', async () => {
    const code = await wrapped("// about\n'use cache'\n'use strict'\nexport async function a() {}")
    expect(code).not.toContain('use cache')
    expect(code).toMatch(/^\/\/ about\n *\n'use strict'\n/)
  })

  test('in a function that is not async is refused', async () => {
    await expect(wrapped('export function a() { "use cache"; return 1 }')).rejects.toThrow(/async/)
  })

  test('as a text elsewhere means nothing', async () => {
    expect(await wrapped('export const text = "use cache"\nf("use cache")')).toBeUndefined()
  })

  test('gives equal sources equal names', async () => {
    const code = 'export async function a() { "use cache" }'
    expect(await wrapped(code)).toBe(await wrapped(code))
  })
})
