import { basePath } from 'waymark'
import { restoreFields, type ServerCall } from 'waymark/plugin/client'
import { nameOfApp } from '../shared/cacheNames.ts'
import type { CallDescription, Entry } from './entry.ts'
import type { OutboxHost } from './host.ts'

/** Storage key of the entry being edited, for a document that loads the entry's page. */
const editKey = nameOfApp('waymark-outbox-edit', basePath)

/** Fills in the form of an entry again, and recognises when that form is sent. */
export function createEditing(view: Window, host: OutboxHost) {
  let edited: Entry | null = null

  function fill(entry: Entry): void {
    edited = entry
    restoreFields(view.document, new Map(entry.description.draft?.values))
  }

  return {
    /** Opens the page of an entry. */
    async open(entry: Entry): Promise<void> {
      const { pathname, search } = entry.page
      const url = new URL(pathname + search, view.location.href)
      remember(view, String(entry.id))
      if (!isSamePage(entry.page, view.location)) {
        if (!host.router) return view.location.assign(url)
        const request = { kind: 'push', url, scroll: true } as const
        // Without a router, the browser loads a new document, in which `resume` fills in the form.
        if ((await host.router.navigate(request)) !== 'committed') return
      }
      remember(view, null)
      fill(entry)
    },
    /** Continues editing in a document that was loaded for editing an entry. */
    resume(entries: readonly Entry[]): void {
      const id = remembered(view)
      const entry = entries.find((each) => String(each.id) === id)
      if (!entry || !isSamePage(entry.page, view.location)) return
      remember(view, null)
      fill(entry)
    },
    /**
     * @param id the entry to stop editing; without an id, any entry, because the user has left its page
     */
    forget(id?: number): void {
      if (id === undefined || edited?.id === id) edited = null
    },
    /**
     * @returns the id of the entry that a call replaces, because the call's form was filled in from that
     * entry
     */
    replacedBy({ page }: Pick<ServerCall, 'page'>, { draft }: CallDescription): number | null {
      const before = edited
      if (!before || !isSamePage(before.page, page.route)) return null
      if (!draft || draft.form !== before.description.draft?.form) return null
      edited = null
      return before.id
    },
  }
}

type Place = { readonly pathname: string; readonly search: string }

function isSamePage(a: Place, b: Place): boolean {
  return a.pathname === b.pathname && a.search === b.search
}

function remembered(view: Window): string | null {
  try {
    return view.sessionStorage.getItem(editKey)
  } catch {
    return null
  }
}

function remember(view: Window, id: string | null): void {
  try {
    if (id === null) view.sessionStorage.removeItem(editKey)
    else view.sessionStorage.setItem(editKey, id)
  } catch {
    // Ignore blocked storage. The next document opens with an empty form, and the entry stays in the
    // outbox.
  }
}
