import { expect, onTestFinished, test, vi } from 'vitest'
import { withWholeUrls } from './sitemapUrls.ts'

test('relative URLs in a sitemap are completed, with a warning', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const sitemap = async () => [{ url: 'undefined/a' }, { url: 'https://a.test/', priority: 1 }]
  const run = withWholeUrls(sitemap, 'sitemap.ts') as () => Promise<unknown>
  expect(await run()).toEqual([
    { url: 'http://localhost/undefined/a' },
    { url: 'https://a.test/', priority: 1 },
  ])
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/^app\/sitemap\.ts: "undefined\/a" is not a complete URL/),
  )
})
