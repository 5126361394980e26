/**
 * Load with planned start times (open loop). A request starts when it is due, even if earlier ones
 * are still waiting, and its latency counts from that time. So a server that falls behind can't slow
 * down the load, as it does with wrk.
 *
 * Runs as a program, on its own core: `node openLoop.mjs '{"url": …, "perSecond": …, "seconds": …}'`
 * prints the result as JSON.
 */
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'

// Visitors who wait longer than this have left.
const patienceMs = 10_000

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await run(JSON.parse(process.argv[2]))))
  process.exit(0)
}

/**
 * @param options.url each request adds its own number to the query
 * @param options.skipSeconds requests of the first seconds don't count
 * @returns responses by status and per second, latencies in ms, requests without a response
 */
async function run({ url, perSecond, seconds, skipSeconds = 0, healthUrl = null }) {
  const { hostname, port, pathname, search } = new URL(url)
  const pool = createPool({ hostname, port })
  const prefix = `GET ${pathname}${search}${search ? '&' : '?'}q=`
  const suffix = ` HTTP/1.1\r\nhost: ${hostname}:${port}\r\naccept: text/html\r\n\r\n`
  const results = []
  const health = []
  const startMs = performance.now()
  const endMs = startMs + seconds * 1000
  let open = 0
  let number = 0
  let dueMs = startMs
  let healthDueMs = startMs
  const send = (text, plannedMs, into) => {
    open++
    pool.request(text, (status) => {
      open--
      into.push({ plannedMs, status, ms: performance.now() - plannedMs })
    })
  }
  while (dueMs < endMs) {
    const nowMs = performance.now()
    while (dueMs <= nowMs && dueMs < endMs) {
      send(`${prefix}${number++}${suffix}`, dueMs, results)
      // Independent visitors: exponentially distributed pauses.
      dueMs += (-Math.log(1 - Math.random()) * 1000) / perSecond
    }
    if (healthUrl && healthDueMs <= nowMs) {
      send(`GET ${healthUrl}${suffix}`, healthDueMs, health)
      healthDueMs += 500
    }
    await new Promise((resolve) => (dueMs - nowMs > 2 ? setTimeout(resolve, 1) : setImmediate(resolve)))
  }
  const deadlineMs = performance.now() + patienceMs
  while (open > 0 && performance.now() < deadlineMs) await new Promise((resolve) => setTimeout(resolve, 5))
  const counted = results.filter(({ plannedMs }) => plannedMs >= startMs + skipSeconds * 1000)
  const ok = counted.filter(({ status }) => status === 200)
  const refused = counted.filter(({ status }) => status === 503)
  const countedSeconds = seconds - skipSeconds
  return {
    offeredPerSecond: perSecond,
    okPerSecond: Math.round(ok.length / countedSeconds),
    inTimePerSecond: Math.round(ok.filter(({ ms }) => ms < 1000).length / countedSeconds),
    okMs: quantiles(ok),
    refusedPerSecond: Math.round(refused.length / countedSeconds),
    refusedMs: quantiles(refused),
    failed: counted.length - ok.length - refused.length + open,
    unconnected: pool.unconnected(),
    connections: pool.opened(),
    healthMs: quantiles(health),
    healthFailed: health.filter(({ status }) => status !== 200).length,
  }
}

function quantiles(all) {
  const sorted = all.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))])
  return sorted.length === 0 ? null : { p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** Keep-alive connections; a request opens another one if all are in use, as a new visitor would. */
function createPool({ hostname, port }) {
  const idle = []
  let opened = 0
  let unconnected = 0

  function open() {
    opened++
    unconnected++
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const connection = { socket, onEnd: null, isBusy: true, isDead: false, timer: null }
    const parser = createParser((status) => {
      finish(connection, status)
      if (!connection.isDead) idle.push(connection)
    })
    socket.on('connect', () => unconnected--)
    socket.on('data', parser)
    socket.on('error', () => {})
    socket.on('close', () => {
      connection.isDead = true
      finish(connection, 0)
    })
    return connection
  }

  function finish(connection, status) {
    const { onEnd } = connection
    connection.onEnd = null
    clearTimeout(connection.timer)
    onEnd?.(status)
  }

  return {
    opened: () => opened,
    unconnected: () => unconnected,
    request(text, onEnd) {
      let connection = idle.pop()
      while (connection?.isDead) connection = idle.pop()
      connection ??= open()
      connection.onEnd = onEnd
      connection.timer = setTimeout(() => connection.socket.destroy(), patienceMs)
      connection.socket.write(text, 'latin1')
    },
  }
}

/** Finds the ends of responses, by their content-length or their last chunk. */
function createParser(onResponse) {
  let head = ''
  let status = 0
  let left = -1
  let isChunked = false
  let tail = ''
  return (bytes) => {
    let at = 0
    if (left < 0 && !isChunked) {
      head += bytes.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      status = Number(head.slice(9, 12))
      const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))
      isChunked = !length
      left = Number(length?.[1] ?? 0)
      at = bytes.length - (head.length - end - 4)
      head = ''
    }
    if (isChunked) {
      tail = (tail + bytes.toString('latin1', Math.max(at, bytes.length - 5))).slice(-5)
      if (tail !== '0\r\n\r\n') return
    } else {
      left -= bytes.length - at
      if (left > 0) return
    }
    left = -1
    isChunked = false
    tail = ''
    onResponse(status)
  }
}
