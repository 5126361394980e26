import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { rawRequest } from './harness/rawRequest.ts'

describeApp('a page that fails late', { app: 'hostile' }, (served) => {
  test.each(['x:99999', '300.1.1.1', 'a.1', '[1:2]'])(
    'is refused for the host %s, and the server continues',
    async (host) => {
      const responses = [
        rawRequest(served.app.origin, '/late', { headers: { host } }),
        rawRequest(served.app.origin, `http://${host}/late`),
      ]
      for (const { status } of await Promise.all(responses)) {
        // The dev server refuses unknown hosts itself, with status 403.
        expect(served.mode === 'dev' ? [400, 403] : [400]).toContain(status)
      }
      const streamed = await served.fetch('/late')
      expect([streamed.status, await streamed.text()]).toEqual([
        200,
        expect.stringContaining('Soon'),
      ])
      expect(served.app.exitCode()).toBeNull()
    },
  )
})
