import { storedName } from '../shared/cacheNames.ts'
import type { Entry, NewEntry } from './entry.ts'

const storeName = 'outbox'

/** Stores entries. Each function rejects if the browser blocks storage or has no space left. */
export type EntryStore = {
  /** @returns the entry's id, once the entry is on disk */
  add(entry: NewEntry): Promise<number>
  /** Lists the entries in order of creation. */
  list(): Promise<readonly Entry[]>
  /**
   * Changes an entry in one transaction across all tabs.
   * @param change returns the entry to store, or `null` to leave it as it is
   * @returns the stored entry; `null` if it no longer exists or was left as it is
   */
  update(id: number, change: (entry: Entry) => Entry | null): Promise<Entry | null>
  remove(id: number): Promise<void>
}

/** @param basePath distinguishes the apps on one origin, whose users may differ */
export function createEntryStore(basePath: string, factory = () => indexedDB): EntryStore {
  let opening: Promise<IDBDatabase> | null = null
  const forget = () => {
    opening = null
  }

  function open(): Promise<IDBDatabase> {
    // Name the database with `storedName`, so that it is deleted together with the service worker.
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
      // By default, Chrome reports a transaction as complete before its data is on disk.
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
      // The database may be deleted together with the site's data or its service worker, so close
      // the connection then.
      database.onversionchange = () => {
        database.close()
        onGone()
      }
      database.onclose = onGone
      resolve(database)
    }
  })
}
