import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'

// Virtual modules of Waymark, of its package for App Router apps, and of plugin-rsc.
const serverModules = [
  ...['app-files', 'build', 'client-assets', 'config', 'packages', 'routes'].map(
    (name) => `waymark/${name}`,
  ),
  'next-names/proxy',
  ...['encryption-key', 'server-references'].map((name) => `vite-rsc/${name}`),
]

const spellings = (name: string) => [
  `/@id/virtual:${name}`,
  `/@id/__x00__virtual:${name}`,
  `/@id/__x00__virtual:${name}?import`,
  `/@id/__x00__virtual:${name}?raw`,
  `/@id/__x00__virtual:${name}?url`,
  `/@id/__x00__virtual:${name}?inline&import`,
  `/@id/__x00__virtual%3A${name.replace('/', '%2F')}`,
  `/@id/%00virtual:${name}`,
  `/virtual:${name}`,
  `/@fs/virtual:${name}`,
]

describeModes('the modules of a dev server', { app: 'basic', modes: ['dev'] }, (served) => {
  test.each(serverModules)('virtual:%s does not leave it', async (name) => {
    // The server's own environments have loaded their modules by then.
    await served.fetch('/')
    for (const target of spellings(name)) {
      const response = await served.fetch(target)
      const text = await response.text()
      const isModule = /javascript/.test(response.headers.get('content-type') ?? '')
      if (!response.ok || !isModule) continue
      const [code = ''] = text.split('//# sourceMappingURL', 1)
      // The address of a module, or what stands in its place.
      expect(code.trim(), target).toMatch(
        /^(?:export default "\/?@?\w[^"]*virtual:[^"]*"|throw new Error\("virtual:.* is a module of the server\."\)|export \{\};?)$/,
      )
    }
  })

  test('what browsers need does', async () => {
    for (const name of ['startup', 'navigation', 'prefetch']) {
      const response = await served.fetch(`/@id/__x00__virtual:waymark/${name}`)
      expect(await response.text()).toContain('export const')
    }
  })
})
