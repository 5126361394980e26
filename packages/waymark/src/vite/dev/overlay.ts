/// <reference types="vite/client" />
// @ts-expect-error Vite's dev server answers this URL, and nothing declares it.
import { ErrorOverlay } from '/@vite/client'
import { themeOverlay } from '../../theme/overlayStyle.ts'
import type { DevFailure } from './failures.ts'
import {
  type Change,
  changedEvent,
  decorateOverlay,
  journalPath,
  overlayData,
} from './overlayParts.ts'

/*
 * Runs in the browser: on a page that failed, as a script of it; on others, once the app's client
 * hears of an error. Errors of other pages and other browsers are none of its business.
 */
type Overlay = HTMLElement & { readonly root: ShadowRoot; close(): void }

const told = new Set<string>()
let failures: DevFailure[] = []

/** Shows an error by its digest, each once. */
export async function show(digest: string): Promise<void> {
  if (told.has(digest)) return
  told.add(digest)
  const response = await fetch(`${import.meta.env.BASE_URL}${journalPath.slice(1)}/${digest}.json`)
  const failure = response.ok ? ((await response.json()) as DevFailure | null) : null
  if (failure) add([failure])
}

function add(more: readonly DevFailure[]): void {
  failures.push(...more)
  const shown = document.querySelector('vite-error-overlay')
  const index = shown
    ? Number((shown as HTMLElement).dataset.index ?? 0)
    : failures.length - more.length
  turnTo(index)
}

function turnTo(index: number): void {
  const failure = failures[index]
  if (!failure) return
  for (const old of document.querySelectorAll<Overlay>('vite-error-overlay')) old.close()
  const overlay = new ErrorOverlay(failure) as Overlay
  overlay.dataset.index = String(index)
  decorateOverlay(overlay.root, failure, { index, count: failures.length, turnTo })
  document.body.appendChild(overlay)
}

function forget(): void {
  failures = []
  told.clear()
  for (const overlay of document.querySelectorAll<Overlay>('vite-error-overlay')) overlay.close()
}

themeOverlay(document)
import.meta.hot?.on('rsc:update', forget)

const inlined = document.getElementById(overlayData)?.textContent
if (inlined) {
  const own = JSON.parse(inlined) as DevFailure[]
  for (const { digest } of own) if (digest) told.add(digest)
  add(own)
  reloadWhenMended()
}

/** Such a page may hold no application that could mend itself. */
function reloadWhenMended(): void {
  const wasChanged = sessionStorage.getItem(changedEvent) !== null
  sessionStorage.removeItem(changedEvent)
  import.meta.hot?.on(changedEvent, ({ agoMs }: Change) => {
    // What was changed before the page was asked for, it shows.
    if (agoMs === null || agoMs > performance.now()) return
    sessionStorage.setItem(changedEvent, '')
    location.reload()
  })
  // A change is told as soon as a file has changed. The page may have been loaded before the
  // server had taken notice, or before an editor had written the last of several files.
  if (!wasChanged) return
  setTimeout(async () => {
    const { ok } = await fetch(location.href)
    if (ok) location.reload()
  }, 1_000)
}
