import { mayReload } from './mayReload.ts'

/** A build's code that is gone is looked for by a new document, once. */
export function reloadOnce(): void {
  if (mayReload(import.meta.url)) location.reload()
}
