import { parseAstAsync } from 'vite'
import { describe, expect, test } from 'vitest'
import { replaceRemoteDirectives, wrapExports, wrapFunctions } from './cacheDirective.ts'

/** Applies `wrapFunctions` and `wrapExports`, in the same order as the plugins. */
async function wrapped(source: string): Promise<string | undefined> {
  let code = source
  for (const wrap of [wrapFunctions, wrapExports]) {
    const module = { code, ast: await parseAstAsync(code), file: 'app/a.ts', runtime: '/r.js' }
    code = wrap(module)?.code ?? code
  }
  return code === source ? undefined : code
}

test("'use cache: remote' is replaced by 'use cache', and positions don't change", () => {
  const code = "async function a() {\n  'use cache: remote'; return 'use cache: remote'\n}"
  expect(replaceRemoteDirectives('a.ts', code)).toBe(
    "async function a() {\n  'use cache'        ; return 'use cache: remote'\n}",
  )
})

test("'use cache: private' is refused with its line", () => {
  const code = "export async function a() {\n  'use cache: private'\n  return 1\n}"
  expect(() => replaceRemoteDirectives('lib/a.ts', code)).toThrow(
    /^lib\/a\.ts:2: 'use cache: private' is not supported, .* write 'use cache'\.$/,
  )
})

test("'use cache' with a named store is refused with its line", () => {
  const code = "export async function a() {\n  'use cache: sessions'\n  return 1\n}"
  expect(() => replaceRemoteDirectives('lib/a.ts', code)).toThrow(
    "lib/a.ts:2: 'use cache: sessions' names a store, but all cached functions share one store. Write 'use cache'. server.ts can set a different store for the app.",
  )
})

describe('use cache', () => {
  test('in a function wraps it once, with captured values as arguments', async () => {
    const code = await wrapped(
      'function Page({ id }) {\n  const get = async (n) => {\n    "use cache"\n    return id + n\n  }\n  return get(1)\n}',
    )
    expect(code).toContain('$$cachedFunction($$cache_0_get$$impl, "app/a.ts#$$cache_0_get", 2)')
    expect(code).not.toContain('use cache')
    expect(code).toContain('.bind(null, id)')
    expect(code).toMatch(/async function \$\$cache_0_get\$\$impl\(id, n\)/)
    expect(code).toContain('import { cachedByDirective as $$cachedFunction } from "/r.js"')
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

  test('in a file is removed, because the bundler warns about unknown directives', async () => {
    const code = await wrapped("// about\n'use cache'\n'use strict'\nexport async function a() {}")
    expect(code).not.toContain('use cache')
    expect(code).toMatch(/^\/\/ about\n *\n'use strict'\n/)
  })

  test("in a file also wraps functions that have the directive but aren't exported", async () => {
    const code = await wrapped(
      '"use cache"\nasync function a() {\n  "use cache"\n  return 1\n}\nexport async function b() { return a() }',
    )
    expect(code).not.toContain('use cache')
    expect(code).toContain('$$cachedFunction($$cache_0_a$$impl, "app/a.ts#$$cache_0_a", 0)')
    expect(code).toContain('$$cachedExport(b, "app/a.ts#b", 0)')
  })

  test('in a function that is not async is refused', async () => {
    await expect(wrapped('export function a() { "use cache"; return 1 }')).rejects.toThrow(/async/)
  })

  test.each([
    ['async function a() {', 0],
    ['async function a({ id }, n) {', 2],
    ['async function a(n = 1, { id } = {}) {', 2],
    ['async function a(n, ...rest) {', null],
    ['async function a() { arguments;', null],
  ])('counts the parameters of %s', async (head, count) => {
    const args = count === null ? '' : `, ${count}`
    expect(await wrapped(`'use cache'\nexport ${head} }`)).toContain(`(a, "app/a.ts#a"${args})`)
    expect(await wrapped(`'use cache'\n${head} }\nexport { a as b }`)).toContain(
      `(a, "app/a.ts#b"${args})`,
    )
    expect(await wrapped(`'use cache'\n${head} }\nexport default a`)).toContain(
      `"app/a.ts#default"${args})`,
    )
  })

  test('in a file counts the parameters of arrow functions, and of nothing that is computed', async () => {
    const code = await wrapped(
      "'use cache'\nexport const a = async (n) => n\nconst b = async () => {}\nexport default b\nexport const c = memo(async () => {})\nexport { d } from './d'",
    )
    expect(code).toContain('"app/a.ts#a", 1)')
    expect(code).toContain('"app/a.ts#default", 0)')
    expect(code).toContain('"app/a.ts#c")')
    expect(code).toContain('"app/a.ts#d")')
  })

  test('as a string that is not a directive has no effect', async () => {
    expect(await wrapped('export const text = "use cache"\nf("use cache")')).toBeUndefined()
  })

  test('gives equal sources equal names', async () => {
    const code = 'export async function a() { "use cache" }'
    expect(await wrapped(code)).toBe(await wrapped(code))
  })
})
