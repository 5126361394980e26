import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { boundReferences, devReferencesPlugin } from './devReferences.ts'

const entry = createRequire(import.meta.url).resolve('@vitejs/plugin-rsc')

test("limits the size of the installed plugin-rsc's cache of references", async () => {
  const changed = readdirSync(path.dirname(entry))
    .filter((name) => /^shared-.*\.js$/.test(name))
    .flatMap((name) => {
      return boundReferences(readFileSync(path.join(path.dirname(entry), name), 'utf8')) ?? []
    })
  expect(changed).toHaveLength(1)
  const { t: memoize } = await import(
    `data:text/javascript,${encodeURIComponent(changed[0] ?? '')}`
  )
  let calls = 0
  const load = memoize((id: number) => {
    calls++
    return id
  })
  for (let id = 0; id <= 1_000; id++) load(id)
  load(1_000)
  expect(calls).toBe(1_001)
  load(0)
  expect(calls).toBe(1_002)
})

test('leaves unknown code unchanged and prints one line', () => {
  expect(boundReferences('function memoize(fn) { return fn }')).toBeNull()
  const lines: string[] = []
  const { handler } = devReferencesPlugin().transform as unknown as {
    handler(this: unknown, code: string): unknown
  }
  const environment = { config: { logger: { warnOnce: (line: string) => lines.push(line) } } }
  expect(handler.call({ environment }, 'function memoize(fn) { return fn }')).toBeNull()
  expect(lines).toEqual([expect.stringMatching(/^Waymark skipped "dev-references": /)])
})
