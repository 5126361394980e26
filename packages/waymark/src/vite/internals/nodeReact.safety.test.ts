import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { reactServerDom } from '../config/frameworkFiles.ts'
import { isSafe, reactServerDomPlugin } from './nodeReact.ts'

type Resolve = (source: string) => Promise<{ id: string } | null>

/** Calls the plugin as Vite does. */
function resolveWith(resolve: Resolve, consumer: 'server' | 'client' = 'server') {
  const hook = reactServerDomPlugin().resolveId as unknown as {
    handler(this: unknown, source: string, importer: string, options: object): Promise<unknown>
  }
  const context = { environment: { config: { consumer } }, resolve }
  return (name: string) =>
    hook.handler.call(context, `${reactServerDom}/${name}`, '/importer.js', {})
}

function installed(version: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-rsd-'))
  mkdirSync(folder, { recursive: true })
  const manifest = { name: 'react-server-dom-webpack', version }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  return join(folder, 'server.node.js')
}

describe("React's runtime for server components", () => {
  test('is the one for Node, regardless of the import', async () => {
    const requested: string[] = []
    const resolve = resolveWith(async (source) => {
      requested.push(source)
      return { id: installed('19.3.1') }
    })
    await resolve('server.edge')
    await resolve('client.node')
    expect(requested).toEqual([`${reactServerDom}/server.node`, `${reactServerDom}/client.node`])
  })

  test("for browsers isn't replaced", async () => {
    expect(await resolveWith(async () => null, 'client')('client.browser')).toBe(null)
  })

  test('is refused if it has known vulnerabilities', async () => {
    const resolve = resolveWith(async () => ({ id: `${installed('19.2.0')}?v=1` }))
    await expect(resolve('server.node')).rejects.toThrow(
      /has version 19\.2\.0\. Versions before 19\.3\.1 let strangers run code on the server/,
    )
  })
})

test.each([
  ['19.3.1', true],
  ['19.3.10', true],
  ['19.4.0', true],
  ['20.0.0', true],
  ['19.3.0', false],
  ['19.2.8', false],
  ['18.9.9', false],
  ['19.3.1-canary-1a2b-20261001', false],
  ['0.0.0-experimental', false],
])('%s is safe: %s', (version, expected) => {
  expect(isSafe(version)).toBe(expected)
})
