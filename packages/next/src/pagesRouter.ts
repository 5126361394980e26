/** Stub of the router for `pages/`. Packages can import it, but it never becomes ready. */
const router = {
  router: null,
  readyCallbacks: [],
  ready(_callback: () => void): void {},
  events: { on(): void {}, off(): void {}, emit(): void {} },
}

export default router

/** @throws Error always, because this is the router of `pages/` */
export function useRouter(): never {
  throw new Error(
    'useRouter() from next/router only works in pages/. Import useRouter from next/navigation instead.',
  )
}

export { router as Router, router as singletonRouter }
export type NextRouter = never
