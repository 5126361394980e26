import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'

const thrower = (what: string) => `import { notFound } from 'waymark'
import { connection } from 'waymark/server'
export default async function Part() {
  await connection()
  ${what}
  return <p>fine</p>
}
`
const files = {
  'app/dash/layout.tsx': `import type { ReactNode } from 'react'
export const metadata = { title: 'Dashboard' }
export default function Dash({ children, side }: { children: ReactNode; side: ReactNode }) {
  return <main>{children}<aside>{side}</aside></main>
}
`,
  'app/dash/page.tsx': 'export default () => <h1>Dashboard</h1>\n',
  'app/dash/both/page.tsx': thrower("throw new Error('the page is broken')"),
  'app/dash/missing/page.tsx': thrower('notFound()'),
  'app/dash/error.tsx': "'use client'\nexport default () => <h1>The page failed</h1>\n",
  'app/dash/not-found.tsx': 'export default () => <h1>No such page</h1>\n',
  'app/dash/@side/default.tsx': thrower("throw new Error('the side is broken')"),
  'app/dash/@side/page.tsx': thrower("throw new Error('the side is broken')"),
  'app/dash/@side/both/page.tsx': thrower("throw new Error('the side is broken')"),
  'app/dash/@side/missing/page.tsx': thrower('notFound()'),
  'app/dash/@side/error.tsx': "'use client'\nexport default () => <p>The side failed</p>\n",
}

describeApp('a slot that throws, with its own error file', { app: 'basic', files }, (served) => {
  test('fails alone: status and title are those of the page', async () => {
    const response = await served.fetch('/dash')
    const html = await response.text()
    expect(html).toContain('<h1>Dashboard</h1>')
    expect(html).toContain('The side failed')
    expect(html).toContain('<title>Dashboard</title>')
    expect(html).not.toContain('noindex')
    expect(response.status).toBe(200)
    // The response still has a digest, with which the error can be looked up.
    expect(response.headers.get('x-waymark-digest')).toBeTruthy()
  })

  test('shows its screen next to the screen of a page that also throws', async () => {
    const response = await served.fetch('/dash/both')
    const html = await response.text()
    expect(html).toContain('The page failed')
    expect(html).toContain('The side failed')
    expect(response.status).toBe(500)
  })

  test('may be missing together with its page', async () => {
    const response = await served.fetch('/dash/missing')
    const html = await response.text()
    expect(html.split('No such page').length).toBeGreaterThan(2)
    expect(response.status).toBe(404)
  })
})
