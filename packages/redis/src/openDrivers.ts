import type { DriverOptions, DriverPackage } from 'waymark/drivers'
import { type RedisAddress, readRedisAddress } from './redisAddress.ts'
import { createRedisCache } from './redisCacheDriver.ts'
import { createRedisJournal } from './redisJournalDriver.ts'

/** Opens the cache at the address in the environment. Waymark calls it when `WAYMARK_REDIS_URL` is set. */
export const openCache: DriverPackage['openCache'] = async ({ env, log }) =>
  createRedisCache({ address: addressIn(env), log })

/**
 * Opens the journal at the address in the environment. Waymark calls it when `WAYMARK_REDIS_URL` is
 * set.
 */
export const openJournal: DriverPackage['openJournal'] = async ({ env, log }) =>
  createRedisJournal({ address: addressIn(env), log })

function addressIn(env: DriverOptions['env']): RedisAddress {
  const address = readRedisAddress(env)
  if (!address)
    throw new Error('WAYMARK_REDIS_URL is empty. Set it to an address such as redis://host:6379.')
  return address
}
