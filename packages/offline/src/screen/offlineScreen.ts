import { workerPath } from 'waymark/plugin/client'
import { type KeptPage, listKept, openablePages } from '../shared/keptEntry.ts'
import { fillTime, type PageTexts, pageTexts, timeText } from '../shared/pageTexts.ts'
import { createRefresher } from '../shared/refresher.ts'
import { plainText, type ShownTexts, shownTexts } from '../shared/shownTexts.ts'

// The script of the built-in screen: a document of its own, without React and files of the app.

/** Of the worker that has sent this screen. */
const workerUrl = navigator.serviceWorker.controller?.scriptURL ?? location.origin + workerPath
const basePath = new URL(workerUrl).pathname.slice(0, -workerPath.length)

void show().finally(() => {
  document.body.hidden = false
})
// The page that was wanted.
createRefresher(workerUrl, async () => location.reload()).start()

/** Lists the pages that are kept, in the theme, the language and the texts of the latest. */
async function show(): Promise<void> {
  const pages = openablePages(await listKept(caches, basePath), Date.now())
  const [latest] = pages
  const kept = latest && (await caches.match(latest.url, { cacheName: latest.cache }))
  const parsed = new DOMParser().parseFromString((await kept?.text()) ?? '', 'text/html')
  applyTheme(parsed)
  const shown = shownTexts(parsed, 'page', pageTexts)
  const { texts, lang, dir } = shown
  document.title = texts.title
  Object.assign(document.documentElement, { lang, dir })
  write('h1', texts.heading)
  write('p', texts.sentence)
  if (pages.length === 0) return
  write('h2', texts.kept)
  document.querySelector('ul')?.append(...pages.map((page) => itemOf(page, shown)))
}

function write(selector: string, text: string): void {
  const element = document.querySelector(selector)
  if (element) element.textContent = text
}

function itemOf(
  { url, title, savedAtMs }: KeptPage,
  { texts, lang }: ShownTexts<PageTexts>,
): HTMLElement {
  const link = document.createElement('a')
  link.href = url
  link.textContent = plainText(title)
  const time = document.createElement('small')
  time.textContent = fillTime(texts.keptAsOf, timeText(savedAtMs, Date.now(), lang))
  const item = document.createElement('li')
  item.append(link, time)
  return item
}

/** The theme that the user has chosen: the app's script before the first paint has its settings. */
function applyTheme(kept: Document): void {
  const settings = kept.querySelector<HTMLElement>('head>[data-waymark-theme]')?.dataset
    .waymarkTheme
  if (!settings) return
  const { k, t } = JSON.parse(settings) as { k: string; t: [name: string, scheme?: string][] }
  const [name, scheme = name] = t.find(([name]) => name === localStorage.getItem(k)) ?? []
  if (scheme) document.documentElement.style.colorScheme = scheme
}
