import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  type CartLine,
  type Database,
  firedOfEach,
  maxQuantity,
  type Order,
  type Session,
  type User,
} from './database.ts'

type Tables = {
  readonly users: User[]
  readonly sessions: Session[]
  readonly carts: Record<string, CartLine[]>
  readonly orders: Order[]
}

/**
 * Opens a database in one JSON file, for one process and few visitors. Each call reads the file, and
 * each change replaces it.
 */
export function openFileDatabase(path: string): Database {
  const file = openTables(path)
  return { ...accountsIn(file), ...cartsIn(file), ...ordersIn(file) }
}

function accountsIn({ read, change }: TablesFile) {
  return {
    addUser: (user) =>
      change(({ users }) => {
        if (users.some(({ email }) => email === user.email)) return false
        users.push(user)
        return true
      }),
    async findUserByEmail(email) {
      return (await read()).users.find((user) => user.email === email) ?? null
    },
    addSession: (session) =>
      change(({ sessions }) => {
        const current = sessions.filter(({ expiresAtMs }) => expiresAtMs >= Date.now())
        sessions.splice(0, Number.POSITIVE_INFINITY, ...current, session)
      }),
    async findSessionUser(tokenHash, nowMs) {
      const { sessions, users } = await read()
      const session = sessions.find((entry) => entry.tokenHash === tokenHash)
      if (!session || session.expiresAtMs <= nowMs) return null
      return users.find(({ id }) => id === session.userId) ?? null
    },
    deleteSession: (tokenHash) =>
      change(({ sessions }) => {
        const index = sessions.findIndex((session) => session.tokenHash === tokenHash)
        if (index >= 0) sessions.splice(index, 1)
      }),
  } satisfies Partial<Database>
}

function cartsIn({ read, change }: TablesFile) {
  return {
    async readCart(cartId) {
      return (await read()).carts[cartId] ?? []
    },
    addToCart: (cartId, { slug, quantity }) =>
      change(({ carts }) => {
        const lines = carts[cartId] ?? []
        const there = lines.find((line) => line.slug === slug)?.quantity ?? 0
        const line = { slug, quantity: Math.min(maxQuantity, there + quantity) }
        carts[cartId] = there === 0 ? [...lines, line] : withLine(lines, line)
      }),
    setQuantity: (cartId, line) =>
      change(({ carts }) => {
        carts[cartId] = withLine(carts[cartId] ?? [], line)
      }),
  } satisfies Partial<Database>
}

function ordersIn({ read, change }: TablesFile) {
  return {
    placeOrder: (order, cartId) =>
      change(({ carts, orders }) => {
        const isLeft = ({ slug, quantity }: CartLine) =>
          soldOf(orders, slug) + quantity <= firedOfEach
        if (!order.lines.every(isLeft)) return false
        orders.push(order)
        delete carts[cartId]
        return true
      }),
    async countSold(slug) {
      return soldOf((await read()).orders, slug)
    },
    async findOrder(id) {
      return (await read()).orders.find((order) => order.id === id) ?? null
    },
    async listOrders(userId) {
      const userOrders = (await read()).orders.filter((order) => order.userId === userId)
      return userOrders.toSorted((a, b) => b.createdAtMs - a.createdAtMs).slice(0, 50)
    },
  } satisfies Partial<Database>
}

function soldOf(orders: readonly Order[], slug: string): number {
  const lines = orders.flatMap((order) => order.lines).filter((line) => line.slug === slug)
  return lines.reduce((sum, { quantity }) => sum + quantity, 0)
}

type TablesFile = ReturnType<typeof openTables>

function openTables(path: string) {
  let last: Promise<unknown> = Promise.resolve()

  async function read(): Promise<Tables> {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    return text === null ? { users: [], sessions: [], carts: {}, orders: [] } : JSON.parse(text)
  }

  // Runs changes one after the other, so that each change starts with the result of the previous one.
  function change<T>(apply: (tables: Tables) => T): Promise<T> {
    const done = last.then(async () => {
      const tables = await read()
      const result = apply(tables)
      await replaceFile(path, JSON.stringify(tables))
      return result
    })
    // Ignore the error of a failed change here, because the change's caller gets it. The next change
    // still runs.
    last = done.catch(() => {})
    return done
  }

  return { read, change }
}

function withLine(lines: readonly CartLine[], line: CartLine): CartLine[] {
  return lines
    .map((other) => (other.slug === line.slug ? line : other))
    .filter(({ quantity }) => quantity > 0)
}

// Rename a temporary file, because renaming is atomic: even after a crash, a reader gets either the old
// file or the new one.
async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const next = `${path}.${process.pid}.next`
  const file = await open(next, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
}
