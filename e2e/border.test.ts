import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../scripts/workspace/paths.mjs'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeApp, describeModes, type Served } from './harness/describeModes.ts'
import { pathForms } from './harness/pathForms.ts'
import { rawRequest } from './harness/rawRequest.ts'

const data = '/_waymark/data'
const secrets = /sk_live|hash-of-ada/

/** All headers of the framework's internal protocol, as listed in its source code. */
const internalHeaders = [
  ...readFileSync(join(root, 'packages/waymark/src/wire/protocol.ts'), 'utf8').matchAll(
    /Header = '([\w-]+)'/g,
  ),
].map(([, name]) => String(name))

describeApp('the border between server and client', { app: 'security' }, (served) => {
  test.each(['object', 'value', 'text'])(
    'a tainted %s fails its page and its data, and the log says why',
    async (kind) => {
      for (const path of [`/tainted/${kind}`, `${data}/tainted/${kind}.rsc`]) {
        const response = await served.fetch(path)
        expect([path, response.status]).toEqual([path, 500])
        expect(await response.text()).not.toMatch(secrets)
        expect(response.headers.get('cache-control')).toContain('no-store')
      }
      await expect.poll(served.app.logs).toMatch(/Pass on the name|stays on the server/)
    },
  )

  test('values that a server component does not render are not sent', async () => {
    const response = await served.fetch('/tainted/fine')
    const body = await response.text()
    expect([response.status, body.includes('Hello Ada')]).toEqual([200, true])
    expect(body).not.toMatch(/sk_live|hash-of-ada/)
  })

  test('a late tainted value ends the response before the value is sent', async () => {
    for (const path of ['/tainted/late', `${data}/tainted/late.rsc`]) {
      const body = await served
        .fetch(path)
        .then((response) => response.text())
        .catch(() => 'cut')
      expect(body).not.toMatch(secrets)
    }
  })

  test('internal headers of a client are hidden from the app', async () => {
    expect(internalHeaders.length).toBeGreaterThan(7)
    const headers = Object.fromEntries(internalHeaders.map((name) => [name, 'forged']))
    const names: string[] = await served
      .fetch('/api/headers', { headers })
      .then((response) => response.json())
    expect(names).toContain('host')
    expect(names.filter((name) => /^(?:x-)?waymark-/i.test(name))).toEqual([])
    // Requests for page data use these headers, but the framework must hide them from the page.
    const { 'waymark-prefetch': _, ...dataHeaders } = headers
    const page = await served.fetch(`${data}/headers.rsc`, { headers: dataHeaders })
    expect(await page.text()).toMatch(/headers: (?!.*waymark-)/)
  })

  test.each([
    ['a layout', '/inside/plan'],
    ['a page', '/checked'],
  ])("the guard in %s can't be bypassed by a path, header or method", async (_, path) => {
    const forms = path === '/checked' ? pathForms('/checked/x').map(withoutLast) : pathForms(path)
    expect(forms.length).toBeGreaterThanOrEqual(60)
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
      await inBatches(forms, (target) => expectDenied(served, target, { method }))
    }
    const valuesOf: Record<string, string> = {
      'waymark-mounted': `/,/inside,${path}`,
      'waymark-from': path,
    }
    for (const name of internalHeaders) {
      const headers = { [name]: valuesOf[name] ?? '1' }
      for (const method of ['GET', 'POST']) {
        await inBatches([path, `${data}${path}.rsc`], (target) =>
          expectDenied(served, target, { method, headers }),
        )
      }
    }
    const signedIn = await served.fetch(path, { headers: { cookie: 'session=good' } })
    expect([signedIn.status, (await signedIn.text()).includes('the guarded plan')]).toEqual([
      200,
      true,
    ])
  })

  test('responses that depend on the request, and fallbacks, are not cacheable', async () => {
    for (const path of ['/headers', '/dynamic', '/inside/plan', '/broken', '/members', '/%00']) {
      for (const target of [path, `${data}${path}.rsc`]) {
        const { headers } = await rawRequest(served.app.origin, target)
        const caching = headers.get('cache-control') ?? ''
        expect([target, caching]).toEqual([target, expect.stringMatching(/no-store/)])
        expect(caching).not.toContain('public')
      }
    }
    const missing = await served.fetch('/no/such/page')
    expect(missing.headers.get('cache-control')).toMatch(/no-store/)
  })

  test('1,200 requests of 100 users get only their own data', async () => {
    const page = await (await served.fetch('/headers')).text()
    const actionField = encodeURIComponent(/name="(\$ACTION_ID_[^"]+)"/.exec(page)?.[1] ?? 'none')
    const formHeaders = {
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    }
    const requests = Array.from({ length: served.mode === 'dev' ? 300 : 1200 }, (_, index) => index)
    await inBatches(
      requests,
      async (index) => {
        const user = `u${index % 100}`
        const headers = { cookie: `user=${user}`, [`x-of-${user}`]: '1' }
        const response = await (index % 3 === 2
          ? served.fetch('/headers', {
              method: 'POST',
              headers: { ...headers, ...formHeaders },
              body: `${actionField}=&token=of-${user}`,
            })
          : served.fetch(index % 3 === 1 ? '/headers' : `${data}/headers.rsc`, { headers }))
        const body = await response.text()
        expect(body).toContain(`user: ${user}`)
        expect([...body.matchAll(/x-of-(u\d+)/g)].every(([, name]) => name === user)).toBe(true)
        if (index % 3 !== 2) return
        expect(response.headers.getSetCookie().join()).toContain(`token=of-${user}-seen-by-${user}`)
        expect(body).toContain(`token: of-${user}-seen-by-${user}`)
      },
      50,
    )
  })
})

describeModes('public files of a build', { app: 'security', modes: ['production'] }, (served) => {
  test('contain no source maps', async () => {
    const page = await served.fetch('/').then((response) => response.text())
    const files = [...page.matchAll(/\/_waymark\/assets\/[\w.-]+\.(?:js|css)/g)].map(([url]) => url)
    expect(files.length).toBeGreaterThan(1)
    for (const file of new Set(files)) {
      expect((await served.fetch(`${file}.map`)).status).toBe(404)
      expect(await (await served.fetch(file)).text()).not.toContain('sourceMappingURL')
    }
  })
})

test('contain no secret of the environment: the build fails with its name and file', async () => {
  const app = copyApp({ app: 'basic' })
  writeFileSync(join(app, '.env'), 'STRIPE_SECRET=sk_live_0123456789\nSITE_NAME=Trail book 2000\n')
  const counter = "'use client'\nexport const Key = () => <p>{'sk_live_0123456789'}</p>\n"
  writeFileSync(join(app, 'app/key.tsx'), counter)
  writeFileSync(
    join(app, 'app/page.tsx'),
    "import { Key } from './key.tsx'\nexport default () => <Key />\n",
  )
  const { exitCode, output } = await runWaymark(['build'], app)
  expect([exitCode, output]).toEqual([1, expect.stringContaining('STRIPE_SECRET')])
  expect(output).toMatch(/_waymark\/assets\/[\w-]+\.js/)
  expect(output).not.toContain('sk_live')
})

async function inBatches<T>(
  items: readonly T[],
  run: (item: T) => Promise<void>,
  size = 12,
): Promise<void> {
  for (let at = 0; at < items.length; at += size) {
    await Promise.all(items.slice(at, at + size).map(run))
  }
}

function withoutLast(form: string): string {
  return form.replace(/(checked)[\\/](?:\.\/|\/|x\/\.\.\/)?x/i, '$1')
}

async function expectDenied(
  served: Served,
  target: string,
  options: { method: string; headers?: Record<string, string> },
): Promise<void> {
  const { status, body } = await rawRequest(served.app.origin, target, options)
  expect([options.method, target, body.includes('the guarded')]).toEqual([
    options.method,
    target,
    false,
  ])
  expect([target, status < 500]).toEqual([target, true])
}
