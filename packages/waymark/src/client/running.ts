import type { NavigationOutcome, NavigationRequest } from './navigation/navigation.ts'

/** The router as the document's listeners see it. */
export type RunningRouter = {
  navigate(request: NavigationRequest): Promise<NavigationOutcome>
  refresh(): Promise<NavigationOutcome>
  /** The browser went to another history entry. */
  traverse(): void
  /** Code of this page can't be loaded: only a new document can help. */
  reloadForAssets(): void
  /** What still arrived of this page was cut or fell silent. */
  mend(): void
  /** React has taken over the document. */
  settled(): void
  /** Of the history entry whose page is on the screen. */
  shownKey(): string
}
