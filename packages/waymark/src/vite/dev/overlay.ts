/// <reference types="vite/client" />
// @ts-expect-error Vite's dev server answers this URL, and nothing declares it.
import { ErrorOverlay } from '/@vite/client'
import { changedEvent, overlayData } from './overlayNames.ts'

// Runs in the browser, on a page that failed. Such a page may hold no application that could
// mend itself: it is loaded anew when something changes.
const [failure] = JSON.parse(document.getElementById(overlayData)?.textContent ?? '[]')
if (failure && !document.querySelector('vite-error-overlay')) {
  document.body.appendChild(new ErrorOverlay(failure))
}
import.meta.hot?.on(changedEvent, () => location.reload())
