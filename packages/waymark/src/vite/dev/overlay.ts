/// <reference types="vite/client" />
// @ts-expect-error Vite's dev server serves this URL, but no type declaration exists for it.
import { ErrorOverlay } from '/@vite/client'
import { themeOverlay } from '../../theme/devTheme.ts'
import type { DevFailure } from './failures.ts'
import {
  changedEvent,
  decorateOverlay,
  type FileChange,
  journalPath,
  lastChangeEvent,
  overlayData,
} from './overlayParts.ts'

// Failed pages contain this script. Other pages load it when they are notified of an error.
type Overlay = HTMLElement & { readonly root: ShadowRoot; close(): void }

const displayedDigests = new Set<string>()
let failures: DevFailure[] = []

/** Shows an error by its digest. Each error is shown only once. */
export async function show(digest: string): Promise<void> {
  if (displayedDigests.has(digest)) return
  displayedDigests.add(digest)
  const response = await fetch(`${import.meta.env.BASE_URL}${journalPath.slice(1)}/${digest}.json`)
  const failure = response.ok ? ((await response.json()) as DevFailure | null) : null
  if (failure) add([failure])
}

function add(reported: readonly DevFailure[]): void {
  // Don't repeat errors: a browser requests failed parts again, and React reports some mistakes
  // twice.
  const more = reported.filter(
    ({ message }) => !failures.some((displayed) => displayed.message === message),
  )
  if (more.length === 0) return
  failures.push(...more)
  const overlay = document.querySelector('vite-error-overlay')
  const index = overlay
    ? Number((overlay as HTMLElement).dataset.index ?? 0)
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
  displayedDigests.clear()
  for (const overlay of document.querySelectorAll<Overlay>('vite-error-overlay')) overlay.close()
}

themeOverlay(document)
import.meta.hot?.on('rsc:update', forget)

const inlined = document.getElementById(overlayData)?.textContent
if (inlined) {
  const inlinedFailures = JSON.parse(inlined) as DevFailure[]
  for (const { digest } of inlinedFailures) if (digest) displayedDigests.add(digest)
  add(inlinedFailures)
  reloadWhenFixed()
}

/** Reloads a failed page after a change, because it may have no client that could update it. */
function reloadWhenFixed(): void {
  const wasChanged = sessionStorage.getItem(changedEvent) !== null
  sessionStorage.removeItem(changedEvent)
  const reload = () => {
    sessionStorage.setItem(changedEvent, '')
    location.reload()
  }
  import.meta.hot?.on(changedEvent, ({ agoMs }: FileChange) => {
    // A page that was requested after the change already shows it.
    if (agoMs !== null && agoMs <= performance.now()) reload()
  })
  // On a busy machine, the server may have handled the change only after it had rendered this page.
  import.meta.hot?.on('rsc:update', reload)
  import.meta.hot?.send(lastChangeEvent)
  // Check the change again after the page has loaded: the page may have been loaded before the
  // server noticed the change, or before the editor had written all files.
  if (!wasChanged) return
  setTimeout(async () => {
    const { ok } = await fetch(location.href)
    if (ok) location.reload()
  }, 1_000)
}
