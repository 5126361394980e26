/** The router of `pages/`, which is not there: it can be imported, and is never ready. */
const router = {
  router: null,
  readyCallbacks: [],
  ready(_callback: () => void): void {},
  events: { on(): void {}, off(): void {}, emit(): void {} },
}

export default router

/** @throws always: it is the router of `pages/` */
export function useRouter(): never {
  throw new Error(
    "There is no router of pages/ here: import { useRouter } from the module 'navigation' beside it.",
  )
}

export { router as Router, router as singletonRouter }
export type NextRouter = never
