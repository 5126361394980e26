import { storedName } from '../shared/cacheNames.ts'
import type { Entry, NewEntry } from './entry.ts'

const storeName = 'outbox'

/** The stored entries. Each function rejects where the browser allows no storage, or none is left. */
export type EntryStore = {
  /** @returns its id, once it is on disk */
  add(entry: NewEntry): Promise<number>
  /** In the order of making. */
  list(): Promise<readonly Entry[]>
  /**
   * Changes an entry, as one transaction over all tabs.
   * @param change returns the entry to store, or `null` to leave it
   * @returns what is stored now; `null` where it is gone, or was left
   */
  update(id: number, change: (entry: Entry) => Entry | null): Promise<Entry | null>
  remove(id: number): Promise<void>
}

/** @param basePath an origin may have an app at each of several paths, with users of its own */
export function createEntryStore(basePath: string, factory = () => indexedDB): EntryStore {
  let opening: Promise<IDBDatabase> | null = null
  const forget = () => {
    opening = null
  }

  function open(): Promise<IDBDatabase> {
    // The core's remover of the service worker deletes this name.
    opening ??= openDatabase(factory().open(storedName(basePath), 1), forget).catch((error) => {
      forget()
      throw error
    })
    return opening
  }

  async function withStore<Result>(
    mode: IDBTransactionMode,
    run: (store: IDBObjectStore, give: (result: Result) => void) => void,
  ): Promise<Result | null> {
    const database = await open()
    return new Promise((resolve, reject) => {
      let result: Result | null = null
      // Chrome takes a transaction for complete before it is on disk, unless it is told not to.
      const transaction = database.transaction(storeName, mode, { durability: 'strict' })
      transaction.oncomplete = () => resolve(result)
      transaction.onabort = () => reject(transaction.error)
      run(transaction.objectStore(storeName), (requestResult) => {
        result = requestResult
      })
    })
  }

  return {
    add: async (entry) =>
      (await withStore<number>('readwrite', (store, give) => {
        const request = store.add(entry)
        request.onsuccess = () => give(request.result as number)
      })) as number,
    list: async () =>
      (await withStore<Entry[]>('readonly', (store, give) => {
        const request = store.getAll()
        request.onsuccess = () => give(request.result)
      })) ?? [],
    update: (id, change) =>
      withStore<Entry>('readwrite', (store, give) => {
        const request = store.get(id)
        request.onsuccess = () => {
          const changed = request.result && change(request.result)
          if (!changed) return
          store.put(changed)
          give(changed)
        }
      }),
    async remove(id) {
      await withStore('readwrite', (store) => void store.delete(id))
    },
  }
}

function openDatabase(request: IDBOpenDBRequest, onGone: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    request.onupgradeneeded = () => {
      request.result.createObjectStore(storeName, { keyPath: 'id', autoIncrement: true })
    }
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const database = request.result
      // Somebody deletes it: all of this site's data, or its service worker, is removed.
      database.onversionchange = () => {
        database.close()
        onGone()
      }
      database.onclose = onGone
      resolve(database)
    }
  })
}
