/// <reference types="vite/client" />
// @ts-expect-error Vite's dev server answers this URL, and nothing declares it.
import { ErrorOverlay } from '/@vite/client'
import { themeOverlay } from '../../theme/overlayStyle.ts'
import { changedEvent, overlayData } from './overlayNames.ts'

// Runs in the browser, on a page that failed. Such a page may hold no application that could
// mend itself: it is loaded anew when something changes.
const [failure] = JSON.parse(document.getElementById(overlayData)?.textContent ?? '[]')
themeOverlay(document)
if (failure && !document.querySelector('vite-error-overlay')) {
  document.body.appendChild(new ErrorOverlay(failure))
}

const wasChanged = sessionStorage.getItem(changedEvent) !== null
sessionStorage.removeItem(changedEvent)
import.meta.hot?.on(changedEvent, () => {
  sessionStorage.setItem(changedEvent, '')
  location.reload()
})

// A change is told as soon as a file has changed. The page may have been loaded before the
// server had taken notice, or before an editor had written the last of several files.
if (wasChanged) {
  setTimeout(async () => {
    const { ok } = await fetch(location.href)
    if (ok) location.reload()
  }, 1_000)
}
