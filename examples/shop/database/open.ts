import { join } from 'node:path'
import type { Database } from './database.ts'
import { openFileDatabase } from './file.ts'
import { findSqlite, openSqliteDatabase } from './sqlite.ts'

let opened: Database | null = null

/**
 * Returns the shop's database, which is opened on the first call: SQLite if Node has it, otherwise a
 * file.
 */
export function database(): Database {
  opened ??= openDatabase(process.env.SHOP_DATA ?? join(process.cwd(), 'data'))
  return opened
}

function openDatabase(folder: string): Database {
  const sqlite = findSqlite()
  return sqlite
    ? openSqliteDatabase(sqlite, join(folder, 'shop.db'))
    : openFileDatabase(join(folder, 'shop.json'))
}
