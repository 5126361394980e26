import { resolveConfig } from 'vite'
import { expect, test } from 'vitest'
import { denyOptions, viteDenies } from './devSecurity.ts'

async function deniedBy(deny: string[] | undefined): Promise<readonly string[]> {
  const plugin = {
    name: 'denies',
    config: () => ({ server: { fs: { deny: denyOptions(deny) } } }),
  }
  const server = deny ? { fs: { deny } } : {}
  const config = await resolveConfig({ configFile: false, plugins: [plugin], server }, 'serve')
  return config.server.fs.deny
}

test('Vite itself denies these files', async () => {
  const { server } = await resolveConfig({ configFile: false }, 'serve')
  expect(server.fs.deny).toEqual(viteDenies)
})

test('build folders are denied in addition to the files that Vite or the app denies', async () => {
  expect(await deniedBy(undefined)).toEqual([...viteDenies, '**/.waymark/**'])
  expect(await deniedBy(['notes/**'])).toEqual(['notes/**', '**/.waymark/**'])
})
