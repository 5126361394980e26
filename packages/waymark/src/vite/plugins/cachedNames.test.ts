import { parseAstAsync } from 'vite'
import { describe, expect, test } from 'vitest'
import { nameCachedCalls } from './cachedNames.ts'

async function named(code: string): Promise<string | null> {
  return nameCachedCalls({ code, ast: await parseAstAsync(code), file: 'app/a.ts' })
}

describe('a call of cached()', () => {
  const from = "import { cached } from 'waymark/server'\n"

  test('at the top level gets a name with its position', async () => {
    const code = await named(`${from}const a = cached(f)\nexport default cached(g, { tags: [] },)`)
    expect(code).toContain('const a = cached(f, undefined, "app/a.ts#0")')
    expect(code).toContain('cached(g, { tags: [] }, "app/a.ts#1",)')
  })

  test('inside another expression also gets a name', async () => {
    expect(await named(`${from}const o = { a: [cached(f)] }`)).toContain('"app/a.ts#0"')
  })

  test("is found by the name under which it's imported", async () => {
    const code = "import { cached as keep } from 'waymark/server'\nconst a = keep(f)\ncached(g)"
    expect(await named(code)).toContain('keep(f, undefined, "app/a.ts#0")\ncached(g)')
  })

  test.each([
    ['inside of a function', `${from}function f() { return cached(g) }`],
    ['inside of a class', `${from}class A { static a = cached(g) }`],
    ['of somebody else', "import { cached } from 'other'\ncached(f)"],
    ['that has a name', `${from}cached(f, {}, 'mine')`],
  ])('%s stays unchanged', async (_, code) => {
    expect(await named(code)).toBeNull()
  })
})
