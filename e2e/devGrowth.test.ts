import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { describeModes, type Served } from './harness/describeModes.ts'

const preload = fileURLToPath(new URL('./harness/evaluationCounts.cjs', import.meta.url))

const counted = (name: string) =>
  `const { evaluated } = (globalThis as any).evaluationCounts\nevaluated.${name} = (evaluated.${name} ?? 0) + 1\n`

const files = {
  'proxy.ts': proxyFile(0),
  'app/untouched.ts': `${counted('untouched')}export const untouched = 'untouched'\n`,
  'app/untouchedClient.tsx': `'use client'\n${counted('untouchedClient')}export const Untouched = () => <i>untouched</i>\n`,
  'app/page.tsx': `import { Counter } from './counter.tsx'
import { greeting } from './greeting.ts'
import { untouched } from './untouched.ts'
import { Untouched } from './untouchedClient.tsx'

export default function Home() {
  return <main><h1>{greeting}</h1><p>{untouched}</p><Untouched /><Counter /></main>
}
`,
  'app/counts/route.ts':
    'export const GET = () => Response.json((globalThis as any).evaluationCounts)\n',
  // Evaluate this module for the first time after an edit, while a request waits for it.
  'app/slow/route.ts': `export async function GET() {
  await new Promise<void>((resolve) => { (globalThis as any).release = resolve })
  const { late } = await import('../late.ts')
  return new Response(await late())
}
`,
  'app/late.ts': `import { headers } from 'waymark/server'
export const late = async () => (await headers()).get('x-sent')
`,
  'app/release/route.ts': `export function GET() {
  const { release } = globalThis as any
  release?.()
  return new Response(String(release !== undefined))
}
`,
}

function proxyFile(edit: number): string {
  return `import { next } from 'waymark/server'
export default () => next({ headers: { 'x-edit': '${edit}' } })
`
}

type Counts = { enabledHooks: number; storages: number; evaluated: Record<string, number> }

async function countsOf(served: Served): Promise<Counts> {
  return (await served.fetch('/counts')).json() as Promise<Counts>
}

const pageOf = async (served: Served) => (await served.fetch('/')).text()

const app = { app: 'dev', files, env: { NODE_OPTIONS: `--require ${preload}` } }
const edits = [1, 2, 3, 4, 5]

describeModes('the dev server after many edits', { ...app, modes: ['dev'] }, (served) => {
  /**
   * Repeats an edit until the page shows it, because the watcher may miss a change shortly after
   * another one.
   */
  async function expectEdit(
    file: string,
    text: string,
    seen: () => Promise<string>,
    wanted: string,
  ): Promise<void> {
    await expect
      .poll(() => {
        served.app.edit(file, () => text)
        return seen()
      })
      .toContain(wanted)
  }

  test.each([
    ['a server file', 'app/greeting.ts', (n: number) => `export const greeting = 'edit-${n}'\n`],
    [
      'a client file',
      'app/counter.tsx',
      (n: number) => `'use client'\nexport const Counter = () => <b>edit-${n}</b>\n`,
    ],
  ])(
    'of %s evaluates nothing else again, and enables no further async hook',
    async (_, file, text) => {
      expect(await pageOf(served)).toContain('untouched')
      const before = await countsOf(served)
      for (const edit of edits) {
        await expectEdit(file, text(edit), () => pageOf(served), `edit-${edit}`)
      }
      expect(before.enabledHooks).toBe(1)
      expect(before.evaluated).toEqual({ untouched: 1, untouchedClient: 1 })
      expect(await countsOf(served)).toEqual(before)
    },
  )

  test('of styles evaluates nothing else again, and enables no further async hook', async () => {
    const link = /href="([^"]*global\.css[^"]*)"/
    const stylesOf = async () => {
      const [, href = ''] = link.exec(await pageOf(served)) ?? []
      return (await served.fetch(href, { headers: { accept: 'text/css' } })).text()
    }
    await stylesOf()
    const before = await countsOf(served)
    for (const edit of edits) {
      const text = `h1 { --edit: edit-${edit}; }\n`
      await expectEdit('app/global.css', text, stylesOf, `edit-${edit}`)
    }
    expect(await countsOf(served)).toEqual(before)
  })

  test('of proxy.ts preserves the scope of a running request', async () => {
    await pageOf(served)
    const before = await countsOf(served)
    const slow = served.fetch('/slow', { headers: { 'x-sent': 'before the edit' } })
    for (const edit of edits) {
      const editOf = async () => `edit-${(await served.fetch('/')).headers.get('x-edit')}`
      await expectEdit('proxy.ts', proxyFile(edit), editOf, `edit-${edit}`)
    }
    await expect.poll(async () => (await served.fetch('/release')).text()).toBe('true')
    expect(await (await slow).text()).toBe('before the edit')
    expect(await countsOf(served)).toEqual(before)
  })

  test('of .env restarts it, and enables no further async hook', async () => {
    await pageOf(served)
    const before = await countsOf(served)
    // Edit the file while requests load the app again.
    for (const value of [1, 2, 3, 4, 5]) {
      writeFileSync(join(served.app.root, '.env'), `PUBLIC_A=${value}\n`)
      for (let at = 0; at < 20; at++) {
        await Promise.race([pageOf(served).catch(() => {}), sleep(20)])
      }
    }
    // Requests may fail at first, because Vite closes its connections at each restart.
    await expect
      .poll(async () => {
        await pageOf(served)
        const { evaluated, enabledHooks } = await countsOf(served)
        return { enabledHooks, isAnew: Number(evaluated.untouched) > 1 }
      })
      .toEqual({ enabledHooks: before.enabledHooks, isAnew: true })
    expect(served.app.logs()).toContain('.env changed. Restarting the dev server.')
    expect(served.app.logs()).not.toContain('transport was disconnected')
    await (await served.fetch('/?anew')).text()
    const lines = () => served.app.logs().match(/^GET \/\?anew=… 200 in \d+ ms/gm)
    await expect.poll(lines).toHaveLength(1)
  })
})

describeModes(
  'the framework in the dev server',
  {
    app: 'dev',
    env: { DEBUG: 'vite:transform' },
    modes: ['dev'],
    files: {
      'app/broken/page.tsx': `import { part } from './part.ts'\nexport default () => part\n`,
      'app/broken/part.ts': `export const part = 'not closed\n`,
    },
  },
  (served) => {
    test('transforms imported modules in advance, and reports a broken one once', async () => {
      expect((await served.fetch('/broken')).status).toBe(500)
      expect(served.app.logs()).not.toContain('Pre-transform error')
    })

    test('is evaluated in the form that was written when the package was built', async () => {
      await pageOf(served)
      const transformed = served.app.logs()
      expect(transformed).toContain('app/page.tsx')
      expect(transformed).not.toMatch(/rscEntry|ssrEntry|dist\/dev\/server\//)
    })
  },
)
