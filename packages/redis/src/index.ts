export { openCache, openJournal } from './openDrivers.ts'
export { type RedisAddress, readRedisAddress } from './redisAddress.ts'
export { createRedisCache, type RedisCacheOptions } from './redisCacheDriver.ts'
export { createRedisJournal, type RedisJournalOptions } from './redisJournalDriver.ts'
