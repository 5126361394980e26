import { readPackageTexts, workerPath } from 'waymark/plugin/client'
import { type CachedPage, listCachedPages, openablePages } from '../shared/cachedPage.ts'
import { createRefresher } from '../shared/refresher.ts'
import { fillTime, plainText, timeText } from '../shared/savedPageText.ts'
import { englishPage } from '../shared/texts.ts'

// Script for the built-in screen, a separate document without React and the app's files.

/** URL of the worker that sent this screen. */
const workerUrl = navigator.serviceWorker.controller?.scriptURL ?? location.origin + workerPath
const basePath = new URL(workerUrl).pathname.slice(0, -workerPath.length)

void show().finally(() => {
  document.body.hidden = false
})
// A reload requests the page that the visitor wanted.
createRefresher(workerUrl, async () => location.reload()).start()

/** Lists the cached pages, with the newest one's theme, language and texts. */
async function show(): Promise<void> {
  const pages = openablePages(await listCachedPages(caches, basePath), Date.now())
  const [latest] = pages
  const cached = latest && (await caches.match(latest.url, { cacheName: latest.cache }))
  const parsed = new DOMParser().parseFromString((await cached?.text()) ?? '', 'text/html')
  applyTheme(parsed)
  const { texts, lang, dir } = readPackageTexts('@waymark/offline', { page: englishPage }, parsed)
  const { page } = texts
  document.title = page.title
  Object.assign(document.documentElement, { lang, dir })
  write('h1', page.heading)
  write('p', page.sentence)
  if (pages.length === 0) return
  write('h2', page.savedPages)
  document.querySelector('ul')?.append(...pages.map((each) => itemOf(each, page.savedAsOf, lang)))
}

function write(selector: string, text: string): void {
  const element = document.querySelector(selector)
  if (element) element.textContent = text
}

function itemOf({ url, title, savedAtMs }: CachedPage, asOf: string, lang: string): HTMLElement {
  const link = document.createElement('a')
  link.href = url
  link.textContent = plainText(title)
  const time = document.createElement('small')
  time.textContent = fillTime(asOf, timeText(savedAtMs, Date.now(), lang))
  const item = document.createElement('li')
  item.append(link, time)
  return item
}

/** Applies the user's theme. The theme settings are in a cached page. */
function applyTheme(cachedPage: Document): void {
  const settings = cachedPage.querySelector<HTMLElement>('head>[data-waymark-theme]')?.dataset
    .waymarkTheme
  if (!settings) return
  const { k, t } = JSON.parse(settings) as { k: string; t: [name: string, scheme?: string][] }
  const [name, scheme = name] = t.find(([name]) => name === localStorage.getItem(k)) ?? []
  if (scheme) document.documentElement.style.colorScheme = scheme
}
