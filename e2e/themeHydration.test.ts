import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydrated, openPage } from './harness/page.ts'

const page = (name: string, props: string) => `
  export default function ${name}({ children }) {
    return <html lang="en" ${props}><body><button>Press</button>{children}</body></html>
  }`

/** Root layouts, and what of `<html>` has to be as they rendered it. */
const layouts: readonly (readonly [name: string, files: Record<string, string>, style: string])[] =
  [
    ['a plain layout', { 'app/layout.tsx': page('RootLayout', '') }, ''],
    [
      'a layout with a class and a style',
      {
        'app/layout.tsx': page(
          'RootLayout',
          `className="app wide" style={{ fontSize: '20px', accentColor: 'red' }}`,
        ),
      },
      '20px',
    ],
    [
      'a component of the layout',
      {
        'app/shell.tsx': page('Shell', `style={{ fontSize: '20px' }}`),
        'app/layout.tsx': `
          import Shell from './shell.tsx'
          export default function RootLayout({ children }) { return <Shell>{children}</Shell> }`,
      },
      '20px',
    ],
    [
      'a client component',
      { 'app/layout.tsx': `'use client'\n${page('RootLayout', `className="app"`)}` },
      '',
    ],
  ]

const withClasses = `
  import { defineConfig } from 'vite'
  import { waymark } from 'waymark/vite'
  export default defineConfig({
    plugins: [waymark({ theme: { attribute: ['class', 'data-mode'] } })],
  })`

for (const [name, files, fontSize] of layouts) {
  describeModes(
    `hydration of <html> in ${name}`,
    { app: 'theme', files: { 'vite.config.ts': withClasses, ...files } },
    (served) => {
      test('is quiet, and leaves what is rendered and the theme', async () => {
        const { page, expectQuietConsole } = await openPage(served.app, { colorScheme: 'dark' })
        await page.goto('/')
        await hydrated(page.getByRole('button'))
        const html = page.locator('html')
        expect(await html.getAttribute('class')).toMatch(/\bdark$/)
        expect(await html.getAttribute('data-mode')).toBe('dark')
        const style = await html.evaluate(({ style, attributes }) => ({
          fontSize: style.fontSize,
          scheme: style.colorScheme,
          names: [...attributes].map((attribute) => attribute.name),
        }))
        expect(style).toMatchObject({ fontSize, scheme: 'dark' })
        expect(style.names).toContain('data-theme-preference')
        expectQuietConsole()
      })
    },
  )
}
