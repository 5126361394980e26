import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { startFaultProxy } from './harness/faults/proxy.ts'
import { visit } from './harness/visit.ts'

const files = {
  'vite.config.ts': `import { waymark } from 'waymark/vite'

export default {
  plugins: [waymark({ navigation: { timeoutMs: 700 }, prefetch: { perPage: 1, atOnce: 1 } })],
}
`,
}

describeModes(
  'an app that sets its own times',
  { app: 'navigation', files, modes: ['production'] },
  (served) => {
    test('is told of a late navigation after its own time-out', async () => {
      const proxy = await startFaultProxy(served.app.origin)
      try {
        proxy.inject(
          { kind: 'hang' },
          { match: ({ target }) => target.startsWith('/_waymark/data/') },
        )
        const { page, link } = await visit(proxy, '/')
        await link('Alpha')
        // The default would still be quiet, and would be for another second and more.
        await page.locator('[data-waymark-notice]').waitFor({ timeout: 2600 })
        expect(new URL(page.url()).pathname).toBe('/')
      } finally {
        await proxy.stop()
      }
    })
  },
)
