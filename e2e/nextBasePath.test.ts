import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

const env = { NEXT_PUBLIC_STAGE: 'here' }

const mountedConfig = `export default {
  basePath: '/docs',
  redirects: async () => [
    { source: '/old/:slug', destination: '/blog/:slug', permanent: true },
    { source: '/', destination: '/docs', permanent: false, basePath: false },
    { source: '/away/:path*', destination: 'https://other.test/:path*', permanent: true, basePath: false },
    { source: '/docs/whole', destination: '/elsewhere', permanent: false, basePath: false },
  ],
  rewrites: async () => [{ source: '/shown', destination: '/rewritten' }],
}
`

describeModes(
  'an App Router app with basePath',
  {
    app: 'nextNames',
    env,
    files: { 'next.config.ts': mountedConfig },
    modes: ['production'],
  },
  (served) => {
    test.each([
      ['/docs/old/a', '/docs/blog/a'],
      ['/docs/whole', '/elsewhere'],
      ['/docs/private', '/docs/search?q=login'],
    ])('%s is redirected to %s', async (path, expected) => {
      const location = (await served.fetch(path)).headers.get('location') ?? ''
      const { origin, pathname, search } = new URL(location, served.app.origin)
      expect([origin, pathname + search]).toEqual([served.app.origin, expected])
    })

    test('redirects outside of the base, and serves nothing else there', async () => {
      const at = async (path: string) => {
        const { status, headers } = await served.fetch(path)
        return [status, headers.get('location')?.replace(served.app.origin, '') ?? null]
      }
      expect(await at('/')).toEqual([307, '/docs'])
      expect(await at('/away/a?b=c')).toEqual([308, 'https://other.test/a?b=c'])
      expect(await at('//evil.test')).toEqual([308, '/evil.test'])
      expect(await at('/old/a')).toEqual([404, null])
    })

    test('rewrites and links below it', async () => {
      expect(await (await served.fetch('/docs/shown')).text()).toContain('<h1>Rewritten')
      const { page } = await openPage(served.app)
      await page.goto('/docs')
      await hydrated(page)
      await page.getByRole('link', { name: 'Parts' }).click()
      await page.getByRole('heading', { name: '/search q=parts&n=1&n=2' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/docs/search')
    })
  },
)
