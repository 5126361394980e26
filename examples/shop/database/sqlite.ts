import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  type CartLine,
  type Database,
  firedOfEach,
  maxQuantity,
  type Order,
  type User,
} from './database.ts'

/** The part of `node:sqlite` that the shop uses. */
export type Sqlite = {
  DatabaseSync: new (
    path: string,
  ) => {
    exec(sql: string): void
    prepare(sql: string): {
      run(...values: (string | number)[]): { changes: number | bigint }
      get(...values: (string | number)[]): unknown
      all(...values: (string | number)[]): unknown[]
    }
  }
}

const schema = `
  pragma journal_mode = wal;
  pragma busy_timeout = 2000;
  pragma foreign_keys = on;
  create table if not exists users (
    id text primary key, email text not null unique, passwordHash text not null
  ) strict;
  create table if not exists sessions (
    tokenHash text primary key, userId text not null references users(id), expiresAtMs integer not null
  ) strict;
  create table if not exists cartLines (
    cartId text not null, slug text not null, quantity integer not null, primary key (cartId, slug)
  ) strict;
  create table if not exists orders (
    id text primary key, userId text not null references users(id), createdAtMs integer not null,
    totalCents integer not null, lines text not null, address text not null
  ) strict;
`

/** Returns `node:sqlite`, which Node has since 22.13. Bundlers don't see this call as an import. */
export function findSqlite(): Sqlite | null {
  // Cast the module, because the types for Node 20 don't include it.
  return (process.getBuiltinModule('node:sqlite') as Sqlite | undefined) ?? null
}

/** Opens a database file, and creates the file if it doesn't exist. */
export function openSqliteDatabase({ DatabaseSync }: Sqlite, path: string): Database {
  mkdirSync(dirname(path), { recursive: true })
  const db = new DatabaseSync(path)
  db.exec(schema)
  const queries = createQueries(db)
  return { ...accountsIn(queries), ...cartsIn(queries), ...ordersIn(queries) }
}

function accountsIn({ one, run }: Queries) {
  return {
    async addUser({ id, email, passwordHash }) {
      return run('insert or ignore into users values (?, ?, ?)', id, email, passwordHash) === 1
    },
    async findUserByEmail(email) {
      return one<User>('select * from users where email = ?', email)
    },
    async addSession({ tokenHash, userId, expiresAtMs }) {
      run('delete from sessions where expiresAtMs < ?', Date.now())
      run('insert into sessions values (?, ?, ?)', tokenHash, userId, expiresAtMs)
    },
    async findSessionUser(tokenHash, nowMs) {
      return one<User>(
        `select users.* from sessions join users on users.id = userId
         where tokenHash = ? and expiresAtMs > ?`,
        tokenHash,
        nowMs,
      )
    },
    async deleteSession(tokenHash) {
      run('delete from sessions where tokenHash = ?', tokenHash)
    },
  } satisfies Partial<Database>
}

function cartsIn({ all, run }: Queries) {
  return {
    async readCart(cartId) {
      return all<CartLine>(
        'select slug, quantity from cartLines where cartId = ? order by rowid',
        cartId,
      )
    },
    async addToCart(cartId, { slug, quantity }) {
      run(
        `insert into cartLines values (?, ?, ?) on conflict
         do update set quantity = min(${maxQuantity}, quantity + excluded.quantity)`,
        cartId,
        slug,
        quantity,
      )
    },
    async setQuantity(cartId, { slug, quantity }) {
      if (quantity === 0) run('delete from cartLines where cartId = ? and slug = ?', cartId, slug)
      else
        run(
          'update cartLines set quantity = ? where cartId = ? and slug = ?',
          quantity,
          cartId,
          slug,
        )
    },
  } satisfies Partial<Database>
}

function ordersIn({ one, all, run, inTransaction }: Queries) {
  const soldOf = (slug: string) => one<{ sold: number }>(countSold, slug)?.sold ?? 0
  return {
    async placeOrder({ id, userId, createdAtMs, totalCents, lines, address }, cartId) {
      const texts = [JSON.stringify(lines), JSON.stringify(address)]
      return inTransaction(() => {
        if (lines.some(({ slug, quantity }) => soldOf(slug) + quantity > firedOfEach)) return false
        const values = [id, userId, createdAtMs, totalCents, ...texts]
        run('insert into orders values (?, ?, ?, ?, ?, ?)', ...values)
        run('delete from cartLines where cartId = ?', cartId)
        return true
      })
    },
    async countSold(slug) {
      return soldOf(slug)
    },
    async findOrder(id) {
      const row = one<OrderRow>('select * from orders where id = ?', id)
      return row && orderOf(row)
    },
    async listOrders(userId) {
      const sql = 'select * from orders where userId = ? order by createdAtMs desc limit 50'
      return all<OrderRow>(sql, userId).map(orderOf)
    },
  } satisfies Partial<Database>
}

const countSold = `
  select coalesce(sum(line.value ->> 'quantity'), 0) as sold
  from orders, json_each(orders.lines) as line where line.value ->> 'slug' = ?
`

type Queries = ReturnType<typeof createQueries>

function createQueries(db: InstanceType<Sqlite['DatabaseSync']>) {
  // Cast the rows, because the schema above defines their shape.
  const one = <T>(sql: string, ...values: (string | number)[]) =>
    (db.prepare(sql).get(...values) as T | undefined) ?? null
  const all = <T>(sql: string, ...values: (string | number)[]) =>
    db.prepare(sql).all(...values) as T[]
  const run = (sql: string, ...values: (string | number)[]) =>
    Number(db.prepare(sql).run(...values).changes)
  function inTransaction<T>(change: () => T): T {
    db.exec('begin immediate')
    try {
      const result = change()
      db.exec('commit')
      return result
    } catch (error) {
      db.exec('rollback')
      throw error
    }
  }
  return { one, all, run, inTransaction }
}

type OrderRow = Omit<Order, 'lines' | 'address'> & { lines: string; address: string }

function orderOf(row: OrderRow): Order {
  return { ...row, lines: JSON.parse(row.lines), address: JSON.parse(row.address) }
}
