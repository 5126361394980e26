import { expect, test } from 'vitest'
import { fontPlugin } from './fontPlugin.ts'

const root = new URL('../../../', import.meta.url).pathname

async function compiled(code: string): Promise<string> {
  const { transform } = fontPlugin(root) as unknown as {
    transform: { handler(this: object, code: string, id: string): Promise<{ code: string } | null> }
  }
  const context = {
    error(message: string) {
      throw new Error(message)
    },
  }
  const result = await transform.handler.call(context, code, `${root}app/layout.tsx`)
  return result?.code ?? ''
}

const google = "import { Source_Serif_4 } from 'next/font/google'\n"
const local = "import localFont from 'next/font/local.js'\n"

test.each([
  [
    `${google}export const serif = Source_Serif_4({ subsets: ['latin'], variable: '--s', weight: ['400', '700'], style: 'italic' })`,
    `{"variable":"--s","package":"@fontsource-variable/source-serif-4","subsets":["latin"],"styles":["italic"]}`,
  ],
  [`${google}const serif = Source_Serif_4({ axes: ['opsz'] })`, '"axis":"opsz"'],
  [`${google}const serif = Source_Serif_4()`, '{"package":"@fontsource-variable/source-serif-4"}'],
  [
    `${local}const own = localFont({ src: './a.woff2', weight: '100 900', adjustFontFallback: false })`,
    '{"adjust":false,"src":[{"path":"./a.woff2","weight":"100 900"}]}',
  ],
  [
    `${local}const own = localFont({ src: [{ path: './a.woff2' }] })`,
    '{"src":[{"path":"./a.woff2"}]}',
  ],
])('%s becomes a call of font()', async (code, options) => {
  const result = await compiled(code)
  expect(result).toContain('= $$nextFont(')
  expect(result).toContain(options)
  expect(result).toMatch(/\nimport \{ font as \$\$nextFont \} from '@waymark\/font'\n$/)
})

test.each([
  [
    "import { Not_There } from 'next/font/google'\nconst a = Not_There({ weight: '400' })",
    "Not_There() in app/layout.tsx: the package of this font is not installed. Install @fontsource-variable/not-there. If that package doesn't exist, install @fontsource/not-there.",
  ],
  [`${google}const a = Source_Serif_4({ subsets })`, 'Use literals only'],
])('%s is refused', async (code, message) => {
  await expect(compiled(code)).rejects.toThrow(message)
})

test('the import is removed, because the module exports nothing, but imports of types stay', async () => {
  const code = await compiled(
    `import { Source_Serif_4, type Other } from "next/font/google";\nimport type { NextFont } from 'next/font/local'\nconst a = Source_Serif_4()\nconst b = () => Source_Serif_4()`,
  )
  const [first, second, , fourth] = code.split('\n')
  expect(first).toMatch(/^const Source_Serif_4 = \(\) => \{ throw new Error\(.*\) \};$/)
  expect(second).toBe("import type { NextFont } from 'next/font/local'")
  expect(fourth).toBe('const b = () => Source_Serif_4()')
})

test('other modules are not changed', async () => {
  expect(await compiled("import { font } from 'waymark/font'\nfont({ src: [] })")).toBe('')
})
