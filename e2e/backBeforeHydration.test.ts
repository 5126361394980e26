import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { holdRequests } from './harness/holdRequests.ts'
import { heading, pathOf, visit } from './harness/visit.ts'

describeApp('a document', { app: 'navigation' }, (served) => {
  test('is replaced if the user goes back before its scripts have run', async () => {
    const { page, link } = await visit(served.app, '/a')
    await link('Beta')
    await heading(page, 'Beta').waitFor()
    const scripts = await holdRequests(page, /\.js(?:\?|$)/)
    await page.reload({ waitUntil: 'commit' })
    await heading(page, 'Beta').waitFor()
    await scripts.held
    await page.goBack({ waitUntil: 'commit' })
    expect(pathOf(page)).toBe('/a')
    await scripts.end('continue')
    await heading(page, 'Alpha').waitFor()
  })
})
