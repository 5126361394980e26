import { runStoreProgram } from '../../../waymark/src/cache/testing/storeProgram.ts'
import { createRedisCache } from '../redisCacheDriver.ts'

// Program for tests that need a separate process. Its address argument is a URL, a prefix, and a token
// for Redis over HTTP, separated by spaces.
await runStoreProgram((address, log) => {
  const [url = '', prefix = '', token] = address.split(' ')
  return createRedisCache({ address: { urls: [url], prefix, token }, log, timeoutMs: 5_000 })
})
