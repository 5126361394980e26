import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { rawRequest } from './harness/rawRequest.ts'

const secret = 'the-key-that-seals'
const files = ['secret', 'journal/1.jsonl', 'rsc/__waymark_build.js', 'cache/v1/a', 'build.json']

describeModes('the dev server serves nothing', { app: 'dev', modes: ['dev'] }, (served) => {
  const ask = (target: string, headers: Readonly<Record<string, string>> = {}) =>
    rawRequest(served.app.origin, target, { headers })

  beforeAll(() => {
    for (const file of files) {
      const path = join(served.app.root, '.waymark', file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `export default '${secret}'\n`)
    }
  })

  test.each(files)('of the build folder: %s', async (file) => {
    const { root } = served.app
    const inFolder = `.waymark/${file}`
    const encoded = file.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
    const targets = [
      `/${inFolder}`,
      `/%2ewaymark/${file}`,
      `/.waymark/${encoded}`,
      `/.WAYMARK/${file}`,
      `/.waymark//${file}`,
      `/.waymark/./${file}`,
      `/app/../${inFolder}`,
      `/app/%2e%2e/${inFolder}`,
      `/.waymark%2f${file}`,
      `/${inFolder}/`,
      `//${inFolder}`,
      `/@fs${root}/${inFolder}`,
      `/@fs/${root}/${inFolder}`,
      `/@fs${root}/app/../${inFolder}`,
      `/@fs${root}/%2ewaymark/${file}`,
      `/@id/${root}/${inFolder}`,
      `/@id/__x00__${root}/${inFolder}`,
      `/@fs/proc/self/cwd/${inFolder}`,
      `http://localhost/${inFolder}`,
    ]
    const queries = [
      '',
      '?raw',
      '?url',
      '?inline',
      '?import',
      '?import&raw',
      '?import&inline&url',
      '?t=1',
    ]
    for (const target of targets) {
      for (const query of queries) {
        const { body } = await ask(target + query)
        expect([target + query, body.includes(secret)]).toEqual([target + query, false])
        expect(Buffer.from(body, 'base64').toString('latin1')).not.toContain(secret)
      }
    }
  })

  // In Node 20, the URL of a file keeps its dots, and plugin-rsc decides by the URL which files may
  // be read.
  test('that it must not read, when stack traces request sources', async () => {
    const { root } = served.app
    mkdirSync(join(root, '.x'), { recursive: true })
    const up = ['/..', '/.%2e', '/%2E%2e', '/./..', '\\..', '//..']
    const names = up.map((dots) => `${root}/.x${dots}/.waymark/secret`)
    names.push(`${root}/.x${'/..'.repeat(20)}/etc/passwd`, `${root}/.waymark/secret`, '/etc/passwd')
    for (const name of names) {
      for (const encode of [encodeURIComponent, (text: string) => text.replaceAll('%', '%25')]) {
        for (const path of ['', '/x/..', '/%2e']) {
          const query = `filename=${encode(`file://${name}`)}&environmentName=Server`
          const { body } = await ask(`${path}/__vite_rsc_findSourceMapURL?${query}`)
          expect([name, path, /root:|the-key/.test(body)]).toEqual([name, path, false])
        }
      }
    }
    const pageUrl = encodeURIComponent(`file://${root}/app/page.tsx`)
    const { status } = await ask(`/__vite_rsc_findSourceMapURL?filename=${pageUrl}`)
    expect(status).toBe(200)
  })

  test('to pages of other origins, even on localhost', async () => {
    for (const origin of ['http://localhost:9999', 'http://127.0.0.1:9999', 'https://evil.test']) {
      const { status, headers } = await ask('/app/page.tsx', { origin })
      expect([origin, status, headers.get('access-control-allow-origin')]).toEqual([
        origin,
        200,
        null,
      ])
    }
  })

  test('to a host that is not its own, even in absolute form', async () => {
    for (const target of ['http://evil.test/', 'http://evil.test/app/page.tsx']) {
      expect([target, (await ask(target)).status]).toEqual([target, 403])
    }
    const { port } = new URL(served.app.origin)
    expect((await ask(`http://localhost:${port}/`)).status).toBe(200)
  })

  test('and opens no file in an editor for another site', async () => {
    // Without the parameter `file`, Vite opens no editor and responds with 500.
    const path = '/__open-in-editor'
    const { origin } = served.app
    const foreign = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://localhost:9999' },
      { referer: 'https://evil.test/' },
    ]
    for (const headers of foreign) {
      for (const target of [path, `${path}/`, '/__OPEN-in-editor', `${path}/a`]) {
        expect([target, headers, (await ask(target, headers)).status]).toEqual([
          target,
          headers,
          403,
        ])
      }
    }
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin }]) {
      const { status, body } = await ask(path, headers)
      expect([status, body]).toEqual([500, expect.stringContaining('"file" is missing')])
    }
  })
})

const sameName = {
  'stock.ts': 'export const stock = 3\n',
  'lists/index.ts': 'export const lists = []\n',
  'app/stock/route.ts':
    "import { stock } from '../../stock.ts'\nexport const GET = () => Response.json({ stock })\n",
  'app/lists/route.ts': "export const GET = () => Response.json('all')\n",
}
const withModules = { app: 'dev', modes: ['dev'], files: sameName } as const

describeModes('a route with the name of a module', withModules, (served) => {
  test('is the route for a fetch, and the module for an import', async () => {
    expect(await (await served.fetch('/stock')).json()).toEqual({ stock: 3 })
    expect(await (await served.fetch('/stock?t=1')).json()).toEqual({ stock: 3 })
    expect(await (await served.fetch('/lists')).json()).toBe('all')
    expect(await (await served.fetch('/stock.ts')).text()).toContain('const stock = 3')
  })
})
