import { join } from 'node:path'
import type { Database } from './database.ts'
import { openFileDatabase } from './file.ts'
import { findSqlite, openSqliteDatabase } from './sqlite.ts'

/** Folder with the database and the users' files. */
export const dataFolder = process.env.TRACKER_DATA ?? join(process.cwd(), 'data')

let opened: Database | null = null

/** Returns the database, which is opened on the first call: SQLite if Node has it, otherwise a file. */
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
