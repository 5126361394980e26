import { expect, onTestFinished, test, vi } from 'vitest'
import { navigateDocument, stopDocument } from './documentNavigation.ts'

function createView() {
  const assign = vi.fn()
  const stop = vi.fn()
  const serviceWorker = new EventTarget()
  const view = Object.assign(new EventTarget(), {
    location: { href: 'https://site.test/', assign },
    navigator: { serviceWorker },
    stop,
  }) as unknown as Window
  const changeWorker = () => serviceWorker.dispatchEvent(new Event('controllerchange'))
  return { view, assign, stop, changeWorker }
}

const url = new URL('https://site.test/news')

test('a document is requested again if a new service worker takes over before it arrives', () => {
  const { view, assign, changeWorker } = createView()
  navigateDocument(view, url)
  changeWorker()
  expect(assign.mock.calls).toEqual([[url], [url]])
})

test('only the latest document is requested again', () => {
  const { view, assign, changeWorker } = createView()
  const latest = new URL('https://site.test/latest')
  navigateDocument(view, url)
  navigateDocument(view, latest)
  changeWorker()
  expect(assign.mock.calls).toEqual([[url], [latest], [latest]])
})

test('a new service worker loads nothing once the page has been left', () => {
  const { view, assign, changeWorker } = createView()
  navigateDocument(view, url)
  view.dispatchEvent(new Event('pagehide'))
  changeWorker()
  expect(assign).toHaveBeenCalledOnce()
})

test('a new service worker loads nothing after a newer navigation has stopped the document', () => {
  const { view, assign, stop, changeWorker } = createView()
  navigateDocument(view, url)
  stopDocument(view)
  stopDocument(view)
  changeWorker()
  expect(stop).toHaveBeenCalledOnce()
  expect(assign).toHaveBeenCalledOnce()
})

test('a new service worker loads nothing if it comes long after a page that stayed', () => {
  const limit = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  onTestFinished(() => timeout.mockRestore())
  const { view, assign, changeWorker } = createView()
  navigateDocument(view, url)
  limit.abort()
  changeWorker()
  expect(assign).toHaveBeenCalledOnce()
})
