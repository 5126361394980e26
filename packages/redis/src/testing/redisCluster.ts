import { createClient } from 'redis'
import { freePort, type RedisServer, startRedis } from './redisServer.ts'

/** A cluster that was started for one test. */
export type RedisCluster = {
  /** Masters of the cluster. */
  readonly servers: readonly [RedisServer, ...RedisServer[]]
  readonly urls: readonly [string, ...string[]]
  /** Returns the master that holds a key. */
  serverOf(key: string): Promise<RedisServer>
  /** Starts a replica, which replaces its master when the master is gone. */
  addReplica(master: RedisServer): Promise<void>
  stop(): Promise<void>
}

export type RedisClusterOptions = {
  /** `yes` makes all servers refuse commands while a server is gone, as Redis does by default. */
  readonly fullCoverage?: 'yes' | 'no'
}

const masters = 3
const allSlots = 16_384
const firstSlot = (at: number) => Math.round((allSlots / masters) * at)

/** Starts a cluster of three masters on free ports, each with its share of the slots. */
export async function startRedisCluster({
  fullCoverage = 'yes',
}: RedisClusterOptions = {}): Promise<RedisCluster> {
  const started: RedisServer[] = []
  async function startServer(): Promise<{ server: RedisServer; busPort: string }> {
    // Choose the bus port, because the default, 10,000 above the port, may exceed the valid range.
    const busPort = String(await freePort())
    const server = await startRedis([
      '--cluster-enabled',
      'yes',
      '--cluster-port',
      busPort,
      '--cluster-node-timeout',
      '500',
      '--cluster-require-full-coverage',
      fullCoverage,
      '--repl-diskless-sync-delay',
      '0',
    ])
    started.push(server)
    return { server, busPort }
  }

  const [first, ...others] = await Promise.all(Array.from({ length: masters }, startServer))
  if (!first) throw new Error('A cluster needs at least one server.')
  const { port } = new URL(first.server.url)
  const join = (server: RedisServer) =>
    askRedis(server.url, ['CLUSTER', 'MEET', '127.0.0.1', port, first.busPort])
  const servers = [first.server, ...others.map(({ server }) => server)] as const
  for (const [at, server] of servers.entries()) {
    const slots = [firstSlot(at), firstSlot(at + 1) - 1].map(String)
    await askRedis(server.url, ['CLUSTER', 'ADDSLOTSRANGE', ...slots])
    if (at > 0) await join(server)
  }
  await Promise.all(servers.map(({ url }) => until(url, ['CLUSTER', 'INFO'], isWhole)))

  return {
    servers,
    urls: [first.server.url, ...others.map(({ server }) => server.url)],
    async serverOf(key) {
      const slot = Number(await askRedis(first.server.url, ['CLUSTER', 'KEYSLOT', key]))
      return servers[servers.findIndex((_, at) => slot < firstSlot(at + 1))] as RedisServer
    },
    async addReplica(master) {
      const { server } = await startServer()
      const id = String(await askRedis(master.url, ['CLUSTER', 'MYID']))
      await join(server)
      await until(server.url, ['CLUSTER', 'NODES'], (nodes) => nodes.includes(id))
      await askRedis(server.url, ['CLUSTER', 'REPLICATE', id])
      await until(server.url, ['INFO', 'replication'], (reply) => reply.includes('link_status:up'))
      // Wait until the replica knows all slots, because it can only replace a master whose slots it
      // knows.
      await until(server.url, ['CLUSTER', 'INFO'], isWhole)
    },
    async stop() {
      await Promise.all(started.map((server) => server.stop()))
    },
  }
}

/** Sends a command to one server, without looking for the server of the command's keys. */
export async function askRedis(url: string, command: readonly string[]): Promise<unknown> {
  const client = await createClient({ url, RESP: 2 }).connect()
  try {
    return await client.sendCommand([...command])
  } finally {
    client.destroy()
  }
}

const isWhole = (reply: string) =>
  reply.includes('cluster_state:ok') && reply.includes(`cluster_slots_ok:${allSlots}`)

async function until(
  url: string,
  command: readonly string[],
  isTrue: (reply: string) => boolean,
): Promise<void> {
  const endsMs = Date.now() + 15_000
  for (;;) {
    const reply = String(await askRedis(url, command))
    if (isTrue(reply)) return
    if (Date.now() > endsMs) throw new Error(`${url} still replies:\n${reply}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
