import { join } from 'node:path'
import type { Database } from './database.ts'
import { openFileDatabase } from './file.ts'
import { findSqlite, openSqliteDatabase } from './sqlite.ts'

/** Where the database and the files of users are. */
export const dataFolder = process.env.TRACKER_DATA ?? join(process.cwd(), 'data')

let opened: Database | null = null

/** The database, opened at its first use: SQLite where Node has it, else a file. */
export function database(): Database {
  opened ??= openDatabase(dataFolder)
  return opened
}

function openDatabase(folder: string): Database {
  const sqlite = findSqlite()
  return sqlite
    ? openSqliteDatabase(sqlite, join(folder, 'tracker.db'))
    : openFileDatabase(join(folder, 'tracker.json'))
}
