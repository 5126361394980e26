import type { DriverOptions, DriverPackage } from 'waymark/drivers'
import { type RedisAddress, readRedisAddress } from './redisAddress.ts'
import { createRedisCache } from './redisCacheDriver.ts'
import { createRedisJournal } from './redisJournalDriver.ts'

/** Opens the cache where the environment says; Waymark calls it when `WAYMARK_REDIS_URL` is set. */
export const openCache: DriverPackage['openCache'] = async ({ env, log }) =>
  createRedisCache({ address: addressIn(env), log })

/** Opens the journal where the environment says; Waymark calls it when `WAYMARK_REDIS_URL` is set. */
export const openJournal: DriverPackage['openJournal'] = async ({ env, log }) =>
  createRedisJournal({ address: addressIn(env), log })

function addressIn(env: DriverOptions['env']): RedisAddress {
  const address = readRedisAddress(env)
  if (!address) throw new Error('WAYMARK_REDIS_URL does not say where Redis is.')
  return address
}
