import { createConnection } from './connection.ts'

type TabsOptions = {
  readonly url: string
  readonly onChanged: (reads: readonly string[]) => void
  readonly onState: (isConnected: boolean) => void
}

/** What the tabs of a browser tell each other. `wants`: what a tab follows, by its names. */
type Told =
  | { readonly type: 'wants'; readonly tab: string; readonly wants: [string, string][] }
  | { readonly type: 'leads' }
  | { readonly type: 'changed'; readonly reads: readonly string[] }
  | { readonly type: 'state'; readonly isConnected: boolean }

export type Tabs = {
  /** Tells what this tab follows now. Nothing: it needs no connection. */
  follow(wanted: ReadonlyMap<string, string>): void
  /** Somebody signed in or out: what the server knows of the connection is of before. */
  reconnect(): void
}

// A tab that has ended could not say so.
const forgetMs = 60_000
const repeatMs = 20_000

/** One connection for all tabs that are on the screen: the one that holds a lock has it. */
export function createTabs({ url, onChanged, onState }: TabsOptions): Tabs {
  const canShare = 'locks' in navigator && typeof BroadcastChannel === 'function'
  if (!canShare) {
    const connection = createConnection({ url, onChanged, onState })
    let last: ReadonlyMap<string, string> = new Map()
    return {
      follow(wanted) {
        last = wanted
        connection.follow(wanted)
      },
      reconnect() {
        connection.close()
        connection.follow(last)
      },
    }
  }

  const self = Math.random().toString(36).slice(2)
  const channel = new BroadcastChannel(`waymark${url}`)
  const others = new Map<string, { readonly wants: [string, string][]; readonly atMs: number }>()
  const say = (told: Told) => channel.postMessage(told)
  const connection = createConnection({
    url,
    onChanged(reads) {
      say({ type: 'changed', reads })
      onChanged(reads)
    },
    onState(isConnected) {
      say({ type: 'state', isConnected })
      onState(isConnected)
    },
  })
  let own: ReadonlyMap<string, string> = new Map()
  /** Ends the wait for the lock, or gives it back. */
  let release: AbortController | null = null
  let isLeader = false

  function connect(): void {
    const all = new Map(own)
    for (const [tab, { wants, atMs }] of others) {
      if (Date.now() - atMs > forgetMs) others.delete(tab)
      else for (const [reads, sealed] of wants) if (!all.has(reads)) all.set(reads, sealed)
    }
    connection.follow(all)
  }

  function tell(): void {
    if (isLeader) connect()
    else say({ type: 'wants', tab: self, wants: [...own] })
  }

  function lead(): void {
    if (release) return
    const released = new AbortController()
    release = released
    const holding = (): Promise<void> => {
      if (released.signal.aborted) return Promise.resolve()
      isLeader = true
      say({ type: 'leads' })
      connect()
      return new Promise((resolve) => {
        released.signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
    navigator.locks.request(channel.name, { signal: released.signal }, holding).catch(() => {})
  }

  function leave(): void {
    if (own.size === 0) say({ type: 'wants', tab: self, wants: [] })
    release?.abort()
    release = null
    isLeader = false
    connection.close()
  }

  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.type === 'wants') {
      others.set(data.tab, { wants: data.wants, atMs: Date.now() })
      if (data.wants.length === 0) others.delete(data.tab)
      if (isLeader) connect()
    } else if (isLeader) return
    else if (data.type === 'leads') tell()
    else if (data.type === 'changed') onChanged(data.reads)
    else onState(data.isConnected)
  }
  setInterval(() => own.size > 0 && tell(), repeatMs)

  return {
    follow(wanted) {
      own = wanted
      if (wanted.size === 0) return leave()
      lead()
      tell()
    },
    reconnect() {
      connection.close()
      tell()
    },
  }
}
