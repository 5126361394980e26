import { parseAstAsync } from 'vite'
import { describe, expect, test } from 'vitest'
import type { FontOptions } from './createFont.ts'
import { familyStyles, resolveFamily } from './faces.ts'
import { findFontCalls, fonts, readLiteral } from './fontPlugin.ts'

const importer = new URL('../../../site/app/layout.tsx', import.meta.url).pathname
const folder = new URL('../../../node_modules/', import.meta.url).pathname
const place = {
  importer,
  findPackage: (name: string) => (name.startsWith('@') ? folder + name : null),
}
const serif = '@fontsource-variable/source-serif-4'

const stylesOf = (options: FontOptions) =>
  familyStyles(resolveFamily(options, place), options, 'font-a')

const from = "import { font as load } from '@waymark/font'\n"

async function optionsOf(code: string): Promise<unknown[]> {
  const calls = findFontCalls(await parseAstAsync(from + code, { lang: 'tsx' }))
  return calls.map(({ argument }) => readLiteral(argument))
}

describe('a call of font()', () => {
  test('is found under the name that it is imported as, exported or not', async () => {
    const code =
      "const a = load({ package: 'x' }), b = other({})\nexport const c = load({ src: [{ path: 'y' }] })"
    expect(await optionsOf(code)).toEqual([{ package: 'x' }, { src: [{ path: 'y' }] }])
  })

  test.each([
    'load({ package: name })',
    'load({ ...rest })',
    'load({ [key]: 1 })',
    'load(options)',
  ])('%s is refused, because its value is only known at run time', async (call) => {
    await expect(optionsOf(`const a = ${call}`)).rejects.toThrow(/literals/)
  })

  test('keeps directives first and line numbers unchanged', async () => {
    const plugin = fonts()[1] as never as {
      configResolved(config: { root: string }): void
      transform: {
        handler(this: object, code: string, id: string): Promise<{ code: string } | null>
      }
    }
    plugin.configResolved({ root: folder })
    const code = `// about\n'use client'\n${from}const a = load({\n  package: '${serif}',\n})\nlast()`
    const built = await plugin.transform.handler.call({}, code, importer)
    expect(built?.code).toMatch(/^\/\/ about\n'use client'\nimport \{ createFont as/)
    expect(built?.code).toMatch(
      /const a = \$\$createFont\(\{"className":"font-\w{8}",.*"files":\[\[\$\$font_0_0, "font\/woff2"\]\]\}\)\n\n\nlast\(\)$/,
    )
  })
})

describe('the style sheet', () => {
  test('limits each subset to its characters, and scales a fallback to the same size', () => {
    const { css, fontFamily } = stylesOf({ package: serif, variable: '--serif' })
    expect(fontFamily).toBe('"Source Serif 4", "Source Serif 4 Fallback", serif')
    expect(css.match(/unicode-range/g)?.length).toBeGreaterThan(3)
    expect(css).toContain('font-weight: 200 900')
    expect(css).toMatch(
      /local\("Times New Roman"\).*\n {2}size-adjust: 11\d\.\d\d%;\n {2}ascent-override: \d\d\.\d\d%;/,
    )
    expect(css).toContain('.font-a-variable { --serif: "Source Serif 4"')
  })

  test('preloads at most two files', () => {
    const options = { package: serif, subsets: ['latin', 'cyrillic', 'greek'] }
    const { faces } = resolveFamily(options, place)
    expect(faces.filter(({ isPreloaded }) => isPreloaded)).toHaveLength(2)
    expect(
      resolveFamily({ ...options, preload: false }, place).faces.some((each) => each.isPreloaded),
    ).toBe(false)
  })

  test.each([
    [
      { package: 'not-there' },
      'The font package not-there is not installed. Install it, or correct the name.',
    ],
    [{ package: serif, subsets: ['klingon'] }, /has no subset klingon\. It has: .*latin/],
    [{ package: '@types/node' }, /not a Fontsource package, because its metadata\.json/],
    [{ src: './missing.woff2' }, /site\/app\/missing\.woff2 can't be read: ENOENT/],
    [{ src: './layout.tsx' }, /has an unknown type\. Use a woff2/],
    [{ src: [] }, /empty src/],
    [{}, /either package: .* or src/],
  ] satisfies [FontOptions, string | RegExp][])('%j is refused', (options, message) => {
    expect(() => stylesOf(options)).toThrow(message)
  })
})
