import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mayLeaveServer, serverModulesPlugin } from './serverModules.ts'

/** Finds the ids of virtual modules in the sources of all packages. */
function virtualIds(): string[] {
  const packages = new URL('../../../../', import.meta.url).pathname
  const files = readdirSync(packages).flatMap((name) =>
    readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
      .map((file) => join(packages, name, 'src', file)),
  )
  const ids = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'(virtual:(?:waymark|next-names)\/[\w-]+)'/g)].map(
      ([, id = '']) => id,
    ),
  )
  return [...new Set(ids)].sort()
}

test('only modules that browsers need leave the server', () => {
  // This list equals the list in serverModules.ts. A virtual module that isn't in that list is only
  // for the server.
  expect(virtualIds().filter(mayLeaveServer)).toEqual([
    'virtual:next-names/client',
    'virtual:next-names/images',
    'virtual:waymark/limits',
    'virtual:waymark/navigation',
    'virtual:waymark/overlay',
    'virtual:waymark/patterns',
    'virtual:waymark/prefetch',
    'virtual:waymark/startup',
  ])
  expect(virtualIds()).toContain('virtual:waymark/build')
})

test.each([
  '\0virtual:waymark/build',
  '\0virtual:waymark/build?import',
  'virtual:waymark/routes',
  '\0virtual:next-names/proxy',
  '\0virtual:vite-rsc/encryption-key',
])('%s is replaced by an error', (id) => {
  const { load } = serverModulesPlugin() as {
    readonly load: { handler(id: string): { readonly code: string } | null }
  }
  expect(load.handler(id)?.code).toMatch(
    /^throw new Error\(".* is only available on the server\."\)/,
  )
})
