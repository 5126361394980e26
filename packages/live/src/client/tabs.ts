import { type Connection, createConnection, type Followed } from './connection.ts'
import { createOtherTabs } from './otherTabs.ts'

/** What the tabs of a browser tell each other. */
type Told =
  | { readonly type: 'follows'; readonly tab: string; readonly followed: Followed }
  /** Another tab has the connection now. */
  | { readonly type: 'leads' }
  | { readonly type: 'changed'; readonly reads: readonly string[] }
  | { readonly type: 'state'; readonly isConnected: boolean }

type TabsOptions = Omit<Parameters<typeof createConnection>[0], 'send'>

const repeatMs = 20_000

/** One connection for all tabs on the screen: of the one that has a lock. */
export function createTabs(options: TabsOptions): Connection {
  const canShare = 'locks' in navigator && typeof BroadcastChannel === 'function'
  return canShare ? createSharedConnection(options) : createConnection(options)
}

function createSharedConnection({ url, onChanged, onState }: TabsOptions): Connection {
  const self = crypto.randomUUID()
  const channel = new BroadcastChannel(`waymark ${url}`)
  const say = (told: Told) => channel.postMessage(told)
  const others = createOtherTabs()
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
  let own: Followed = new Map()
  let isLeader = false
  const tell = () => {
    if (isLeader) connection.follow(others.join(own))
    else say({ type: 'follows', tab: self, followed: own })
  }
  const lock = createLock(channel.name, (has) => {
    isLeader = has
    if (!has) return connection.follow(new Map())
    say({ type: 'leads' })
    tell()
  })
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.type === 'follows') {
      others.set(data.tab, data.followed)
      if (isLeader) tell()
    } else if (isLeader) return
    else if (data.type === 'leads') tell()
    else if (data.type === 'changed') onChanged(data.reads)
    else onState(data.isConnected)
  }
  setInterval(() => own.size > 0 && tell(), repeatMs)
  return {
    follow(followed) {
      own = followed
      if (own.size > 0) lock.want()
      else lock.leave()
      tell()
    },
    reconnect: connection.reconnect,
  }
}

/** A lock that one tab has at a time: the next one when that leaves, or ends. */
function createLock(name: string, onChange: (has: boolean) => void) {
  let wanted: AbortController | null = null
  return {
    want(): void {
      if (wanted) return
      const own = new AbortController()
      wanted = own
      const hold = async () => {
        if (own.signal.aborted) return
        onChange(true)
        await new Promise((left) => own.signal.addEventListener('abort', left, { once: true }))
      }
      navigator.locks.request(name, { signal: own.signal }, hold).catch(() => {})
    },
    leave(): void {
      wanted?.abort()
      wanted = null
      onChange(false)
    },
  }
}
