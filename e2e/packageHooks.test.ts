import { describe, expect, test } from 'vitest'
import { runWaymark } from './harness/commandLine.ts'
import { describeModes, type Served } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { recordScripts } from './harness/recordScripts.ts'
import { heading } from './harness/visit.ts'

const pages = {
  'app/page.tsx': `import { Link } from 'waymark'
import { Counter } from './counter.tsx'
import { save } from './save.ts'

export default function Page() {
  return (
    <>
      <h1>First page</h1>
      <Counter />
      <Link href="/next">Next page</Link>
      <form action={save}><button>Save</button></form>
    </>
  )
}
`,
  'app/counter.tsx': `'use client'
import { useState } from 'react'

export function Counter() {
  const [count, setCount] = useState(0)
  return <button onClick={() => setCount(count + 1)}>Clicked {count}</button>
}
`,
  'app/save.ts': `'use server'
import { redirect } from 'waymark'

export async function save() {
  redirect('/next')
}
`,
  'app/next/page.tsx': `export default function Next() {
  return <h1>Next page</h1>
}
`,
}

const describePackage = `import { definePackage } from 'waymark/plugin'

const here = (file: string, name: string) => ({ module: new URL(file, import.meta.url), name })
`

/**
 * Three packages: one has hooks that throw, one counts calls and, in development, one has a module
 * that throws.
 */
const withBrokenHooks = {
  ...pages,
  'vite.config.ts': `import { defineConfig } from 'vite'
import { waymark } from 'waymark/vite'
import { counting, dead, throwing } from './packages/vite'

export default defineConfig(({ command }) => ({
  plugins: [waymark(), throwing(), command === 'serve' && dead(['onBoot', 'readPayload']), counting()],
}))
`,
  'packages/vite.ts': `${describePackage}
export const throwing = () =>
  definePackage('throwing', () => ({
    client: {
      onEvent: here('./throwing.ts', 'onEvent'),
      onIdle: here('./throwing.ts', 'onIdle'),
      onRouter: here('./throwing.ts', 'onRouter'),
      readPayload: here('./throwing.ts', 'readPayload'),
    },
  }))

export const dead = (hooks: readonly string[]) =>
  definePackage('dead', () => ({
    client: Object.fromEntries(hooks.map((hook) => [hook, here('./dead.ts', hook)])),
  }))

export const counting = () =>
  definePackage('counting', () => ({
    client: {
      onEvent: here('./counting.ts', 'onEvent'),
      onBoot: here('./counting.ts', 'onBoot'),
      onIdle: here('./counting.ts', 'onIdle'),
      onRouter: here('./counting.ts', 'onRouter'),
      readPayload: here('./counting.ts', 'readPayload'),
    },
    options: { secret: 'for the server alone' },
    clientOptions: { greeting: 'from the configuration' },
  }))
`,
  'packages/calls.ts': `export const calls: Record<string, number> = {}
Object.assign(globalThis, { calls })

/** @returns the number of calls so far. Hooks use it to end endless loops, which the tests can then detect. */
export function count(name: string): number {
  calls[name] = (calls[name] ?? 0) + 1
  return calls[name]
}
`,
  'packages/throwing.ts': `import { count } from './calls'

export function onEvent() {
  if (count('throwing onEvent') < 300) throw new Error('onEvent throws')
}
export async function onIdle() {
  count('throwing onIdle')
  throw new Error('onIdle rejects')
}
export function onRouter() {
  throw new Error('onRouter throws')
}
export function readPayload() {
  return {
    chunk() {
      count('throwing readPayload')
      throw new Error('readPayload throws')
    },
  }
}
`,
  'packages/dead.ts': `throw new Error('the module throws')
export const onBoot = () => {}
export const onRouter = () => {}
export const readPayload = () => ({ chunk() {} })
`,
  'packages/counting.ts': `import { calls, count } from './calls'

export function onEvent(event: { type: string }, options: object) {
  count('onEvent')
  count('event ' + event.type)
  if (event.type !== 'error' || count('rejections') > 300) return
  // Reporting this uncaught error emits another event, which could cause an endless loop.
  void Promise.reject(new Error('a promise of onEvent rejects'))
}
export function onBoot(_startRouter: () => void, options: object) {
  count('onBoot')
  Object.assign(calls, options)
}
export const onIdle = () => void count('onIdle')
export const onRouter = () => void count('onRouter')
export const readPayload = () => ({
  chunk: () => void count('chunk'),
  end: () => void count('end'),
})
`,
}

const hookErrors = ['onEvent throws', 'onIdle rejects', 'onRouter throws', 'readPayload throws']

/** Returns the error messages in the app's journal. */
async function listErrors(served: Served): Promise<readonly string[]> {
  const args = ['errors', '--json', '--limit', '100']
  const { output } = await runWaymark(args, served.app.root)
  const entries: readonly { readonly message: string }[] = JSON.parse(output)
  return entries.map(({ message }) => message)
}

describeModes(
  'packages with broken hooks',
  { app: 'recipes', files: withBrokenHooks },
  (served) => {
    test('do not affect the page and the hooks of others, and are reported once', async () => {
      const { page } = await openPage(served.app)
      await page.goto('/')
      await hydrated(page)
      // Dispatch the event, because in development the overlay with the errors covers the page.
      await page.getByRole('button', { name: 'Clicked 0' }).dispatchEvent('click')
      await page.getByRole('button', { name: 'Clicked 1' }).waitFor()
      await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
      await page.getByRole('link', { name: 'Next page' }).dispatchEvent('click')
      await heading(page, 'Next page').waitFor()
      expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
      const calls = () =>
        page.evaluate(() => (globalThis as { calls?: Record<string, unknown> }).calls)
      await expect.poll(calls).toMatchObject({
        greeting: 'from the configuration',
        onBoot: 1,
        onIdle: 1,
        onRouter: 1,
        chunk: expect.any(Number),
        end: 2,
        'throwing onEvent': 1,
        'throwing onIdle': 1,
        'throwing readPayload': 1,
      })
      const errors = served.mode === 'dev' ? [...hookErrors, 'the module throws'] : hookErrors
      const list = () => listErrors(served)
      await expect.poll(list).toEqual(expect.arrayContaining(errors))
      // Reported errors cause an `error` event only in development, where the first page may be
      // reloaded.
      const rejections = served.mode === 'dev' ? ['a promise of onEvent rejects'] : []
      expect([...new Set(await list())].sort()).toEqual([...errors, ...rejections].sort())
      const errorEvents = Number((await calls())?.['event error'] ?? 0)
      expect(errorEvents).toBeLessThanOrEqual(served.mode === 'dev' ? errors.length + 1 : 0)
    })

    test('browsers get only their own options', async () => {
      const { page } = await openPage(served.app)
      const scriptTexts = recordScripts(page)
      await page.goto('/')
      await hydrated(page)
      const text = await scriptTexts()
      expect(text).toContain('from the configuration')
      expect(text).not.toContain('for the server alone')
    })
  },
)

/**
 * Returns the files of a package whose module throws in a build. The hook decides when the module
 * is loaded: with the first script, before React, or later.
 */
const deadIn = (hook: string) => ({
  ...withBrokenHooks,
  'vite.config.ts': `import { defineConfig } from 'vite'
import { waymark } from 'waymark/vite'
import { dead } from './packages/vite'

export default defineConfig({ plugins: [waymark(), dead(['${hook}'])] })
`,
})

describe.each(['onBoot', 'readPayload', 'onRouter'])('a module of %s that throws', (hook) => {
  const options = { app: 'recipes', files: deadIn(hook), modes: ['production'] } as const
  describeModes('keeps the document working', options, (served) => {
    test('with links and forms, and reports the error', async () => {
      const { page } = await openPage(served.app)
      await page.goto('/')
      const list = () => listErrors(served)
      await page.getByRole('link', { name: 'Next page' }).hover()
      await expect.poll(list).toContain('the module throws')
      await page.getByRole('link', { name: 'Next page' }).click()
      await heading(page, 'Next page').waitFor()
      await page.goto('/')
      await page.getByRole('button', { name: 'Save' }).click()
      // If only the router is missing, React has hydrated the form, so the form's action fails.
      if (hook === 'onRouter') await heading(page, 'First page').waitFor({ state: 'detached' })
      else await heading(page, 'Next page').waitFor()
    })
  })
})

const withBrokenGuards = {
  ...pages,
  'vite.config.ts': `import { defineConfig } from 'vite'
import { waymark } from 'waymark/vite'
import { broken } from './packages/vite'

export default defineConfig({ plugins: [waymark(), broken()] })
`,
  'packages/vite.ts': `${describePackage}
export const broken = () =>
  definePackage('broken', () => ({
    client: {
      queueCalls: here('./broken.ts', 'queueCalls'),
      sealedUser: here('./broken.ts', 'sealedUser'),
    },
  }))
`,
  'packages/broken.ts': `export function queueCalls() {
  throw new Error('queueCalls throws')
}
export function sealedUser() {
  if (location.hash === '#broken') throw new Error('sealedUser throws')
  return null
}
`,
}

const productionOnly = { app: 'recipes', files: withBrokenGuards, modes: ['production'] } as const

describeModes('a package whose guards throw', productionOnly, (served) => {
  test('an action runs without its queue', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/')
    await hydrated(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await heading(page, 'Next page').waitFor()
  })

  test('a navigation without a known user loads a document', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/#broken')
    await hydrated(page)
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
    await page.getByRole('link', { name: 'Next page' }).click()
    await heading(page, 'Next page').waitFor()
    await expect.poll(() => page.evaluate(() => 'isSameDocument' in window)).toBe(false)
  })

  test('an action without a known user is not sent', async () => {
    const { page } = await openPage(served.app)
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && !request.url().endsWith('/errors'))
        posts.push(request.url())
    })
    await page.goto('/#broken')
    await hydrated(page)
    await page.getByRole('button', { name: 'Save' }).click()
    // The page's error screen replaces the page, because the action rejects.
    await heading(page, 'First page').waitFor({ state: 'detached' })
    expect(await heading(page, 'Next page').count()).toBe(0)
    expect(posts).toEqual([])
  })
})
