import { type Connection, createConnection, type Followed } from './connection.ts'
import { createOtherTabs } from './otherTabs.ts'
import { parseTabMessage, type TabMessage } from './tabMessages.ts'

type TabsOptions = Omit<Parameters<typeof createConnection>[0], 'send'>

const repeatMs = 20_000

/** Shares one connection between all visible tabs. The tab that holds a lock opens it. */
export function createTabs(options: TabsOptions): Connection {
  const canShare = 'locks' in navigator && typeof BroadcastChannel === 'function'
  return canShare ? createSharedConnection(options) : createConnection(options)
}

function createSharedConnection(options: TabsOptions): Connection {
  const self = crypto.randomUUID()
  const channel = new BroadcastChannel(`waymark ${options.url}`)
  const say = (message: TabMessage) => channel.postMessage(message)
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
  let followedHere: Followed = new Map()
  let isLeader = false
  const tell = () => {
    if (isLeader) connection.follow(others.join(followedHere))
    else say({ type: 'follows', tab: self, followed: followedHere })
  }
  const lock = createLock(channel.name, (has) => {
    isLeader = has
    if (!has) return connection.follow(new Map())
    say({ type: 'leads' })
    tell()
  })
  function onTabMessage(message: TabMessage): void {
    if (message.type === 'follows') {
      others.set(message.tab, message.followed)
      if (isLeader) tell()
    } else if (isLeader) return
    else if (message.type === 'leads') tell()
    else if (message.type === 'changed') options.onChanged(message.reads, message.from)
    else if (message.type === 'gone') options.onGone(message.reads)
    else options.onState(message.isConnected)
  }
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = parseTabMessage(data)
    if (message) onTabMessage(message)
  }
  setInterval(() => followedHere.size > 0 && tell(), repeatMs)
  return {
    follow(followed) {
      followedHere = followed
      if (followedHere.size > 0) lock.want()
      else lock.leave()
      tell()
    },
    covers: (followed) => isLeader && connection.covers(followed),
    reconnect: connection.reconnect,
  }
}

/**
 * Creates a lock that only one tab has at a time. When that tab leaves or closes, the next one gets
 * the lock.
 */
function createLock(name: string, onChange: (has: boolean) => void) {
  let wanted: AbortController | null = null
  return {
    want(): void {
      if (wanted) return
      const controller = new AbortController()
      wanted = controller
      const hold = async () => {
        if (controller.signal.aborted) return
        onChange(true)
        await new Promise((left) =>
          controller.signal.addEventListener('abort', left, { once: true }),
        )
      }
      // Without storage, there are no locks, so each tab opens its own connection.
      const onRefused = () => controller.signal.aborted || onChange(true)
      navigator.locks.request(name, { signal: controller.signal }, hold).catch(onRefused)
    },
    leave(): void {
      wanted?.abort()
      wanted = null
      onChange(false)
    },
  }
}
