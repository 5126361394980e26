import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { type FaultProxy, startFaultProxy } from './harness/faults/proxy.ts'
import { openPage } from './harness/page.ts'

// Cut the document between elements, within a tag, and in a field that React writes.
const places = Array.from({ length: 16 }, (_, index) => (index + 1) / 17)

const files = {
  'app/board/layout.tsx': `import type { ReactNode } from 'react'

export default ({ children, modal }: { children: ReactNode; modal: ReactNode }) => <>{children}{modal}</>
`,
  'app/board/@modal/default.tsx': 'export default () => null',
  'app/board/page.tsx': `import { connection } from 'waymark/server'
import { Comments } from './comments.tsx'

async function comment(at: number, fields: FormData) {
  'use server'
  void [at, fields]
}

export default async function Board() {
  await connection()
  return <article><h1>Board</h1><Comments action={comment.bind(null, 7)} /></article>
}
`,
  'app/board/comments.tsx': `'use client'

import { useEffect, useState } from 'react'

export function Comments({ action }: { action: (fields: FormData) => Promise<void> }) {
  const [isHydrated, hydrate] = useState(false)
  useEffect(() => hydrate(true), [])
  return (
    <section>
      <ul className="comments" />
      <form action={action}>
        <textarea name="text" />
        <p><button type="submit" data-hydrated={isHydrated}>save</button></p>
      </form>
    </section>
  )
}
`,
}

const app = { app: 'core', files, modes: ['production'] } as const

describeModes('a document that ends early', app, (served) => {
  let proxy: FaultProxy
  let bytes: Buffer
  beforeAll(async () => {
    proxy = await startFaultProxy(served.app.origin)
    bytes = Buffer.from(await (await served.fetch('/board')).arrayBuffer())
  })
  afterAll(() => proxy?.stop())

  test('shows its page, wherever its text ends', { timeout: 120_000 }, async () => {
    const begin = bytes.indexOf('<header')
    const end = bytes.indexOf(' type="text/x-component"')
    expect(end).toBeGreaterThan(begin)
    const { page } = await openPage(proxy)
    for (const place of places) {
      const afterBytes = Math.round(begin + (end - begin) * place)
      proxy.clear()
      const rule = proxy.inject(
        { kind: 'cut', afterBytes, ending: 'clean' },
        { match: ({ target }) => target === '/board' },
      )
      await page.goto('/board', { waitUntil: 'commit' })
      const where = bytes.subarray(afterBytes - 40, afterBytes).toString()
      const button = page.getByRole('button', { name: 'save' })
      await expect.poll(() => button.count(), { message: `cut after ${where}` }).toBe(1)
      await page.locator('form button[data-hydrated=true]').waitFor()
      expect(rule.hits).toBeGreaterThan(0)
    }
  })
})

const alone = {
  app: 'basic',
  files: {
    'app/layout.tsx': `import type { ReactNode } from 'react'

export default ({ children }: { children: ReactNode }) => <html lang="en"><body>{children}</body></html>
`,
    'app/page.tsx': `import { Ready } from './ready.tsx'

export default () => <main><h1>Home</h1><Ready /></main>
`,
    'app/ready.tsx': `'use client'

import { useEffect, useState } from 'react'

export function Ready() {
  const [isHydrated, hydrate] = useState(false)
  useEffect(() => hydrate(true), [])
  return <p data-hydrated={isHydrated}>count {3}</p>
}
`,
  },
  modes: ['production'],
} as const

describeModes('a document whose comments were removed by a proxy', alone, (served) => {
  test('shows its page', async () => {
    const { page } = await openPage(served.app)
    await page.route(`${served.app.origin}/`, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/<!--.*?-->/gs, '')
      await route.fulfill({ response, body })
    })
    await page.goto('/')
    await page.locator('[data-hydrated=true]').waitFor()
    expect(await page.getByRole('heading', { name: 'Home' }).count()).toBe(1)
  })
})
