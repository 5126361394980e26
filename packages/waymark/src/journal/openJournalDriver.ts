import { readRedisAddress } from '../redis/redisAddress.ts'
import { createFilesJournal } from './files/fileJournalDriver.ts'
import type { JournalDriver } from './journalDriver.ts'

/** Where an app's journal may be stored. */
export type JournalLocation = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Of the embedded default. */
  readonly folder: string
  readonly log: (line: string) => void
}

/**
 * Opens the journal of a server: in Redis when `WAYMARK_REDIS_URL` says where that is, else in a
 * folder.
 * @throws `REDIS_URL`, `REDIS_NOT_INSTALLED`
 */
export async function openJournalDriver({
  env,
  folder,
  log,
}: JournalLocation): Promise<JournalDriver> {
  const address = readRedisAddress(env)
  if (!address) return createFilesJournal({ folder, log })
  const { createRedisJournal } = await import('./redis/redisJournalDriver.ts')
  return createRedisJournal({ address, log })
}
