import { basePath } from 'waymark'
import { restoreFields, type ServerCall } from 'waymark/plugin/client'
import { nameOfApp } from '../shared/cacheNames.ts'
import type { CallDescription, Entry } from './entry.ts'
import type { OutboxHost } from './host.ts'

/** Storage key for the entry to edit, if its page loads as a new document. */
const editKey = nameOfApp('waymark-outbox-edit', basePath)

/** Fills in an entry's form again, and notices when that form is sent. */
export function createEditing(view: Window, host: OutboxHost) {
  let edited: Entry | null = null

  function fill(entry: Entry): void {
    edited = entry
    restoreFields(view.document, new Map(entry.description.draft?.values))
  }

  return {
    async open(entry: Entry): Promise<void> {
      const { pathname, search } = entry.page
      const url = new URL(pathname + search, view.location.href)
      remember(view, String(entry.id))
      if (!isSamePage(entry.page, view.location)) {
        if (!host.router) return view.location.assign(url)
        const request = { kind: 'push', url, scroll: true } as const
        // Without a router, the browser loads a new document, where `resume` fills in the form.
        if ((await host.router.navigate(request)) !== 'committed') return
      }
      remember(view, null)
      fill(entry)
    },
    /** Continues editing in a document that was loaded for this purpose. */
    resume(entries: readonly Entry[]): void {
      const id = remembered(view)
      const entry = entries.find((each) => String(each.id) === id)
      if (!entry || !isSamePage(entry.page, view.location)) return
      remember(view, null)
      fill(entry)
    },
    /**
     * @param id the entry to stop editing; any entry if omitted, because the user has left its page
     */
    forget(id?: number): void {
      if (id === undefined || edited?.id === id) edited = null
    },
    /**
     * @returns the id of the entry that a call replaces, because the entry filled in the call's
     * form
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
    // Storage is blocked. The next document opens with an empty form, and the entry stays in the
    // outbox.
  }
}
