import type { NavigationEvents } from '../../components/navigationStore.ts'

/** Events of the router, for an app that measures or logs them. */
export type RouterEvents = {
  /** @returns a function that ends it */
  on<Name extends keyof NavigationEvents>(
    name: Name,
    listener: (event: NavigationEvents[Name]) => void,
  ): () => void
  emit<Name extends keyof NavigationEvents>(name: Name, event: NavigationEvents[Name]): void
}

/** Creates the events of a document. A listener that throws is reported, and stops no other. */
export function createRouterEvents(): RouterEvents {
  const target = new EventTarget()
  return {
    on(name, listener) {
      const onEvent = (event: Event) => listener((event as CustomEvent).detail)
      target.addEventListener(name, onEvent)
      return () => target.removeEventListener(name, onEvent)
    },
    emit: (name, detail) => void target.dispatchEvent(new CustomEvent(name, { detail })),
  }
}
