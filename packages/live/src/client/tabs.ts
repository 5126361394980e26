import { type Connection, createConnection, type Followed } from './connection.ts'
import { createOtherTabs } from './otherTabs.ts'
import { type Told, toTold } from './told.ts'

type TabsOptions = Omit<Parameters<typeof createConnection>[0], 'send'>

const repeatMs = 20_000

/** One connection for all tabs on the screen: of the one that has a lock. */
export function createTabs(options: TabsOptions): Connection {
  const canShare = 'locks' in navigator && typeof BroadcastChannel === 'function'
  return canShare ? createSharedConnection(options) : createConnection(options)
}

function createSharedConnection(options: TabsOptions): Connection {
  const self = crypto.randomUUID()
  const channel = new BroadcastChannel(`waymark ${options.url}`)
  const say = (told: Told) => channel.postMessage(told)
  const others = createOtherTabs()
  const connection = createConnection({
    url: options.url,
    onChanged(reads, from) {
      say({ type: 'changed', reads, from })
      options.onChanged(reads, from)
    },
    onGone(reads) {
      say({ type: 'gone', reads })
      options.onGone(reads)
    },
    onState(isConnected) {
      say({ type: 'state', isConnected })
      options.onState(isConnected)
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
  function onTold(told: Told): void {
    if (told.type === 'follows') {
      others.set(told.tab, told.followed)
      if (isLeader) tell()
    } else if (isLeader) return
    else if (told.type === 'leads') tell()
    else if (told.type === 'changed') options.onChanged(told.reads, told.from)
    else if (told.type === 'gone') options.onGone(told.reads)
    else options.onState(told.isConnected)
  }
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const told = toTold(data)
    if (told) onTold(told)
  }
  setInterval(() => own.size > 0 && tell(), repeatMs)
  return {
    follow(followed) {
      own = followed
      if (own.size > 0) lock.want()
      else lock.leave()
      tell()
    },
    covers: (followed) => isLeader && connection.covers(followed),
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
      // Where a browser has no storage for this page, it has no locks: each tab is alone.
      const onRefused = () => own.signal.aborted || onChange(true)
      navigator.locks.request(name, { signal: own.signal }, hold).catch(onRefused)
    },
    leave(): void {
      wanted?.abort()
      wanted = null
      onChange(false)
    },
  }
}
